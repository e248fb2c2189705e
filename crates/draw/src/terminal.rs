//! Fields in a terminal: coloured cells with the pieces over them, or plain numbers where there is no colour.
//!
//! A square is two rows of seven columns in the colour that a picture would give it (24-bit ANSI): the piece, as a
//! FEN writes it, on a chip of its own colour; below it the number.

use std::fmt::Write;

use shakmaty::{Board, Color, File, Piece, Rank, Square};
use tabia_eval::Field;

use crate::color::Rgb;
use crate::numbers;
use crate::scale::Scale;

/// Columns of a square.
const CELL: usize = 7;

const DARK: Rgb = Rgb { red: 0x1c, green: 0x1e, blue: 0x24 };
const LIGHT: Rgb = Rgb { red: 0xff, green: 0xff, blue: 0xff };
/// How much darker a dark square is.
const DARKER: f64 = 0.035;

const RESET: &str = "\x1b[0m";

/// A field in colour, seventeen lines and its scale.
pub fn colored(board: &Board, field: &Field, scale: &Scale) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let squares = || File::ALL.into_iter().map(move |file| Square::from_coords(file, rank));
        text.push_str("   ");
        for square in squares() {
            let ground = ground(field, scale, square);
            match board.piece_at(square) {
                Some(piece) => text.push_str(&format!("{ground}  {}{ground}  ", chip(piece))),
                None => text.push_str(&format!("{ground}{:CELL$}", "")),
            }
        }
        text.push_str(RESET);
        text.push_str(&format!("\n {} ", rank.char()));
        for square in squares() {
            let number = numbers::on_square(value(field, square), limit(scale));
            text.push_str(&format!("{}{}{number:^CELL$}", ground(field, scale, square), ink(DARK)));
        }
        text.push_str(RESET);
        text.push('\n');
    }
    text.push_str(&files());
    text.push_str(&legend(field, scale));
    text
}

/// A field in plain text: the same numbers in columns, pieces beside them.
pub fn plain(board: &Board, field: &Field, scale: &Scale) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        text.push_str(&format!(" {} ", rank.char()));
        for file in File::ALL {
            let square = Square::from_coords(file, rank);
            let piece = board.piece_at(square).map_or(' ', Piece::char);
            let number = numbers::on_square(value(field, square), limit(scale)).replace('−', "-");
            text.push_str(&format!("{number:>w$} {piece}", w = CELL - 2));
        }
        text.push('\n');
    }
    text.push_str(&files());
    text
}

fn files() -> String {
    let names: String = File::ALL.into_iter().map(|file| format!("{:^CELL$}", file.char())).collect();
    format!("   {}\n", names.trim_end())
}

/// The scale as a bar with its ends.
fn legend(field: &Field, scale: &Scale) -> String {
    const STEPS: usize = 40;
    let mut bar = String::new();
    for step in 0..STEPS {
        let share = (step as f64 + 0.5) / STEPS as f64;
        bar.push_str(&format!("{} ", background(scale.color(scale.low + (scale.high - scale.low) * share))));
    }
    let (low, high) = if scale.is_diverging() {
        (format!("Black {}", numbers::short(scale.low)), format!("{} White", numbers::signed(scale.high)))
    } else {
        (numbers::short(scale.low), numbers::short(scale.high))
    };
    format!("   {low} {bar}{RESET} {high}  ({})\n", field.unit)
}

fn value(field: &Field, square: Square) -> f64 {
    field.values[7 - square.rank() as usize][square.file() as usize]
}

fn limit(scale: &Scale) -> f64 {
    scale.high.max(-scale.low)
}

fn ground(field: &Field, scale: &Scale, square: Square) -> String {
    let darker = if square.is_dark() { DARKER } else { 0.0 };
    background(scale.shaded(value(field, square), darker))
}

fn chip(piece: Piece) -> String {
    let (paper, pen) = match piece.color {
        Color::White => (LIGHT, DARK),
        Color::Black => (DARK, LIGHT),
    };
    format!("{}{}\x1b[1m {} \x1b[22m", background(paper), ink(pen), piece.char())
}

fn background(Rgb { red, green, blue }: Rgb) -> String {
    format!("\x1b[48;2;{red};{green};{blue}m")
}

fn ink(Rgb { red, green, blue }: Rgb) -> String {
    format!("\x1b[38;2;{red};{green};{blue}m")
}
