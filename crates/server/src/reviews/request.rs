//! The request of a review job, and its state.

use serde::Serialize;
use tabia_coach::Locale;
use tabia_core::ChessGame;
use tabia_games::{GameRecord, GameTree};
use utoipa::ToSchema;

use crate::agents::Checked;

/// The request of a review job.
pub struct Request {
    /// The game.
    pub record: GameRecord,
    /// The same with its variations.
    pub tree: GameTree,
    /// What is wrong with variations; they are kept as far as they go.
    pub faults: Vec<String>,
    /// Its opening position.
    pub start: ChessGame,
    /// Who analyses.
    pub agent: Checked,
    /// Nodes for each position.
    pub nodes: u64,
    /// Whether exercises are made of the mistakes.
    pub exercises: bool,
    /// The language of the texts.
    pub language: Locale,
}

/// How a job stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum JobState {
    /// Others are before it.
    Waiting,
    /// Positions are being searched.
    Running,
    /// The whole game is reviewed.
    Done,
    /// Somebody ended it; what was done stays.
    Cancelled,
    /// It could not go on.
    Failed,
}

impl JobState {
    pub const fn has_ended(self) -> bool {
        matches!(self, JobState::Done | JobState::Cancelled | JobState::Failed)
    }
}
