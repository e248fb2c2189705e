//! The stop flag of a search, shared by the search and its callers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle on two flags: "stop", and "pondering: the clock is not running yet".
///
/// Clones share the same flags. Reading costs one relaxed load, so a search may check it at every node.
#[derive(Clone, Debug, Default)]
pub struct Stop {
    flags: Arc<Flags>,
}

#[derive(Debug, Default)]
struct Flags {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Stop {
    pub fn new() -> Stop {
        Stop::default()
    }

    /// A flag for a search on the opponent's time; [`Stop::ponder_hit`] starts the clock.
    pub fn pondering() -> Stop {
        let stop = Stop::new();
        stop.flags.pondering.store(true, Ordering::Relaxed);
        stop
    }

    /// Raises the flag. Cannot be undone.
    pub fn stop(&self) {
        self.flags.stop.store(true, Ordering::Release);
    }

    pub fn is_stopped(&self) -> bool {
        self.flags.stop.load(Ordering::Relaxed)
    }

    /// The opponent played the expected move: from now on the clock runs.
    pub fn ponder_hit(&self) {
        self.flags.pondering.store(false, Ordering::Release);
    }

    /// Whether the search still runs on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.flags.pondering.load(Ordering::Relaxed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clones_share_the_flag() {
        let stop = Stop::pondering();
        let other = stop.clone();
        assert!(other.is_pondering() && !other.is_stopped());
        stop.ponder_hit();
        stop.stop();
        assert!(!other.is_pondering() && other.is_stopped());
    }
}
