//! Identifies a browser by a random cookie, so that it can list its own games.

use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};

use crate::client::{Client, secure};
use crate::id::Id;

/// Name of the cookie.
const COOKIE: &str = "tabia_owner";
/// A year, in seconds.
const AGE_S: u32 = 365 * 24 * 3600;

/// The client of a request.
#[derive(Copy, Clone, Debug)]
pub struct Caller {
    /// Its random id; games are listed by it.
    pub owner: Id,
    known: bool,
    is_secure: bool,
}

impl Caller {
    /// Sets the cookie if the client has none yet.
    pub fn set_cookie(self, headers: &mut HeaderMap) {
        if !self.known {
            let (owner, secure) = (self.owner, secure(self.is_secure));
            let cookie =
                format!("{COOKIE}={owner}; Path=/; HttpOnly; SameSite=Strict; Max-Age={AGE_S}{secure}");
            let value = HeaderValue::from_str(&cookie).expect("an id is plain text");
            headers.append(header::SET_COOKIE, value);
        }
    }
}

impl<S: Sync> FromRequestParts<S> for Caller {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> Result<Caller, Self::Rejection> {
        let known = cookie(&parts.headers, COOKIE).and_then(|text| text.parse().ok());
        let is_secure = parts.extensions.get::<Client>().is_some_and(|client| client.is_secure);
        Ok(Caller { owner: known.unwrap_or_else(Id::random), known: known.is_some(), is_secure })
    }
}

/// The value of a cookie.
pub fn cookie<'a>(headers: &'a HeaderMap, name: &str) -> Option<&'a str> {
    headers
        .get_all(header::COOKIE)
        .into_iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}
