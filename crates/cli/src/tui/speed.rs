//! Speed of automatic play.

use std::time::Duration;

/// Delays between moves, slowest first.
const SPEEDS_MS: [u64; 6] = [4000, 2000, 1000, 500, 250, 100];

#[derive(Copy, Clone, Debug)]
pub struct Speed(usize);

impl Speed {
    /// One move per second.
    pub const fn new() -> Speed {
        Speed(2)
    }

    pub fn interval(self) -> Duration {
        Duration::from_millis(SPEEDS_MS[self.0])
    }

    /// The next faster speed.
    pub fn faster(&mut self) {
        self.0 = (self.0 + 1).min(SPEEDS_MS.len() - 1);
    }

    /// The next slower speed.
    pub fn slower(&mut self) {
        self.0 = self.0.saturating_sub(1);
    }
}
