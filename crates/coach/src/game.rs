//! The mistakes of an analysed game, reviewed.
//!
//! The lines are those of the analysis: the best line before a move, and the line found after it. Only proofs are
//! searched anew.

use shakmaty::{Chess, Move, Position};
use tabia_core::Score;

use crate::prover::{Prover, Searched};
use crate::review::{Review, Subject, review};

/// Nodes for proving a mate.
pub const MATE_NODES: u64 = 100_000;

/// A move of a game as an analysis sees it.
#[derive(Clone, Debug)]
pub struct AnalysedMove<'a> {
    /// What was played.
    pub played: Move,
    /// What the position was worth to the mover with the best move.
    pub before: Score,
    /// What it was worth to the mover after the move, counted as before it.
    pub after: Score,
    /// The best line.
    pub line: &'a [Move],
    /// The best line after the move.
    pub reply: &'a [Move],
    /// Whether it is to be reviewed.
    pub is_mistake: bool,
}

/// Reviews the mistakes of a game while it is analysed.
#[derive(Clone, Debug)]
pub struct Reviewer {
    position: Chess,
    before: Option<(Chess, Move)>,
}

impl Reviewer {
    /// Before the first move of a game.
    pub fn new(start: &Chess) -> Reviewer {
        Reviewer { position: start.clone(), before: None }
    }

    /// The review of the next move; none where it is no mistake.
    pub fn next(&mut self, analysed: &AnalysedMove<'_>, prover: &mut dyn Prover) -> Option<Review> {
        let reviewed = if analysed.is_mistake { self.review(analysed, prover) } else { None };
        let mut after = self.position.clone();
        after.play_unchecked(analysed.played);
        self.before = Some((std::mem::replace(&mut self.position, after), analysed.played));
        reviewed
    }

    fn review(&self, analysed: &AnalysedMove<'_>, prover: &mut dyn Prover) -> Option<Review> {
        let line = std::iter::once(analysed.played).chain(analysed.reply.iter().copied()).collect();
        let best = Searched { score: analysed.before, line: analysed.line.to_vec() };
        let played = Searched { score: analysed.after, line };
        let before = self.before.as_ref().map(|(position, m)| (position, *m));
        let subject =
            Subject { position: &self.position, before, best: &best, played: &played, thorough: false };
        review(&subject, prover).ok()
    }
}
