//! Reasons: which terms are mentioned, which side they favour, and which side they belong to.

use super::vocabulary::{Phrase, is_bookkeeping};
use crate::explain::Term;

/// Reasons are mentioned until they make up this share of a side's total, in percent.
const TOLD_PERCENT: i32 = 75;
/// A further reason has at least this share of the first, in percent.
const WORTH_TELLING_PERCENT: i32 = 20;

/// A player, as the paragraph names it.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Side {
    White,
    Black,
}

impl Side {
    pub const fn name(self) -> &'static str {
        match self {
            Side::White => "White",
            Side::Black => "Black",
        }
    }

    pub const fn other(self) -> Side {
        match self {
            Side::White => Side::Black,
            Side::Black => Side::White,
        }
    }

    pub const fn gaining(centipawns: i32) -> Side {
        if centipawns < 0 { Side::Black } else { Side::White }
    }
}

/// Why the score is what it is: terms with the same meaning, merged.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub phrase: Phrase,
    /// Whether more of it is worse.
    is_fault: bool,
    /// Its contribution, White's view.
    pub centipawns: i32,
    /// White's and Black's pieces, for terms of single pieces.
    pieces: [i32; 2],
}

impl Reason {
    pub fn gainer(&self) -> Side {
        Side::gaining(self.centipawns)
    }

    /// The side it belongs to: with a negative weight, the one that does not gain by it.
    pub fn owner(&self) -> Side {
        if self.is_fault { self.gainer().other() } else { self.gainer() }
    }
}

/// Merges terms with the same meaning, the largest first; those that cancel, and those that are only bookkeeping
/// (rounding, clamping, a network's bias), are left out.
pub(super) fn reasons(terms: &[Term]) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for term in terms.iter().filter(|term| !is_bookkeeping(&term.name)) {
        let phrase = Phrase::of(term);
        let is_fault = term.weight < 0.0 && !phrase.is_merit;
        // A term of a single piece has an amount of one side only.
        let owner = usize::from(term.black != 0.0);
        let merged = |reason: &&mut Reason| reason.phrase == phrase && reason.is_fault == is_fault;
        if let Some(reason) = reasons.iter_mut().find(merged) {
            reason.centipawns += term.centipawns;
            reason.pieces[owner] += 1;
        } else {
            let mut pieces = [0; 2];
            pieces[owner] = 1;
            reasons.push(Reason { phrase, is_fault, centipawns: term.centipawns, pieces });
        }
    }
    reasons.retain(|reason| reason.centipawns != 0);
    for reason in &mut reasons {
        let [white, black] = reason.pieces;
        let (gainer, other) = if reason.gainer() == Side::White { (white, black) } else { (black, white) };
        reason.phrase.count_pieces(gainer, other);
    }
    // A stable sort: equal terms stay in the evaluation's order.
    reasons.sort_by_key(|reason| -reason.centipawns.abs());
    reasons
}

/// The reasons that favour a side.
pub(super) fn of(reasons: &[Reason], side: Side) -> impl Iterator<Item = &Reason> {
    reasons.iter().filter(move |reason| reason.gainer() == side)
}

/// The reasons to mention for a side: the largest, until most is covered. Its own merits come before the opponent's
/// weaknesses.
pub(super) fn selected(reasons: &[Reason], side: Side, most: usize, smallest_cp: i32) -> Vec<&Reason> {
    let all: i32 = of(reasons, side).map(|reason| reason.centipawns.abs()).sum();
    let (mut selected, mut so_far, mut first) = (Vec::new(), 0, 0);
    for reason in of(reasons, side).take(most) {
        let size = reason.centipawns.abs();
        let enough = so_far * 100 >= all * TOLD_PERCENT;
        if size < smallest_cp || enough && !selected.is_empty() || size * 100 < first * WORTH_TELLING_PERCENT
        {
            break;
        }
        first = first.max(size);
        so_far += size;
        selected.push(reason);
    }
    selected.sort_by_key(|reason| reason.owner() != side);
    selected
}
