//! Rate limits per client (token bucket).

use std::net::IpAddr;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

/// Burst size, in seconds' worth of requests.
const BURST_S: u32 = 4;

/// A rate limit per client.
pub struct Rates {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl Rates {
    /// Requests per second.
    pub fn new(per_second: u32) -> Rates {
        let least = std::num::NonZeroU32::MIN;
        let rate = std::num::NonZeroU32::new(per_second).unwrap_or(least);
        let burst = rate.saturating_mul(std::num::NonZeroU32::new(BURST_S).unwrap_or(least));
        Rates {
            limiter: RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)),
            clock: DefaultClock::default(),
        }
    }

    /// Requests per minute.
    pub fn per_minute(count: u32) -> Rates {
        let count = std::num::NonZeroU32::new(count).unwrap_or(std::num::NonZeroU32::MIN);
        Rates { limiter: RateLimiter::keyed(Quota::per_minute(count)), clock: DefaultClock::default() }
    }

    /// Counts a request. Returns how long to wait if the limit is exceeded.
    pub fn count(&self, client: IpAddr) -> Result<(), Duration> {
        self.limiter.check_key(&client).map_err(|refusal| refusal.wait_time_from(self.clock.now()))
    }

    /// Removes clients that have been idle for a while.
    pub fn tidy(&self) {
        self.limiter.retain_recent();
    }
}
