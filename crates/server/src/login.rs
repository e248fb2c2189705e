//! Login: a person enters the token once, on a page or through the address that `tabia serve --token auto` prints. A
//! cookie with a random session id ([`crate::logins`]) identifies the browser from then on.

use std::sync::Arc;

use axum::extract::rejection::FormRejection;
use axum::extract::{Extension, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::{Form, Router, routing};
use serde::Deserialize;
use subtle::ConstantTimeEq;

use crate::app_state::AppState;
use crate::caller::cookie;
use crate::client::{self, Client};
use crate::logins::LIFETIME;
use crate::problem::{Kind, Problem};

/// Path of the login page.
pub const PATH: &str = "/login";
/// Path of the logout.
const END_PATH: &str = "/logout";
/// Name of the session cookie.
pub const COOKIE: &str = "tabia_session";
/// Name of the form field, and of the query parameter that carries the token.
const FIELD: &str = "token";

/// The login form.
#[derive(Deserialize)]
struct LoginForm {
    token: String,
}

/// The logout form.
#[derive(Deserialize)]
struct LogoutForm {
    /// End all sessions of all browsers.
    #[serde(default)]
    all: bool,
}

/// The login page.
pub fn router() -> Router<Arc<AppState>> {
    Router::new().route(PATH, routing::get(show).post(enter)).route(END_PATH, routing::post(leave))
}

async fn show() -> Html<String> {
    page("")
}

async fn enter(
    State(app): State<Arc<AppState>>,
    Extension(client): Extension<Client>,
    typed: Result<Form<LoginForm>, FormRejection>,
) -> Response {
    let Ok(Form(LoginForm { token })) = typed else {
        return (StatusCode::BAD_REQUEST, page("The form has one field: token.")).into_response();
    };
    let Some(expected) = &app.config.token else { return Redirect::to("/").into_response() };
    if let Err(problem) = attempt(&app, client) {
        return problem.into_response();
    }
    if !is_right(token.trim(), expected) {
        return (StatusCode::UNAUTHORIZED, page("That is not the token.")).into_response();
    }
    begin(&app, client, "/").await
}

/// Ends the client's session, or all sessions.
async fn leave(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    form: Result<Form<LogoutForm>, FormRejection>,
) -> Result<Response, Problem> {
    let all = form.is_ok_and(|Form(form)| form.all);
    let session = cookie(&headers, COOKIE);
    if all || session.is_some() {
        app.logins.end(&app.store, session.filter(|_| !all)).await.map_err(Problem::internal)?;
    }
    Ok(StatusCode::NO_CONTENT.into_response())
}

/// Redirects an address that carries the token to the same address without it, and sets the cookie. `None` if it
/// carries none.
pub async fn by_address(app: &AppState, method: &Method, uri: &Uri, client: Client) -> Option<Response> {
    let expected = app.config.token.as_ref()?;
    if method != Method::GET {
        return None;
    }
    let (token, rest) = split_token(uri)?;
    if let Err(problem) = attempt(app, client) {
        return Some(problem.into_response());
    }
    if !is_right(&token, expected) {
        return Some(Redirect::to(PATH).into_response());
    }
    Some(begin(app, client, &rest).await)
}

/// Splits the token from an address.
fn split_token(uri: &Uri) -> Option<(String, String)> {
    let query = uri.query()?;
    let is_token = |pair: &&str| pair.split_once('=').is_some_and(|(key, _)| key == FIELD);
    let token = query.split('&').find(is_token)?.split_once('=')?.1.to_owned();
    let others: Vec<&str> = query.split('&').filter(|pair| !is_token(pair)).collect();
    let path = uri.path();
    // Against open redirects: `//evil.example` would lead to another site.
    let path = format!("/{}", path.trim_start_matches('/'));
    Some((token, if others.is_empty() { path } else { format!("{path}?{}", others.join("&")) }))
}

fn attempt(app: &AppState, client: Client) -> Result<(), Problem> {
    app.logins.attempt(client.address).map_err(|wait| {
        tracing::warn!(client = ?client.address, "too many attempts to log in");
        Problem::new(Kind::TooManyRequests, "too many attempts to log in from your address").retry_after(wait)
    })
}

async fn begin(app: &AppState, client: Client, to: &str) -> Response {
    let session = match app.logins.begin(&app.store).await {
        Ok(session) => session,
        Err(error) => return Problem::internal(error).into_response(),
    };
    let (age, secure) = (LIFETIME.as_secs(), client::secure(client.is_secure));
    let cookie = format!("{COOKIE}={session}; Path=/; HttpOnly; SameSite=Strict; Max-Age={age}{secure}");
    let mut response = Redirect::to(to).into_response();
    let value = HeaderValue::from_str(&cookie).expect("hexadecimal digits are plain text");
    response.headers_mut().append(header::SET_COOKIE, value);
    response
}

/// Compares tokens in constant time.
pub fn is_right(shown: &str, expected: &str) -> bool {
    bool::from(shown.as_bytes().ct_eq(expected.as_bytes()))
}

fn page(said: &str) -> Html<String> {
    Html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tabia</title>\
         <meta name=\"viewport\" content=\"width=device-width\"></head><body><h1>Tabia</h1><p role=\"alert\">{said}</p>\
         <form method=\"post\" action=\"{PATH}\"><label>Token <input type=\"password\" name=\"{FIELD}\" \
         autocomplete=\"current-password\" autofocus required></label> <button>Enter</button></form></body></html>"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_token_is_taken_out_of_the_address() {
        for (address, token, rest) in [
            ("/?token=abc", "abc", "/"),
            ("/game/7?x=1&token=abc&y=2", "abc", "/game/7?x=1&y=2"),
            ("http://h//evil.example/?token=abc", "abc", "/evil.example/"),
        ] {
            let found = split_token(&address.parse().unwrap());
            assert_eq!(found, Some((token.to_owned(), rest.to_owned())), "{address}");
        }
        assert_eq!(split_token(&"/?tokens=1".parse().unwrap()), None);
        assert_eq!(split_token(&"/".parse().unwrap()), None);
    }
}
