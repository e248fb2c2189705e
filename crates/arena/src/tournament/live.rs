//! Games in progress, for live displays.

use std::sync::{Mutex, PoisonError};

use tabia_core::Score;

use super::schedule::Pairing;

#[derive(Clone, Debug, PartialEq)]
pub struct GameInProgress {
    /// The game of the schedule.
    pub pairing: Pairing,
    /// The FEN it started from; none is the standard starting position.
    pub start: Option<String>,
    /// Its moves so far.
    pub moves: Vec<String>,
    /// The last mover's score, from its own side.
    pub score: Option<Score>,
    /// Time left to White and to Black, in milliseconds, if both have a clock.
    pub clocks_ms: Option<[u64; 2]>,
}

/// The game in progress of each worker.
pub struct LiveGames {
    slots: Vec<Mutex<Option<GameInProgress>>>,
}

/// Updates the game in progress of one worker.
pub struct GameReporter<'a> {
    slot: &'a Mutex<Option<GameInProgress>>,
}

impl LiveGames {
    /// No games in progress.
    pub fn new(workers: usize) -> LiveGames {
        LiveGames { slots: (0..workers).map(|_| Mutex::default()).collect() }
    }

    /// The reporter of a worker.
    pub fn reporter(&self, worker: usize) -> GameReporter<'_> {
        GameReporter { slot: &self.slots[worker] }
    }

    pub fn games_in_progress(&self) -> Vec<GameInProgress> {
        let taken = |slot: &Mutex<Option<GameInProgress>>| {
            slot.lock().unwrap_or_else(PoisonError::into_inner).clone()
        };
        self.slots.iter().filter_map(taken).collect()
    }
}

impl GameReporter<'_> {
    /// Starts a game with the moves of its opening.
    pub fn begin(&self, pairing: Pairing, start: Option<String>, moves: Vec<String>) {
        self.put(Some(GameInProgress { pairing, start, moves, score: None, clocks_ms: None }));
    }

    pub fn played(&self, action: &str, score: Option<Score>, clocks_ms: Option<[u64; 2]>) {
        if let Some(game) = self.slot.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            game.moves.push(action.to_owned());
            game.score = score;
            game.clocks_ms = clocks_ms;
        }
    }

    pub fn end(&self) {
        self.put(None);
    }

    fn put(&self, game: Option<GameInProgress>) {
        *self.slot.lock().unwrap_or_else(PoisonError::into_inner) = game;
    }
}
