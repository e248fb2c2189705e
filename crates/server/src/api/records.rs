//! Import and export of games: PGN and JSON replays.

use std::sync::Arc;

use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, header};
use axum::response::{IntoResponse, Response};
use tabia_games::{GameRecord, pgn, replay};

use super::responses::Problems;
use super::setup::created;
use crate::app_state::AppState;
use crate::caller::Caller;
use crate::chess::record;
use crate::documents::chess::GameDocument;
use crate::extract::{Path, body_problem};
use crate::id::Id;
use crate::problem::{Kind, Problem};

/// Media type of PGN.
pub(super) const PGN: &str = "application/x-chess-pgn";

/// Read a game as PGN.
///
/// With what its agents thought (`[%eval]`) and what was on the clocks (`[%clk]`).
#[utoipa::path(get, path = "/games/{id}/pgn", tag = "games", params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game", body = String, content_type = "application/x-chess-pgn"), Problems))]
pub async fn as_pgn(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<Response, Problem> {
    let state = app.sessions.find(&app, id).await?.state();
    let text = pgn::write(&record::of(&state)).map_err(Problem::internal)?;
    Ok(file(PGN, &format!("{id}.pgn"), text))
}

/// Read a game as a JSON replay.
///
/// In the form of seed 001.
#[utoipa::path(get, path = "/games/{id}/replay", tag = "games", params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game", body = Object, content_type = "application/json"), Problems))]
pub async fn as_replay(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<Response, Problem> {
    let state = app.sessions.find(&app, id).await?.state();
    Ok(file("application/json", &format!("{id}.json"), replay::write(&record::of(&state))))
}

/// A text as a file.
pub(super) fn file(kind: &'static str, name: &str, text: String) -> Response {
    let disposition = format!("inline; filename=\"{name}\"");
    let value = HeaderValue::from_str(&disposition).expect("an id is plain text");
    ([(header::CONTENT_TYPE, HeaderValue::from_static(kind)), (header::CONTENT_DISPOSITION, value)], text)
        .into_response()
}

/// Set up a game from a file.
///
/// A PGN of one game, or a JSON replay. People sit on both sides, under the names of the file: it can be looked
/// through, analysed and, if it is not over, played on.
#[utoipa::path(post, path = "/games/import", tag = "games",
    request_body(description = "PGN, or a JSON replay",
        content((String = "application/x-chess-pgn"), (serde_json::Value = "application/json"))),
    responses((status = 201, description = "The game", body = GameDocument,
        headers(("location" = String, description = "Where it is"))), Problems))]
pub async fn import(
    State(app): State<Arc<AppState>>,
    caller: Caller,
    headers: HeaderMap,
    body: Result<Bytes, axum::extract::rejection::BytesRejection>,
) -> Result<Response, Problem> {
    let body = body.map_err(|rejection| body_problem(&rejection, &app))?;
    let kind = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let read = match kind.split(';').next().unwrap_or_default().trim() {
        "application/json" => read_replay(&body)?,
        PGN | "application/vnd.chess-pgn" | "text/plain" => {
            read_pgn(&body)?.into_record().map_err(Problem::unprocessable)?
        }
        _ => {
            let detail = format!("a game is {PGN} or application/json: `Content-Type` says which");
            return Err(Problem::new(Kind::UnsupportedMediaType, detail));
        }
    };
    let state = record::play(caller.owner, &read, app.config.bounds.plies)?;
    let session = app.sessions.open(&app, state).await?;
    Ok(created(caller, &session.state()))
}

fn read_replay(body: &[u8]) -> Result<GameRecord, Problem> {
    let text = std::str::from_utf8(body).map_err(|_| Problem::unprocessable("a replay is UTF-8"))?;
    replay::read(text).map_err(Problem::unprocessable)
}

/// The only game of a PGN, with its variations and the errors in them.
pub(super) fn read_pgn(body: &[u8]) -> Result<pgn::ReadGame, Problem> {
    let mut games = pgn::Trees::new(body, "PGN");
    let first = games.next().ok_or_else(|| Problem::unprocessable("there is no game in this PGN"))?;
    let first = first.map_err(Problem::unprocessable)?;
    match games.next() {
        None => Ok(first),
        Some(_) => Err(Problem::unprocessable("there is more than one game in this PGN; send one at a time")),
    }
}
