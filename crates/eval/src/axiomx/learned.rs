//! The evaluation with weights other than the seed's: learned ones, for the middlegame and the endgame.
//!
//! It is the same formula, computed with both sets of weights and tapered by phase. Two things are more general than
//! in the seed: square weights are relative to the owner, so that squares in the enemy's half may count for more than
//! those at home, and every weight of a term is free. With the seed's weights it gives the seed's score, up to rounding.
//!
//! Weights are quantised to fractions of a centipawn, so that exchanging colours negates the score exactly.

use shakmaty::{Bitboard, Board, ByColor, Color, Role, Square};
use tabia_core::Score;

use super::attention;
use super::influence::{self, Layers, Units};
use super::kernel::{Kernel, ONE, Phases};
use super::opening::Opening;
use super::options::Options;
use super::pawns::Pawns;
use super::terms::ATTENTION_NAME;
use super::weights::{self, Weights};
use crate::explain::{Explanation, Part};
use crate::pst;
use crate::view::{View, half_board};

/// Quantisation units per centipawn.
const QUANTISATION: i64 = 4096;

/// Units of the sums per centipawn.
const CENTIPAWN: i64 = QUANTISATION * ONE as i64;

/// Bound of the score, in centipawns.
const BOUND: i64 = 20_000;

/// The terms, as the seed's evaluation names them.
const NAMES: [&str; 11] = [
    "material",
    "control",
    "centre pawns",
    "knight development",
    "bishop development",
    "castling",
    "doubled",
    "isolated",
    "passed",
    "coordination",
    ATTENTION_NAME,
];

type Amounts = [i64; NAMES.len()];

/// Quantised weights.
#[derive(Clone, Debug)]
pub struct LearnedAxiomx {
    weights: Weights,
    options: Options,
    ends: [End; 2],
}

/// The weights of one phase.
#[derive(Clone, Debug)]
struct End {
    kernel: Kernel,
    material: [i64; 5],
    /// Control times the weight of each square in White's view, twice; and where a piece of the same side stands.
    squares: [[i64; 64]; 2],
    opening: [i64; 4],
    pawns: [i64; 3],
    /// Weight of own influence under own pieces, where the enemy's counts two.
    under_own: i64,
    coordination: i64,
    attention: i64,
    temperature: f64,
}

fn quantise(number: f64) -> i64 {
    (number * QUANTISATION as f64).round() as i64
}

impl End {
    fn new(all: &Weights, end: usize, options: &Options) -> End {
        let weights = all.end(end);
        let some = |from: usize| move |index: usize| quantise(weights[from + index]);
        let defence = 2.0 + weights[weights::DEFENCE];
        let squares = [2.0, defence].map(|times| {
            std::array::from_fn(|square| {
                let weight = weights[weights::SQUARES + half_board(Square::new(square as u32))];
                quantise(times * weights[weights::CONTROL] * weight)
            })
        });
        End {
            kernel: all.profile(end, options).kernel(options),
            material: std::array::from_fn(some(weights::MATERIAL)),
            squares,
            opening: std::array::from_fn(some(weights::OPENING)),
            pawns: std::array::from_fn(some(weights::PAWNS)),
            under_own: quantise(defence),
            coordination: quantise(weights[weights::COORDINATION]),
            attention: quantise(weights[weights::ATTENTION]),
            temperature: weights[weights::ATTENTION + 1],
        }
    }

    fn control(&self, attack: &Units, own: Bitboard, color: Color) -> i64 {
        let mut sum = 0;
        for square in Square::ALL {
            let seen = color.fold_wb(square, square.flip_vertical());
            let weights = &self.squares[usize::from(own.contains(square))];
            sum += i64::from(attack[usize::from(square)]) * weights[usize::from(seen)];
        }
        sum
    }

    fn coordination(&self, attack: &[Units; 2], board: &Board, color: Color) -> i64 {
        let pieces = board.by_color(color) & !board.pawns();
        let held = |square: Square| {
            let [own, enemy] =
                [color, !color].map(|side| i64::from(attack[side as usize][usize::from(square)]));
            (self.under_own * own - 2 * QUANTISATION * enemy).max(0) / QUANTISATION
        };
        pieces.into_iter().map(held).sum::<i64>() * self.coordination
    }

