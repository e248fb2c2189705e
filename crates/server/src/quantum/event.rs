//! What happened in a game of quantum chess, numbered.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::document::QuantumPly;
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// What kind of thing happened.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum QuantumEventKind {
    /// The game was set up.
    Created,
    /// A move was played, and what it measured is known: `move` has it.
    Moved,
    /// Moves were taken back: `plies` says how many half-moves.
    Undone,
    /// The game is over.
    Ended,
}

impl QuantumEventKind {
    /// The name that a stream gives it.
    pub const fn name(self) -> &'static str {
        match self {
            QuantumEventKind::Created => "created",
            QuantumEventKind::Moved => "moved",
            QuantumEventKind::Undone => "undone",
            QuantumEventKind::Ended => "ended",
        }
    }
}

/// One thing that happened; the position after it is at the game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct QuantumEvent {
    /// Its number, and the version of the game after it.
    pub version: u64,
    /// What kind of thing.
    #[serde(rename = "type")]
    pub kind: QuantumEventKind,
    /// When.
    pub at: Timestamp,
    /// The move, of `moved`.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub played: Option<QuantumPly>,
    /// Half-moves taken back, of `undone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// Who gave up, of a resignation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Side>,
    /// What else there is to say: the last words of an agent that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}
