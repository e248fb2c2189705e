//! A board as large as the terminal allows: the position, the selection, and a field under the pieces.
//!
//! Over a field the pieces have a background of their own, White's white and Black's black, since a field may have any
//! colour.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color as Ink, Modifier, Style};
use ratatui::widgets::Widget;
use shakmaty::{Bitboard, Chess, Color, Move, Piece, Position, Square};
use tabia_draw::color::{INK, PAPER};
use tabia_draw::{Scale, value};
use tabia_eval::Field;

use super::colors::Colors;
use crate::diagram::{self, Marks};

/// The selected piece.
const CHOSEN: Ink = Ink::Indexed(65);
/// The frame of the cursor.
const CURSOR: Ink = Ink::Indexed(226);
/// Its possible targets.
const TARGET: char = '•';

/// Columns and rows of a square, the largest first.
const SQUARES: [(u16, u16); 3] = [(7, 3), (5, 2), (3, 1)];
/// Width of the rank numbers, height of the file letters.
const EDGE: (u16, u16) = (3, 1);

/// The selection of a person.
#[derive(Copy, Clone, Debug, Default)]
pub struct Selection {
    pub cursor: Option<Square>,
    pub chosen: Option<Square>,
    pub targets: Bitboard,
}

/// A position to draw.
pub struct Board<'a> {
    pub position: &'a Chess,
    pub last: Option<Move>,
    /// Which side is below.
    pub bottom: Color,
    /// Colours, or letters and brackets where there are none.
    pub colors: Colors,
    pub selection: Selection,
    /// A field under the pieces, and its colours.
    pub field: Option<(&'a Field, Scale)>,
}

