//! Links for watchers: they show a game and give no right to move.
//!
//! A watcher's id is a separate random id that maps to the game. Nothing shown under it reveals the game's id.

use std::sync::Arc;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::sse::Event;
use axum::response::{Response, Sse};
use futures_util::Stream;
use serde::Serialize;
use tabia_games::pgn;
use utoipa::ToSchema;

use super::events::{Since, last_event_id, stream_as};
use super::records::{PGN, file};
use super::responses::Problems;
use crate::app_state::AppState;
use crate::chess::record;
use crate::chess::state::ChessGameState;
use crate::documents::chess::{EventDocument, GameDocument};
use crate::extract::{Json, Path, Query};
use crate::id::Id;
use crate::problem::{Kind, Problem};

/// The name under which a game can be watched.
#[derive(Debug, Serialize, ToSchema)]
pub struct WatchLink {
    /// For `/watch/{watch}`; whoever knows it can see the game, not play it.
    #[schema(value_type = String, pattern = "^[0-9a-f]{32}$")]
    pub watch: Id,
}

/// Get a link for watchers.
///
/// The same each time. It can be given to anybody: it shows the game and gives no right to move.
#[utoipa::path(post, path = "/games/{id}/watch", tag = "games",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The name for watchers", body = WatchLink), Problems))]
pub async fn share(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<Json<WatchLink>, Problem> {
    // Check first that the game exists.
    app.sessions.find(&app, id).await?;
    let watch = app.store.watch_link(id).await.map_err(Problem::internal)?;
    Ok(Json(WatchLink { watch }))
}

/// Look at a game as a watcher.
///
/// Its `id` is the watcher's.
#[utoipa::path(get, path = "/watch/{watch}", tag = "games",
    params(("watch" = String, Path, description = "The watcher's name of the game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game", body = GameDocument), Problems))]
pub async fn show(
    State(app): State<Arc<AppState>>,
    Path(watch): Path<Id>,
) -> Result<Json<GameDocument>, Problem> {
    let session = app.sessions.find(&app, watched(&app, watch).await?).await?;
    session.schedule_agent(&app);
    Ok(Json(GameDocument { id: watch, ..GameDocument::new(&session.state()) }))
}

/// Watch a game as it is played.
///
/// The events of `/games/{id}/events`.
#[utoipa::path(get, path = "/watch/{watch}/events", tag = "games",
    params(("watch" = String, Path, description = "The watcher's name of the game", pattern = "^[0-9a-f]{32}$"), Since,
        ("Last-Event-ID" = Option<u64>, Header, description = "The number of the last event that is known already")),
    responses((status = 200, description = "The stream", body = EventDocument,
        content_type = "text/event-stream"), Problems))]
pub async fn events(
    State(app): State<Arc<AppState>>,
    Path(watch): Path<Id>,
    Query(query): Query<Since>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, Problem> {
    let id = watched(&app, watch).await?;
    stream_as::<ChessGameState>(app, id, Some(watch), last_event_id(&headers).or(query.since)).await
}

/// Read a watched game as PGN.
#[utoipa::path(get, path = "/watch/{watch}/pgn", tag = "games",
    params(("watch" = String, Path, description = "The watcher's name of the game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game", body = String, content_type = "application/x-chess-pgn"), Problems))]
pub async fn as_pgn(State(app): State<Arc<AppState>>, Path(watch): Path<Id>) -> Result<Response, Problem> {
    let state = app.sessions.find(&app, watched(&app, watch).await?).await?.state();
    let text = pgn::write(&record::of(&state)).map_err(Problem::internal)?;
    Ok(file(PGN, &format!("{watch}.pgn"), text))
}

/// The game that belongs to a watcher's id.
async fn watched(app: &AppState, watch: Id) -> Result<Id, Problem> {
    let found = app.store.watched(watch).await.map_err(Problem::internal)?;
    found.ok_or_else(|| Problem::new(Kind::NotFound, format!("there is no game to watch at {watch}")))
}
