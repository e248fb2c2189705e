//! Time management: a soft limit that starts no further iteration and a hard limit that ends the search.
//!
//! The soft limit is scaled by best-move stability, by the share of nodes spent on the best move, and by a falling
//! score, as in Stockfish's `timeman` and search.

use std::time::{Duration, Instant};

use shakmaty::Color;
use tabia_core::Limits;

use super::params::Params;

/// A search reads the clock once in this many nodes.
pub(super) const NODES_BETWEEN_CLOCK_READINGS: u64 = 1_024;
/// Units of the time parameters.
const PER_CENT: f64 = 100.0;
const PER_MILLE: f64 = 1_000.0;
const TENTHS: f64 = 10.0;
/// No limit is shorter.
const SHORTEST: Duration = Duration::from_millis(1);
/// This many move overheads are kept in reserve for delays; below it only the increment is spent.
const RESERVE: u32 = 6;
/// A control with more moves to go than this is planned as if this many were left.
const MAX_MOVES_TO_GO: u32 = 40;

/// Factor on the soft limit when the best move has just changed; it falls by `SETTLING` for each iteration that the
/// move stayed best, at most `MAX_SETTLED` times.
const UNSETTLED: f64 = 1.35;
const SETTLING: f64 = 0.08;
const MAX_SETTLED: u32 = 8;
/// Factor on the soft limit when none of the nodes went into the best move; it falls by `EFFORT` when all did.
const NO_EFFORT: f64 = 1.6;
const EFFORT: f64 = 1.1;
/// A score that fell by this many centipawns doubles the soft limit, within the bounds that follow.
const DROP_DOUBLES: f64 = 120.0;
const MIN_FOR_DROP: f64 = 0.8;
const MAX_FOR_DROP: f64 = 1.6;

/// The time limits of one move.
#[derive(Clone, Debug)]
pub struct TimeManager {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

/// How stable the choice was in the last completed iteration.
#[derive(Copy, Clone, Debug)]
pub struct Stability {
    /// Iterations since the best move changed.
    pub settled: u32,
    /// Share of the nodes spent on the best move, 0 to 1.
    pub effort: f64,
    /// Centipawns that the score fell since the previous iteration; negative if it rose.
    pub drop: i32,
}

impl TimeManager {
    /// The limits for `color`, counted from `start`.
    pub fn new(
        start: Instant,
        limits: &Limits,
        color: Color,
        overhead: Duration,
        params: &Params,
    ) -> TimeManager {
        let mut manager = TimeManager { start, soft: None, hard: None };
        if let Some(clock) = &limits.clock {
            let remaining = clock.remaining(color);
            let usable = remaining.saturating_sub(overhead).max(SHORTEST);
            let spendable = remaining.saturating_sub(RESERVE * overhead);
            let increment = clock.increment(color).mul_f64(f64::from(params.time_increment) / PER_CENT);
            let share = if let Some(moves) = clock.moves_to_go {
                usable / moves.clamp(1, MAX_MOVES_TO_GO)
            } else {
                // Future increments count towards the share, but cannot be spent before they arrive.
                let coming = clock.increment(color) * params.time_moves as u32;
                let share = (spendable + coming).mul_f64(f64::from(params.time_base) / PER_MILLE);
                let there = spendable.mul_f64(f64::from(params.time_most) / PER_MILLE);
                share.saturating_sub(increment).min(there)
            };
            let max = match clock.moves_to_go {
                Some(1) => usable,
                _ => (spendable.mul_f64(f64::from(params.time_hard) / PER_CENT) + increment).min(usable),
            };
            let soft = (share + increment).min(max).max(SHORTEST);
            let hard = soft.mul_f64(f64::from(params.time_hard_factor) / TENTHS).min(max).max(SHORTEST);
            manager.soft = Some(soft);
            manager.hard = Some(hard);
        }
        if let Some(movetime) = limits.movetime {
            let hard = movetime.saturating_sub(overhead).max(movetime / 2).max(SHORTEST);
            manager.hard = Some(manager.hard.map_or(hard, |known| known.min(hard)));
        }
        manager
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the hard limit is reached.
    pub fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether there is a game clock, on which unused time is kept.
    pub fn is_clocked(&self) -> bool {
        self.soft.is_some()
    }

    /// Whether the soft limit is reached: another iteration is not worth starting.
    pub fn is_spent(&self, stability: Stability) -> bool {
        let Some(soft) = self.soft else { return self.is_over() };
        let settled = UNSETTLED - SETTLING * f64::from(stability.settled.min(MAX_SETTLED));
        let effort = NO_EFFORT - EFFORT * stability.effort;
        let drop = (1.0 + f64::from(stability.drop) / DROP_DOUBLES).clamp(MIN_FOR_DROP, MAX_FOR_DROP);
        self.elapsed() >= soft.mul_f64(settled * effort * drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::Clock;

    fn time(remaining_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> TimeManager {
        let time = Duration::from_millis(remaining_ms);
        let increment = Duration::from_millis(increment_ms);
        let clock = Clock {
            white: time,
            black: time,
            white_increment: increment,
            black_increment: increment,
            moves_to_go,
        };
        let overhead = Duration::from_millis(10);
        TimeManager::new(Instant::now(), &Limits::clock(clock), Color::White, overhead, &Params::default())
    }

    #[test]
    fn no_clock_is_ever_overdrawn() {
        for remaining in [0, 1, 5, 11, 12, 50, 1_000, 60_000, 36_000_000] {
            for increment in [0, 10, 2_000, 600_000] {
                for moves_to_go in [None, Some(0), Some(1), Some(2), Some(40), Some(u32::MAX)] {
                    let time = time(remaining, increment, moves_to_go);
                    let (soft, hard) = (time.soft.unwrap(), time.hard.unwrap());
                    let max = Duration::from_millis(remaining.saturating_sub(10)).max(SHORTEST);
                    assert!(soft <= hard && hard <= max, "{remaining}+{increment} {moves_to_go:?}: {hard:?}");
                }
            }
        }
    }

    #[test]
    fn more_time_on_the_clock_is_more_time_for_the_move() {
        assert!(time(60_000, 0, None).soft > time(10_000, 0, None).soft);
        assert!(time(10_000, 100, None).soft > time(10_000, 0, None).soft);
        assert!(time(10_000, 0, Some(5)).soft > time(10_000, 0, Some(30)).soft);
    }

    #[test]
    fn without_a_clock_time_never_runs_out() {
        let limits = Limits::depth(5);
        let time =
            TimeManager::new(Instant::now(), &limits, Color::White, Duration::ZERO, &Params::default());
        assert!(!time.is_over() && !time.is_clocked());
    }
}
