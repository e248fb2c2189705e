//! Games as they are being played, for whoever wants to watch.

use std::sync::{Mutex, PoisonError};

use tabia_core::Score;

use super::schedule::Fixture;

/// A game in progress.
#[derive(Clone, Debug, PartialEq)]
pub struct InFlight {
    /// Which game.
    pub fixture: Fixture,
    /// Where it started, if not from the usual position.
    pub start: Option<String>,
    /// Its moves so far.
    pub moves: Vec<String>,
    /// What the last player to move thinks of its position.
    pub score: Option<Score>,
    /// What is left to White and to Black, in milliseconds, where there is a clock.
    pub clocks_ms: Option<[u64; 2]>,
}

/// One place for each worker.
pub struct Board {
    places: Vec<Mutex<Option<InFlight>>>,
}

/// A worker's own place.
pub struct Reporter<'a> {
    place: &'a Mutex<Option<InFlight>>,
}

impl Board {
    /// Nobody plays yet.
    pub fn new(workers: usize) -> Board {
        Board { places: (0..workers).map(|_| Mutex::default()).collect() }
    }

    /// The place of a worker.
    pub fn reporter(&self, worker: usize) -> Reporter<'_> {
        Reporter { place: &self.places[worker] }
    }

    /// All games in progress.
    pub fn in_flight(&self) -> Vec<InFlight> {
        let taken =
            |place: &Mutex<Option<InFlight>>| place.lock().unwrap_or_else(PoisonError::into_inner).clone();
        self.places.iter().filter_map(taken).collect()
    }
}

impl Reporter<'_> {
    /// A game begins, with the moves of its opening.
    pub fn begin(&self, fixture: Fixture, start: Option<String>, moves: Vec<String>) {
        self.put(Some(InFlight { fixture, start, moves, score: None, clocks_ms: None }));
    }

    /// A move was made.
    pub fn played(&self, action: &str, score: Option<Score>, clocks_ms: Option<[u64; 2]>) {
        if let Some(game) = self.place.lock().unwrap_or_else(PoisonError::into_inner).as_mut() {
            game.moves.push(action.to_owned());
            game.score = score;
            game.clocks_ms = clocks_ms;
        }
    }

    /// The game is over.
    pub fn end(&self) {
        self.put(None);
    }

    fn put(&self, game: Option<InFlight>) {
        *self.place.lock().unwrap_or_else(PoisonError::into_inner) = game;
    }
}
