//! The built-in openings: well-known lines of four to twenty plies, one per line of `balanced.txt`.
//!
//! They cover all important first moves and replies, and are balanced: the engine's score after 200,000 nodes is at most
//! [`MAX_CP`]. `tools/balance.py` measures that.

use super::Opening;
use super::read::game_of;

/// The list: a name, a colon, the moves. `#` starts a comment.
pub const TEXT: &str = include_str!("balanced.txt");

/// Largest absolute score of an opening, in centipawns.
pub const MAX_CP: i32 = 60;

/// The list as openings.
pub fn openings() -> Vec<Opening> {
    lines()
        .map(|(_, name, moves)| {
            let game = game_of(moves).expect("a test plays every line");
            Opening::of_game(&game, Some(name.to_owned()))
        })
        .collect()
}

/// Line number, name and moves.
fn lines() -> impl Iterator<Item = (usize, &'static str, &'static str)> {
    TEXT.lines().enumerate().filter(|(_, line)| !line.trim().is_empty() && !line.starts_with('#')).map(
        |(index, line)| {
            let (name, moves) = line.split_once(':').unwrap_or(("", line));
            (index + 1, name.trim(), moves.trim())
        },
    )
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;
    use tabia_core::Game;

    #[test]
    fn every_line_has_a_name_and_legal_moves() {
        for (line, name, moves) in lines() {
            assert!(!name.is_empty() && name.len() <= 60, "line {line}");
            let game = game_of(moves).unwrap_or_else(|why| panic!("line {line}, {name}: {why}"));
            assert!((4..=20).contains(&game.moves().len()), "line {line} has {} moves", game.moves().len());
            assert_eq!(game.outcome(), None, "line {line}");
        }
    }

    #[test]
    fn no_two_lines_meet() {
        let mut seen: HashMap<u64, usize> = HashMap::new();
        for (line, name, moves) in lines() {
            let key = game_of(moves).unwrap().key();
            if let Some(before) = seen.insert(key, line) {
                panic!("line {line} ({name}) ends in the position of line {before}");
            }
        }
        assert!(seen.len() >= 200, "{}", seen.len());
    }
}
