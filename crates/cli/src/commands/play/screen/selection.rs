//! Moves made with the cursor: select a piece, then its destination.

use shakmaty::{Bitboard, CastlingMode, File, Move, Position, Rank, Role, Square};
use tabia_core::chess::role_name;

use super::super::input;
use super::prompt::Prompt;
use super::state::Screen;
use crate::diagram;

impl Screen {
    /// Moves the cursor by columns to the right and rows upwards on the screen; the first call only shows it.
    pub(super) fn move_cursor(&mut self, right: i32, up: i32) {
        let Some(cursor) = self.selection.cursor else {
            self.selection.cursor = Some(self.bottom.fold_wb(Square::E2, Square::E7));
            return;
        };
        let sign = self.bottom.fold_wb(1, -1);
        let within =
            |at: u32, by: i32| u32::try_from((at as i32 + sign * by).clamp(0, 7)).unwrap_or_default();
        let file = File::new(within(u32::from(cursor.file()), right));
        self.selection.cursor =
            Some(Square::from_coords(file, Rank::new(within(u32::from(cursor.rank()), up))));
    }

    /// Selects the piece under the cursor, or moves the selected piece there.
    pub(super) fn touch(&mut self) {
        let Some(cursor) = self.selection.cursor else { return self.move_cursor(0, 0) };
        if let Some(why) = self.reason_not_to_move() {
            return self.refuse(why);
        }
        let own = self.game().position().us().contains(cursor);
        match self.selection.chosen {
            Some(chosen) if chosen == cursor => self.deselect(),
            Some(from) if self.selection.targets.contains(cursor) => self.drop_piece(from, cursor),
            Some(from) if !own => {
                // The error says what the piece can do instead.
                if let Err(fault) = input::read_move(self.game(), &format!("{from}{cursor}")) {
                    self.refuse(fault.to_string());
                }
            }
            _ if own => self.select(cursor),
            _ => {
                let nothing = format!("there is nothing of yours on {cursor}");
                self.refuse(nothing);
            }
        }
    }

    /// Clears the selection.
    pub(super) fn deselect(&mut self) {
        self.selection.chosen = None;
        self.selection.targets = Bitboard::EMPTY;
    }

    fn select(&mut self, square: Square) {
        let targets: Bitboard = self.moves_from(square).iter().map(|m| self.target(*m)).collect();
        if targets.is_empty() {
            let role = self.game().position().board().role_at(square).map_or("piece", role_name);
            let check = if self.game().position().is_check() { " (you are in check)" } else { "" };
            return self.refuse(format!("the {role} on {square} cannot move{check}"));
        }
        self.selection.chosen = Some(square);
        self.selection.targets = targets;
        self.status = None;
    }

    fn drop_piece(&mut self, from: Square, to: Square) {
        let moves: Vec<Move> = self.moves_from(from).into_iter().filter(|m| self.target(*m) == to).collect();
        match moves.as_slice() {
            [m] => self.make(*m, None),
            _ => self.prompt = Some(Prompt::Promotion { from, to }),
        }
    }

    /// Answers the promotion prompt.
    pub(super) fn promote(&mut self, from: Square, to: Square, role: Role) {
        let wanted = |m: &Move| m.to() == to && m.promotion() == Some(role);
        if let Some(m) = self.moves_from(from).into_iter().find(wanted) {
            self.make(m, None);
        }
    }

    fn moves_from(&self, square: Square) -> Vec<Move> {
        self.game().position().legal_moves().into_iter().filter(|m| m.from() == Some(square)).collect()
    }

    /// Destination square of a move for the cursor: when castling, the king's new square; in Chess960, where that may
    /// also be a normal king move, the rook's square.
    fn target(&self, m: Move) -> Square {
        match self.game().mode() {
            CastlingMode::Standard => diagram::landing(m, self.game().side_to_move()),
            CastlingMode::Chess960 => m.to(),
        }
    }
}
