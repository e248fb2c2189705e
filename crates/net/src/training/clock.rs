//! Time of a training, over all of its runs.

use std::time::{Duration, Instant};

/// How long it has been, and may be.
#[derive(Clone, Debug)]
pub struct Clock {
    /// When this run began.
    pub begun: Instant,
    /// Seconds of earlier runs.
    pub before: f64,
    /// How long this run may be.
    pub budget: Option<Duration>,
    /// How many work.
    pub threads: usize,
}

impl Clock {
    /// Seconds of all runs.
    pub fn seconds(&self) -> f64 {
        self.before + self.begun.elapsed().as_secs_f64()
    }

    /// Whether time is up.
    pub fn is_over(&self) -> bool {
        self.budget.is_some_and(|budget| self.begun.elapsed() >= budget)
    }

    /// The share of all time that is behind, where there is a budget.
    pub fn progress(&self) -> Option<f64> {
        self.budget.map(|budget| self.seconds() / (self.before + budget.as_secs_f64()).max(1e-9))
    }
}
