//! Reasons: which terms are selected, for whom they speak, and whose they are.

use super::vocabulary::Phrase;
use crate::explain::Term;

/// Reasons are selected until they make up this share of all there are on a side, in percent.
const TOLD_PERCENT: i32 = 75;
/// A reason after the first has at least this share of it, in percent.
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

/// Why the score is what it is: terms of one meaning.
#[derive(Clone, Debug)]
pub(super) struct Reason {
    pub phrase: Phrase,
    /// More of it is worse.
    is_fault: bool,
    /// What it comes to, White's view.
    pub centipawns: i32,
}

impl Reason {
    pub fn gainer(&self) -> Side {
        Side::gaining(self.centipawns)
    }

    /// Whose it is; nobody's where it is only a matter of counting.
    pub fn owner(&self) -> Option<Side> {
        match () {
            () if self.phrase.is_neutral => None,
            () if self.is_fault => Some(self.gainer().other()),
            () => Some(self.gainer()),
        }
    }
}

/// Terms of one meaning put together, the largest first; what comes to nothing is left out.
pub(super) fn reasons(terms: &[Term]) -> Vec<Reason> {
    let mut reasons: Vec<Reason> = Vec::new();
    for term in terms {
        let phrase = Phrase::of(term);
        let is_fault = term.weight < 0.0 && !phrase.is_merit;
        match reasons.iter_mut().find(|reason| reason.phrase == phrase && reason.is_fault == is_fault) {
            Some(reason) => reason.centipawns += term.centipawns,
            None => reasons.push(Reason { phrase, is_fault, centipawns: term.centipawns }),
        }
    }
    reasons.retain(|reason| reason.centipawns != 0);
    // Stable: equals stay in the evaluation's order.
    reasons.sort_by_key(|reason| -reason.centipawns.abs());
    reasons
}

/// The reasons a side gains by.
pub(super) fn of(reasons: &[Reason], side: Side) -> impl Iterator<Item = &Reason> {
    reasons.iter().filter(move |reason| reason.gainer() == side)
}

/// The reasons worth telling for a side: the largest, until most is selected. Its own come before the other's faults.
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
    selected.sort_by_key(|reason| reason.owner() != Some(side));
    selected
}
