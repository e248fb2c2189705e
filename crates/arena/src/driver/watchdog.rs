//! Raises the stop flags of agents that think past their time, or whose match is to end.
//!
//! An agent of ours looks at one flag. Two parties want to raise it: the match as a whole, and the clock of this
//! move. One thread stands in for both; it looks a few times a second and costs nothing in between.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tabia_core::Stop;

/// How often it looks.
const POLL_INTERVAL: Duration = Duration::from_millis(20);

/// What is being watched.
struct Watch {
    deadline: Option<Instant>,
    all: Stop,
    this: Stop,
}

/// A thread that watches one agent, as long as this lives.
pub struct Watchdog {
    watch: Arc<Mutex<Option<Watch>>>,
    over: Arc<AtomicBool>,
}

impl Watchdog {
    /// Starts watching nothing. Where no thread can be had, nothing is ever watched.
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

    /// The flag for one move: raised when `all` is, or when the deadline comes.
    pub fn watch(&self, deadline: Option<Instant>, all: &Stop) -> Stop {
        let this = Stop::new();
        self.put(Some(Watch { deadline, all: all.clone(), this: this.clone() }));
        this
    }

    /// The move is made.
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
