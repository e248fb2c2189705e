//! The two bounds of alpha-beta.

use tabia_core::{Bound, Score};

/// What the side to move is sure of, and what the other side will not allow.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Window {
    /// The side to move has at least this elsewhere.
    pub alpha: Score,
    /// The other side has a way to hold it to this.
    pub beta: Score,
}

impl Window {
    /// Nothing is known yet.
    pub const FULL: Window = Window { alpha: Score::from_raw(-Score::INFINITE.raw()), beta: Score::INFINITE };

    /// The same window as the other side sees it.
    #[must_use]
    pub fn flipped(self) -> Window {
        Window { alpha: -self.beta, beta: -self.alpha }
    }

    /// What a value found by a search within this window is.
    pub fn bound(self, score: Score) -> Bound {
        if score >= self.beta {
            Bound::Lower
        } else if score <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }
}
