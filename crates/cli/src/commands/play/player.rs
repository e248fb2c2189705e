//! Who sits at the table, and how a game at it ends.

use std::fmt;

use shakmaty::{ByColor, Color};
use tabia_core::{Agent, ChessGame, Limits, Outcome};

/// Who sits at one side of the plain.
pub enum Player {
    /// The person at the terminal.
    Human,
    /// An agent.
    Agent {
        /// Its spec.
        name: String,
        /// Itself.
        agent: Box<dyn Agent<ChessGame>>,
        /// How long it may think.
        limits: Limits,
    },
}

impl Player {
    /// Whether a person sits here.
    pub fn is_human(&self) -> bool {
        matches!(self, Player::Human)
    }
}

impl fmt::Display for Player {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Player::Human => f.write_str("you"),
            Player::Agent { name, .. } => f.write_str(name),
        }
    }
}

/// The side that is drawn below: White, unless the only person has Black.
pub fn bottom(human: ByColor<bool>) -> Color {
    if human.black && !human.white { Color::Black } else { Color::White }
}

/// How a game at this table ends.
pub enum Ending {
    /// It is decided.
    Over(Outcome),
    /// Somebody left; the reason as the start of a sentence.
    Left(&'static str),
}
