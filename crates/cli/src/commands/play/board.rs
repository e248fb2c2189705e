//! The board as text.
//!
//! ```text
//! 8   r  n  b  q  k  b  n  r
//! 4   .  .  .  . [P] .  .  .     where the last move went
//! 2   P  P  P  P (.) P  P  P     and where it came from
//!     a  b  c  d  e  f  g  h
//! ```
//!
//! With colour the squares are shaded instead, and brackets are not needed.

use shakmaty::{Chess, Color, Move, Piece, Position, Square};

use crate::diagram::{self, Marks};
use crate::terminal::Paint;

/// How a board is drawn.
#[derive(Copy, Clone, Debug)]
pub struct Style {
    pub paint: Paint,
    /// Chess symbols instead of letters.
    pub unicode: bool,
}

/// Draws a position, the side of `bottom` below. Eight ranks and a line of files.
pub fn draw(position: &Chess, last: Option<Move>, bottom: Color, style: Style) -> Vec<String> {
    let (ranks, files) = diagram::order(bottom);
    let marks = Marks::new(position, last);
    let mut lines: Vec<String> = ranks
        .iter()
        .map(|rank| {
            let squares =
                files.iter().map(|file| cell(position, Square::from_coords(*file, *rank), marks, style));
            format!(" {}  {}", style.paint.dim(rank.char()), squares.collect::<String>())
        })
        .collect();
    let names: Vec<String> = files.iter().map(|file| format!(" {} ", file.char())).collect();
    lines.push(format!("    {}", style.paint.dim(names.concat())));
    lines
}

fn cell(position: &Chess, square: Square, marks: Marks, style: Style) -> String {
    let piece = position.board().piece_at(square);
    let symbol = piece.map_or('.', |piece| symbol(piece, style));
    if !style.paint.is_on() {
        return match () {
            () if marks.to == Some(square) => format!("[{symbol}]"),
            () if marks.from == Some(square) => format!("({symbol})"),
            () => format!(" {symbol} "),
        };
    }
    let white = piece.is_some_and(|piece| piece.color == Color::White);
    let ink = if white { diagram::WHITE_PIECE } else { diagram::BLACK_PIECE };
    let symbol = if piece.is_some() { symbol } else { ' ' };
    let codes = format!("48;5;{};1;38;5;{ink}", marks.ground(square));
    style.paint.style(&codes, format_args!(" {symbol} "))
}

fn symbol(piece: Piece, style: Style) -> char {
    if !style.unicode {
        return piece.char();
    }
    // Filled symbols take the colour of the ink; without colour, the outlined ones are White's.
    diagram::symbol(piece.role, piece.color == Color::Black || style.paint.is_on())
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::{ChessGame, Game};

    fn drawn(fen: &str, text: &str, bottom: Color) -> Vec<String> {
        let mut game = ChessGame::from_fen(fen).unwrap();
        let m = game.read_move(text).unwrap();
        game.apply(m);
        draw(game.position(), Some(m), bottom, Style { paint: Paint::none(), unicode: false })
    }

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn the_last_move_is_bracketed() {
        let lines = drawn(START, "e4", Color::White);
        assert_eq!(lines[0], " 8   r  n  b  q  k  b  n  r ");
        assert_eq!(lines[4], " 4   .  .  .  . [P] .  .  . ");
        assert_eq!(lines[6], " 2   P  P  P  P (.) P  P  P ");
        assert_eq!(lines[8], "     a  b  c  d  e  f  g  h ");
    }

    #[test]
    fn black_sees_the_board_from_the_other_side() {
        let lines = drawn(START, "e4", Color::Black);
        assert_eq!(lines[0], " 1   R  N  B  K  Q  B  N  R ");
        assert_eq!(lines[3], " 4   .  .  . [P] .  .  .  . ");
        assert_eq!(lines[8], "     h  g  f  e  d  c  b  a ");
    }

    #[test]
    fn castling_marks_where_the_king_went() {
        let lines = drawn("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", Color::White);
        assert_eq!(lines[7], " 1   .  .  .  . (.) R [K] . ");
    }
}
