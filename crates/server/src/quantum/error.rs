//! What cannot be done in a game of quantum chess.

use tabia_core::{Outcome, Reason};
use tabia_quantum::{PlayError, PositionError};

use crate::problem::{Kind, Problem};
use crate::sessions::side::Side;

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
    /// What was measured stays measured.
    #[error(
        "what was measured against an agent stays measured; set a game up with \"takebacks\": true to analyse"
    )]
    NoTakebacks,
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
    /// A ply that has not been played.
    #[error("the game has {played} plies, and {asked} was asked for")]
    NoSuchPly {
        /// What was asked for.
        asked: usize,
        /// What there is.
        played: usize,
    },
    /// A kept game whose measurements cannot be drawn again.
    #[error("ply {number} is kept as {kept} and states as {found}")]
    ReplayMismatch {
        /// Which, from 1.
        number: usize,
        /// As it is kept.
        kept: String,
        /// As it plays.
        found: String,
    },
    /// Meanwhile the position has changed.
    #[error("the position has changed meanwhile")]
    Stale,
}

impl From<QuantumError> for Problem {
    fn from(error: QuantumError) -> Problem {
        let kind = match &error {
            QuantumError::Position(_)
            | QuantumError::Move(_)
            | QuantumError::MoveInList { .. }
            | QuantumError::AmbiguousSide => Kind::Unprocessable,
            QuantumError::NoSuchPly { .. } => Kind::NotFound,
            _ => Kind::Conflict,
        };
        Problem::new(kind, error.to_string())
    }
}
