//! How long to think: a share of the clock, stretched when the search is unsure and cut short when it is not.

use std::time::{Duration, Instant};

use shakmaty::Color;
use tabia_core::Limits;

use super::params::Params;

/// Never plan for less.
const LEAST: Duration = Duration::from_millis(1);
/// The last so many overheads of a clock are kept for hiccups: only the increment is spent then.
const RESERVE: u32 = 6;
/// A control of so many moves is planned as if fewer were left, at most.
const MOST_MOVES_TO_GO: u32 = 40;

/// The share is multiplied by this when the best move has just changed, and by so much less for each iteration
/// it has stood since, up to a number of them.
const UNSETTLED: f64 = 1.35;
const SETTLING: f64 = 0.08;
const MOST_SETTLED: u32 = 8;
/// It is multiplied by this when none of the nodes went into the best move, and by so much less when all did.
const NO_EFFORT: f64 = 1.6;
const EFFORT: f64 = 1.1;
/// A score that falls by so many centipawns doubles it, within bounds.
const DROP_DOUBLES: f64 = 120.0;
const LEAST_FOR_DROP: f64 = 0.8;
const MOST_FOR_DROP: f64 = 1.6;

/// The time allowed to one move.
#[derive(Clone, Debug)]
pub struct TimeManager {
    start: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
}

/// What the last finished iteration says about how settled the choice is.
#[derive(Copy, Clone, Debug)]
pub struct Stability {
    /// Iterations since the best move changed.
    pub settled: u32,
    /// Share of the nodes spent on the best move, 0 to 1.
    pub effort: f64,
    /// By how many centipawns the score fell since the iteration before (negative: rose).
    pub drop: i32,
}

impl TimeManager {
    /// The time under `limits` for `color`, counted from `start`.
    pub fn new(
        start: Instant,
        limits: &Limits,
        color: Color,
        overhead: Duration,
        params: &Params,
    ) -> TimeManager {
        let mut time = TimeManager { start, soft: None, hard: None };
        if let Some(clock) = &limits.clock {
            let remaining = clock.remaining(color);
            let usable = remaining.saturating_sub(overhead).max(LEAST);
            let spendable = remaining.saturating_sub(RESERVE * overhead);
            let increment = clock.increment(color).mul_f64(f64::from(params.time_increment) / 100.0);
            let share = if let Some(moves) = clock.moves_to_go {
                usable / moves.clamp(1, MOST_MOVES_TO_GO)
            } else {
                // Increments to come are time too; but it is not there yet.
                let coming = clock.increment(color) * params.time_moves as u32;
                let share = (spendable + coming).mul_f64(f64::from(params.time_base) / 1000.0);
                let there = spendable.mul_f64(f64::from(params.time_most) / 1000.0);
                share.saturating_sub(increment).min(there)
            };
            let most = match clock.moves_to_go {
                Some(1) => usable,
                _ => (spendable.mul_f64(f64::from(params.time_hard) / 100.0) + increment).min(usable),
            };
            let soft = (share + increment).min(most).max(LEAST);
            let hard = soft.mul_f64(f64::from(params.time_hard_factor) / 10.0).min(most).max(LEAST);
            time.soft = Some(soft);
            time.hard = Some(hard);
        }
        if let Some(movetime) = limits.movetime {
            let hard = movetime.saturating_sub(overhead).max(movetime / 2).max(LEAST);
            time.hard = Some(time.hard.map_or(hard, |known| known.min(hard)));
        }
        time
    }

    /// Time since the search began.
    pub fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    /// Whether the search must end at once.
    pub fn is_over(&self) -> bool {
        self.hard.is_some_and(|hard| self.elapsed() >= hard)
    }

    /// Whether there is a clock to save time on.
    pub fn is_clocked(&self) -> bool {
        self.soft.is_some()
    }

    /// Whether another iteration is not worth starting.
    pub fn is_spent(&self, stability: Stability) -> bool {
        let Some(soft) = self.soft else { return self.is_over() };
        // A move that stays best needs less time; one that eats few of the nodes is not clearly best; a falling
        // score asks for a second look.
        let settled = UNSETTLED - SETTLING * f64::from(stability.settled.min(MOST_SETTLED));
        let effort = NO_EFFORT - EFFORT * stability.effort;
        let drop = (1.0 + f64::from(stability.drop) / DROP_DOUBLES).clamp(LEAST_FOR_DROP, MOST_FOR_DROP);
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
                    let most = Duration::from_millis(remaining.saturating_sub(10)).max(LEAST);
                    assert!(
                        soft <= hard && hard <= most,
                        "{remaining}+{increment} {moves_to_go:?}: {hard:?}"
                    );
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
