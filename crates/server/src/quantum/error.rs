//! Errors of quantum chess games.

use tabia_quantum::{PlayError, PositionError};
use tabia_session::Refusal;

/// Why an operation on a game was refused.
#[derive(Debug, thiserror::Error)]
pub enum QuantumError {
    /// The start position is invalid.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The move cannot be played.
    #[error(transparent)]
    Move(#[from] PlayError),
    /// A move of a list cannot be played.
    #[error("move {number} of the list: {error}")]
    MoveInList {
        /// Its number, from 1.
        number: usize,
        error: PlayError,
    },
    /// A record of a game of chess.
    #[error("this is a game of chess; POST it to /api/v1/games/import")]
    Chess,
    /// A record by rules that are not known.
    #[error("version {found} of the rules is not known; this server knows 1 and 2")]
    Rules {
        /// As the record names it.
        found: String,
    },
    /// The rules of the session do not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A ply that has not been played.
    #[error("the game has {played} plies, and {asked} was asked for")]
    NoSuchPly {
        /// The requested ply.
        asked: usize,
        /// The number of plies played.
        played: usize,
    },
    /// A saved game whose measurements cannot be reproduced.
    #[error("ply {number} is kept as {kept} and replays as {found}")]
    ReplayMismatch {
        /// Number of the ply, from 1.
        number: usize,
        /// As saved.
        kept: String,
        /// As replayed.
        found: String,
    },
}
