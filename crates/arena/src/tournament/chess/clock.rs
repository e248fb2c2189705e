//! The clocks of one game.

use std::time::Duration;

use shakmaty::{ByColor, Color};
use tabia_core::{Clock, Limits};

use super::time_control::{ClockSettings, TimeControl};
use crate::driver::Timeouts;

/// Tolerance for a fixed time per move; only a clock is exact.
const MOVETIME_GRACE: Duration = Duration::from_millis(100);
/// Least time for a player whose time is up to answer `stop`; a tenth of the stall timeout if that is longer.
const LATE: Duration = Duration::from_secs(1);
/// Without a clock: longest search, as a multiple of the stall timeout.
const LONGEST_THOUGHT: u32 = 10;

/// Tolerances of time control.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct TimeMargins {
    /// How far a clock may be overstepped (fastchess's `timemargin`).
    pub margin: Duration,
    /// Without a clock: longest time without output.
    pub stall: Duration,
}

/// The clocks of both players.
#[derive(Clone, Debug)]
pub struct Clocks {
    time_controls: ByColor<TimeControl>,
    left: ByColor<Duration>,
    moves: ByColor<u32>,
    time_margins: TimeMargins,
}

impl Clocks {
    /// The clocks before the first move.
    pub fn new(time_controls: ByColor<TimeControl>, time_margins: TimeMargins) -> Clocks {
        let left = time_controls.map(|time_control| match time_control {
            TimeControl::Clock(control) => control.time,
            _ => Duration::ZERO,
        });
        Clocks { time_controls, left, moves: ByColor { white: 0, black: 0 }, time_margins }
    }

    /// The limits of the next move.
    pub fn limits(&self, color: Color) -> Limits {
        match *self.time_controls.get(color) {
            TimeControl::Clock(control) => Limits::clock(self.clock(color, control)),
            time_control => time_control.limits(),
        }
    }

    /// An opponent without a clock is reported with the player's own time.
    fn clock(&self, color: Color, own: ClockSettings) -> Clock {
        let side = |of: Color| match *self.time_controls.get(of) {
            TimeControl::Clock(control) => (*self.left.get(of), control.increment),
            _ => (*self.left.get(color), own.increment),
        };
        let ((white, white_increment), (black, black_increment)) = (side(Color::White), side(Color::Black));
        let moves_to_go = own.moves.map(|moves| moves - self.moves.get(color) % moves);
        Clock { white, black, white_increment, black_increment, moves_to_go }
    }

    /// How long to wait for the next move.
    pub fn timeouts(&self, color: Color) -> Timeouts {
        let TimeMargins { margin, stall } = self.time_margins;
        let late = LATE.max(stall / 10);
        match *self.time_controls.get(color) {
            TimeControl::Clock(_) => {
                Timeouts { answer: Some(*self.left.get(color) + margin), grace: late, silence: None }
            }
            TimeControl::MoveTime(time) => {
                Timeouts { answer: Some(time + MOVETIME_GRACE + margin), grace: late, silence: None }
            }
            _ => Timeouts {
                answer: Some(stall * LONGEST_THOUGHT),
                grace: Duration::ZERO,
                silence: Some(stall),
            },
        }
    }

    /// Deducts the time of a move; the error is by how much it was too long.
    pub fn spend(&mut self, color: Color, elapsed: Duration) -> Result<(), Duration> {
        let margin = self.time_margins.margin;
        match *self.time_controls.get(color) {
            TimeControl::Clock(control) => {
                let left = self.left.get_mut(color);
                if elapsed > *left + margin {
                    return Err(elapsed.saturating_sub(*left));
                }
                *left = left.saturating_sub(elapsed) + control.increment;
                let moves = self.moves.get_mut(color);
                *moves += 1;
                if control.moves.is_some_and(|control| moves.is_multiple_of(control)) {
                    *left += control.time;
                }
            }
            TimeControl::MoveTime(time) if elapsed > time + MOVETIME_GRACE + margin => {
                return Err(elapsed.saturating_sub(time));
            }
            _ => {}
        }
        Ok(())
    }

    /// Time left to a player with a clock.
    pub fn left_ms(&self, color: Color) -> Option<u64> {
        matches!(self.time_controls.get(color), TimeControl::Clock(_))
            .then(|| self.left.get(color).as_millis() as u64)
    }

    /// Time left to both, if both have clocks.
    pub fn both_ms(&self) -> Option<[u64; 2]> {
        Some([self.left_ms(Color::White)?, self.left_ms(Color::Black)?])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn clocks(white: &str, black: &str, margin_ms: u64) -> Clocks {
        let time_controls = ByColor { white: white.parse().unwrap(), black: black.parse().unwrap() };
        Clocks::new(time_controls, TimeMargins { margin: ms(margin_ms), stall: ms(1000) })
    }

    #[test]
    fn the_increment_comes_after_the_move() {
        let mut clocks = clocks("1+0.5", "1+0.5", 0);
        assert_eq!(clocks.spend(Color::White, ms(900)), Ok(()));
        assert_eq!(clocks.left_ms(Color::White), Some(600));
        assert_eq!(clocks.spend(Color::White, ms(700)), Err(ms(100)));
        let clock = clocks.limits(Color::Black).clock.unwrap();
        assert_eq!((clock.white, clock.black, clock.white_increment), (ms(600), ms(1000), ms(500)));
        assert_eq!(clock.moves_to_go, None);
    }

    #[test]
    fn time_is_given_again_after_so_many_moves() {
        let mut clocks = clocks("3/1", "3/1", 0);
        let to_go = |clocks: &Clocks| clocks.limits(Color::White).clock.unwrap().moves_to_go;
        for expected in [3, 2, 1] {
            assert_eq!(to_go(&clocks), Some(expected));
            clocks.spend(Color::White, ms(300)).unwrap();
        }
        assert_eq!(to_go(&clocks), Some(3));
        assert_eq!(clocks.left_ms(Color::White), Some(100 + 1000));
    }

    #[test]
    fn a_margin_forgives_but_gives_nothing_back() {
        let mut clocks = clocks("1+0.1", "1+0.1", 50);
        assert_eq!(clocks.spend(Color::White, ms(1040)), Ok(()));
        assert_eq!(clocks.left_ms(Color::White), Some(100));
        assert_eq!(clocks.spend(Color::White, ms(151)), Err(ms(51)));
    }

    #[test]
    fn each_side_can_have_its_own_time_control() {
        let mut clocks = clocks("movetime=100", "nodes=500", 0);
        assert_eq!(clocks.limits(Color::White), Limits::movetime(ms(100)));
        assert_eq!(clocks.limits(Color::Black), Limits::nodes(500));
        assert_eq!(clocks.spend(Color::White, ms(180)), Ok(()));
        assert_eq!(clocks.spend(Color::White, ms(201)), Err(ms(101)));
        assert_eq!(clocks.spend(Color::Black, ms(90_000)), Ok(()));
        assert_eq!(clocks.timeouts(Color::Black).silence, Some(ms(1000)));
        assert_eq!(clocks.both_ms(), None);
    }

    #[test]
    fn an_opponent_without_a_clock_is_told_of_as_having_the_same() {
        let clock = clocks("2+1", "depth=3", 0).limits(Color::White).clock.unwrap();
        assert_eq!((clock.black, clock.black_increment), (ms(2000), ms(1000)));
    }
}
