//! Fields in a terminal: coloured cells with the pieces over them, or plain numbers without colour.
//!
//! A square is two rows of seven columns in the colour of the picture (24-bit ANSI): the piece letter of FEN on a patch
//! of its own colour, and the number below it.

use shakmaty::{Board, Color, File, Piece, Rank, Square};
use tabia_eval::Field;

use crate::color::{INK, PAPER, Rgb};
use crate::scale::{Scale, value};

/// Columns of a square.
const CELL: usize = 7;

const RESET: &str = "\x1b[0m";

/// A field in colour: sixteen lines, the files, and the scale.
pub fn colored(board: &Board, field: &Field, scale: &Scale) -> String {
    let ranks = Rank::ALL.into_iter().rev().flat_map(|rank| {
        let upper = row(rank, |square| upper_half(board, square, &ground(field, scale, square)));
        let lower = row(rank, |square| {
            let number = scale.label(value(field, square));
            format!("{}{}{number:^CELL$}", ground(field, scale, square), ink(INK))
        });
        [format!("   {upper}{RESET}\n"), format!(" {} {lower}{RESET}\n", rank.char())]
    });
    ranks.chain([files(), legend(field, scale)]).collect()
}

/// A field in plain text: numbers in columns, pieces beside them.
pub fn plain(board: &Board, field: &Field, scale: &Scale) -> String {
    const NUMBER: usize = CELL - 2;
    let ranks = Rank::ALL.into_iter().rev().map(|rank| {
        let squares = row(rank, |square| {
            let piece = board.piece_at(square).map_or(' ', Piece::char);
            let number = scale.label(value(field, square)).replace('−', "-");
            format!("{number:>NUMBER$} {piece}")
        });
        format!(" {} {}\n", rank.char(), squares.trim_end())
    });
    ranks.chain([files()]).collect()
}

fn row(rank: Rank, cell: impl Fn(Square) -> String) -> String {
    let cells = File::ALL.map(|file| cell(Square::from_coords(file, rank)));
    cells.concat()
}

fn files() -> String {
    let names = File::ALL.map(|file| format!("{:^CELL$}", file.char()));
    format!("   {}\n", names.concat().trim_end())
}

fn upper_half(board: &Board, square: Square, ground: &str) -> String {
    match board.piece_at(square) {
        Some(piece) => format!("{ground}  {}{ground}  ", chip(piece)),
        None => format!("{ground}{:CELL$}", ""),
    }
}

/// The scale as a bar with its ends.
fn legend(field: &Field, scale: &Scale) -> String {
    const STEPS: u32 = 40;
    let step = |index: u32| {
        let share = (f64::from(index) + 0.5) / f64::from(STEPS);
        background(scale.color(scale.low + (scale.high - scale.low) * share)) + " "
    };
    let bar: String = (0..STEPS).map(step).collect();
    let (low, high) = scale.ends();
    format!("   {low} {bar}{RESET} {high}  ({})\n", field.unit)
}

fn ground(field: &Field, scale: &Scale, square: Square) -> String {
    background(scale.on_square(value(field, square), square))
}

fn chip(piece: Piece) -> String {
    let (paper, pen) = match piece.color {
        Color::White => (PAPER, INK),
        Color::Black => (INK, PAPER),
    };
    format!("{}{}\x1b[1m {} \x1b[22m", background(paper), ink(pen), piece.char())
}

fn background(Rgb { red, green, blue }: Rgb) -> String {
    format!("\x1b[48;2;{red};{green};{blue}m")
}

fn ink(Rgb { red, green, blue }: Rgb) -> String {
    format!("\x1b[38;2;{red};{green};{blue}m")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cases() -> (Board, Field) {
        let mut values = [[0.0; 8]; 8];
        (values[0][0], values[7][7]) = (-40.0, 25.0);
        (Board::default(), Field { name: "control".to_owned(), unit: "influence".to_owned(), values })
    }

    /// The visible text: without escape sequences.
    fn shown(text: &str) -> String {
        let mut parts = text.split('\x1b');
        let first = parts.next().unwrap_or_default().to_owned();
        parts.fold(first, |shown, part| shown + part.split_once('m').unwrap().1)
    }

    #[test]
    fn every_line_of_cells_is_equally_wide_and_ends_without_colour() {
        let (board, field) = cases();
        let text = colored(&board, &field, &Scale::of(&field));
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(lines.len(), 18);
        for line in &lines[..16] {
            assert_eq!(shown(line).chars().count(), 3 + 8 * CELL, "{line:?}");
            assert!(line.ends_with(RESET));
        }
        assert_eq!(shown(lines[17]).trim(), format!("Black −40 {} +40 White  (influence)", " ".repeat(40)));
    }

    #[test]
    fn a_cell_has_its_colour_its_piece_and_its_number() {
        let (board, field) = cases();
        let scale = Scale::of(&field);
        let text = colored(&board, &field, &scale);
        let corner = background(scale.on_square(-40.0, Square::A8));
        assert!(text.starts_with(&format!("   {corner}  {}", background(INK))), "{text:?}");
        assert!(shown(text.lines().nth(1).unwrap()).starts_with(" 8   −40"));
        assert!(shown(text.lines().nth(14).unwrap()).contains(" K "));
    }

    #[test]
    fn plain_text_has_the_same_numbers() {
        let (board, field) = cases();
        let text = plain(&board, &field, &Scale::of(&field));
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines[0].starts_with(" 8   -40 r    0 n"), "{text}");
        assert!(lines[7].ends_with("25 R"), "{text}");
        assert!(!text.contains('\x1b'));
    }
}
