//! A game gone over with a coach: each mistake is reviewed as soon as it is found.

use tabia_coach::game::{AnalysedMove, Reviewer};
use tabia_coach::{Prover, Review};
use tabia_core::{Agent, ChessGame, Limits, Stop};
use tabia_games::GameRecord;

use super::search::{AnalysisError, SearchProgress, analyse_with_observer};
use super::{GameAnalysis, MoveAnalysis};

/// A game gone over, and why its mistakes are mistakes.
#[derive(Clone, Debug, Default)]
pub struct Reviewed {
    /// What its moves are worth.
    pub analysis: GameAnalysis,
    /// The review of each marked move; none for the others.
    pub reviews: Vec<Option<Review>>,
}

/// Progress of an analysis.
pub enum ReviewProgress<'a> {
    /// A position has been searched.
    Position {
        /// Number of searched positions.
        done: usize,
        /// Total number of positions.
        of: usize,
    },
    /// A move has been judged. Its review follows where it is marked.
    Move {
        index: usize,
        /// The game before it.
        game: &'a ChessGame,
        /// Its review.
        judged: &'a MoveAnalysis,
    },
    /// A marked move has been reviewed.
    Review {
        index: usize,
        /// Why it is marked.
        review: &'a Review,
    },
}

/// As [`super::analyse`], with a review of each marked move. Proofs are searched by `prover`, so that the analysis is the
/// same with and without them.
pub fn analyse_and_review(
    record: &GameRecord,
    agent: &mut dyn Agent<ChessGame>,
    prover: &mut dyn Prover,
    limits: &Limits,
    stop: &Stop,
    mut tell: impl FnMut(ReviewProgress<'_>),
) -> Result<Reviewed, AnalysisError> {
    let mut reviewer = Reviewer::new(record.opening_position()?.position());
    let mut reviews: Vec<Option<Review>> = Vec::new();
    let analysis = analyse_with_observer(record, agent, limits, stop, |done| match done {
        SearchProgress::Position { done, of } => tell(ReviewProgress::Position { done, of }),
        SearchProgress::Move { game, judged, reply } => {
            let index = reviews.len();
            tell(ReviewProgress::Move { index, game, judged });
            let review = reviewer.next(&analysed(judged, reply), prover);
            if let Some(review) = &review {
                tell(ReviewProgress::Review { index, review });
            }
            reviews.push(review);
        }
    })?;
    Ok(Reviewed { analysis, reviews })
}

/// A move as the coach wants it.
fn analysed<'a>(judged: &'a MoveAnalysis, reply: &'a [shakmaty::Move]) -> AnalysedMove<'a> {
    AnalysedMove {
        played: judged.played,
        before: judged.before,
        after: judged.after,
        line: &judged.line,
        reply,
        is_mistake: judged.mark().is_some(),
    }
}
