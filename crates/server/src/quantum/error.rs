//! What cannot be done in a game of quantum chess.

use tabia_quantum::{PlayError, PositionError};
use tabia_session::Refusal;

/// What cannot be done in a game of quantum chess.
#[derive(Debug, thiserror::Error)]
pub enum QuantumError {
    /// The start is no position.
    #[error(transparent)]
    Position(#[from] PositionError),
    /// The move cannot be played.
    #[error(transparent)]
    Move(#[from] PlayError),
    /// A move of a list that cannot be played.
    #[error("move {number} of the list: {error}")]
    MoveInList {
        /// Which, from 1.
        number: usize,
        /// Why not.
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
        /// What was asked for.
        asked: usize,
        /// What there is.
        played: usize,
    },
    /// A kept game whose measurements cannot be drawn again.
    #[error("ply {number} is kept as {kept} and replays as {found}")]
    ReplayMismatch {
        /// Which, from 1.
        number: usize,
        /// As it is kept.
        kept: String,
        /// As it plays.
        found: String,
    },
}
