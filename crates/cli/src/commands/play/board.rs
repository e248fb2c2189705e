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

use shakmaty::{CastlingSide, Chess, Color, File, Move, Piece, Position, Rank, Role, Square};

use crate::terminal::Paint;

// Colours of the 256-colour palette: grounds on which white and black both stand out.
const LIGHT: &str = "48;5;103";
const DARK: &str = "48;5;60";
const LAST_MOVE: &str = "48;5;100";
const CHECK: &str = "48;5;131";
const WHITE_PIECE: &str = "1;38;5;231";
const BLACK_PIECE: &str = "1;38;5;16";

/// How a board is drawn.
#[derive(Copy, Clone, Debug)]
pub struct Style {
    /// Colour or none.
    pub paint: Paint,
    /// Symbols or letters.
    pub unicode: bool,
}

/// Draws a position, the side of `bottom` below. Eight ranks and a line of files.
pub fn draw(position: &Chess, last: Option<Move>, bottom: Color, style: Style) -> Vec<String> {
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match bottom {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let marks = Marks::new(position, last);
    let mut lines: Vec<String> = ranks
        .iter()
        .map(|rank| {
            let squares =
                files.iter().map(|file| cell(position, Square::from_coords(*file, *rank), &marks, style));
            format!(" {}  {}", style.paint.dim(rank.char()), squares.collect::<String>())
        })
        .collect();
    let names: Vec<String> = files.iter().map(|file| format!(" {} ", file.char())).collect();
    lines.push(format!("    {}", style.paint.dim(names.concat())));
    lines
}

/// Squares that are drawn in a special way.
struct Marks {
    from: Option<Square>,
    to: Option<Square>,
    check: Option<Square>,
}

impl Marks {
    fn new(position: &Chess, last: Option<Move>) -> Marks {
        let mover = position.turn().other();
        let to = last.map(|m| match m {
            Move::Castle { king, rook } => CastlingSide::from_king_side(rook > king).king_to(mover),
            _ => m.to(),
        });
        let check = if position.is_check() { position.board().king_of(position.turn()) } else { None };
        Marks { from: last.and_then(Move::from), to, check }
    }
}

fn cell(position: &Chess, square: Square, marks: &Marks, style: Style) -> String {
    let piece = position.board().piece_at(square);
    let symbol = piece.map_or('.', |piece| symbol(piece, style));
    if !style.paint.is_on() {
        return match () {
            () if marks.to == Some(square) => format!("[{symbol}]"),
            () if marks.from == Some(square) => format!("({symbol})"),
            () => format!(" {symbol} "),
        };
    }
    let ground = match () {
        () if marks.check == Some(square) => CHECK,
        () if marks.to == Some(square) || marks.from == Some(square) => LAST_MOVE,
        () if square.is_light() => LIGHT,
        () => DARK,
    };
    let ink = if piece.is_some_and(|piece| piece.color == Color::White) { WHITE_PIECE } else { BLACK_PIECE };
    let symbol = if piece.is_some() { symbol } else { ' ' };
    style.paint.style(&format!("{ground};{ink}"), format_args!(" {symbol} "))
}

fn symbol(piece: Piece, style: Style) -> char {
    if !style.unicode {
        return piece.char();
    }
    // Filled symbols take the colour of the ink; without colour, the outlined ones are White's.
    let filled = piece.color == Color::Black || style.paint.is_on();
    match (piece.role, filled) {
        (Role::Pawn, false) => '♙',
        (Role::Knight, false) => '♘',
        (Role::Bishop, false) => '♗',
        (Role::Rook, false) => '♖',
        (Role::Queen, false) => '♕',
        (Role::King, false) => '♔',
        (Role::Pawn, true) => '♟',
        (Role::Knight, true) => '♞',
        (Role::Bishop, true) => '♝',
        (Role::Rook, true) => '♜',
        (Role::Queen, true) => '♛',
        (Role::King, true) => '♚',
    }
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
