//! Waiting for a move: when to tell the player to stop, and when to give up.
//!
//! It reads no clock itself: the caller passes the time and gets the next action.

use std::time::{Duration, Instant};

use super::Timeouts;

/// How often the stop flag is checked while there is no output.
const POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Default time to answer after being told to stop.
pub const STOPPING: Duration = Duration::from_secs(5);

/// The next action.
#[derive(Debug, PartialEq, Eq)]
pub enum Next {
    /// Read output until then.
    Listen(Instant),
    /// Tell the player to stop and answer.
    Hurry,
    /// Stop waiting: the match was stopped.
    Leave,
    /// Stop waiting: a fault of the player, for this reason.
    GiveUp(String),
}

/// One wait for one move.
#[derive(Debug)]
pub struct ResponseTimer<'a> {
    timeouts: &'a Timeouts,
    /// A move is wanted even after a stop.
    wants_answer: bool,
    start: Instant,
    heard: Instant,
    hurried: Option<Instant>,
    grace: Duration,
}

impl<'a> ResponseTimer<'a> {
    /// A wait that began at `start`. With `wants_answer` a stop makes the player answer, else the wait ends at once.
    pub fn new(start: Instant, timeouts: &'a Timeouts, wants_answer: bool) -> ResponseTimer<'a> {
        ResponseTimer { timeouts, wants_answer, start, heard: start, hurried: None, grace: timeouts.grace }
    }

    /// Resets the silence timeout.
    pub fn line_received(&mut self, at: Instant) {
        self.heard = at;
    }

    /// The action at this time.
    pub fn next(&mut self, now: Instant, stopped: bool) -> Next {
        let late = self.timeouts.answer.is_some_and(|answer| now >= self.start + answer);
        if let Some(hurried) = self.hurried {
            if now >= hurried + self.grace {
                let grace = self.grace.as_secs_f64();
                return Next::GiveUp(format!("no answer {grace:.1} s after it was told to stop"));
            }
        } else if stopped && !self.wants_answer {
            return Next::Leave;
        } else if late && self.grace.is_zero() {
            let time = self.timeouts.answer.unwrap_or_default().as_secs_f64();
            return Next::GiveUp(format!("no answer within {time:.1} s"));
        } else if late || stopped {
            self.hurried = Some(now);
            if self.grace.is_zero() {
                self.grace = STOPPING;
            }
            return Next::Hurry;
        }
        if let Some(silence) = self.timeouts.silence.filter(|silence| now >= self.heard + *silence) {
            return Next::GiveUp(format!("it said nothing for {:.1} s", silence.as_secs_f64()));
        }
        let ends = [
            self.hurried.map(|hurried| hurried + self.grace),
            self.timeouts.answer.filter(|_| self.hurried.is_none()).map(|answer| self.start + answer),
            self.timeouts.silence.map(|silence| self.heard + silence),
        ];
        Next::Listen(ends.into_iter().flatten().fold(now + POLL_INTERVAL, Instant::min))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    fn given_up(next: &Next) -> bool {
        matches!(next, Next::GiveUp(_))
    }

    #[test]
    fn who_is_late_is_hurried_once_and_given_up_on_later() {
        let timeouts = Timeouts { answer: Some(ms(1000)), grace: ms(200), silence: None };
        let start = Instant::now();
        let mut timer = ResponseTimer::new(start, &timeouts, false);
        assert_eq!(timer.next(start, false), Next::Listen(start + POLL_INTERVAL));
        assert_eq!(timer.next(start + ms(980), false), Next::Listen(start + ms(1000)));
        assert_eq!(timer.next(start + ms(1000), false), Next::Hurry);
        assert_eq!(timer.next(start + ms(1180), false), Next::Listen(start + ms(1200)));
        assert!(given_up(&timer.next(start + ms(1200), false)));
    }

    #[test]
    fn without_grace_late_is_too_late() {
        let timeouts = Timeouts { answer: Some(ms(1000)), grace: ms(0), silence: None };
        let start = Instant::now();
        assert!(given_up(&ResponseTimer::new(start, &timeouts, false).next(start + ms(1000), false)));
    }

    #[test]
    fn silence_is_counted_from_the_last_word() {
        let timeouts = Timeouts { answer: None, grace: ms(0), silence: Some(ms(300)) };
        let start = Instant::now();
        let mut timer = ResponseTimer::new(start, &timeouts, false);
        timer.line_received(start + ms(250));
        assert_eq!(timer.next(start + ms(540), false), Next::Listen(start + ms(550)));
        assert!(given_up(&timer.next(start + ms(550), false)));
    }

    #[test]
    fn a_stop_leaves_or_hurries() {
        let timeouts = Timeouts { answer: None, grace: ms(0), silence: None };
        let start = Instant::now();
        assert_eq!(ResponseTimer::new(start, &timeouts, false).next(start, true), Next::Leave);
        let mut timer = ResponseTimer::new(start, &timeouts, true);
        assert_eq!(timer.next(start, true), Next::Hurry);
        assert_eq!(timer.next(start, true), Next::Listen(start + POLL_INTERVAL));
        assert!(given_up(&timer.next(start + STOPPING, true)));
    }
}
