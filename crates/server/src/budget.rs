//! Limits on the memory and threads of everything that clients start: agents in games, analyses, reviews and matches.
//!
//! Bounds of a single request are not enough: a match of 64 games at once, each with two engines of 64 MiB and two
//! threads, is within every one of them and takes nine gigabytes. So whatever is started reserves what it may use at most,
//! and gives it back when it ends.
//!
//! A quarter is kept for agents in games, so that a long match does not stop them. These take turns: an agent waits until there is
//! room, as it waits for a place to think. Between two moves it keeps its memory and gives its threads back.

use std::fmt;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::problem::{Problem, RETRY};

/// How often a waiting thread checks its stop flag.
const LOOK: Duration = Duration::from_millis(100);
/// This part of the budget, one in so many, is for agents in games only.
const GAMES_SHARE: u64 = 4;

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

    /// Without the other, at least nothing.
    fn minus(self, other: Demand) -> Demand {
        Demand {
            memory_mb: self.memory_mb.saturating_sub(other.memory_mb),
            threads: self.threads.saturating_sub(other.threads),
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

/// Who uses a part of the budget.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// An agent in a game, for a move; its memory until it is dropped.
    Game,
    /// An analysis, a review or a match.
    Work,
}

#[derive(Copy, Clone, Debug, Default)]
struct Used {
    games: Demand,
    work: Demand,
}

impl Used {
    fn all(self) -> Demand {
        self.games.plus(self.work)
    }

    fn of(&mut self, part: Use) -> &mut Demand {
        match part {
            Use::Game => &mut self.games,
            Use::Work => &mut self.work,
        }
    }
}

/// What there is, and what of it is in use.
pub struct Budget {
    whole: Demand,
    used: Mutex<Used>,
    freed: Condvar,
}

/// A reserved part of the budget; released on drop.
pub struct Reservation {
    budget: Arc<Budget>,
    part: Use,
    demand: Demand,
}

/// Why a reservation is refused.
#[derive(Copy, Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// More than the total: it can never be granted.
    #[error(
        "this may take {demand}, and everything that clients start on this server together may take {whole}{}: ask for less \
         (`hash`, `threads`, `concurrency`)",
        Kept(*.kept)
    )]
    TooMuch { demand: Demand, whole: Demand, kept: Demand },
    /// More than there is at the moment.
    #[error(
        "this may take {demand}; of {whole} that clients' work may take on this server{}, {used} are in use",
        Kept(*.kept)
    )]
    InUse { demand: Demand, whole: Demand, kept: Demand, used: Demand },
}

/// What of the budget is not for whoever asks.
struct Kept(Demand);

