//! A single move explained: both searches, then the review.

use shakmaty::{Chess, Move};
use tabia_core::{Agent, ChessGame, Limits, Stop};
use tabia_search::engine::tablebases::Tablebases;

use crate::prover::{AgentProver, ask, proof_limits};
use crate::review::{Review, ReviewError, Subject, review};

/// Default nodes for each of the two searches.
pub const NODES: u64 = 400_000;
/// Nodes for proving a mate.
const MATE_NODES: u64 = 300_000;

/// Why a move could not be explained.
#[derive(Debug, thiserror::Error)]
pub enum ExplainError {
    /// The agent reports no score.
    #[error("the agent does not say what a position is worth; use one that searches, such as engine or axon")]
    Silent,
    /// A line cannot be reviewed.
    #[error(transparent)]
    Review(#[from] ReviewError),
}

/// Explains a move, or the best one where none is asked about. The best move and the move asked about are searched within
/// the same limits. With endgame tables, endings are looked up.
pub fn explain(
    agent: &mut dyn Agent<ChessGame>,
    position: &Chess,
    asked: Option<Move>,
    limits: &Limits,
    tables: Option<&dyn Tablebases>,
    stop: &Stop,
) -> Result<Review, ExplainError> {
    let mut best = ask(agent, position, &[], limits, stop).ok_or(ExplainError::Silent)?;
    let played = match asked {
        Some(m) if best.line.first() != Some(&m) => {
            let played = ask(agent, position, &[m], limits, stop).ok_or(ExplainError::Silent)?;
            // Two searches of the same depth may disagree: the move that turns out better is the best.
            if played.score > best.score {
                best = played.clone();
            }
            played
        }
        _ => best.clone(),
    };
    let mut prover = AgentProver::new(agent, proof_limits(limits), stop, MATE_NODES).with_tables(tables);
    let subject = Subject { position, before: None, best: &best, played: &played, thorough: true };
    Ok(review(&subject, &mut prover)?)
}
