//! Access checks before every request.
//!
//! A page of another site can make a browser send requests to this machine. Three checks prevent it: `Host` must be a
//! name of this machine (against DNS rebinding), `Sec-Fetch-Site` and `Origin` must be this site (against CSRF), and
//! if a token is set, every request must carry it or a session cookie.

use std::net::{Ipv4Addr, Ipv6Addr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::{HeaderMap, Method, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};

use crate::app_state::AppState;
use crate::caller::cookie;
use crate::client::Client;
use crate::login;
use crate::problem::{Kind, Problem};

/// Paths that create games.
const SETTING_UP: &[&str] = &["/api/v1/games", "/api/v1/games/import", "/api/v1/quantum/games"];

/// Passes a request on or refuses it.
pub async fn guard(State(app): State<Arc<AppState>>, mut request: Request, next: Next) -> Response {
    let client = Client::of(&request, &app.config);
    request.extensions_mut().insert(client);
    if let Some(response) = login::by_address(&app, request.method(), request.uri(), client).await {
        return response;
    }
    match admit(&app, &request, client) {
        Ok(()) => {}
        Err(problem) if problem.kind() == Kind::Unauthorized && wants_a_page(&request) => {
            return Redirect::to(login::PATH).into_response();
        }
        Err(problem) => return problem.into_response(),
    }
    match tokio::time::timeout(app.config.bounds.request_time, next.run(request)).await {
        Ok(response) => response,
        Err(_) => Problem::busy("the request took too long", crate::app_state::RETRY).into_response(),
    }
}

fn admit(app: &AppState, request: &Request, client: Client) -> Result<(), Problem> {
    let headers = request.headers();
    if let Some(client) = client.limited() {
        app.rates.count(client).map_err(|wait| {
            Problem::new(Kind::TooManyRequests, "more requests came than this server takes from one client")
                .retry_after(wait)
        })?;
        if request.method() == Method::POST && SETTING_UP.contains(&request.uri().path()) {
            app.new_games.count(client).map_err(|wait| {
                Problem::new(
                    Kind::TooManyRequests,
                    "more games were set up than this server takes from one client",
                )
                .retry_after(wait)
            })?;
        }
    }
    if app.config.token.is_none() && !is_this_machine(request) {
        return Err(Problem::new(
            Kind::CrossSite,
            "this server answers to localhost, 127.0.0.1 and [::1] alone: the name in `Host` is another",
        ));
    }
    if is_from_another_site(request.method(), request.uri().path(), headers) {
        return Err(Problem::new(Kind::CrossSite, "the request comes from a page of another site"));
    }
    let path = request.uri().path();
    if path == "/healthz" || path == login::PATH {
        return Ok(());
    }
    match &app.config.token {
        Some(token) if !shows(app, headers, token) => Err(Problem::new(
            Kind::Unauthorized,
            "send the token as `Authorization: Bearer TOKEN`, or type it at /login",
        )),
        _ => Ok(()),
    }
}

/// Whether the request was sent to a name of this machine.
fn is_this_machine(request: &Request) -> bool {
    let host = request.headers().get(header::HOST).and_then(|value| value.to_str().ok());
    let Some(host) = host.or_else(|| request.uri().authority().map(axum::http::uri::Authority::as_str))
    else {
        return false;
    };
    is_loopback_name(host)
}

/// `localhost`, an IPv4 address of this machine, or an IPv6 address of it in brackets; then a port or nothing.
fn is_loopback_name(host: &str) -> bool {
    let (name, port) = match host.find(if host.starts_with('[') { ']' } else { ':' }) {
        Some(at) if host.starts_with('[') => host.split_at(at + 1),
        Some(at) => host.split_at(at),
        None => (host, ""),
    };
    let is_port = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !port.is_empty() && !port.strip_prefix(':').is_some_and(is_port) {
        return false;
    }
    if let Some(address) = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')) {
        return address.parse::<Ipv6Addr>().is_ok_and(|ip| ip.is_loopback());
    }
    name.eq_ignore_ascii_case("localhost") || name.parse::<Ipv4Addr>().is_ok_and(|ip| ip.is_loopback())
}

