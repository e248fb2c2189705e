//! What a session needs to know of a game, besides how it is played.

use shakmaty::{Color, Position, Role};
use tabia_core::{ChessGame, Game, Outcome, Score};
use tabia_quantum::{QuantumGame, evaluate};

/// A game that people and agents can play in a [`Session`](crate::Session).
pub trait SessionGame: Game {
    /// Who moves next; who moved last, where the game is over.
    fn side_to_move(&self) -> Color;

    /// How the game ended by its rules.
    fn outcome(&self) -> Option<Outcome>;

    /// The number of the move to be played next, counting a move of both sides as one.
    fn move_number(&self) -> u32;

    /// A side's material less the other's.
    fn material(&self, color: Color) -> Score;

    /// Whether a side could still win: it wins when the other's time runs out, which is a draw otherwise.
    fn can_win(&self, color: Color) -> bool;
}

impl SessionGame for ChessGame {
    fn side_to_move(&self) -> Color {
        self.side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn move_number(&self) -> u32 {
        self.position().fullmoves().get()
    }

    fn material(&self, color: Color) -> Score {
        let board = self.position().board();
        let count = |role: Role, color: Color| board.by_piece(role.of(color)).count() as f64;
        let balance = |role| evaluate::piece_value(role) * (count(role, color) - count(role, color.other()));
        Score::cp((100.0 * Role::ALL.into_iter().map(balance).sum::<f64>()) as i32)
    }

    fn can_win(&self, color: Color) -> bool {
        !self.position().has_insufficient_material(color)
    }
}

impl SessionGame for QuantumGame {
    fn side_to_move(&self) -> Color {
        self.side_to_move()
    }

    fn outcome(&self) -> Option<Outcome> {
        self.outcome()
    }

    fn move_number(&self) -> u32 {
        self.ply() / 2 + 1
    }

    fn material(&self, color: Color) -> Score {
        Score::cp((color.fold_wb(100.0, -100.0) * evaluate::material(self)) as i32)
    }

    /// A king that stands alone can still capture one.
    fn can_win(&self, _: Color) -> bool {
        true
    }
}