impl<'a> Board<'a> {
    /// A position without selection and field.
    pub fn new(position: &'a Chess, last: Option<Move>, bottom: Color, colors: Colors) -> Board<'a> {
        Board { position, last, bottom, colors, selection: Selection::default(), field: None }
    }

    /// Size of the board within an area.
    pub fn size(width: u16, height: u16) -> (u16, u16) {
        let (across, down) = square(width, height);
        (8 * across + EDGE.0, 8 * down + EDGE.1)
    }

    fn ground(&self, square: Square, marks: Marks) -> Style {
        let ink = match &self.field {
            _ if !self.colors.is_enabled() => return Style::new(),
            _ if marks.check == Some(square) => Ink::Indexed(diagram::CHECK),
            _ if self.selection.chosen == Some(square) => CHOSEN,
            Some((field, scale)) => self.colors.on_scale(scale, value(field, square), Some(square)),
            None => Ink::Indexed(marks.ground(square)),
        };
        let style = Style::new().bg(ink);
        if self.field.is_some() { style.fg(self.colors.nearest(INK)) } else { style }
    }

    /// The row of a square with the piece: its characters, and the middle's style where it differs.
    fn signs(&self, square: Square, marks: Marks, across: u16) -> Vec<char> {
        let piece = self.position.board().piece_at(square);
        let middle = usize::from(across / 2);
        let mut signs = vec![' '; usize::from(across)];
        signs[middle] = match piece {
            Some(piece) if self.colors.is_enabled() => diagram::symbol(piece.role, self.field.is_none()),
            Some(piece) => piece.char(),
            None if self.selection.targets.contains(square) => TARGET,
            None if self.colors.is_enabled() => ' ',
            None => '.',
        };
        let bracket = if self.colors.is_enabled() { middle } else { 1 };
        if marks.is_last(square) && (!self.colors.is_enabled() || self.field.is_some()) {
            (signs[middle - bracket], signs[middle + bracket]) = ('[', ']');
        }
        if piece.is_some() && self.selection.targets.contains(square) {
            // Possible captures.
            (signs[middle - 1], signs[middle + 1]) = (TARGET, TARGET);
        }
        signs
    }

    /// The style of a piece on a background.
    fn piece_style(&self, piece: Piece, ground: Style) -> Style {
        if !self.colors.is_enabled() {
            return ground;
        }
        let (white, black) = (self.colors.nearest(PAPER), self.colors.nearest(INK));
        let style = match (&self.field, piece.color) {
            (None, Color::White) => ground.fg(Ink::Indexed(diagram::WHITE_PIECE)),
            (None, Color::Black) => ground.fg(Ink::Indexed(diagram::BLACK_PIECE)),
            (Some(_), Color::White) => Style::new().fg(black).bg(white),
            (Some(_), Color::Black) => Style::new().fg(white).bg(black),
        };
        style.add_modifier(Modifier::BOLD)
    }

    fn draw_square(&self, square: Square, marks: Marks, area: Rect, buffer: &mut Buffer) {
        let ground = self.ground(square, marks);
        let piece = self.position.board().piece_at(square);
        let middle = area.width / 2;
        let row = (area.height - 1) / 2;
        for line in 0..area.height {
            buffer.set_string(area.x, area.y + line, " ".repeat(usize::from(area.width)), ground);
        }
        for (column, sign) in (0u16..).zip(self.signs(square, marks, area.width)) {
            // The background of a piece is wider than it where there is room.
            let chip = u16::from(self.field.is_some() && area.width > 3);
            let style = match piece {
                Some(piece) if column.abs_diff(middle) <= chip => self.piece_style(piece, ground),
                _ => ground,
            };
            buffer.set_string(area.x + column, area.y + row, sign.to_string(), style);
        }
        if let Some((field, scale)) = &self.field
            && area.height > 1
        {
            let width = usize::from(area.width);
            let number = format!("{:^width$}", scale.label(value(field, square)));
            buffer.set_stringn(area.x, area.y + area.height - 1, number, width, ground);
        }
        if self.selection.cursor == Some(square) {
            self.frame(area, ground, buffer);
        }
    }

    /// Bars at both sides of a square, with a darker edge that stands out on light squares.
    fn frame(&self, area: Rect, ground: Style, buffer: &mut Buffer) {
        let (left, right, style) = if self.colors.is_enabled() {
            ("▌", "▐", ground.fg(CURSOR).add_modifier(Modifier::BOLD))
        } else {
            (">", "<", ground)
        };
        let style = if self.field.is_some() { style.fg(self.colors.nearest(INK)) } else { style };
        for line in 0..area.height {
            buffer.set_string(area.x, area.y + line, left, style);
            buffer.set_string(area.x + area.width - 1, area.y + line, right, style);
        }
    }
}

fn square(width: u16, height: u16) -> (u16, u16) {
    let fits = |(across, down): &(u16, u16)| 8 * across + EDGE.0 <= width && 8 * down + EDGE.1 <= height;
    SQUARES.into_iter().find(fits).unwrap_or(SQUARES[SQUARES.len() - 1])
}

impl Widget for Board<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let (across, down) = square(area.width, area.height);
        let (ranks, files) = diagram::order(self.bottom);
        let marks = Marks::new(self.position, self.last);
        let quiet = Style::new().add_modifier(Modifier::DIM);
        let inside = |part: Rect| area.intersection(part) == part;
        for (row, rank) in (0u16..).zip(ranks) {
            let name = Rect::new(area.x + 1, area.y + row * down + (down - 1) / 2, 1, 1);
            if inside(name) {
                buffer.set_string(name.x, name.y, rank.char().to_string(), quiet);
            }
            for (column, file) in (0u16..).zip(files) {
                let (x, y) = (area.x + EDGE.0 + column * across, area.y + row * down);
                let place = Rect::new(x, y, across, down);
                if inside(place) {
                    self.draw_square(Square::from_coords(file, rank), marks, place, buffer);
                }
            }
        }
        for (column, file) in (0u16..).zip(files) {
            let x = area.x + EDGE.0 + column * across + across / 2;
            let name = Rect::new(x, area.y + 8 * down, 1, 1);
            if inside(name) {
                buffer.set_string(name.x, name.y, file.char().to_string(), quiet);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::{ChessGame, Game};

    fn buffer_of(board: Board<'_>, width: u16, height: u16) -> Buffer {
        let area = Rect::new(0, 0, width, height);
        let mut buffer = Buffer::empty(area);
        board.render(area, &mut buffer);
        buffer
    }

    fn lines(buffer: &Buffer) -> Vec<String> {
        let Rect { width, height, .. } = buffer.area;
        (0..height).map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect::<String>()).collect()
    }

    fn drawn(text: &str, bottom: Color, colors: Colors, width: u16, height: u16) -> Vec<String> {
        let mut game = ChessGame::default();
        let m = game.read_move(text).unwrap();
        game.apply(m);
        lines(&buffer_of(Board::new(game.position(), Some(m), bottom, colors), width, height))
    }

    #[test]
    fn a_small_board_has_a_line_for_a_rank() {
        let lines = drawn("e4", Color::White, Colors::Palette, 27, 9);
        assert_eq!(lines[0], " 8  ♜  ♞  ♝  ♛  ♚  ♝  ♞  ♜ ");
        assert_eq!(lines[4], " 4              ♟          ");
        assert_eq!(lines[8], "    a  b  c  d  e  f  g  h ");
    }

    #[test]
    fn black_is_below_when_the_board_is_turned() {
        let lines = drawn("e4", Color::Black, Colors::Palette, 27, 9);
        assert!(lines[0].starts_with(" 1  ♜  ♞  ♝  ♚"));
        assert!(lines[8].starts_with("    h  g"));
    }

    #[test]
    fn without_colour_letters_and_brackets_do() {
        let lines = drawn("e4", Color::White, Colors::None, 27, 9);
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
        let lines = drawn("e4", Color::White, Colors::Palette, 59, 25);
        assert!(lines[1].starts_with(" 8    ♜"), "{}", lines[1]);
        drop(drawn("e4", Color::White, Colors::Palette, 10, 3));
    }

    #[test]
    fn cursor_piece_in_hand_and_its_squares_are_seen() {
        let game = ChessGame::default();
        let mut board = Board::new(game.position(), None, Color::White, Colors::Palette);
        let targets = Bitboard::from_square(Square::E3) | Square::E4;
        board.selection = Selection { cursor: Some(Square::E3), chosen: Some(Square::E2), targets };
        let buffer = buffer_of(board, 43, 17);
        let (x, row_of) = (3 + 4 * 5, |rank: u16| (8 - rank) * 2);
        assert_eq!(buffer[(x, row_of(2))].bg, CHOSEN);
        assert_eq!(buffer[(x + 2, row_of(4))].symbol(), "•");
        for (column, sign) in [(x, "▌"), (x + 4, "▐")] {
            assert_eq!(
                (buffer[(column, row_of(3))].symbol(), buffer[(column, row_of(3))].fg),
                (sign, CURSOR)
            );
        }
    }

    #[test]
    fn a_field_colours_the_squares_and_writes_its_numbers() {
        let mut values = [[0.0; 8]; 8];
        (values[0][0], values[4][4]) = (-40.0, 25.0);
        let field = Field { name: "control".to_owned(), unit: "influence".to_owned(), values };
        let scale = Scale::of(&field);
        let game = ChessGame::default();
        let board = Board {
            field: Some((&field, scale)),
            ..Board::new(game.position(), None, Color::White, Colors::All)
        };
        let buffer = buffer_of(board, 43, 17);
        let color = |number, square| Colors::All.nearest(scale.on_square(number, square));
        assert_eq!(buffer[(3, 0)].bg, color(-40.0, Square::A8));
        assert_eq!(buffer[(3 + 4 * 5, 8)].bg, color(25.0, Square::E4));
        let lines = lines(&buffer);
        assert!(lines[1].starts_with("    −40 "), "{}", lines[1]);
        assert!(lines[9].contains(" 25 "), "{}", lines[9]);
        // White's pieces on white, Black's on black.
        assert_eq!((buffer[(5, 0)].symbol(), buffer[(5, 0)].bg), ("♖", Colors::All.nearest(INK)));
        assert_eq!((buffer[(5, 14)].symbol(), buffer[(5, 14)].bg), ("♖", Colors::All.nearest(PAPER)));
    }
}
