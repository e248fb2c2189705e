//! Questions to the person, and the actions that some of them confirm.

use shakmaty::{Color, Square};

use crate::text;

/// An action other than a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum KeyAction {
    Help,
    Field,
    NextField,
    NextEvaluation,
    Undo,
    Hint,
    MoveNow,
    Pause,
    Flip,
    Save,
    Fen,
    Draw,
    New,
    Resign,
    Quit,
}

/// A question to the person.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Prompt {
    /// Confirm an action.
    Confirm(KeyAction),
    /// Whether a side accepts a draw.
    Draw(Color),
    /// The promotion piece.
    Promotion { from: Square, to: Square },
}

impl Prompt {
    /// The text of the question.
    pub fn text(self) -> String {
        match self {
            Prompt::Confirm(KeyAction::New) => "A new game? (y/n)".to_owned(),
            Prompt::Confirm(KeyAction::Resign) => "Give the game up? (y/n)".to_owned(),
            Prompt::Confirm(_) => "Leave the game? It is kept. (y/n)".to_owned(),
            Prompt::Draw(side) => format!("{}, do you accept a draw? (y/n)", text::side(side)),
            Prompt::Promotion { to, .. } => {
                format!("The pawn on {to} becomes: q queen, r rook, b bishop, n knight (Esc: not at all)")
            }
        }
    }
}