/// Whether the browser says that another site sent the request. Navigation to a page is allowed; a link that would
/// change something is not.
fn is_from_another_site(method: &Method, path: &str, headers: &HeaderMap) -> bool {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let changes = !method.is_safe() || path.starts_with("/post/");
    let follows_a_link = !changes && text("sec-fetch-mode") == Some("navigate");
    match text("sec-fetch-site") {
        Some("cross-site" | "same-site") if !follows_a_link => return true,
        _ => {}
    }
    match (text("origin"), text("host")) {
        (None, _) => false,
        (Some(origin), Some(host)) => {
            let site = origin.split_once("://").map(|(_, site)| site);
            site != Some(host) && !follows_a_link
        }
        (Some(_), None) => true,
    }
}

/// Whether the token is in the header, or the session cookie is valid.
fn shows(app: &AppState, headers: &HeaderMap, token: &str) -> bool {
    let bearer = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    bearer.is_some_and(|shown| login::is_right(shown.trim(), token))
        || cookie(headers, login::COOKIE).is_some_and(|session| app.logins.is_open(session))
}

/// Whether the token itself was sent, rather than a session cookie.
pub fn is_bearer(headers: &HeaderMap) -> bool {
    headers.get(header::AUTHORIZATION).is_some_and(|value| value.as_bytes().starts_with(b"Bearer "))
}

/// Whether a browser navigates to a page, rather than a program calling the API.
fn wants_a_page(request: &Request) -> bool {
    let accepts = request.headers().get(header::ACCEPT).and_then(|value| value.to_str().ok());
    request.method() == Method::GET
        && !request.uri().path().starts_with("/api/v1")
        && accepts.is_some_and(|accepts| accepts.contains("text/html"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_this_machine_are_known_with_and_without_port() {
        for name in ["localhost", "LOCALHOST:8050", "127.0.0.1:1", "127.8.8.8", "[::1]:8050", "[::1]"] {
            assert!(is_loopback_name(name), "{name}");
        }
        for name in [
            "",
            "evil.example",
            "localhost.evil.example",
            "localhost:80.evil.example",
            "127.0.0.1.evil.example:80",
            "127.0.0.1:80:evil.example",
            "10.0.0.1",
            "[::2]",
            "[::1].evil.example",
            "[::1]evil.example",
            "[::1]:80.evil.example",
            "[::1",
            "::1",
            "[localhost]",
        ] {
            assert!(!is_loopback_name(name), "{name}");
        }
    }

    #[test]
    fn a_page_of_another_site_may_link_here_and_no_more() {
        let asks = |method: Method, path: &str, pairs: &[(&'static str, &'static str)]| {
            let mut headers = HeaderMap::new();
            for (name, value) in pairs {
                headers.insert(*name, value.parse().unwrap());
            }
            is_from_another_site(&method, path, &headers)
        };
        let host = ("host", "localhost:8050");
        let foreign = ("sec-fetch-site", "cross-site");
        let link = ("sec-fetch-mode", "navigate");
        assert!(!asks(Method::GET, "/", &[host]));
        assert!(!asks(Method::POST, "/api/v1/games", &[host, ("origin", "http://localhost:8050")]));
        assert!(asks(Method::POST, "/api/v1/games", &[host, ("origin", "http://evil.example")]));
        assert!(asks(Method::POST, "/api/v1/games", &[host, ("origin", "null")]));
        assert!(asks(Method::POST, "/api/v1/games", &[host, ("origin", "http://localhost:9999")]));
        assert!(asks(Method::GET, "/api/v1/games", &[host, foreign]));
        assert!(!asks(Method::GET, "/", &[host, foreign, link]));
        assert!(asks(Method::GET, "/post/move/e2e4", &[host, foreign, link]));
        assert!(asks(Method::POST, "/api/v1/games", &[host, foreign, link]));
    }
}
