//! The terms of the evaluation, their weights, and their sum: seed 000 §3.6.
//!
//! ```text
//! E = material + 0.5·control + 0.3·opening + 0.2·positional
//! ```

use shakmaty::ByColor;
use tabia_core::Score;

use super::kernel::{ONE, influences};
use super::opening::Opening;
use super::pawns::Pawns;
use crate::explain::{Explanation, Part};

/// Weights are in tenths of a centipawn, so that the seed's 0.5, 0.3 and 0.2 are whole.
pub(super) const TENTHS: i64 = 10;

/// The seed's α, in tenths: what a point of control is worth.
pub(super) const CONTROL: i64 = 5;
/// The seed's β, in tenths: what a point of opening play is worth.
pub(super) const OPENING: i64 = 3;
/// The seed's γ, in tenths: what a point of position is worth.
pub(super) const POSITIONAL: i64 = 2;
/// Ours, in tenths: influence attended to is worth what influence in control is.
pub(super) const ATTENTION: i64 = CONTROL;

/// Points of a pawn in the centre.
pub(super) const CENTER_PAWN: i64 = 50;
/// Points of a developed knight.
pub(super) const KNIGHT: i64 = 30;
/// Points of a developed bishop.
pub(super) const BISHOP: i64 = 25;
/// Points of a castled king.
pub(super) const CASTLED: i64 = 60;
/// Points of each pawn beyond the first on a file.
pub(super) const DOUBLED: i64 = -20;
/// Points of a file of isolated pawns.
pub(super) const ISOLATED: i64 = -15;
/// Points of each rank a passed pawn has advanced.
pub(super) const PASSED: i64 = 30;
/// Points of an influence of control under an own piece.
pub(super) const COORDINATION: i64 = 5;

/// The unit of an amount.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Counts {
    /// Countable: pieces, files, ranks, centipawns.
    Things,
    /// Influence, in units of [`ONE`].
    Influence,
}

/// A term before it is weighted.
#[derive(Copy, Clone, Debug)]
pub(super) struct Amount {
    name: &'static str,
    counts: Counts,
    /// Tenths of a centipawn per unit.
    weight: i64,
    white: i32,
    black: i32,
}

/// The amounts of one side.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Side {
    /// In centipawns.
    pub material: i32,
    /// Σ (A + D)·W, in units.
    pub control: i32,
    pub opening: Opening,
    pub pawns: Pawns,
    /// Σ max(0, ±C), in units.
    pub coordination: i32,
    /// In units; zero unless the extension is on.
    pub attention: i32,
}

/// The terms; opening terms weigh nothing when the opening is over.
#[inline]
pub(super) fn amounts(sides: ByColor<Side>, in_opening: bool) -> [Amount; 11] {
    use Counts::{Influence, Things};
    let term = |name, counts, weight, of: fn(Side) -> i32| {
        let ByColor { white, black } = sides.map(of);
        Amount { name, counts, weight, white, black }
    };
    let opening = if in_opening { OPENING } else { 0 };
    [
        term("material", Things, TENTHS, |side| side.material),
        term("control", Influence, CONTROL, |side| side.control),
        term("centre pawns", Things, opening * CENTER_PAWN, |side| side.opening.center_pawns),
        term("knight development", Things, opening * KNIGHT, |side| side.opening.knights),
        term("bishop development", Things, opening * BISHOP, |side| side.opening.bishops),
        term("castling", Things, opening * CASTLED, |side| side.opening.castled.into()),
        term("doubled", Things, POSITIONAL * DOUBLED, |side| side.pawns.doubled),
        term("isolated", Things, POSITIONAL * ISOLATED, |side| side.pawns.isolated),
        term("passed", Things, POSITIONAL * PASSED, |side| side.pawns.passed),
        term("coordination", Influence, POSITIONAL * COORDINATION, |side| side.coordination),
        term(ATTENTION_NAME, Influence, ATTENTION, |side| side.attention),
    ]
}

/// Name of the term that is present only with the extension `attention`.
pub(super) const ATTENTION_NAME: &str = "attention";

/// The sum of the terms, rounded to the nearest centipawn, halves away from zero.
#[inline]
pub(super) fn score(amounts: &[Amount]) -> Score {
    // In units of a tenth of a centipawn over ONE.
    let total: i64 = amounts.iter().map(Amount::worth).sum();
    let centipawn = TENTHS * i64::from(ONE);
    Score::cp(((total + total.signum() * centipawn / 2) / centipawn) as i32)
}

pub(super) fn explained(amounts: &[Amount], attention: bool) -> Explanation {
    let shown = amounts.iter().filter(|amount| attention || amount.name != ATTENTION_NAME);
    let parts: Vec<Part> = shown.map(Amount::part).collect();
    Explanation::from_parts(&parts, score(amounts))
}

impl Amount {
    #[inline]
    fn worth(&self) -> i64 {
        let unit = match self.counts {
            Counts::Things => i64::from(ONE),
            Counts::Influence => 1,
        };
        (i64::from(self.white) - i64::from(self.black)) * self.weight * unit
    }

    fn part(&self) -> Part {
        let shown = |amount: i32| match self.counts {
            Counts::Things => f64::from(amount),
            Counts::Influence => influences(amount),
        };
        Part {
            name: self.name,
            white: shown(self.white),
            black: shown(self.black),
            weight: self.weight as f64 / TENTHS as f64,
        }
    }
}
