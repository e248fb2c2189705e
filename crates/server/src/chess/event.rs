//! What happened in a game, numbered: the versions of a game are the numbers of its events.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::document::{PlayedMove, PositionDocument};
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// What kind of thing happened.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum EventKind {
    /// The game was set up.
    Created,
    /// A move was played: `move` has it.
    Moved,
    /// Moves were taken back: `plies` says how many half-moves.
    Undone,
    /// A side offered a draw: `by` says which.
    DrawOffered,
    /// An offer was declined: `by` says by whom.
    DrawDeclined,
    /// The game is over: `position.outcome` says how.
    Ended,
}

impl EventKind {
    /// The name that a stream gives it.
    pub const fn name(self) -> &'static str {
        match self {
            EventKind::Created => "created",
            EventKind::Moved => "moved",
            EventKind::Undone => "undone",
            EventKind::DrawOffered => "draw_offered",
            EventKind::DrawDeclined => "draw_declined",
            EventKind::Ended => "ended",
        }
    }
}

/// One thing that happened, and the position after it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct GameEvent {
    /// Its number, and the version of the game after it.
    pub version: u64,
    /// What kind of thing.
    #[serde(rename = "type")]
    pub kind: EventKind,
    /// When.
    pub at: Timestamp,
    /// The move, of `moved`.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub played: Option<PlayedMove>,
    /// Half-moves taken back, of `undone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// Who did it, of `draw_offered`, `draw_declined` and a resignation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Side>,
    /// What else there is to say: the last words of an engine that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The position after it.
    pub position: PositionDocument,
}
