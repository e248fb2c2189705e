//! The evaluation with numbers that are not the seed's: learned ones, at both ends of the game.
//!
//! It is the same formula, counted twice (with the numbers of the middlegame and with those of the endgame) and blended
//! by phase. Two things are wider than the seed has them: a square weighs what it weighs *to its owner*, so that far
//! up the board may count for more than at home, and every weight of a term is free. With the seed's numbers it gives
//! the seed's score, to the rounding.
//!
//! Numbers are made whole, in fractions of a centipawn, so that exchanging colours negates exactly.

use shakmaty::{Bitboard, Board, ByColor, Color, Role, Square};
use tabia_core::Score;

use super::attention;
use super::influence::{self, Layers, Units};
use super::kernel::{Kernel, ONE, Phases};
use super::numbers::{self, Numbers};
use super::opening::Opening;
use super::options::Options;
use super::pawns::Pawns;
use super::terms::ATTENTION_NAME;
use crate::explain::{Explanation, Part};
use crate::pst;
use crate::view::{View, half_board};

/// Parts of a centipawn that weights are made of.
const QUANTISATION: i64 = 4096;

/// What sums count in a centipawn.
const CENTIPAWN: i64 = QUANTISATION * ONE as i64;

/// No position is worth more than this, in centipawns.
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

/// Numbers made ready to count with.
#[derive(Clone, Debug)]
pub struct Learned {
    numbers: Numbers,
    attention: bool,
    ends: [End; 2],
}

/// One end of the game.
#[derive(Clone, Debug)]
struct End {
    kernel: Kernel,
    material: [i64; 5],
    /// Control times the weight of each square to White, twice; and where a man of the same side stands.
    squares: [[i64; 64]; 2],
    opening: [i64; 4],
    pawns: [i64; 3],
    /// What own influence counts under own men, where the enemy's counts two.
    under_own: i64,
    coordination: i64,
    attention: i64,
    temperature: f64,
}

fn quantise(number: f64) -> i64 {
    (number * QUANTISATION as f64).round() as i64
}

impl End {
    fn new(all: &Numbers, end: usize, options: &Options) -> End {
        let numbers = all.end(end);
        let some = |from: usize| move |index: usize| quantise(numbers[from + index]);
        let defence = 2.0 + numbers[numbers::DEFENCE];
        let squares = [2.0, defence].map(|times| {
            std::array::from_fn(|square| {
                let weight = numbers[numbers::SQUARES + half_board(Square::new(square as u32))];
                quantise(times * numbers[numbers::CONTROL] * weight)
            })
        });
        End {
            kernel: all.profile(end, options).kernel(options),
            material: std::array::from_fn(some(numbers::MATERIAL)),
            squares,
            opening: std::array::from_fn(some(numbers::OPENING)),
            pawns: std::array::from_fn(some(numbers::PAWNS)),
            under_own: quantise(defence),
            coordination: quantise(numbers[numbers::COORDINATION]),
            attention: quantise(numbers[numbers::ATTENTION]),
            temperature: numbers[numbers::ATTENTION + 1],
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

    /// What one side has of every term, in parts of a centipawn.
    fn amounts(&self, view: View<'_>, attention: bool, pawns: ByColor<Pawns>) -> ByColor<Amounts> {
        let board = view.board;
        let layers = attention.then(|| Layers::of(board, &self.kernel));
        let attack = layers.as_ref().map_or_else(|| influence::attack(board, &self.kernel), Layers::attack);
        let in_opening = i64::from(Opening::is_on(view.move_number));
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

impl Learned {
    /// Makes numbers ready.
    pub(super) fn new(numbers: Numbers, options: &Options) -> Learned {
        let ends = [0, 1].map(|end| End::new(&numbers, end, options));
        Learned { numbers, attention: options.attention, ends }
    }

    pub(super) fn numbers(&self) -> &Numbers {
        &self.numbers
    }

    /// The kernels, for whoever draws them.
    pub(super) fn kernels(&self) -> Phases {
        Phases { opening: self.ends[0].kernel, endgame: self.ends[1].kernel }
    }

    /// Both sides' amounts, blended: in parts of a centipawn over the full phase.
    fn blended(&self, view: View<'_>) -> ByColor<Amounts> {
        let phase = i64::from(pst::phase(view.board));
        let pawns = ByColor::new_with(|color| Pawns::of(view.board, color));
        let mut blended = ByColor { white: [0; NAMES.len()], black: [0; NAMES.len()] };
        for (end, share) in self.ends.iter().zip([phase, i64::from(pst::FULL_PHASE) - phase]) {
            if share == 0 {
                continue;
            }
            let amounts = end.amounts(view, self.attention, pawns);
            for color in Color::ALL {
                for (sum, amount) in blended.get_mut(color).iter_mut().zip(amounts.get(color)) {
                    *sum += share * amount;
                }
            }
        }
        blended
    }

    pub(super) fn score(&self, view: View<'_>) -> Score {
        of_total(total(&self.blended(view)))
    }

    pub(super) fn explained(&self, view: View<'_>) -> Explanation {
        let blended = self.blended(view);
        let centipawns = |amount: i64| amount as f64 / (CENTIPAWN * i64::from(pst::FULL_PHASE)) as f64;
        let part = |(index, name): (usize, &'static str)| Part {
            name,
            white: centipawns(blended.white[index]),
            black: centipawns(blended.black[index]),
            weight: 1.0,
        };
        let shown =
            NAMES.into_iter().enumerate().filter(|(_, name)| self.attention || *name != ATTENTION_NAME);
        let parts: Vec<Part> = shown.map(part).collect();
        Explanation::from_parts(&parts, of_total(total(&blended)))
    }
}

fn total(blended: &ByColor<Amounts>) -> i64 {
    blended.white.iter().sum::<i64>() - blended.black.iter().sum::<i64>()
}

/// To the nearest centipawn, halves away from zero: the opposite total gives the opposite score.
fn of_total(total: i64) -> Score {
    let centipawn = CENTIPAWN * i64::from(pst::FULL_PHASE);
    let centipawns = (total + total.signum() * centipawn / 2) / centipawn;
    Score::cp(centipawns.clamp(-BOUND, BOUND) as i32)
}
