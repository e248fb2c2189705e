//! What cannot be done in a game.

use tabia_core::chess::MoveError;
use tabia_core::{FenError, Outcome};
use tabia_session::Refusal;

/// What cannot be done in a game.
#[derive(Debug, thiserror::Error)]
pub enum ChessError {
    /// The start is no position.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// The move cannot be played.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// A move of a list that cannot be played.
    #[error("move {number} of the list: {error}")]
    MoveInList {
        /// Which, from 1.
        number: usize,
        /// Why not.
        error: MoveError,
    },
    /// The list goes on after the end.
    #[error("the game is over after move {0} of the list: {1}")]
    MoveAfterEnd(usize, Outcome),
    /// The rules of the session do not allow it.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// Another game altogether.
    #[error("a game of quantum chess cannot be played here")]
    Quantum,
    /// Longer than a game may be.
    #[error("the game has {0} half-moves, which is as long as a game may be here")]
    TooLong(usize),
}
