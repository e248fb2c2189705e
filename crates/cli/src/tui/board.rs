//! A board on the screen, as large as there is room for.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color as Ink, Modifier, Style};
use ratatui::widgets::Widget;
use shakmaty::{CastlingSide, Chess, Color, File, Move, Piece, Position, Rank, Role, Square};

// Colours of the 256-colour palette: grounds on which white and black both stand out.
const LIGHT: Ink = Ink::Indexed(103);
const DARK: Ink = Ink::Indexed(60);
const LAST_MOVE: Ink = Ink::Indexed(100);
const CHECK: Ink = Ink::Indexed(131);
const WHITE_PIECE: Ink = Ink::Indexed(231);
const BLACK_PIECE: Ink = Ink::Indexed(16);

/// Columns and rows of a square, the largest first.
const SQUARES: [(u16, u16); 3] = [(7, 3), (5, 2), (3, 1)];
/// Columns for the numbers of ranks, rows for the letters of files.
const EDGE: (u16, u16) = (3, 1);

/// A position to be drawn.
pub struct Board<'a> {
    /// The position.
    pub position: &'a Chess,
    /// The move that led to it.
    pub last: Option<Move>,
    /// Which side is below.
    pub bottom: Color,
    /// Colours, or letters and brackets where there are none.
    pub color: bool,
}

impl Board<'_> {
    /// Columns and rows that the board takes within some room.
    pub fn size(width: u16, height: u16) -> (u16, u16) {
        let (across, down) = square(width, height);
        (8 * across + EDGE.0, 8 * down + EDGE.1)
    }

    fn ground(&self, square: Square) -> Ink {
        let in_check =
            self.position.is_check() && self.position.board().king_of(self.position.turn()) == Some(square);
        if in_check {
            CHECK
        } else if self.is_marked(square) {
            LAST_MOVE
        } else if square.is_light() {
            LIGHT
        } else {
            DARK
        }
    }

    fn is_marked(&self, square: Square) -> bool {
        let mover = self.position.turn().other();
        self.last.is_some_and(|m| {
            let to = match m {
                Move::Castle { king, rook } => CastlingSide::from_king_side(rook > king).king_to(mover),
                _ => m.to(),
            };
            m.from() == Some(square) || to == square
        })
    }
}

fn square(width: u16, height: u16) -> (u16, u16) {
    let fits = |(across, down): &(u16, u16)| 8 * across + EDGE.0 <= width && 8 * down + EDGE.1 <= height;
    SQUARES.into_iter().find(fits).unwrap_or(SQUARES[SQUARES.len() - 1])
}

impl Widget for Board<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let (across, down) = square(area.width, area.height);
        let (mut ranks, mut files) = (Rank::ALL, File::ALL);
        match self.bottom {
            Color::White => ranks.reverse(),
            Color::Black => files.reverse(),
        }
        let quiet = Style::new().add_modifier(Modifier::DIM);
        let mut put = |x: u16, y: u16, text: &str, style: Style| {
            if x < area.width && y < area.height {
                buffer.set_stringn(area.x + x, area.y + y, text, usize::from(area.width - x), style);
            }
        };
        for (row, rank) in (0u16..).zip(ranks) {
            put(1, row * down + (down - 1) / 2, &rank.char().to_string(), quiet);
            for (column, file) in (0u16..).zip(files) {
                let square = Square::from_coords(file, rank);
                let piece = self.position.board().piece_at(square);
                let (x, y) = (EDGE.0 + column * across, row * down);
                let style = if self.color { Style::new().bg(self.ground(square)) } else { Style::new() };
                for line in 0..down {
                    put(x, y + line, &" ".repeat(usize::from(across)), style);
                }
                let (text, style) = symbol(piece, &self, square, style);
                put(x + across / 2 - u16::from(text.chars().count() > 1), y + (down - 1) / 2, &text, style);
            }
        }
        for (column, file) in (0u16..).zip(files) {
            put(EDGE.0 + column * across + across / 2, 8 * down, &file.char().to_string(), quiet);
        }
    }
}

/// What stands on a square, and in which style.
fn symbol(piece: Option<Piece>, board: &Board<'_>, square: Square, ground: Style) -> (String, Style) {
    if !board.color {
        let letter = piece.map_or('.', Piece::char);
        let text = if board.is_marked(square) { format!("[{letter}]") } else { letter.to_string() };
        return (text, ground);
    }
    let Some(piece) = piece else { return (" ".to_owned(), ground) };
    let ink = piece.color.fold_wb(WHITE_PIECE, BLACK_PIECE);
    let symbol = match piece.role {
        Role::Pawn => '♟',
        Role::Knight => '♞',
        Role::Bishop => '♝',
        Role::Rook => '♜',
        Role::Queen => '♛',
        Role::King => '♚',
    };
    (symbol.to_string(), ground.fg(ink).add_modifier(Modifier::BOLD))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::{ChessGame, Game};

    fn drawn(text: &str, bottom: Color, color: bool, width: u16, height: u16) -> Vec<String> {
        let mut game = ChessGame::default();
        let m = game.read_move(text).unwrap();
        game.apply(m);
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        Board { position: game.position(), last: Some(m), bottom, color }.render(area, &mut buffer);
        (0..height).map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>()).collect()
    }

    #[test]
    fn a_small_board_has_a_line_for_a_rank() {
        let lines = drawn("e4", Color::White, true, 27, 9);
        assert_eq!(lines[0], " 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ ");
        assert_eq!(lines[4], " 4              ♟          ");
        assert_eq!(lines[8], "    a  b  c  d  e  f  g  h ");
    }

    #[test]
    fn black_is_below_when_the_board_is_turned() {
        let lines = drawn("e4", Color::Black, true, 27, 9);
        assert!(lines[0].starts_with(" 1  ♜  ♞  ♝  ♚"));
        assert!(lines[8].starts_with("    h  g"));
    }

    #[test]
    fn without_colour_letters_and_brackets_do() {
        let lines = drawn("e4", Color::White, false, 27, 9);
        assert_eq!(lines[0], " 8  r  n  b  q  k  b  n  r ");
        assert_eq!(lines[4], " 4  .  .  .  . [P] .  .  . ");
        assert_eq!(lines[6], " 2  P  P  P  P [.] P  P  P ");
    }

    #[test]
    fn the_board_takes_the_room_there_is() {
        assert_eq!(Board::size(80, 30), (59, 25));
        assert_eq!(Board::size(80, 24), (43, 17));
        assert_eq!(Board::size(30, 10), (27, 9));
        assert_eq!(Board::size(1, 1), (27, 9));
        let lines = drawn("e4", Color::White, true, 59, 25);
        assert!(lines[1].starts_with(" 8    ♜"), "{}", lines[1]);
        drop(drawn("e4", Color::White, true, 10, 3));
    }
}
