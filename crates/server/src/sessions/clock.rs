//! A chess clock: what each side has left. It runs from the first move of the game on.
//!
//! Time that passes while no server runs is nobody's: after a restart the side to move has what it had.

use std::time::{Duration, Instant};

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, Color};
use utoipa::ToSchema;

use super::side::Side;

/// How a clock is set.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ClockSetting {
    /// What each side has at the start, in milliseconds: a second to three hours.
    #[schema(minimum = 1000, maximum = 10_800_000, example = 300_000)]
    pub initial_ms: u64,
    /// What each move gives back, in milliseconds: up to ten minutes.
    #[serde(default)]
    #[schema(maximum = 600_000, example = 3_000)]
    pub increment_ms: u64,
}

/// What the clock shows.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ClockDocument {
    /// What White has left, in milliseconds, at the moment of answering.
    pub white_ms: u64,
    /// What Black has left.
    pub black_ms: u64,
    /// What each move gives back.
    pub increment_ms: u64,
    /// Whose time runs, if anybody's.
    pub running: Option<Side>,
}

/// A clock.
#[derive(Clone, Debug)]
pub struct GameClock {
    setting: ClockSetting,
    left: ByColor<Duration>,
    since: Option<(Color, Instant)>,
}

impl ClockSetting {
    /// Whether it is within bounds.
    pub fn is_sensible(&self) -> bool {
        (1_000..=10_800_000).contains(&self.initial_ms) && self.increment_ms <= 600_000
    }

    fn increment(&self) -> Duration {
        Duration::from_millis(self.increment_ms)
    }
}

impl GameClock {
    /// A clock that stands.
    pub fn new(setting: ClockSetting) -> GameClock {
        let initial = Duration::from_millis(setting.initial_ms);
        GameClock { setting, left: ByColor { white: initial, black: initial }, since: None }
    }

    /// What a side has left now.
    pub fn left(&self, color: Color) -> Duration {
        let spent = match self.since {
            Some((running, since)) if running == color => since.elapsed(),
            _ => Duration::ZERO,
        };
        self.left.get(color).saturating_sub(spent)
    }

    /// Sets what a side has left.
    pub fn set(&mut self, color: Color, left: Duration) {
        *self.left.get_mut(color) = left;
    }

    /// Lets a side's time run, from now.
    pub fn start(&mut self, color: Color) {
        self.since = Some((color, Instant::now()));
    }

    /// Stops whoever's time runs.
    pub fn halt(&mut self) {
        if let Some((color, _)) = self.since {
            let left = self.left(color);
            self.set(color, left);
        }
        self.since = None;
    }

    /// A side has moved: it gets its increment. What it has left then.
    pub fn press(&mut self, color: Color) -> Duration {
        self.halt();
        let left = self.left(color) + self.setting.increment();
        self.set(color, left);
        left
    }

    /// Whose time has run out.
    pub fn fallen(&self) -> Option<Color> {
        let (color, _) = self.since?;
        self.left(color).is_zero().then_some(color)
    }

    /// As it was set.
    pub fn setting(&self) -> ClockSetting {
        self.setting
    }

    /// For a search.
    pub fn for_search(&self) -> tabia_core::Clock {
        tabia_core::Clock {
            white: self.left(Color::White),
            black: self.left(Color::Black),
            white_increment: self.setting.increment(),
            black_increment: self.setting.increment(),
            moves_to_go: None,
        }
    }

    /// For a client.
    pub fn document(&self) -> ClockDocument {
        ClockDocument {
            white_ms: self.left(Color::White).as_millis() as u64,
            black_ms: self.left(Color::Black).as_millis() as u64,
            increment_ms: self.setting.increment_ms,
            running: self.since.map(|(color, _)| color.into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_move_brings_its_increment_and_a_halt_keeps_what_is_left() {
        let mut clock = GameClock::new(ClockSetting { initial_ms: 60_000, increment_ms: 2_000 });
        clock.start(Color::White);
        let left = clock.press(Color::White);
        assert!(left > Duration::from_mins(1) && left <= Duration::from_secs(62));
        assert_eq!(clock.left(Color::Black), Duration::from_mins(1));
        assert_eq!(clock.fallen(), None);
        clock.set(Color::Black, Duration::ZERO);
        clock.start(Color::Black);
        assert_eq!(clock.fallen(), Some(Color::Black));
        clock.halt();
        assert_eq!(clock.fallen(), None, "a clock that stands does not fall");
    }
}
