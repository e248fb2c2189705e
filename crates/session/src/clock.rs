//! A chess clock: what each side has left. It runs from the first move of the game on.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color};
use tabia_core::Clock;

/// How a clock is set.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct ClockSetting {
    /// What each side has at the start.
    pub initial: Duration,
    /// What each move adds.
    pub increment: Duration,
}

/// A clock for both sides.
#[derive(Clone, Debug)]
pub struct GameClock {
    setting: ClockSetting,
    left: ByColor<Duration>,
    since: Option<(Color, Instant)>,
}

impl GameClock {
    /// A clock that stands.
    pub fn new(setting: ClockSetting) -> GameClock {
        let left = ByColor { white: setting.initial, black: setting.initial };
        GameClock { setting, left, since: None }
    }

    /// As it was set.
    pub fn setting(&self) -> ClockSetting {
        self.setting
    }

    /// Whose time runs.
    pub fn running(&self) -> Option<Color> {
        self.since.map(|(color, _)| color)
    }

    /// What a side has left.
    pub fn left(&self, color: Color, now: Instant) -> Duration {
        let spent = match self.since {
            Some((running, since)) if running == color => now.saturating_duration_since(since),
            _ => Duration::ZERO,
        };
        self.left.get(color).saturating_sub(spent)
    }

    /// Whose time has run out.
    pub fn flag_fallen(&self, now: Instant) -> Option<Color> {
        self.running().filter(|color| self.left(*color, now).is_zero())
    }

    /// Both sides' times, for a search.
    pub fn for_search(&self, now: Instant) -> Clock {
        Clock {
            white: self.left(Color::White, now),
            black: self.left(Color::Black, now),
            white_increment: self.setting.increment,
            black_increment: self.setting.increment,
            moves_to_go: None,
        }
    }

    pub(crate) fn set(&mut self, color: Color, left: Duration) {
        *self.left.get_mut(color) = left;
    }

    /// Lets a side's time run.
    pub(crate) fn start(&mut self, color: Color, now: Instant) {
        self.stop(now);
        self.since = Some((color, now));
    }

    /// Stops the running clock.
    pub(crate) fn stop(&mut self, now: Instant) {
        if let Some(color) = self.running() {
            let left = self.left(color, now);
            self.set(color, left);
        }
        self.since = None;
    }

    /// A side has moved: it gets its increment. Returns what it has left then.
    pub(crate) fn press(&mut self, color: Color, now: Instant) -> Duration {
        self.stop(now);
        let left = self.left(color, now) + self.setting.increment;
        self.set(color, left);
        left
    }
}
