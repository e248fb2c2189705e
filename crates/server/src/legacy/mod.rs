//! Seed 003's protocol: four paths on one game of the server, over HTTP and as text frames of a WebSocket.
//!
//! ```text
//! /get/board/                 /get/board/8\t|r|n|b|q|k|b|n|r|\n…
//! /get/possible_moves/e2      /get/possible_moves/E3E4
//! /post/move/e2e4             /post/move/
//! /get/status/                /get/status/Black to move
//! /post/new/                  /post/new/            (not in the seed: the game begins anew; by POST)
//! ```
//!
//! A successful reply begins with the path it answers. Every error is the empty string, and its reason is logged. Two
//! people share the board; no agent plays.

mod text;

use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing};
use shakmaty::{Position, Role};

use crate::app_state::AppState;
use crate::chess::setup::{START, Setup, Variant};
use crate::chess::state::ChessGameState;
use crate::documents::chess::destinations;
use crate::id::Id;
use crate::problem::{Kind, Problem};
use crate::sessions::SessionError;
use crate::sessions::kind::GameKind;
use crate::sessions::player::Player;
use crate::sessions::session::GameSession;

/// Key of the game's id in the database.
const SETTING: &str = "seed 003 game";
/// The path that starts a new game.
const NEW: &str = "/post/new";
/// Longest request.
const LONGEST_FRAME: usize = 256;

/// The paths and the WebSocket.
pub fn router() -> Router<Arc<AppState>> {
    let answer = || routing::get(over_http).post(over_http);
    Router::new()
        .route("/get/{*rest}", answer())
        .route("/post/{*rest}", answer())
        .route("/ws/legacy", routing::any(over_websocket))
}

async fn over_http(State(app): State<Arc<AppState>>, request: Request) -> Response {
    // The seed also moves with GET. Starting a new game is an addition that needs POST, so that no link or prefetch
    // does it.
    let path = request.uri().path();
    let reply = if request.method() != Method::POST && path.starts_with(NEW) {
        tracing::info!(
            path,
            reason = "the game begins anew with POST alone",
            "a request of the seed's protocol failed"
        );
        String::new()
    } else {
        reply(&app, path).await
    };
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], reply).into_response()
}

async fn over_websocket(
    State(app): State<Arc<AppState>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let upgrade = upgrade.map_err(|rejection| {
        Problem::new(Kind::BadRequest, format!("this is a WebSocket: {}", rejection.body_text()))
    })?;
    let place = app.stream()?;
    Ok(upgrade.max_message_size(LONGEST_FRAME).max_frame_size(LONGEST_FRAME).on_upgrade(
        move |mut socket| async move {
            tokio::select! {
                () = converse(&app, &mut socket) => {}
                () = app.closing() => {}
            }
            drop(place);
        },
    ))
}

/// Answers every frame until the connection closes.
async fn converse(app: &Arc<AppState>, socket: &mut WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        let reply = match message {
            Message::Text(path) => reply(app, path.as_str().trim_end_matches(['\r', '\n'])).await,
            Message::Binary(_) => String::new(),
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Close(_) => return,
        };
        if socket.send(Message::Text(reply.into())).await.is_err() {
            return;
        }
    }
}

/// The reply to a path; empty on any error.
async fn reply(app: &Arc<AppState>, path: &str) -> String {
    match answer(app, path).await {
        Ok(reply) => reply,
        Err(reason) => {
            let path: String = path.chars().take(80).collect();
            tracing::info!(path, reason = reason.detail(), "a request of the seed's protocol failed");
            String::new()
        }
    }
}

