//! Time controls: a clock for the game, or a limit for each move.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use tabia_core::Limits;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum TimeControl {
    /// A clock for the game.
    Clock(ClockSettings),
    /// A fixed time per move.
    MoveTime(Duration),
    /// A fixed number of nodes per move.
    Nodes(u64),
    Depth(u32),
    /// The limits in the player's own options.
    Own,
}

/// A clock: `8+0.08`, or `40/60+0.5` for a minute more after every forty moves.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ClockSettings {
    /// Moves per period; none is for the whole game.
    pub moves: Option<u32>,
    pub time: Duration,
    pub increment: Duration,
}

/// A time control that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "\"{0}\" is no limit; write a clock in seconds such as 8+0.08 or 40/60+0.5, or nodes=5000, depth=6, movetime=100 \
     (milliseconds), or own"
)]
pub struct TimeControlError(pub String);

impl TimeControl {
    /// Whether results depend on wall-clock time.
    pub const fn is_timed(self) -> bool {
        matches!(self, TimeControl::Clock(_) | TimeControl::MoveTime(_))
    }

    /// The limits of every move, clocks aside.
    pub fn limits(self) -> Limits {
        match self {
            TimeControl::MoveTime(time) => Limits::movetime(time),
            TimeControl::Nodes(nodes) => Limits::nodes(nodes),
            TimeControl::Depth(depth) => Limits::depth(depth),
            TimeControl::Clock(_) | TimeControl::Own => Limits::default(),
        }
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<TimeControl, TimeControlError> {
        let refused = || TimeControlError(text.to_owned());
        let count = |number: &str| number.parse().ok().filter(|count| *count > 0).ok_or_else(refused);
        match text.trim().split_once('=') {
            None if text.trim() == "own" => Ok(TimeControl::Own),
            None => text.parse().map(TimeControl::Clock),
            Some(("nodes", number)) => count(number).map(TimeControl::Nodes),
            Some(("movetime", number)) => {
                count(number).map(|ms| TimeControl::MoveTime(Duration::from_millis(ms)))
            }
            Some(("depth", number)) => count(number)
                .and_then(|depth| u32::try_from(depth).map_err(|_| refused()))
                .map(TimeControl::Depth),
            Some(_) => Err(refused()),
        }
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TimeControl::Clock(control) => control.fmt(f),
            TimeControl::MoveTime(time) => write!(f, "movetime={}", time.as_millis()),
            TimeControl::Nodes(nodes) => write!(f, "nodes={nodes}"),
            TimeControl::Depth(depth) => write!(f, "depth={depth}"),
            TimeControl::Own => f.write_str("own"),
        }
    }
}

impl TryFrom<String> for TimeControl {
    type Error = TimeControlError;

    fn try_from(text: String) -> Result<TimeControl, TimeControlError> {
        text.parse()
    }
}

impl From<TimeControl> for String {
    fn from(time_control: TimeControl) -> String {
        time_control.to_string()
    }
}

impl FromStr for ClockSettings {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<ClockSettings, TimeControlError> {
        let refused = || TimeControlError(text.to_owned());
        let (moves, rest) = match text.trim().split_once('/') {
            Some((moves, rest)) => {
                (Some(moves.parse().ok().filter(|moves| *moves > 0).ok_or_else(refused)?), rest)
            }
            None => (None, text.trim()),
        };
        let (time, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let (time, increment) = (seconds(time).ok_or_else(refused)?, seconds(increment).ok_or_else(refused)?);
        // The increment is added after a move, so the first one needs base time.
        if time.is_zero() {
            return Err(refused());
        }
        Ok(ClockSettings { moves, time, increment })
    }
}

/// Seconds as people write them, to the millisecond.
fn seconds(text: &str) -> Option<Duration> {
    /// No clock runs longer: eleven days.
    const MAX: f64 = 1e6;
    let digits = text.chars().all(|c| c.is_ascii_digit() || c == '.');
    let seconds: f64 = text.parse().ok().filter(|seconds| digits && *seconds <= MAX)?;
    Some(Duration::from_millis((seconds * 1000.0).round() as u64))
}

impl fmt::Display for ClockSettings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.time.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_controls_read_back_as_written() {
        for text in ["8+0.08", "40/60+0.5", "60", "0.1+0.01", "nodes=5000", "depth=6", "movetime=100", "own"]
        {
            let time_control: TimeControl = text.parse().unwrap();
            assert_eq!(time_control.to_string(), text);
        }
        let control: ClockSettings = "40/60+0.5".parse().unwrap();
        assert_eq!(control.moves, Some(40));
        assert_eq!((control.time, control.increment), (Duration::from_mins(1), Duration::from_millis(500)));
    }

    #[test]
    fn an_invalid_time_control_is_refused_with_examples() {
        for text in [
            "", "fast", "0+0", "0+1", "40/0+1", "8+", "-1+1", "0/60", "1e9", "inf", "nodes=0", "depth=x",
            "time=5",
        ] {
            let error = text.parse::<TimeControl>().unwrap_err().to_string();
            assert!(error.contains("8+0.08"), "{text}: {error}");
        }
    }
}
