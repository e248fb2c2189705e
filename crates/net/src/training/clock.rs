//! Elapsed time of a training over all of its runs, and the time limit.

use std::time::{Duration, Instant};

/// Clock of a run.
#[derive(Clone, Debug)]
pub struct Clock {
    pub started: Instant,
    pub earlier_seconds: f64,
    /// Time limit of this run.
    pub budget: Option<Duration>,
    pub threads: usize,
}

impl Clock {
    /// Duration of all runs in seconds.
    pub fn seconds(&self) -> f64 {
        self.earlier_seconds + self.started.elapsed().as_secs_f64()
    }

    /// Whether the time limit is reached.
    pub fn is_over(&self) -> bool {
        self.budget.is_some_and(|budget| self.started.elapsed() >= budget)
    }

    /// Share of the total time that has elapsed, if there is a limit.
    pub fn progress(&self) -> Option<f64> {
        self.budget.map(|budget| self.seconds() / (self.earlier_seconds + budget.as_secs_f64()).max(1e-9))
    }
}