async fn answer(app: &Arc<AppState>, path: &str) -> Result<String, Problem> {
    if let Some("" | "/") = path.strip_prefix("/get/board") {
        let state = session(app).await?.state();
        Ok(format!("/get/board/{}", text::board(state.game().position().board())))
    } else if let Some("" | "/") = path.strip_prefix("/get/status") {
        let state = session(app).await?.state();
        Ok(format!("/get/status/{}", text::status(&state)))
    } else if let Some(source) = path.strip_prefix("/get/possible_moves/") {
        let state = session(app).await?.state();
        Ok(format!("/get/possible_moves/{}", possible_moves(&state, source)?))
    } else if let Some(text) = path.strip_prefix("/post/move/") {
        post_move(app, text).await?;
        Ok("/post/move/".to_owned())
    } else if let Some("" | "/") = path.strip_prefix(NEW) {
        begin(app).await?;
        Ok("/post/new/".to_owned())
    } else {
        Err(Problem::new(Kind::NotFound, "no such path"))
    }
}

/// Concatenated square names in upper case, from a1 to h8.
fn possible_moves(state: &ChessGameState, source: &str) -> Result<String, Problem> {
    let source = source.to_ascii_lowercase();
    let square: shakmaty::Square =
        source.parse().map_err(|_| Problem::unprocessable(format_args!("\"{source}\" is no square")))?;
    if state.is_over() {
        return Ok(String::new());
    }
    let mut squares = destinations(state.game()).remove(&square.to_string()).unwrap_or_default();
    squares.sort_unstable_by_key(|square| (square.get(1..2).map(str::to_owned), square.clone()));
    Ok(squares.concat().to_uppercase())
}

/// Reads `e2e4` or `E7E8N`; without a letter a pawn promotes to a queen.
async fn post_move(app: &Arc<AppState>, text: &str) -> Result<(), Problem> {
    let session = session(app).await?;
    let longest = app.config.bounds.plies;
    let text = text.to_ascii_lowercase();
    let is_move = matches!(text.len(), 4 | 5) && text.bytes().all(|c| c.is_ascii_alphanumeric());
    if !is_move {
        return Err(Problem::unprocessable("a move is two squares and, at promotion, a letter"));
    }
    session
        .update(app, move |state| {
            let text = if promotes(state, &text) { format!("{text}q") } else { text };
            state.play_human_move(&text, None, longest)
        })
        .await?;
    Ok(())
}

/// Whether two squares are the move of a pawn to its last rank.
fn promotes(state: &ChessGameState, text: &str) -> bool {
    let board = state.game().position().board();
    let from = text.get(..2).and_then(|from| from.parse::<shakmaty::Square>().ok());
    let is_pawn = from.and_then(|from| board.role_at(from)) == Some(Role::Pawn);
    is_pawn && text.len() == 4 && matches!(text.get(3..), Some("1" | "8"))
}

/// The shared game, created when it is first requested.
async fn session(app: &Arc<AppState>) -> Result<Arc<GameSession<ChessGameState>>, Problem> {
    let _one_at_a_time = app.legacy.lock().await;
    let known = app.store.setting(SETTING).await.map_err(Problem::internal)?;
    if let Some(id) = known.and_then(|id| id.parse::<Id>().ok()) {
        match app.sessions.find(app, id).await {
            Err(SessionError::NotFound(_)) => {}
            found => return Ok(found?),
        }
    }
    new_session(app).await
}

/// Replaces the shared game by a new one.
async fn begin(app: &Arc<AppState>) -> Result<(), Problem> {
    let _one_at_a_time = app.legacy.lock().await;
    new_session(app).await.map(|_| ())
}

async fn new_session(app: &Arc<AppState>) -> Result<Arc<GameSession<ChessGameState>>, Problem> {
    let setup = Setup {
        variant: Variant::Chess,
        start: START.to_owned(),
        white: Player::HUMAN,
        black: Player::HUMAN,
        clock: None,
        event: Some("seed 003".to_owned()),
    };
    let state = ChessGameState::new(Id::random(), setup, &[], app.config.bounds.plies)?;
    let session = app.sessions.open(app, state).await?;
    app.store.set(SETTING, session.id().to_string()).await.map_err(Problem::internal)?;
    Ok(session)
}
