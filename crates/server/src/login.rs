//! The page where a person types the token, once; a cookie shows it from then on.

use std::fmt::Write;
use std::sync::Arc;

use axum::extract::State;
use axum::extract::rejection::FormRejection;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{Html, IntoResponse, Redirect, Response};
use axum::{Form, Router, routing};
use serde::Deserialize;
use subtle::ConstantTimeEq;

use crate::app_state::AppState;

/// Where it is.
pub const PATH: &str = "/login";
/// The cookie that shows the token, in hexadecimal: a token may have letters that a cookie may not.
pub const COOKIE: &str = "tabia_token";
/// Thirty days, in seconds.
const AGE_S: u32 = 30 * 24 * 3600;

/// What the form sends.
#[derive(Deserialize)]
struct LoginForm {
    token: String,
}

/// The page and its form.
pub fn router() -> Router<Arc<AppState>> {
    Router::new().route(PATH, routing::get(show).post(enter))
}

async fn show() -> Html<String> {
    page("")
}

async fn enter(State(app): State<Arc<AppState>>, typed: Result<Form<LoginForm>, FormRejection>) -> Response {
    let Ok(Form(LoginForm { token })) = typed else {
        return (StatusCode::BAD_REQUEST, page("The form has one field: token.")).into_response();
    };
    let Some(expected) = &app.config.token else { return Redirect::to("/").into_response() };
    if !bool::from(token.trim().as_bytes().ct_eq(expected.as_bytes())) {
        tracing::warn!("a wrong token was typed");
        return (StatusCode::UNAUTHORIZED, page("That is not the token.")).into_response();
    }
    let cookie = format!("{COOKIE}={}; Path=/; HttpOnly; SameSite=Strict; Max-Age={AGE_S}", encode(expected));
    let mut response = Redirect::to("/").into_response();
    let value = HeaderValue::from_str(&cookie).expect("hexadecimal digits are plain text");
    response.headers_mut().append(header::SET_COOKIE, value);
    response
}

fn page(said: &str) -> Html<String> {
    Html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Tabia</title>\
         <meta name=\"viewport\" content=\"width=device-width\"></head><body><h1>Tabia</h1><p role=\"alert\">{said}</p>\
         <form method=\"post\" action=\"{PATH}\"><label>Token <input type=\"password\" name=\"token\" \
         autocomplete=\"current-password\" autofocus required></label> <button>Enter</button></form></body></html>"
    ))
}

fn encode(token: &str) -> String {
    token.bytes().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("text takes everything");
        text
    })
}

/// The token that a cookie shows.
pub fn decode(text: &str) -> Option<String> {
    let digits = text.as_bytes();
    if !digits.len().is_multiple_of(2) {
        return None;
    }
    let bytes: Option<Vec<u8>> =
        digits.chunks(2).map(|pair| u8::from_str_radix(std::str::from_utf8(pair).ok()?, 16).ok()).collect();
    String::from_utf8(bytes?).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_token_goes_through_the_cookie_whole() {
        for token in ["secret", "with; odd, letters=\"x\"", "ü"] {
            assert_eq!(decode(&encode(token)).as_deref(), Some(token));
        }
        assert_eq!(decode("zz"), None);
        assert_eq!(decode("a"), None);
    }
}
