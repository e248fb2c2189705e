//! Where games begin, and in which order openings are taken.

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tabia_core::chess::MoveError;
use tabia_core::{ChessGame, FenError, Game, seed};

/// A start, and the moves that are played before the players choose.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Opening {
    /// What it is called.
    pub name: Option<String>,
    /// Where it starts, if not from the usual position.
    pub start: Option<String>,
    /// The moves from there, as UCI writes them.
    pub moves: Vec<String>,
}

/// In which order openings are taken.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Shuffled by the seed; shuffled anew when they run out.
    #[default]
    Random,
    /// As they come, and from the first again when they run out.
    Sequential,
}

/// An opening that cannot be played.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpeningError {
    /// Its start is no position.
    #[error(transparent)]
    Start(#[from] FenError),
    /// One of its moves is not legal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The game is over before it begins.
    #[error("an opening ends with the game over, in {0}")]
    Over(String),
}

impl Opening {
    /// The game after the opening.
    pub fn game(&self) -> Result<ChessGame, OpeningError> {
        let mut game = match &self.start {
            Some(fen) => ChessGame::from_fen(fen)?,
            None => ChessGame::default(),
        };
        for text in &self.moves {
            let m = game.read_move(text)?;
            game.apply(m);
        }
        if game.outcome().is_some() {
            return Err(OpeningError::Over(game.fen()));
        }
        Ok(game)
    }
}

/// A fingerprint of some openings in their order.
pub fn fingerprint(openings: &[Opening]) -> String {
    let mut hash = Sha256::new();
    for opening in openings {
        hash.update(opening.start.as_deref().unwrap_or_default());
        hash.update([0]);
        hash.update(opening.moves.join(" "));
        hash.update([0]);
    }
    hash.finalize().iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Which opening each of `rounds` rounds starts from.
pub fn sequence(count: usize, rounds: usize, order: Order, seed: u64) -> Vec<usize> {
    let mut sequence = Vec::with_capacity(rounds);
    let mut cycle = 0;
    while sequence.len() < rounds && count > 0 {
        let mut turn: Vec<usize> = (0..count).collect();
        if order == Order::Random {
            turn.shuffle(&mut seed::random(seed::derive(seed, cycle)));
        }
        turn.truncate(rounds - sequence.len());
        sequence.extend(turn);
        cycle += 1;
    }
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_comes_once_before_any_comes_again() {
        for order in [Order::Random, Order::Sequential] {
            let sequence = sequence(7, 20, order, 3);
            for cycle in sequence.chunks(7) {
                let mut seen = cycle.to_vec();
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), cycle.len());
            }
        }
        assert_eq!(sequence(3, 5, Order::Sequential, 9), [0, 1, 2, 0, 1]);
        assert_eq!(sequence(50, 20, Order::Random, 1), sequence(50, 20, Order::Random, 1));
        assert_ne!(sequence(50, 20, Order::Random, 1), sequence(50, 20, Order::Random, 2));
        // A longer match begins like a shorter one.
        assert_eq!(sequence(50, 200, Order::Random, 1)[..20], sequence(50, 20, Order::Random, 1));
    }

    #[test]
    fn openings_that_cannot_be_played_are_refused() {
        let opening = |start: Option<&str>, moves: &str| Opening {
            start: start.map(str::to_owned),
            moves: moves.split_whitespace().map(str::to_owned).collect(),
            name: None,
        };
        assert_eq!(opening(None, "e2e4 c7c5").game().unwrap().moves().len(), 2);
        assert!(matches!(opening(None, "e2e5").game(), Err(OpeningError::Move(_))));
        assert!(matches!(opening(Some("nonsense"), "").game(), Err(OpeningError::Start(_))));
        assert!(matches!(opening(None, "f2f3 e7e5 g2g4 d8h4").game(), Err(OpeningError::Over(_))));
    }
}
