//! Hints: what the engine would play.

use std::time::Duration;

use shakmaty::Move;
use tabia_core::{Agent, ChessGame, Limits};

use crate::{catalogue, text};

/// Moves of a line that are shown.
pub const MOVES_SHOWN: usize = 6;
/// Search time of a hint.
const HINT_TIME: Duration = Duration::from_millis(500);

/// The agent that gives hints, and its limits.
pub fn hint_agent() -> anyhow::Result<(Box<dyn Agent<ChessGame>>, Limits)> {
    Ok((catalogue::chess().build(&catalogue::strongest())?, Limits::movetime(HINT_TIME)))
}

/// A hint as a line of play; only the move if the last reported line starts with another one.
pub fn hint(game: &ChessGame, best: Move, mut line: Vec<Move>) -> String {
    if line.first() != Some(&best) {
        line = vec![best];
    }
    line.truncate(MOVES_SHOWN);
    text::numbered(game.position(), &line)
}
