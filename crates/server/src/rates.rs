//! How often clients come: requests of each in a time.

use std::net::IpAddr;
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};

/// So many seconds' worth of requests may come at once.
const BURST_S: u32 = 4;

/// Requests of each client in a time.
pub struct Rates {
    limiter: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl Rates {
    /// So many a second.
    pub fn new(per_second: u32) -> Rates {
        let least = std::num::NonZeroU32::MIN;
        let rate = std::num::NonZeroU32::new(per_second).unwrap_or(least);
        let burst = rate.saturating_mul(std::num::NonZeroU32::new(BURST_S).unwrap_or(least));
        Rates {
            limiter: RateLimiter::keyed(Quota::per_second(rate).allow_burst(burst)),
            clock: DefaultClock::default(),
        }
    }

    /// So many a minute.
    pub fn per_minute(count: u32) -> Rates {
        let count = std::num::NonZeroU32::new(count).unwrap_or(std::num::NonZeroU32::MIN);
        Rates { limiter: RateLimiter::keyed(Quota::per_minute(count)), clock: DefaultClock::default() }
    }

    /// Counts a request; how long to wait if it is one too many.
    pub fn count(&self, client: IpAddr) -> Result<(), Duration> {
        self.limiter.check_key(&client).map_err(|refusal| refusal.wait_time_from(self.clock.now()))
    }

    /// Forgets clients that have not been here for a while.
    pub fn tidy(&self) {
        self.limiter.retain_recent();
    }
}