    /// One side's amount of every term, in quantisation units.
    fn amounts(&self, view: View<'_>, options: &Options, pawns: ByColor<Pawns>) -> ByColor<Amounts> {
        let board = view.board;
        let layers = options.attention.then(|| Layers::of(board, &self.kernel));
        let attack = layers.as_ref().map_or_else(|| influence::attack(board, &self.kernel), Layers::attack);
        let in_opening = i64::from(options.opening_moves.include(view.move_number));
        ByColor::new_with(|color: Color| {
            let own = board.by_color(color);
            let count = |role: Role| (own & board.by_role(role)).count() as i64;
            let material: i64 =
                Role::ALL.into_iter().zip(self.material).map(|(role, worth)| count(role) * worth).sum();
            let opening = Opening::of(board, color);
            let opening =
                [opening.center_pawns, opening.knights, opening.bishops, i32::from(opening.castled)];
            let pawns = pawns.get(color);
            let pawns = [pawns.doubled, pawns.isolated, pawns.passed];
            let things = |counts: i32, worth: i64| i64::from(counts) * worth * i64::from(ONE);
            let mut amounts = [0; NAMES.len()];
            amounts[0] = material * i64::from(ONE);
            amounts[1] = self.control(&attack[color as usize], own, color);
            for index in 0..4 {
                amounts[2 + index] = in_opening * things(opening[index], self.opening[index]);
            }
            for index in 0..3 {
                amounts[6 + index] = things(pawns[index], self.pawns[index]);
            }
            amounts[9] = self.coordination(&attack, board, color);
            amounts[10] = layers.as_ref().map_or(0, |layers| {
                let attended = attention::attended(layers, board, color, self.temperature);
                i64::from(attended) * self.attention
            });
            amounts
        })
    }
}

impl LearnedAxiomx {
    /// Quantises weights.
    pub(super) fn new(weights: Weights, options: &Options) -> LearnedAxiomx {
        let ends = [0, 1].map(|end| End::new(&weights, end, options));
        LearnedAxiomx { weights, options: options.clone(), ends }
    }

    pub(super) fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The kernels, for drawing.
    pub(super) fn kernels(&self) -> Phases {
        Phases { opening: self.ends[0].kernel, endgame: self.ends[1].kernel }
    }

    /// Both sides' amounts, tapered, in quantisation units times the full phase.
    fn tapered(&self, view: View<'_>) -> ByColor<Amounts> {
        let phase = i64::from(pst::phase(view.board));
        let pawns = ByColor::new_with(|color| Pawns::of(view.board, color, self.options.passed_pawns));
        let mut tapered = ByColor { white: [0; NAMES.len()], black: [0; NAMES.len()] };
        for (end, share) in self.ends.iter().zip([phase, i64::from(pst::FULL_PHASE) - phase]) {
            if share == 0 {
                continue;
            }
            let amounts = end.amounts(view, &self.options, pawns);
            for color in Color::ALL {
                for (sum, amount) in tapered.get_mut(color).iter_mut().zip(amounts.get(color)) {
                    *sum += share * amount;
                }
            }
        }
        tapered
    }

    pub(super) fn score(&self, view: View<'_>) -> Score {
        of_total(total(&self.tapered(view)))
    }

    pub(super) fn explained(&self, view: View<'_>) -> Explanation {
        let tapered = self.tapered(view);
        let centipawns = |amount: i64| amount as f64 / (CENTIPAWN * i64::from(pst::FULL_PHASE)) as f64;
        let part = |(index, name): (usize, &'static str)| Part {
            name,
            white: centipawns(tapered.white[index]),
            black: centipawns(tapered.black[index]),
            weight: 1.0,
        };
        let shown = NAMES
            .into_iter()
            .enumerate()
            .filter(|(_, name)| self.options.attention || *name != ATTENTION_NAME);
        let parts: Vec<Part> = shown.map(part).collect();
        Explanation::from_parts(&parts, of_total(total(&tapered)))
    }
}

fn total(tapered: &ByColor<Amounts>) -> i64 {
    tapered.white.iter().sum::<i64>() - tapered.black.iter().sum::<i64>()
}

/// To the nearest centipawn, halves away from zero: the opposite total gives the opposite score.
fn of_total(total: i64) -> Score {
    let centipawn = CENTIPAWN * i64::from(pst::FULL_PHASE);
    let centipawns = (total + total.signum() * centipawn / 2) / centipawn;
    Score::cp(centipawns.clamp(-BOUND, BOUND) as i32)
}
