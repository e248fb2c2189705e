//! The mistakes of an analysed game, reviewed.
//!
//! The lines are those of the analysis: the best line before a move, and the line found after it. Only proofs are
//! searched anew.

use shakmaty::{Chess, Move, Position};
use tabia_core::Score;

use crate::prover::{Prover, Searched};
use crate::review::{Review, ReviewError, Subject, review};

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
    /// Whether it is to be reviewed.
    pub is_mistake: bool,
}

/// The reviews of the mistakes of a game; none for the other moves. `progress` is told the index of each move that is
/// reviewed.
pub fn mistakes(
    start: &Chess,
    moves: &[AnalysedMove<'_>],
    prover: &mut dyn Prover,
    mut progress: impl FnMut(usize),
) -> Vec<Option<Review>> {
    let mut position = start.clone();
    let mut before: Option<(Chess, Move)> = None;
    let mut reviews = Vec::with_capacity(moves.len());
    for (index, analysed) in moves.iter().enumerate() {
        let reviewed = analysed.is_mistake.then(|| {
            progress(index);
            let previous = before.as_ref().map(|(position, m)| (position, *m));
            mistake(&position, previous, analysed, moves.get(index + 1), prover).ok()
        });
        reviews.push(reviewed.flatten());
        let earlier = position.clone();
        position.play_unchecked(analysed.played);
        before = Some((earlier, analysed.played));
    }
    reviews
}

/// The review of one move; the line after it begins with what the analysis found for the next position.
fn mistake(
    position: &Chess,
    before: Option<(&Chess, Move)>,
    analysed: &AnalysedMove<'_>,
    next: Option<&AnalysedMove<'_>>,
    prover: &mut dyn Prover,
) -> Result<Review, ReviewError> {
    let reply = next.map(|next| next.line).unwrap_or_default();
    let line = std::iter::once(analysed.played).chain(reply.iter().copied()).collect();
    let best = Searched { score: analysed.before, line: analysed.line.to_vec() };
    let played = Searched { score: analysed.after, line };
    review(&Subject { position, before, best: &best, played: &played, thorough: false }, prover)
}
