//! What a session does not allow.

use shakmaty::Color;
use tabia_core::{Outcome, Reason};

/// What a session does not allow, and why.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    #[error("the game is over: {0}")]
    Over(Outcome),
    #[error("it is {side}'s turn, and an agent plays {side}; wait for its move", side = name(*.0))]
    AgentsTurn(Color),
    /// The client had another position in mind.
    #[error("the game is at ply {actual}, not at {expected}: read its state again")]
    PlyMismatch {
        /// What the client thought.
        expected: usize,
        /// What is.
        actual: usize,
    },
    #[error("there is no move of yours to take back")]
    NothingToTakeBack,
    #[error("the game was set up without take-backs: what was measured against an agent stays measured")]
    NoTakebacks,
    /// A decision that stands.
    #[error("the game ended by {0}: that is not taken back")]
    Final(Reason),
    #[error("{} is played by an agent: it decides for itself", name(*.0))]
    AgentSide(Color),
    #[error("people play both sides: say which side is meant, white or black")]
    AmbiguousSide,
    #[error("two agents play this game: only a person can do that")]
    NoHuman,
    #[error("there is no draw offer to answer")]
    NoOffer,
    #[error("a draw is offered already")]
    OfferedAlready,
    /// An agent's move about a position that is no longer on the board.
    #[error("the position has changed meanwhile")]
    Stale,
}

pub(crate) const fn name(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}
