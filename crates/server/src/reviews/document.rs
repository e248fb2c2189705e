//! JSON documents of reviews.

use serde::Serialize;
use tabia_arena::analysis::document::{AnalysedMove, Summary};
use tabia_coach::{ExerciseDocument, Locale, ReviewDocument};
use utoipa::ToSchema;

use super::request::{JobState, Request};
use crate::chess::setup::Variant;
use crate::id::Id;

/// A game under review, as far as it is.
#[derive(Debug, Serialize, ToSchema)]
pub struct JobDocument {
    /// Its name, which cannot be guessed.
    #[schema(pattern = "^[0-9a-f]{32}$")]
    id: String,
    state: JobState,
    /// Why it failed, if it did.
    #[serde(skip_serializing_if = "Option::is_none")]
    detail: Option<String>,
    /// What is wrong with variations of the PGN, each with its line; they are kept as far as they go.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    faults: Vec<String>,
    positions: Positions,
    /// The number of the last event.
    version: u64,
    /// Who analyses.
    #[schema(example = "engine")]
    agent: String,
    /// Nodes for each position.
    nodes: u64,
    /// Whether exercises are made of the mistakes.
    exercises: bool,
    /// The language of the texts.
    language: Locale,
    /// The position that the game starts from.
    fen: String,
    variant: Variant,
    white: String,
    black: String,
    #[schema(example = "1-0")]
    result: &'static str,
    #[serde(flatten)]
    summary: Summary,
    /// The moves that were judged; marked ones with their review.
    moves: Vec<AnalysedMove>,
}

/// How many positions have been searched.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Positions {
    /// So many.
    pub done: usize,
    /// Of so many: one more than the game has half-moves.
    pub of: usize,
}

/// The review of a marked move.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct ReviewedMove {
    /// The half-move, from 1.
    pub ply: usize,
    /// Why it is marked.
    pub review: ReviewDocument,
}

/// The exercises of a game.
#[derive(Debug, Serialize, ToSchema)]
pub struct Exercises {
    /// In the order of the game.
    pub exercises: Vec<ExerciseDocument>,
}

impl JobDocument {
    /// The document of a job.
    pub fn new(
        (id, request): (Id, &Request),
        state: JobState,
        detail: Option<String>,
        positions: Positions,
        version: u64,
        summary: Summary,
        moves: Vec<AnalysedMove>,
    ) -> JobDocument {
        JobDocument {
            id: id.to_string(),
            state,
            detail,
            faults: request.faults.clone(),
            positions,
            version,
            agent: request.agent.spec.to_string(),
            nodes: request.nodes,
            exercises: request.exercises,
            language: request.language,
            fen: request.start.fen(),
            variant: request.start.mode().into(),
            white: request.record.white.clone(),
            black: request.record.black.clone(),
            result: request.record.outcome.map_or("*", tabia_core::Outcome::as_pgn),
            summary,
            moves,
        }
    }
}
