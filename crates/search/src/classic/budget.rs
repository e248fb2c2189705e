//! When to stop: the limits and the flag of one search, as the node function asks for them.

use std::time::{Duration, Instant};

use shakmaty::Color;
use tabia_core::{Clock, Limits, Stop};

/// The clock is read once in this many nodes; the flag and the node limit are checked at every node.
const NODES_PER_LOOK: u64 = 128;

/// Number of moves for which the remaining time must last, without a `movestogo`.
const MOVES_TO_COME: u32 = 30;

/// The increment is spent by half, the rest is saved.
const INCREMENT_PART: u32 = 2;

/// No single move takes more than this part of what is left.
const LARGEST_PART: u32 = 2;

/// The bounds of a running search.
pub struct Budget<'a> {
    stop: &'a Stop,
    nodes: u64,
    time: Option<Duration>,
    /// Set when the clock starts to run: at once, or when pondering ends.
    deadline: Option<Instant>,
    spent: bool,
}

impl<'a> Budget<'a> {
    /// The bounds that `limits` set for `color`.
    pub fn new(limits: &Limits, color: Color, stop: &'a Stop) -> Budget<'a> {
        let shared = limits.clock.map(|clock| share(&clock, color));
        let time = [limits.movetime, shared].into_iter().flatten().min();
        let mut budget =
            Budget { stop, nodes: limits.nodes.unwrap_or(u64::MAX), time, deadline: None, spent: false };
        budget.out_of_time();
        budget
    }

    /// Whether the search was told to end.
    pub fn is_spent(&self) -> bool {
        self.spent
    }

    /// Whether one more node may be visited. Once the answer is no, it stays no.
    pub fn allows(&mut self, nodes: u64) -> bool {
        self.spent = self.spent
            || self.stop.is_stopped()
            || nodes >= self.nodes
            || (nodes.is_multiple_of(NODES_PER_LOOK) && self.out_of_time());
        !self.spent
    }

    fn out_of_time(&mut self) -> bool {
        let Some(time) = self.time.filter(|_| !self.stop.is_pondering()) else { return false };
        let now = Instant::now();
        now >= *self.deadline.get_or_insert(now + time)
    }
}

/// A thirtieth of what is left and half the increment.
fn share(clock: &Clock, color: Color) -> Duration {
    let remaining = clock.remaining(color);
    let moves = clock.moves_to_go.unwrap_or(MOVES_TO_COME).clamp(1, MOVES_TO_COME);
    let share = remaining / moves + clock.increment(color) / INCREMENT_PART;
    share.min(remaining / LARGEST_PART)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clock(remaining_ms: u64, increment_ms: u64, moves_to_go: Option<u32>) -> Clock {
        let (remaining, increment) =
            (Duration::from_millis(remaining_ms), Duration::from_millis(increment_ms));
        Clock {
            white: remaining,
            black: Duration::ZERO,
            white_increment: increment,
            black_increment: Duration::ZERO,
            moves_to_go,
        }
    }

    #[test]
    fn a_clock_is_shared_out_over_the_moves_to_come() {
        let share = |clock: Clock| share(&clock, Color::White).as_millis();
        assert_eq!(share(clock(60_000, 0, None)), 2000);
        assert_eq!(share(clock(60_000, 1000, None)), 2500);
        assert_eq!(share(clock(60_000, 0, Some(10))), 6000);
        assert_eq!(share(clock(60_000, 0, Some(1))), 30_000, "never all of it");
        assert_eq!(share(clock(100, 5000, None)), 50, "never more than there is");
    }

    #[test]
    fn nodes_and_the_flag_end_it_for_good() {
        let stop = Stop::new();
        let mut budget = Budget::new(&Limits::nodes(10), Color::White, &stop);
        assert!(budget.allows(9) && !budget.is_spent());
        assert!(!budget.allows(10) && budget.is_spent() && !budget.allows(9));
        let mut budget = Budget::new(&Limits::default(), Color::White, &stop);
        assert!(budget.allows(1_000_000));
        stop.stop();
        assert!(!budget.allows(1));
    }

    #[test]
    fn the_clock_does_not_run_while_pondering() {
        let stop = Stop::pondering();
        let mut budget = Budget::new(&Limits::movetime(Duration::ZERO), Color::White, &stop);
        assert!(budget.allows(0));
        stop.ponder_hit();
        assert!(!budget.allows(0));
    }
}
