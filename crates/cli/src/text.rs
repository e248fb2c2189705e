//! Formatting of numbers, scores and lines of play.

use std::fmt;
use std::time::Duration;

use shakmaty::san::SanPlus;
use shakmaty::{Chess, Color, Move, Position};
use tabia_core::{Bound, Score, Wdl};

/// `White` or `Black`.
pub const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "White",
        Color::Black => "Black",
    }
}

/// `1 move`, `2 moves`.
pub fn counted(count: u64, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}

/// A number in three or four digits: `950`, `12.3k`, `4.56M`.
pub fn short_count(count: u64) -> String {
    let count = count as f64;
    let (scaled, unit) = match count {
        _ if count < 1e4 => return format!("{count}"),
        _ if count < 1e6 => (count / 1e3, "k"),
        _ if count < 1e9 => (count / 1e6, "M"),
        _ => (count / 1e9, "G"),
    };
    let decimals = usize::from(scaled < 100.0);
    format!("{scaled:.decimals$}{unit}")
}

/// A duration: `45 s`, `3:20 min`, `2 h 05 min`.
pub fn duration(time: Duration) -> String {
    const HOUR: u64 = 3600;
    const MINUTE: u64 = 60;
    let seconds = time.as_secs();
    match seconds {
        0..MINUTE => format!("{seconds} s"),
        MINUTE..HOUR => format!("{}:{:02} min", seconds / MINUTE, seconds % MINUTE),
        _ => format!("{} h {:02} min", seconds / HOUR, seconds % HOUR / MINUTE),
    }
}

/// Nodes per second.
pub fn per_second(nodes: u64, elapsed: Duration) -> u64 {
    (nodes as f64 / elapsed.as_secs_f64().max(1e-6)) as u64
}

/// Moves in SAN.
pub fn san_moves(start: &Chess, moves: &[Move]) -> Vec<String> {
    let mut position = start.clone();
    moves.iter().map(|m| SanPlus::from_move_and_play_unchecked(&mut position, *m).to_string()).collect()
}

/// Moves in SAN with their numbers: `4... Nf6 5. O-O Be7`.
pub fn numbered(start: &Chess, moves: &[Move]) -> String {
    let (mut number, mut turn) = (start.fullmoves().get(), start.turn());
    let mut tokens = Vec::new();
    for (index, san) in san_moves(start, moves).into_iter().enumerate() {
        match turn {
            Color::White => tokens.push(format!("{number}. {san}")),
            Color::Black if index == 0 => tokens.push(format!("{number}... {san}")),
            Color::Black => tokens.push(san),
        }
        number += u32::from(turn == Color::Black);
        turn = turn.other();
    }
    tokens.join(" ")
}

/// A score in White's view.
///
/// Moves to mate are counted for the side to move and converted afterwards: the negative of a score would count half a
/// move less.
#[derive(Copy, Clone, Debug)]
pub struct WhiteScore {
    pub score: Score,
    /// Full moves to mate; positive when White gives it.
    pub mate: Option<i32>,
    pub bound: Bound,
}

impl WhiteScore {
    /// Converts from the side to move's view.
    pub fn new(score: Score, bound: Bound, turn: Color) -> WhiteScore {
        let mate = score.moves_to_mate();
        match turn {
            Color::White => WhiteScore { score, mate, bound },
            Color::Black => WhiteScore {
                score: -score,
                mate: mate.map(|moves| -moves),
                bound: match bound {
                    Bound::Exact => Bound::Exact,
                    Bound::Lower => Bound::Upper,
                    Bound::Upper => Bound::Lower,
                },
            },
        }
    }
}

impl WhiteScore {
    /// `+0.35 for White`, or `Black mates in 3`.
    pub fn phrase(&self) -> String {
        match self.mate {
            Some(moves) => {
                let winner = if self.score > Score::DRAW { Color::White } else { Color::Black };
                format!("{} mates in {}", side(winner), moves.abs())
            }
            None => format!("{self} for White"),
        }
    }
}

/// As [`bounded`] writes it.
impl fmt::Display for WhiteScore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.mate {
            Some(moves) => write!(f, "{}#{moves}", sign(self.bound)),
            None => f.write_str(&bounded(self.score, self.bound)),
        }
    }
}

/// Win probability in White's view.
pub fn chances_for_white(wdl: Wdl, turn: Color) -> Wdl {
    match turn {
        Color::White => wdl,
        Color::Black => Wdl { win: wdl.loss, draw: wdl.draw, loss: wdl.win },
    }
}

/// `+0.35`, or `≥+0.35` where it is only a bound.
pub fn bounded(score: Score, bound: Bound) -> String {
    format!("{}{score}", sign(bound))
}

const fn sign(bound: Bound) -> &'static str {
    match bound {
        Bound::Exact => "",
        Bound::Lower => "≥",
        Bound::Upper => "≤",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::{ChessGame, Game};

    #[test]
    fn counts_are_short() {
        for (count, text) in [
            (0, "0"),
            (9_999, "9999"),
            (12_345, "12.3k"),
            (123_456, "123k"),
            (4_567_890, "4.6M"),
            (7_000_000_000, "7.0G"),
        ] {
            assert_eq!(short_count(count), text);
        }
    }

    #[test]
    fn times_are_in_the_unit_that_fits() {
        for (seconds, text) in [(9, "9 s"), (200, "3:20 min"), (7500, "2 h 05 min")] {
            assert_eq!(duration(Duration::from_secs(seconds)), text);
        }
    }

    #[test]
    fn lines_are_numbered_from_the_position_they_start_in() {
        let mut game = ChessGame::default();
        for text in ["e4", "e5", "Nf3", "Nc6"] {
            let m = game.read_move(text).unwrap();
            game.apply(m);
        }
        assert_eq!(numbered(game.start(), game.moves()), "1. e4 e5 2. Nf3 Nc6");
        let mut after = game.start().clone();
        after.play_unchecked(game.moves()[0]);
        assert_eq!(numbered(&after, &game.moves()[1..]), "1... e5 2. Nf3 Nc6");
    }

    #[test]
    fn what_is_at_least_good_for_black_is_at_most_good_for_white() {
        let white = |score, bound| WhiteScore::new(score, bound, Color::Black).to_string();
        assert_eq!(white(Score::cp(50), Bound::Lower), "≤-0.50");
        assert_eq!(white(Score::mate_in_plies(1), Bound::Exact), "#-1");
        assert_eq!(white(Score::mated_in_plies(4), Bound::Exact), "#2");
    }
}
