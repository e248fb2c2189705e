//! The score as a sum over the pieces on the board.
//!
//! A unit with input sum `a = bias + Σ weights` gives `c²` with `c = clamp(a, 0, QA)`. Below saturation `c² = c · a`, so
//! that the share of an input in the unit is `c · weight`, exactly. A saturated unit gives `QA² = (QA² / a) · a`, and
//! the share of an input is `QA² · weight / a`, rounded to a whole number of the units of sums; what is lost there is
//! part of the term "rounding". A piece is an input of both sides' units; its worth is what it gives to all of them.
//! The biases of units and outputs are the term "bias": what the network expects of a board without any piece.

use shakmaty::{Color, Square};
use tabia_core::Score;
use tabia_core::chess::role_name;

use super::kernels::Level;
use super::{ONE, QA, SCALE, Weights, centipawns, output_bucket};
use crate::explain::{Explanation, Field, Term, board_of, round};
use crate::view::View;

/// What each piece is worth, White's view, in units of 1 / (QA² · QB); and the biases, and what saturated units lost.
struct Shares {
    pieces: [i64; 64],
    bias: i64,
    lost: i64,
}

impl Shares {
    fn of<const N: usize>(network: &Weights<N>, view: View<'_>) -> Shares {
        let board = view.board;
        let bucket = output_bucket(board.occupied().count());
        let sign = view.turn.fold_wb(1, -1);
        let mut shares =
            Shares { pieces: [0; 64], bias: sign * i64::from(network.output_bias[bucket]), lost: 0 };
        for side in [Color::White, Color::Black] {
            let units = network.refreshed(board, side);
            let weights = &network.outputs[bucket][usize::from(side != view.turn)];
            let perspective = network.kings.perspective(board, side);
            let rows: Vec<_> = board
                .clone()
                .into_iter()
                .map(|(square, piece)| (square, &network.inputs[perspective.index(side, piece, square)]))
                .collect();
            for unit in 0..N {
                let (sum, weight) = (i64::from(units.0[unit]), sign * i64::from(weights.0[unit]));
                if sum <= 0 || weight == 0 {
                    continue;
                }
                let full = i64::from(QA);
                let value = sum.min(full).pow(2);
                let share = |given: i16| {
                    if sum <= full {
                        weight * sum * i64::from(given)
                    } else {
                        weight * value * i64::from(given) / sum
                    }
                };
                let mut left = weight * value;
                for (square, row) in &rows {
                    let share = share(row.0[unit]);
                    shares.pieces[*square as usize] += share;
                    left -= share;
                }
                let bias = share(network.hidden_bias.0[unit]);
                shares.bias += bias;
                shares.lost += left - bias;
            }
        }
        shares
    }

    fn sum(&self) -> i64 {
        self.pieces.iter().sum::<i64>() + self.bias + self.lost
    }
}

/// Centipawns of a share, not rounded.
fn exact(share: i64) -> f64 {
    share as f64 * f64::from(SCALE) / ONE as f64
}

/// The name of the term of a piece.
fn name(role: shakmaty::Role, square: Square) -> String {
    format!("{} {square}", role_name(role))
}

pub(super) fn explain<const N: usize>(network: &Weights<N>, view: View<'_>) -> Explanation {
    let shares = Shares::of(network, view);
    let score = Score::cp(centipawns(shares.sum()));
    debug_assert_eq!(
        score,
        {
            let units = [view.turn, view.turn.other()].map(|side| network.refreshed(view.board, side));
            let bucket = output_bucket(view.board.occupied().count());
            let relative = centipawns(network.output(Level::Portable, [&units[0], &units[1]], bucket));
            Score::cp(view.turn.fold_wb(relative, -relative))
        },
        "shares sum to the output"
    );

    // Each term is the difference between rounded running totals, so that all together are the score.
    let (mut total, mut told) = (0, 0);
    let mut term = |name: String, share: i64, is_white: bool| {
        total += share;
        let centipawns = round(exact(total)) - told;
        told += centipawns;
        let worth = exact(share);
        let (white, black) = if is_white { (worth, 0.0) } else { (0.0, -worth) };
        Term { name, white, black, weight: 1.0, centipawns }
    };
    let mut terms = Vec::new();
    for role in shakmaty::Role::ALL.into_iter().rev() {
        for color in [Color::White, Color::Black] {
            for square in view.board.by_role(role) & view.board.by_color(color) {
                terms.push(term(name(role, square), shares.pieces[square as usize], color.is_white()));
            }
        }
    }
    terms.push(term("bias".to_owned(), shares.bias, shares.bias >= 0));
    let rest = score.raw() - told;
    if rest != 0 {
        let (white, black) = (f64::from(rest.max(0)), f64::from((-rest).max(0)));
        terms.push(Term { name: "rounding".to_owned(), white, black, weight: 1.0, centipawns: rest });
    }
    let worth = Field {
        name: "worth".to_owned(),
        unit: "centipawns, White's view".to_owned(),
        values: board_of(|square| exact(shares.pieces[square as usize])),
    };
    Explanation { score, terms, fields: vec![worth] }
}
