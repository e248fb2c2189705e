//! What cannot be done in a game.

use tabia_core::chess::MoveError;
use tabia_core::{FenError, Outcome, Reason};

use crate::sessions::side::Side;

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
    /// Nothing more happens in a finished game.
    #[error("the game is over: {0}")]
    Over(Outcome),
    /// It is somebody else's turn.
    #[error("it is {}'s turn, and an agent states that side; wait for its move", .0.name())]
    AgentsTurn(Side),
    /// The client had another position in mind.
    #[error("the game is at ply {actual}, not at {expected}: read its state again")]
    PlyMismatch {
        /// What the client thought.
        expected: usize,
        /// What is.
        actual: usize,
    },
    /// There is nothing to take back.
    #[error("no move of yours can be taken back")]
    NothingToUndo,
    /// A decision that stands.
    #[error("the game ended by {0}: that is not taken back")]
    NotUndoable(Reason),
    /// An agent's side does not do this.
    #[error("{} is played by an agent: it decides for itself", .0.name())]
    AgentSide(Side),
    /// Which side is meant?
    #[error("say for which side: people play both (\"side\": \"white\" or \"black\")")]
    AmbiguousSide,
    /// Nobody is there to ask.
    #[error("two agents state: nobody is there who could do this")]
    NoHuman,
    /// No offer.
    #[error("there is no offer of a draw to answer")]
    NoOffer,
    /// The offer is there already.
    #[error("a draw is offered already")]
    OfferedAlready,
    /// Another game altogether.
    #[error("a game of quantum chess cannot be played here")]
    Quantum,
    /// Meanwhile the position has changed.
    #[error("the position has changed meanwhile")]
    Stale,
    /// Longer than a game may be.
    #[error("the game has {0} half-moves, which is as long as a game may be here")]
    TooLong(usize),
}
