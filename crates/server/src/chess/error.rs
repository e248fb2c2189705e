//! Errors of chess games.

use tabia_core::chess::MoveError;
use tabia_core::{FenError, Outcome};
use tabia_session::Refusal;

/// Why an operation on a game was refused.
#[derive(Debug, thiserror::Error)]
pub enum ChessError {
    /// The start position is invalid.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move of a list cannot be played.
    #[error("move {number} of the list: {error}")]
    MoveInList {
        /// Its number, from 1.
        number: usize,
        error: MoveError,
    },
    /// The list continues after the end of the game.
    #[error("the game is over after move {0} of the list: {1}")]
    MoveAfterEnd(usize, Outcome),
    /// The session's rules do not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Not a chess game.
    #[error("a game of quantum chess cannot be played here")]
    Quantum,
    /// Longer than the limit.
    #[error("the game has {0} half-moves, which is as long as a game may be here")]
    TooLong(usize),
}
