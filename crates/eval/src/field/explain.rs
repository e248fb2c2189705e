//! Explains a score: a term for every group, one for king danger and one for the hidden layer, and a field for every
//! heatmap.
//!
//! The features are the ones that were summed. Each group's share is tapered like the total. A term is the difference
//! between truncated running totals, so terms sum to the score exactly.

use shakmaty::{Color, Square};

use super::groups::{self, Heatmap};
use super::hidden_layer::{Accumulator, Row};
use super::sink::{FeatureTrace, FoundFeature};
use super::weights::MgEg;
use super::{BOUND, FieldEval, TAPERED_CENTIPAWN, Taper, cost_of_danger, score, trace};
use crate::explain::{Explanation, Field, Term};
use crate::view::View;

/// Name of the king-danger term.
const DANGER: &str = "king danger";
/// Name of the hidden layer's term and field; part of the output format.
const HIDDEN_LAYER: &str = "interplay";

type Values = [[f64; 8]; 8];

pub(super) fn explain(learned: &FieldEval, view: View<'_>) -> Explanation {
    let trace = trace(view);
    let worth = |found: &FoundFeature| learned.compiled.linear[found.feature] * found.count;
    let cost = danger(learned, &trace).map(cost_of_danger);

    let accumulator = accumulated(learned, &trace);

    // Both sides' share of each group, then of danger (White's danger counts for Black), then of the hidden layer.
    let mut shares = vec![[MgEg::default(); 2]; groups::ALL.len() + 2];
    for found in &trace.found {
        let group = groups::ALL.partition_point(|group| group.start <= found.feature) - 1;
        shares[group][found.color as usize] += worth(found);
    }
    let [white_king, black_king] = cost;
    shares[groups::ALL.len()][Color::White as usize] -= white_king;
    shares[groups::ALL.len()][Color::Black as usize] -= black_king;
    for color in Color::ALL {
        shares[groups::ALL.len() + 1][color as usize] =
            accumulator.output(color.is_black(), &learned.compiled.units);
    }

    let total = shares.iter().fold(MgEg::default(), |mut total, share| {
        total += share[Color::White as usize];
        total -= share[Color::Black as usize];
        total
    });
    let taper = Taper::of(view.board, total.endgame());
    let score = score(total, taper);
    let terms = terms(&shares, taper);
    let mut explanation =
        Explanation { score, terms, fields: fields(learned, view, &trace, &cost, &accumulator, taper) };
    let rest = score.raw() - explanation.sum();
    if rest != 0 {
        debug_assert!(score.raw().abs() == BOUND, "only the bound takes anything away");
        explanation.terms.push(Term {
            name: "limit".to_owned(),
            white: rest.max(0).into(),
            black: (-rest).max(0).into(),
            weight: 1.0,
            centipawns: rest,
        });
    }
    explanation
}

/// Danger of White's king and of Black's, in quantisation units.
fn danger(learned: &FieldEval, trace: &FeatureTrace) -> [i32; 2] {
    let sum = |inputs: &[(usize, i32)]| {
        inputs.iter().map(|(input, count)| learned.compiled.danger[*input] * count).sum()
    };
    [sum(&trace.danger[0]), sum(&trace.danger[1])]
}

/// The accumulated inputs of the hidden layer.
fn accumulated(learned: &FieldEval, trace: &FeatureTrace) -> Accumulator {
    let mut accumulator = Accumulator::default();
    for (found, row) in taking_part(learned, trace) {
        accumulator.add(found.color.is_black(), row, found.count);
    }
    accumulator
}

/// The features that feed the hidden layer.
fn taking_part<'a>(
    learned: &'a FieldEval,
    trace: &'a FeatureTrace,
) -> impl Iterator<Item = (&'a FoundFeature, &'a Row)> {
    let found = trace.found.iter().filter(|found| found.feature < groups::INPUTS);
    found.map(|found| (found, &learned.compiled.rows[found.feature]))
}

fn terms(shares: &[[MgEg; 2]], taper: Taper) -> Vec<Term> {
    let names = groups::ALL.iter().map(|group| group.name).chain([DANGER, HIDDEN_LAYER]);
    let mut mixed = 0;
    let mut terms = Vec::with_capacity(shares.len());
    for (name, share) in names.zip(shares) {
        let [white, black] = [Color::White, Color::Black].map(|color| taper.apply(share[color as usize]));
        let before = mixed / TAPERED_CENTIPAWN;
        mixed += white - black;
        terms.push(Term {
            name: name.to_owned(),
            white: centipawns(white),
            black: centipawns(black),
            weight: 1.0,
            centipawns: (mixed / TAPERED_CENTIPAWN - before) as i32,
        });
    }
    terms
}

fn centipawns(mixed: i64) -> f64 {
    mixed as f64 / TAPERED_CENTIPAWN as f64
}

fn at(values: &mut Values, square: Square) -> &mut f64 {
    &mut values[7 - square.rank() as usize][square.file() as usize]
}

/// The contribution of each square, per heatmap and in total. Material is left out: it would hide everything else.
fn fields(
    learned: &FieldEval,
    view: View<'_>,
    trace: &FeatureTrace,
    cost: &[MgEg; 2],
    accumulator: &Accumulator,
    taper: Taper,
) -> Vec<Field> {
    let mut heatmaps = [[[0.0; 8]; 8]; Heatmap::ALL.len()];
    let material = groups::MATERIAL..groups::MATERIAL + 5;
    for found in trace.found.iter().filter(|found| !material.contains(&found.feature)) {
        let worth = centipawns(taper.apply(learned.compiled.linear[found.feature] * found.count));
        let heatmap = groups::group_of(found.feature).heatmap as usize;
        *at(&mut heatmaps[heatmap], found.at) += found.color.fold_wb(worth, -worth);
    }
    for (color, cost) in [(Color::White, cost[0]), (Color::Black, cost[1])] {
        if let Some(king) = view.board.king_of(color) {
            let cost = centipawns(taper.apply(cost));
            *at(&mut heatmaps[Heatmap::Kings as usize], king) -= color.fold_wb(cost, -cost);
        }
    }
    // The bias of a side's units is drawn on its king's square.
    let shares = accumulator.shares(&learned.compiled.units);
    let hidden_layer = &mut heatmaps[Heatmap::HiddenLayer as usize];
    for (found, row) in taking_part(learned, trace) {
        *at(hidden_layer, found.at) += taper.centipawns(shares.of(found.color.is_black(), row, found.count));
    }
    for color in Color::ALL {
        if let Some(king) = view.board.king_of(color) {
            *at(hidden_layer, king) += taper.centipawns(shares.of_bias(color.is_black()));
        }
    }
    let mut all = [[0.0; 8]; 8];
    for (sum, value) in all.iter_mut().flatten().zip(0..64) {
        *sum = heatmaps.iter().map(|heatmap| heatmap[value / 8][value % 8]).sum();
    }
    let field =
        |name: &str, values: Values| Field { name: name.to_owned(), unit: "centipawns".to_owned(), values };
    let mut fields = vec![field("worth", all)];
    fields.extend(Heatmap::ALL.into_iter().map(|heatmap| field(heatmap.name(), heatmaps[heatmap as usize])));
    fields
}
