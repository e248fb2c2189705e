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
//! A good reply begins with the path it answers. Every error is the empty string; its reason is in the log. It is a
//! plain board for two: nobody answers by itself.

mod words;

use std::sync::Arc;

use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{Request, State};
use axum::http::{Method, header};
use axum::response::{IntoResponse, Response};
use axum::{Router, routing};
use shakmaty::{Position, Role};

use crate::game::document::destinations;
use crate::game::play::Play;
use crate::game::setup::{START, Seat, Setup, Variant};
use crate::game::table::Table;
use crate::id::Id;
use crate::lab::Lab;
use crate::problem::{Kind, Problem};

/// Under which name the storage knows the game.
const SETTING: &str = "seed 003 game";
/// The path by which the game begins anew.
const NEW: &str = "/post/new";
/// A request is a path, and none is longer.
const LONGEST_FRAME: usize = 256;

/// The paths and the WebSocket.
pub fn router() -> Router<Arc<Lab>> {
    let answer = || routing::get(over_http).post(over_http);
    Router::new()
        .route("/get/{*rest}", answer())
        .route("/post/{*rest}", answer())
        .route("/ws/legacy", routing::any(over_websocket))
}

async fn over_http(State(lab): State<Arc<Lab>>, request: Request) -> Response {
    // The seed moves with GET, too. To throw the game away is ours, and no link or prefetch may do it.
    let path = request.uri().path();
    let reply = if request.method() != Method::POST && path.starts_with(NEW) {
        tracing::info!(
            path,
            reason = "the game begins anew with POST alone",
            "a request of the seed's protocol failed"
        );
        String::new()
    } else {
        reply(&lab, path).await
    };
    ([(header::CONTENT_TYPE, "text/plain; charset=utf-8")], reply).into_response()
}

async fn over_websocket(
    State(lab): State<Arc<Lab>>,
    upgrade: Result<WebSocketUpgrade, axum::extract::ws::rejection::WebSocketUpgradeRejection>,
) -> Result<Response, Problem> {
    let upgrade = upgrade.map_err(|rejection| {
        Problem::new(Kind::BadRequest, format!("this is a WebSocket: {}", rejection.body_text()))
    })?;
    let place = lab.stream()?;
    Ok(upgrade.max_message_size(LONGEST_FRAME).max_frame_size(LONGEST_FRAME).on_upgrade(
        move |mut socket| async move {
            tokio::select! {
                () = converse(&lab, &mut socket) => {}
                () = lab.closing() => {}
            }
            drop(place);
        },
    ))
}

/// A reply for every frame, until the other side goes away.
async fn converse(lab: &Arc<Lab>, socket: &mut WebSocket) {
    while let Some(Ok(message)) = socket.recv().await {
        let reply = match message {
            Message::Text(path) => reply(lab, path.as_str().trim_end_matches(['\r', '\n'])).await,
            Message::Binary(_) => String::new(),
            Message::Ping(_) | Message::Pong(_) => continue,
            Message::Close(_) => return,
        };
        if socket.send(Message::Text(reply.into())).await.is_err() {
            return;
        }
    }
}

/// The reply to a path; nothing when something is wrong.
async fn reply(lab: &Arc<Lab>, path: &str) -> String {
    match answer(lab, path).await {
        Ok(reply) => reply,
        Err(reason) => {
            let path: String = path.chars().take(80).collect();
            tracing::info!(path, reason = reason.detail(), "a request of the seed's protocol failed");
            String::new()
        }
    }
}

