//! The marginal probabilities of a position as text: on each square the likeliest piece and its probability.
//!
//! ```text
//! 3   .    .   N50   .    .      a knight with probability 50%
//! 1   R   N50   B    Q    K      certain pieces have no number
//! ```
//!
//! `*` after the number: another piece may stand there too.

use shakmaty::{Color, File, Piece, Rank, Square};
use tabia_quantum::phrases::percent;
use tabia_quantum::{Marginals, Move, QuantumGame};

use crate::terminal::Paint;

const WHITE_PIECE: &str = "1;38;5;231";
const BLACK_PIECE: &str = "1;38;5;180";
const LAST_MOVE: &str = "4";

/// Draws a state with `bottom`'s side at the bottom: eight ranks and a line of files.
pub fn draw(game: &QuantumGame, last: Option<Move>, bottom: Color, paint: Paint) -> Vec<String> {
    let (mut ranks, mut files) = (Rank::ALL, File::ALL);
    match bottom {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let marginals = Marginals::new(game);
    let mut lines: Vec<String> = ranks
        .iter()
        .map(|rank| {
            let squares = files.iter().map(|file| {
                let square = Square::from_coords(*file, *rank);
                let touched = last.is_some_and(|m| m.from() == square || m.to() == square);
                cell(&marginals.on(square), touched, paint)
            });
            format!(" {}  {}", paint.dim(rank.char()), squares.collect::<String>().trim_end())
        })
        .collect();
    let names: Vec<String> = files.iter().map(|file| format!("  {}  ", file.char())).collect();
    lines.push(format!("    {}", paint.dim(names.concat().trim_end())));
    lines
}

fn cell(found: &[(Piece, f64)], touched: bool, paint: Paint) -> String {
    let Some((piece, chance)) = found.first() else {
        return format!("  {}  ", if touched { paint.style(LAST_MOVE, ".") } else { ".".to_owned() });
    };
    let number = match (chance * 100.0).round() as u32 {
        _ if *chance >= 1.0 => String::new(),
        rounded => rounded.clamp(1, 99).to_string(),
    };
    let more = if found.len() > 1 { "*" } else { "" };
    let text = format!("{}{number}{more}", piece.char());
    let ink = if piece.color == Color::White { WHITE_PIECE } else { BLACK_PIECE };
    let style = if touched { format!("{ink};{LAST_MOVE}") } else { ink.to_owned() };
    let (left, right) = match text.len() {
        1 => (2, 2),
        2 | 3 => (1, 4 - text.len()),
        _ => (1, 0),
    };
    format!("{}{}{}", " ".repeat(left), paint.style(&style, text), " ".repeat(right))
}

/// The branches as a list, heaviest first.
pub fn list_branches(game: &QuantumGame, max: usize) -> Vec<String> {
    let mut branches: Vec<_> = game.branches().iter().collect();
    branches.sort_by_key(|branch| std::cmp::Reverse(branch.weight()));
    let share = |weight: u64| percent(weight as f64 / game.total() as f64);
    let mut lines: Vec<String> = branches
        .iter()
        .take(max)
        .map(|branch| format!("{:>6}  {}", share(branch.weight()), branch.board()))
        .collect();
    if branches.len() > max {
        lines.push(format!("        … and {} more", branches.len() - max));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn likely_pieces_are_shown_with_their_chances() {
        let mut game = QuantumGame::default();
        for ply in ["b1~c3", "a7a6", "c3~d5"] {
            game.play_text(ply).unwrap();
        }
        let lines = draw(&game, None, Color::White, Paint::none());
        assert_eq!(lines[0], " 8    r    n    b    q    k    b    n    r");
        assert_eq!(lines[3], " 5    .    .    .   N25   .    .    .    .");
        assert_eq!(lines[5], " 3    .    .   N25   .    .    .    .    .");
        assert_eq!(lines[7], " 1    R   N50   B    Q    K    B    N    R");
        assert_eq!(lines[8], "      a    b    c    d    e    f    g    h");
        let lines = draw(&game, None, Color::Black, Paint::none());
        assert_eq!(lines[0], " 1    R    N    B    K    Q    B   N50   R");
    }

    #[test]
    fn a_square_where_different_pieces_may_stand_is_marked() {
        let text = "w 0 1: 2*4k3/8/8/8/8/8/N7/4K3 - - + 1*4k3/8/8/8/8/8/B7/4K3 - -";
        let lines = draw(&text.parse().unwrap(), None, Color::White, Paint::none());
        assert_eq!(lines[6], " 2   N67*  .    .    .    .    .    .    .");
    }
}
