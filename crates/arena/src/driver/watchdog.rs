//! Raises the stop flag of a built-in agent at its deadline, or when its match is stopped.
//!
//! A built-in agent polls one flag. Two events raise it: the stop of the match, and the deadline of this move. One thread
//! polls both a few times a second.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tabia_core::Stop;

/// Polling interval.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// The current move.
struct Watch {
    deadline: Option<Instant>,
    all: Stop,
    this: Stop,
}

/// A thread that watches one agent until this is dropped.
pub struct Watchdog {
    watch: Arc<Mutex<Option<Watch>>>,
    over: Arc<AtomicBool>,
}

impl Watchdog {
    /// Starts the thread. If no thread can be started, deadlines are not enforced.
    pub fn new() -> Watchdog {
        let watch: Arc<Mutex<Option<Watch>>> = Arc::default();
        let over = Arc::new(AtomicBool::new(false));
        let (watched, ended) = (Arc::clone(&watch), Arc::clone(&over));
        let look = move || {
            while !ended.load(Ordering::Relaxed) {
                if let Some(watch) = watched.lock().unwrap_or_else(PoisonError::into_inner).as_ref() {
                    let late = watch.deadline.is_some_and(|deadline| Instant::now() >= deadline);
                    if late || watch.all.is_stopped() {
                        watch.this.stop();
                    }
                }
                thread::sleep(POLL_INTERVAL);
            }
        };
        let _ = thread::Builder::new().name("watchdog".to_owned()).spawn(look);
        Watchdog { watch, over }
    }

    /// The flag for one move: raised with `all`, or at the deadline.
    pub fn watch(&self, deadline: Option<Instant>, all: &Stop) -> Stop {
        let this = Stop::new();
        self.put(Some(Watch { deadline, all: all.clone(), this: this.clone() }));
        this
    }

    /// Ends the watch: the move was made.
    pub fn rest(&self) {
        self.put(None);
    }

    fn put(&self, watch: Option<Watch>) {
        *self.watch.lock().unwrap_or_else(PoisonError::into_inner) = watch;
    }
}

impl Drop for Watchdog {
    fn drop(&mut self) {
        self.over.store(true, Ordering::Relaxed);
    }
}
