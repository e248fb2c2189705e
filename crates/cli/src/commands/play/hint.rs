//! What the engine would play, for whoever asks.

use std::time::Duration;

use shakmaty::Move;
use tabia_core::{Agent, ChessGame, Limits};

use crate::{catalogue, text};

/// Moves of a line that are shown.
pub const MOVES_SHOWN: usize = 6;
/// How long a hint is thought about.
const HINT_TIME: Duration = Duration::from_millis(500);

/// Whoever gives hints, and how long it may think about one.
pub fn adviser() -> anyhow::Result<(Box<dyn Agent<ChessGame>>, Limits)> {
    Ok((catalogue::chess().build(&catalogue::strongest())?, Limits::movetime(HINT_TIME)))
}

/// A hint as a line of play: the move itself where the line is about another.
pub fn hint(game: &ChessGame, best: Move, mut line: Vec<Move>) -> String {
    if line.first() != Some(&best) {
        line = vec![best];
    }
    line.truncate(MOVES_SHOWN);
    text::numbered(game.position(), &line)
}