impl fmt::Display for Kept {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0 == Demand::default() { Ok(()) } else { write!(f, " ({} of it in games only)", self.0) }
    }
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

    /// What is kept from this use for games.
    fn kept(&self, part: Use) -> Demand {
        let Demand { memory_mb, threads } = self.whole;
        match part {
            Use::Game => Demand::default(),
            Use::Work => Demand { memory_mb: memory_mb / GAMES_SHARE, threads: threads / GAMES_SHARE },
        }
    }

    /// Takes a part.
    pub fn reserve(self: &Arc<Budget>, part: Use, demand: Demand) -> Result<Reservation, Refusal> {
        self.check(part, demand)?;
        let (whole, kept) = (self.whole, self.kept(part));
        let mut used = lock(&self.used);
        let own_fits = used.of(part).plus(demand).fits_into(whole.minus(kept));
        if !own_fits || !used.all().plus(demand).fits_into(whole) {
            return Err(Refusal::InUse { demand, whole, kept, used: used.all() });
        }
        let own = used.of(part);
        *own = own.plus(demand);
        Ok(Reservation { budget: self.clone(), part, demand })
    }

    /// Takes a part as soon as it is free; none once `is_over`. For threads that may wait. `make_room` is asked whether it could give
    /// something back.
    pub fn wait_for(
        self: &Arc<Budget>,
        part: Use,
        demand: Demand,
        is_over: impl Fn() -> bool,
        make_room: impl Fn() -> bool,
    ) -> Result<Option<Reservation>, Refusal> {
        while !is_over() {
            match self.reserve(part, demand) {
                Ok(reservation) => return Ok(Some(reservation)),
                Err(refusal @ Refusal::TooMuch { .. }) => return Err(refusal),
                Err(Refusal::InUse { .. }) if make_room() => {}
                Err(Refusal::InUse { .. }) => {
                    // Whether it is over is looked at now and then.
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

    /// Whether it fits at all.
    pub fn check(&self, part: Use, demand: Demand) -> Result<(), Refusal> {
        let (whole, kept) = (self.whole, self.kept(part));
        if demand.fits_into(whole.minus(kept)) {
            Ok(())
        } else {
            Err(Refusal::TooMuch { demand, whole, kept })
        }
    }

    /// Whether an agent of a new game would fit beside all work that goes on. Agents of other games are not counted: with them it takes
    /// turns.
    pub fn admit_game(&self, demand: Demand) -> Result<(), Refusal> {
        self.check(Use::Game, demand)?;
        let (whole, used) = (self.whole, lock(&self.used).work);
        if used.plus(demand).fits_into(whole) {
            Ok(())
        } else {
            Err(Refusal::InUse { demand, whole, kept: Demand::default(), used })
        }
    }

    /// Whether memory is what is missing, so that an agent that nobody needs at the moment could make room.
    pub fn is_short_of_memory(&self, demand: Demand) -> bool {
        lock(&self.used).all().plus(demand).memory_mb > self.whole.memory_mb
    }

    /// The reserved part.
    pub fn used(&self) -> Demand {
        lock(&self.used).all()
    }
}

impl Reservation {
    /// Gives the threads back, and keeps the memory.
    pub fn release_threads(&mut self) {
        let threads = std::mem::take(&mut self.demand.threads);
        self.budget.give_back(self.part, Demand { memory_mb: 0, threads });
    }

    /// One reservation of two of the same kind.
    pub fn add(&mut self, mut other: Reservation) {
        debug_assert_eq!(self.part, other.part);
        self.demand = self.demand.plus(std::mem::take(&mut other.demand));
    }
}

impl Budget {
    fn give_back(&self, part: Use, demand: Demand) {
        let mut used = lock(&self.used);
        let own = used.of(part);
        *own = own.minus(demand);
        self.freed.notify_all();
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        self.budget.give_back(self.part, self.demand);
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
        let first = budget.reserve(Use::Work, some).unwrap();
        let refusal = budget.reserve(Use::Work, some).err().unwrap().to_string();
        assert!(
            refusal.contains("60 MiB of memory and 1 thread;") && refusal.contains("100 MiB"),
            "{refusal}"
        );
        assert!(budget.reserve(Use::Work, Demand { memory_mb: 15, threads: 2 }).is_ok());
        drop(first);
        assert_eq!(budget.used(), Demand::default());
        assert!(budget.reserve(Use::Work, some).is_ok());
    }

    #[test]
    fn a_quarter_is_kept_for_games() {
        let budget = Budget::new(Demand { memory_mb: 100, threads: 4 });
        let refusal = budget.check(Use::Work, Demand { memory_mb: 76, threads: 3 }).unwrap_err().to_string();
        assert!(refusal.contains("(25 MiB of memory and 1 thread of it in games only)"), "{refusal}");
        let work = budget.reserve(Use::Work, Demand { memory_mb: 75, threads: 3 }).unwrap();
        assert!(budget.reserve(Use::Work, Demand { memory_mb: 1, threads: 1 }).is_err());
        let agent = Demand { memory_mb: 20, threads: 1 };
        let game = budget.reserve(Use::Game, agent).unwrap();
        // The next one takes turns with it, so a game may be set up; one that has to wait for the work may not.
        assert!(budget.reserve(Use::Game, agent).is_err());
        assert_eq!(budget.admit_game(agent), Ok(()));
        let refusal = budget.admit_game(agent.times(2)).unwrap_err();
        assert!(matches!(refusal, Refusal::InUse { .. }), "{refusal}");
        assert!(matches!(budget.admit_game(agent.times(6)), Err(Refusal::TooMuch { .. })));
        drop((work, game));
        assert_eq!(budget.used(), Demand::default());
    }

    #[test]
    fn an_agent_keeps_its_memory_and_takes_threads_for_a_move() {
        let budget = Budget::new(Demand { memory_mb: 100, threads: 4 });
        let mut agent = budget.reserve(Use::Game, Demand { memory_mb: 60, threads: 2 }).unwrap();
        agent.release_threads();
        assert_eq!(budget.used(), Demand { memory_mb: 60, threads: 0 });
        assert!(budget.is_short_of_memory(Demand { memory_mb: 41, threads: 0 }));
        assert!(!budget.is_short_of_memory(Demand { memory_mb: 40, threads: 9 }));
        agent.add(budget.reserve(Use::Game, Demand { memory_mb: 0, threads: 4 }).unwrap());
        assert_eq!(budget.used(), Demand { memory_mb: 60, threads: 4 });
        drop(agent);
        assert_eq!(budget.used(), Demand::default());
    }

    #[test]
    fn whoever_waits_gets_what_is_given_back_unless_stopped() {
        let budget = Budget::new(Demand { memory_mb: 100, threads: 4 });
        let all = Demand { memory_mb: 75, threads: 3 };
        let first = budget.reserve(Use::Work, all).unwrap();
        let waiting = std::thread::spawn({
            let budget = budget.clone();
            move || budget.wait_for(Use::Work, all, || false, || false).unwrap().is_some()
        });
        assert!(budget.wait_for(Use::Work, all, || true, || false).unwrap().is_none());
        drop(first);
        assert!(waiting.join().unwrap());
    }

    #[test]
    fn whoever_waits_asks_for_room() {
        let budget = Budget::new(Demand { memory_mb: 100, threads: 4 });
        let all = Demand { memory_mb: 100, threads: 4 };
        let warm = Mutex::new(Some(budget.reserve(Use::Game, all).unwrap()));
        let made = budget.wait_for(Use::Game, all, || false, || lock(&warm).take().is_some());
        assert!(made.unwrap().is_some());
    }

    #[test]
    fn what_never_fits_is_refused_with_the_numbers() {
        let budget = Budget::new(Demand { memory_mb: 100, threads: 4 });
        let demand = Demand { memory_mb: 5, threads: 2 }.times(64);
        let refusal = budget.reserve(Use::Work, demand).err().unwrap();
        assert!(matches!(refusal, Refusal::TooMuch { .. }));
        let text = refusal.to_string();
        assert!(text.contains("320 MiB of memory and 128 threads") && text.contains("4 threads"), "{text}");
    }
}
