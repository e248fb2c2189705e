//! The one flag that ends a search, shared by whoever thinks and whoever may interrupt.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// A handle on two facts: "stop now", and "you are pondering: your clock is not running yet".
///
/// Clones share the same flags. Reading costs one relaxed load, so a search may look at every node.
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
    /// A flag that nobody has raised.
    pub fn new() -> Stop {
        Stop::default()
    }

    /// A flag for a search on the opponent's time; [`Stop::ponder_hit`] starts the clock.
    pub fn pondering() -> Stop {
        let stop = Stop::new();
        stop.flags.pondering.store(true, Ordering::Relaxed);
        stop
    }

    /// Asks every holder to end as soon as it can. Cannot be taken back.
    pub fn stop(&self) {
        self.flags.stop.store(true, Ordering::Release);
    }

    /// Whether somebody asked to stop.
    pub fn is_stopped(&self) -> bool {
        self.flags.stop.load(Ordering::Relaxed)
    }

    /// The opponent played the expected move: from now on the clock counts.
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
