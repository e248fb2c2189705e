//! Timestamps: UTC in RFC 3339.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A time, to the millisecond.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(try_from = "String", into = "String")]
#[schema(value_type = String, format = DateTime, example = "2026-01-15T14:30:00.000Z")]
pub struct Timestamp(u64);

impl Timestamp {
    /// The current time.
    pub fn now() -> Timestamp {
        // A system clock before 1970 is treated as 1970.
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Timestamp(since.as_millis() as u64)
    }

    /// Milliseconds since 1970.
    pub const fn milliseconds(self) -> u64 {
        self.0
    }

    /// From milliseconds since 1970.
    pub const fn from_milliseconds(milliseconds: u64) -> Timestamp {
        Timestamp(milliseconds)
    }
}

impl std::fmt::Display for Timestamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        humantime::format_rfc3339_millis(UNIX_EPOCH + Duration::from_millis(self.0)).fmt(f)
    }
}

impl From<Timestamp> for String {
    fn from(timestamp: Timestamp) -> String {
        timestamp.to_string()
    }
}

impl TryFrom<String> for Timestamp {
    type Error = humantime::TimestampError;

    fn try_from(text: String) -> Result<Timestamp, Self::Error> {
        let timestamp = humantime::parse_rfc3339_weak(&text)?;
        Ok(Timestamp(timestamp.duration_since(UNIX_EPOCH).unwrap_or_default().as_millis() as u64))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_read_as_they_are_written() {
        let timestamp = Timestamp::from_milliseconds(1_705_329_000_123);
        assert_eq!(timestamp.to_string(), "2024-01-15T14:30:00.123Z");
        assert_eq!(Timestamp::try_from(timestamp.to_string()).unwrap(), timestamp);
    }
}
