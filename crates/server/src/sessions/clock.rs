//! Clock settings of a request.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

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

impl ClockSetting {
    /// Whether it is within bounds.
    pub fn is_sensible(&self) -> bool {
        (1_000..=10_800_000).contains(&self.initial_ms) && self.increment_ms <= 600_000
    }
}

impl From<ClockSetting> for tabia_session::ClockSetting {
    fn from(setting: ClockSetting) -> tabia_session::ClockSetting {
        let milliseconds = Duration::from_millis;
        tabia_session::ClockSetting {
            initial: milliseconds(setting.initial_ms),
            increment: milliseconds(setting.increment_ms),
        }
    }
}