async fn answer(lab: &Arc<Lab>, path: &str) -> Result<String, Problem> {
    if let Some("" | "/") = path.strip_prefix("/get/board") {
        let play = table(lab).await?.play();
        Ok(format!("/get/board/{}", words::board(play.game.position().board())))
    } else if let Some("" | "/") = path.strip_prefix("/get/status") {
        let play = table(lab).await?.play();
        Ok(format!("/get/status/{}", words::status(&play)))
    } else if let Some(source) = path.strip_prefix("/get/possible_moves/") {
        let play = table(lab).await?.play();
        Ok(format!("/get/possible_moves/{}", possible_moves(&play, source)?))
    } else if let Some(text) = path.strip_prefix("/post/move/") {
        post_move(lab, text).await?;
        Ok("/post/move/".to_owned())
    } else if let Some("" | "/") = path.strip_prefix(NEW) {
        begin(lab).await?;
        Ok("/post/new/".to_owned())
    } else {
        Err(Problem::new(Kind::NotFound, "no such path"))
    }
}

/// Squares one after the other, in upper case, from a1 to h8.
fn possible_moves(play: &Play, source: &str) -> Result<String, Problem> {
    let source = source.to_ascii_lowercase();
    let square: shakmaty::Square =
        source.parse().map_err(|_| Problem::unprocessable(format_args!("\"{source}\" is no square")))?;
    if play.outcome.is_some() {
        return Ok(String::new());
    }
    let mut squares = destinations(&play.game).remove(&square.to_string()).unwrap_or_default();
    squares.sort_unstable_by_key(|square| (square.get(1..2).map(str::to_owned), square.clone()));
    Ok(squares.concat().to_uppercase())
}

/// `e2e4`, `E7E8N`; a pawn that reaches the end without a letter becomes a queen.
async fn post_move(lab: &Arc<Lab>, text: &str) -> Result<(), Problem> {
    let table = table(lab).await?;
    let longest = lab.config.bounds.plies;
    let text = text.to_ascii_lowercase();
    let is_move = matches!(text.len(), 4 | 5) && text.bytes().all(|c| c.is_ascii_alphanumeric());
    if !is_move {
        return Err(Problem::unprocessable("a move is two squares and, at promotion, a letter"));
    }
    table
        .change(lab, move |play| {
            let text = if promotes(play, &text) { format!("{text}q") } else { text };
            play.human_moves(&text, None, longest)
        })
        .await?;
    Ok(())
}

/// Whether two squares are the move of a pawn to its last rank.
fn promotes(play: &Play, text: &str) -> bool {
    let board = play.game.position().board();
    let from = text.get(..2).and_then(|from| from.parse::<shakmaty::Square>().ok());
    let is_pawn = from.and_then(|from| board.role_at(from)) == Some(Role::Pawn);
    is_pawn && text.len() == 4 && matches!(text.get(3..), Some("1" | "8"))
}

/// The one game, set up when it is first asked for.
async fn table(lab: &Arc<Lab>) -> Result<Arc<Table>, Problem> {
    let _one_at_a_time = lab.legacy.lock().await;
    let known = lab.store.setting(SETTING).await.map_err(Problem::internal)?;
    if let Some(id) = known.and_then(|id| id.parse::<Id>().ok()) {
        match lab.hall.find(lab, id).await {
            Err(problem) if problem.kind() == Kind::NotFound => {}
            found => return found,
        }
    }
    new_table(lab).await
}

/// Another game in place of the one that was.
async fn begin(lab: &Arc<Lab>) -> Result<(), Problem> {
    let _one_at_a_time = lab.legacy.lock().await;
    new_table(lab).await.map(|_| ())
}

async fn new_table(lab: &Arc<Lab>) -> Result<Arc<Table>, Problem> {
    let setup = Setup {
        variant: Variant::Chess,
        start: START.to_owned(),
        white: Seat::HUMAN,
        black: Seat::HUMAN,
        clock: None,
        event: Some("seed 003".to_owned()),
    };
    let play = Play::new(Id::random(), setup, &[], lab.config.bounds.plies)?;
    let table = lab.hall.open(lab, play).await?;
    lab.store.set(SETTING, table.id().to_string()).await.map_err(Problem::internal)?;
    Ok(table)
}
