//! Sessions of browsers that are logged in.
//!
//! A session is a random number in a cookie. The server stores only its hash, so that reading the database gives no
//! access. A session ends after thirty days, with `POST /logout`, or when the server gets another token.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use governor::clock::{Clock, DefaultClock};
use governor::{DefaultKeyedRateLimiter, Quota, RateLimiter};
use rusqlite::Connection;
use sha2::{Digest, Sha256};

use crate::id::Id;
use crate::store::Store;
use crate::store::error::StoreError;
use crate::timestamp::Timestamp;

/// Lifetime of a session.
pub const LIFETIME: Duration = Duration::from_hours(30 * 24);

/// Browser sessions, and the rate limit of login attempts.
pub struct Logins {
    token: String,
    /// Expiry times by hash.
    sessions: Mutex<HashMap<String, u64>>,
    attempts: DefaultKeyedRateLimiter<IpAddr>,
    clock: DefaultClock,
}

impl Logins {
    /// Loads the sessions that belong to this token, and deletes all others.
    pub fn open(store: &Store, token: Option<&str>, attempts_per_minute: u32) -> Result<Logins, StoreError> {
        let token = hash(token.unwrap_or_default());
        let (shown, now) = (token.clone(), Timestamp::now().milliseconds());
        let sessions = store.wait(move |connection| read(connection, &shown, now))?;
        let attempts = std::num::NonZeroU32::new(attempts_per_minute).unwrap_or(std::num::NonZeroU32::MIN);
        Ok(Logins {
            token,
            sessions: Mutex::new(sessions),
            attempts: RateLimiter::keyed(Quota::per_minute(attempts)),
            clock: DefaultClock::default(),
        })
    }

    /// Counts a login attempt. Returns how long to wait if the limit is exceeded.
    pub fn attempt(&self, client: Option<IpAddr>) -> Result<(), Duration> {
        let Some(client) = client else { return Ok(()) };
        self.attempts.check_key(&client).map_err(|refusal| refusal.wait_time_from(self.clock.now()))
    }

    /// Creates a session and returns the value of its cookie.
    pub async fn begin(&self, store: &Store) -> Result<String, StoreError> {
        let session = Id::random().to_string();
        let key = hash(&session);
        let expires = Timestamp::now().milliseconds() + LIFETIME.as_millis() as u64;
        self.lock().insert(key.clone(), expires);
        let token = self.token.clone();
        store
            .run(move |connection| {
                let row = (key, token, expires as i64);
                connection
                    .execute("INSERT INTO logins (session, token, expires) VALUES (?1, ?2, ?3)", row)?;
                Ok(())
            })
            .await?;
        Ok(session)
    }

    /// Whether a session is valid.
    pub fn is_open(&self, session: &str) -> bool {
        self.lock().get(&hash(session)).is_some_and(|expires| *expires > Timestamp::now().milliseconds())
    }

    /// Ends a session, or all of them.
    pub async fn end(&self, store: &Store, session: Option<&str>) -> Result<(), StoreError> {
        let key = session.map(hash);
        match &key {
            Some(key) => drop(self.lock().remove(key)),
            None => self.lock().clear(),
        }
        store
            .run(move |connection| {
                match key {
                    Some(key) => connection.execute("DELETE FROM logins WHERE session = ?1", [key])?,
                    None => connection.execute("DELETE FROM logins", [])?,
                };
                Ok(())
            })
            .await
    }

    /// Deletes expired sessions.
    pub fn tidy(&self) {
        let now = Timestamp::now().milliseconds();
        self.lock().retain(|_, expires| *expires > now);
        self.attempts.retain_recent();
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<String, u64>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn read(connection: &Connection, token: &str, now: u64) -> Result<HashMap<String, u64>, StoreError> {
    connection.execute("DELETE FROM logins WHERE token <> ?1 OR expires <= ?2", (token, now as i64))?;
    let mut rows = connection.prepare("SELECT session, expires FROM logins")?;
    let sessions = rows.query_map([], |row| Ok((row.get(0)?, row.get::<_, i64>(1)? as u64)))?;
    Ok(sessions.collect::<Result<_, _>>()?)
}

fn hash(text: &str) -> String {
    use std::fmt::Write;
    Sha256::digest(text.as_bytes()).iter().fold(String::new(), |mut digits, byte| {
        let _ = write!(digits, "{byte:02x}");
        digits
    })
}
