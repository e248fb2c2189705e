//! How fast a game goes on by itself.

use std::time::Duration;

/// Times between moves, the slowest first.
const SPEEDS_MS: [u64; 6] = [4000, 2000, 1000, 500, 250, 100];

/// A speed, and how to change it.
#[derive(Copy, Clone, Debug)]
pub struct Speed(usize);

impl Speed {
    /// A move a second.
    pub const fn new() -> Speed {
        Speed(2)
    }

    /// Time between two moves.
    pub fn interval(self) -> Duration {
        Duration::from_millis(SPEEDS_MS[self.0])
    }

    /// The next faster one, if there is one.
    pub fn faster(&mut self) {
        self.0 = (self.0 + 1).min(SPEEDS_MS.len() - 1);
    }

    /// The next slower one, if there is one.
    pub fn slower(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }
}
