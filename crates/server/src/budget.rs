//! Limits on the memory and threads of everything that clients start: agents in games, analyses, reviews and matches.
//!
//! Limits per request are not enough: a match of 64 concurrent games, each with two engines of 64 MiB and two
//! threads, is within each of them and takes nine gigabytes. Therefore everything that is started reserves the most
//! it may use, and releases it at its end.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tabia_core::Stop;

use crate::problem::{Problem, RETRY};

/// How often a waiting thread checks its stop flag.
const LOOK: Duration = Duration::from_millis(100);

/// The most that something may use.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Demand {
    /// Mebibytes.
    pub memory_mb: u64,
    pub threads: u64,
}

impl Demand {
    /// This many of the same.
    #[must_use]
    pub fn times(self, count: u64) -> Demand {
        Demand {
            memory_mb: self.memory_mb.saturating_mul(count),
            threads: self.threads.saturating_mul(count),
        }
    }

    /// The sum of both.
    #[must_use]
    pub fn plus(self, other: Demand) -> Demand {
        Demand {
            memory_mb: self.memory_mb.saturating_add(other.memory_mb),
            threads: self.threads.saturating_add(other.threads),
        }
    }

    fn fits_into(self, other: Demand) -> bool {
        self.memory_mb <= other.memory_mb && self.threads <= other.threads
    }
}

impl fmt::Display for Demand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Demand { memory_mb, threads } = self;
        let plural = if *threads == 1 { "" } else { "s" };
        write!(f, "{memory_mb} MiB of memory and {threads} thread{plural}")
    }
}

/// The total, and how much of it is reserved.
pub struct Budget {
    whole: Demand,
    used: Mutex<Demand>,
    freed: Condvar,
}

/// A reserved part of the budget; released on drop.
pub struct Reservation {
    budget: Arc<Budget>,
    demand: Demand,
}

/// Why a reservation is refused.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// More than the total: it can never be granted.
    #[error(
        "this may take {demand}, and everything that clients start on this server together may take {whole}: ask for less \
         (`hash`, `threads`, `concurrency`)"
    )]
    TooMuch { demand: Demand, whole: Demand },
    /// More than is free now.
    #[error(
        "this may take {demand}; of {whole} that clients' work may take on this server, {used} are in use"
    )]
    InUse { demand: Demand, whole: Demand, used: Demand },
}

impl From<Refusal> for Problem {
    fn from(refusal: Refusal) -> Problem {
        match refusal {
            Refusal::TooMuch { .. } => Problem::unprocessable(refusal),
            Refusal::InUse { .. } => Problem::busy(refusal.to_string(), RETRY),
        }
    }
}

impl Budget {
    /// A budget with this total.
    pub fn new(whole: Demand) -> Arc<Budget> {
        Arc::new(Budget { whole, used: Mutex::default(), freed: Condvar::new() })
    }

    /// Reserves a part.
    pub fn reserve(self: &Arc<Budget>, demand: Demand) -> Result<Reservation, Refusal> {
        self.check(demand)?;
        let whole = self.whole;
        let mut used = lock(&self.used);
        let together = used.plus(demand);
        if !together.fits_into(whole) {
            return Err(Refusal::InUse { demand, whole, used: *used });
        }
        *used = together;
        Ok(Reservation { budget: self.clone(), demand })
    }

    /// Blocks until a part can be reserved; returns `None` if `stop` is raised before.
    pub fn wait_for(self: &Arc<Budget>, demand: Demand, stop: &Stop) -> Result<Option<Reservation>, Refusal> {
        while !stop.is_stopped() {
            match self.reserve(demand) {
                Ok(reservation) => return Ok(Some(reservation)),
                Err(refusal @ Refusal::TooMuch { .. }) => return Err(refusal),
                Err(Refusal::InUse { .. }) => {
                    // Wake up now and then to check the stop flag.
                    drop(
                        self.freed
                            .wait_timeout(lock(&self.used), LOOK)
                            .unwrap_or_else(PoisonError::into_inner),
                    );
                }
            }
        }
        Ok(None)
    }

    /// Whether the demand is within the total.
    pub fn check(&self, demand: Demand) -> Result<(), Refusal> {
        let whole = self.whole;
        if demand.fits_into(whole) { Ok(()) } else { Err(Refusal::TooMuch { demand, whole }) }
    }

    /// The reserved part.
    pub fn used(&self) -> Demand {
        *lock(&self.used)
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut used = lock(&self.budget.used);
        used.memory_mb -= self.demand.memory_mb;
        used.threads -= self.demand.threads;
        self.budget.freed.notify_all();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_reserved_is_given_back() {
        let budget = Budget::new(Demand { memory_mb: 100, threads: 4 });
        let some = Demand { memory_mb: 60, threads: 1 };
        let first = budget.reserve(some).unwrap();
        let refusal = budget.reserve(some).err().unwrap().to_string();
        assert!(
            refusal.contains("60 MiB of memory and 1 thread;") && refusal.contains("100 MiB"),
            "{refusal}"
        );
        assert!(budget.reserve(Demand { memory_mb: 40, threads: 3 }).is_ok());
        drop(first);
        assert_eq!(budget.used(), Demand::default());
        assert!(budget.reserve(some).is_ok());
    }

    #[test]
    fn whoever_waits_gets_what_is_given_back_unless_stopped() {
        let budget = Budget::new(Demand { memory_mb: 100, threads: 4 });
        let all = Demand { memory_mb: 100, threads: 4 };
        let first = budget.reserve(all).unwrap();
        let waiting = std::thread::spawn({
            let budget = budget.clone();
            move || budget.wait_for(all, &Stop::new()).unwrap().is_some()
        });
        let stop = Stop::new();
        stop.stop();
        assert!(budget.wait_for(all, &stop).unwrap().is_none());
        drop(first);
        assert!(waiting.join().unwrap());
    }

    #[test]
    fn what_never_fits_is_refused_with_the_numbers() {
        let budget = Budget::new(Demand { memory_mb: 100, threads: 4 });
        let demand = Demand { memory_mb: 5, threads: 2 }.times(64);
        let refusal = budget.reserve(demand).err().unwrap();
        assert!(matches!(refusal, Refusal::TooMuch { .. }));
        let text = refusal.to_string();
        assert!(text.contains("320 MiB of memory and 128 threads") && text.contains("4 threads"), "{text}");
    }
}
