//! Quantum chess: set up, read, play and watch games, and describe any state.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::Stream;
use serde::{Deserialize, Serialize};
use tabia_games::replay;
use tabia_quantum::{QuantumGame, Rules};
use utoipa::{IntoParams, ToSchema};

use super::events::{Since, SseResult, last_event_id, stream};
use super::moves::{DrawRequest, MoveNow, Resignation};
use super::responses::Problems;
use super::setup::{HUMAN, player};
use crate::app_state::{AppState, RETRY};
use crate::caller::Caller;
use crate::documents::quantum::{QuantumEvent, QuantumGameDocument, QuantumPosition, QuantumSummary};
use crate::extract::{Json, OptionalJson, Path, Query};
use crate::id::Id;
use crate::problem::Problem;
use crate::quantum::error::QuantumError;
use crate::quantum::state::{QuantumGameState, QuantumSetup};
use crate::sessions::kind::GameKind;
use crate::sessions::player::ThinkLimits;

/// Games in a list.
const LISTED: u32 = 100;
/// The default opponent of a person.
const OPPONENT: &str = "mcts";
/// Plies that a game may be given at its start.
const MAX_PLIES: usize = 512;

/// A game of quantum chess to be set up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewQuantumGame {
    /// Who has White: `human` or an agent spec.
    #[serde(default)]
    #[schema(default = "human", example = "human")]
    pub white: Option<String>,
    /// Who has Black: `human` or an agent spec.
    #[serde(default)]
    #[schema(default = "mcts", example = "mcts(simulations=200)")]
    pub black: Option<String>,
    /// How long White's agent thinks.
    #[serde(default)]
    pub white_limits: Option<ThinkLimits>,
    /// How long Black's agent thinks.
    #[serde(default)]
    pub black_limits: Option<ThinkLimits>,
    /// The position to start from, as text; without one, the usual start.
    #[serde(default)]
    #[schema(example = "7k/8/5n2/8/8/8/8/3Q3K b - - 0 1")]
    pub position: Option<String>,
    /// Plies already played, with what they measured.
    #[serde(default)]
    #[schema(example = json!(["f6~d5", "d1d5-"]))]
    pub moves: Vec<String>,
    /// Seed of the measurements; a random one by default.
    #[serde(default)]
    #[schema(example = 7)]
    pub seed: Option<u64>,
    /// Whether moves can be taken back. By default only if people play both sides.
    #[serde(default)]
    pub takebacks: Option<bool>,
}

/// A move to be played.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewQuantumMove {
    /// `b1c3`, `b1~c3` to split, `e7e8n`. Results of measurements are drawn by the server.
    #[serde(rename = "move")]
    #[schema(example = "b1~c3")]
    pub text: String,
    /// The ply at which it is meant to be played: refused when the game is elsewhere.
    #[serde(default)]
    #[schema(example = 0)]
    pub ply: Option<usize>,
}

/// A list of games of quantum chess.
#[derive(Debug, Serialize, ToSchema)]
pub struct QuantumGameList {
    /// Latest first.
    pub games: Vec<QuantumSummary>,
}

/// A state, as text.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PositionQuery {
    /// A FEN, or `turn clock number: weight*board castling en-passant + …`; without one, the usual start.
    #[serde(default)]
    pub position: Option<String>,
}

/// Set up a game of quantum chess.
///
/// An agent with White begins to think at once. The cookie that comes with the answer lets `GET /quantum/games` list it.
#[utoipa::path(post, path = "/quantum/games", tag = "quantum", request_body = NewQuantumGame,
    responses((status = 201, description = "The game", body = QuantumGameDocument,
        headers(("location" = String, description = "Where it is"))), Problems))]
pub async fn create(
    State(app): State<Arc<AppState>>,
    caller: Caller,
    Json(new): Json<NewQuantumGame>,
) -> Result<Response, Problem> {
    if new.moves.len() > MAX_PLIES {
        return Err(Problem::unprocessable(format_args!("a game has at most {MAX_PLIES} plies")));
    }
    let state = QuantumGameState::new(caller.owner, setup(&app, &new)?, &new.moves)?;
    let session = app.quantum.sessions.open(&app, state).await?;
    Ok(created(caller, &session.state()))
}

/// A game that was set up, and where it is.
fn created(caller: Caller, state: &QuantumGameState) -> Response {
    let mut response = (StatusCode::CREATED, Json(QuantumGameDocument::new(state))).into_response();
    let location = format!("{}/quantum/games/{}", super::PREFIX, state.id);
    let value = HeaderValue::from_str(&location).expect("an id is plain text");
    response.headers_mut().insert(header::LOCATION, value);
    caller.set_cookie(response.headers_mut());
    response
}

/// Set up a game of quantum chess from a JSON replay.
///
/// As `quantum play`, `quantum match` and `quantum games` write them, and `GET /quantum/games/{id}/replay`. People sit on both sides,
/// under the names of the file: it can be looked through and, if it is not over, played on. A record that cannot have been played is
/// refused with the ply.
#[utoipa::path(post, path = "/quantum/games/import", tag = "quantum", request_body(content = Object, description = "A JSON replay"),
    responses((status = 201, description = "The game", body = QuantumGameDocument,
        headers(("location" = String, description = "Where it is"))), Problems))]
pub async fn import(
    State(app): State<Arc<AppState>>,
    caller: Caller,
    Json(record): Json<serde_json::Value>,
) -> Result<Response, Problem> {
    let record = replay::read(&record.to_string()).map_err(Problem::unprocessable)?;
    if record.plies.len() > MAX_PLIES {
        return Err(Problem::unprocessable(format_args!("a game has at most {MAX_PLIES} plies")));
    }
    let state = QuantumGameState::imported(caller.owner, &record)?;
    let session = app.quantum.sessions.open(&app, state).await?;
    Ok(created(caller, &session.state()))
}

fn setup(app: &AppState, new: &NewQuantumGame) -> Result<QuantumSetup, Problem> {
    let side = |text: Option<&str>, usual, limits| {
        player(&app.quantum.catalogue, &app.config, text.unwrap_or(usual), limits)
    };
    let white = side(new.white.as_deref(), HUMAN, new.white_limits)?;
    let black = side(new.black.as_deref(), OPPONENT, new.black_limits)?;
    let takebacks = new.takebacks.unwrap_or(white.is_human() && black.is_human());
    let start = read(new.position.as_deref())?.to_string();
    let seed = new.seed.unwrap_or_else(rand::random);
    Ok(QuantumSetup { start, white, black, seed, takebacks, rules: Rules::default().number() })
}

/// Reads a state; no text is the usual start.
pub(super) fn read(text: Option<&str>) -> Result<QuantumGame, Problem> {
    match text.map(str::trim) {
        None | Some("" | "startpos") => Ok(QuantumGame::default()),
        Some(text) => text.parse().map_err(|error| QuantumError::Position(error).into()),
    }
}

/// List the client's games of quantum chess.
#[utoipa::path(get, path = "/quantum/games", tag = "quantum",
    responses((status = 200, description = "The games of the same cookie", body = QuantumGameList), Problems))]
pub async fn list(
    State(app): State<Arc<AppState>>,
    caller: Caller,
) -> Result<Json<QuantumGameList>, Problem> {
    let games = app.store.list_quantum(caller.owner, LISTED).await.map_err(Problem::internal)?;
    Ok(Json(QuantumGameList { games }))
}

/// Get a game of quantum chess.
#[utoipa::path(get, path = "/quantum/games/{id}", tag = "quantum",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game", body = QuantumGameDocument), Problems))]
pub async fn show(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
) -> Result<Json<QuantumGameDocument>, Problem> {
    let session = app.quantum.sessions.find(&app, id).await?;
    session.schedule_agent(&app);
    Ok(Json(QuantumGameDocument::new(&session.state())))
}

/// Delete a game of quantum chess.
#[utoipa::path(delete, path = "/quantum/games/{id}", tag = "quantum",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 204, description = "It is gone"), Problems))]
pub async fn delete(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<StatusCode, Problem> {
    app.quantum.sessions.delete(&app, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Get an earlier state of a game.
#[utoipa::path(get, path = "/quantum/games/{id}/positions/{ply}", tag = "quantum",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"),
        ("ply" = usize, Path, description = "After so many half-moves")),
    responses((status = 200, description = "The state, with what was legal in it", body = QuantumPosition), Problems))]
pub async fn position(
    State(app): State<Arc<AppState>>,
    Path((id, ply)): Path<(Id, usize)>,
) -> Result<Json<QuantumPosition>, Problem> {
    let state = app.quantum.sessions.find(&app, id).await?.state();
    Ok(Json(QuantumPosition::new(&state.at(ply)?, None)))
}

/// Describe any state.
///
/// Errors name the branch they are in.
#[utoipa::path(get, path = "/quantum/position", tag = "quantum", params(PositionQuery),
    responses((status = 200, description = "The state", body = QuantumPosition), Problems))]
pub async fn look(Query(query): Query<PositionQuery>) -> Result<Json<QuantumPosition>, Problem> {
    Ok(Json(QuantumPosition::new(&read(query.position.as_deref())?, None)))
}

/// Play a move of quantum chess.
///
/// The answer is the game after this move and all that it measured; the agent's reply comes as an event.
#[utoipa::path(post, path = "/quantum/games/{id}/moves", tag = "quantum", request_body = NewQuantumMove,
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game after the move", body = QuantumGameDocument), Problems))]
pub async fn play(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    Json(new): Json<NewQuantumMove>,
) -> Result<Json<QuantumGameDocument>, Problem> {
    let session = app.quantum.sessions.find(&app, id).await?;
    let setup = &session.state().setup;
    if app.engine_pool.is_full() && !(setup.white.is_human() && setup.black.is_human()) {
        return Err(Problem::busy("all engines are thinking, and many wait for their turn", RETRY));
    }
    let ((), after) = session.update(&app, move |state| state.play_human_move(&new.text, new.ply)).await?;
    metrics::counter!("tabia_moves", "by" => "human").increment(1);
    Ok(Json(QuantumGameDocument::new(&after)))
}

/// Take back a move of quantum chess.
///
/// The person's last move, and the agent's reply to it if there was one. Repeated measurements may have other
/// results.
#[utoipa::path(post, path = "/quantum/games/{id}/undo", tag = "quantum",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game as it was before", body = QuantumGameDocument), Problems))]
pub async fn undo(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
) -> Result<Json<QuantumGameDocument>, Problem> {
    let session = app.quantum.sessions.find(&app, id).await?;
    let (_, after) = session.update(&app, QuantumGameState::undo).await?;
    Ok(Json(QuantumGameDocument::new(&after)))
}

/// Resign a game of quantum chess.
#[utoipa::path(post, path = "/quantum/games/{id}/resign", tag = "quantum", request_body = Option<Resignation>,
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game, over", body = QuantumGameDocument), Problems))]
pub async fn resign(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    OptionalJson(resignation): OptionalJson<Resignation>,
) -> Result<Json<QuantumGameDocument>, Problem> {
    let session = app.quantum.sessions.find(&app, id).await?;
    let ((), after) = session.update(&app, move |state| state.resign(resignation.side())).await?;
    Ok(Json(QuantumGameDocument::new(&after)))
}

/// Offer a draw in a game of quantum chess, or answer an offer.
#[utoipa::path(post, path = "/quantum/games/{id}/draw", tag = "quantum", request_body = Option<DrawRequest>,
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game, drawn or not", body = QuantumGameDocument), Problems))]
pub async fn draw(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    OptionalJson(request): OptionalJson<DrawRequest>,
) -> Result<Json<QuantumGameDocument>, Problem> {
    let session = app.quantum.sessions.find(&app, id).await?;
    let ((), after) = session.update(&app, move |state| request.apply(state)).await?;
    Ok(Json(QuantumGameDocument::new(&after)))
}

/// Let the agent of a game of quantum chess move now.
#[utoipa::path(post, path = "/quantum/games/{id}/move-now", tag = "quantum",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 202, description = "It was told", body = MoveNow), Problems))]
pub async fn move_now(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<Response, Problem> {
    let session = app.quantum.sessions.find(&app, id).await?;
    let was_thinking = session.move_now();
    Ok((StatusCode::ACCEPTED, Json(MoveNow { was_thinking })).into_response())
}

/// Watch a game of quantum chess.
///
/// Server-Sent Events, as for a game of chess: `state` with the whole game, unless `Last-Event-ID` or `since` is
/// given; then `created`, `moved`, `undone`, `draw_offered`, `draw_declined` and `ended` with their numbers, and
/// `thinking` without one. Events do not contain the branches; get them from the game.
#[utoipa::path(get, path = "/quantum/games/{id}/events", tag = "quantum",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"), Since,
        ("Last-Event-ID" = Option<u64>, Header, description = "The number of the last event that is known already")),
    responses((status = 200, description = "The stream; `state` has a QuantumGameDocument, `thinking` a QuantumLine, all others \
        a QuantumEvent", body = QuantumEvent, content_type = "text/event-stream"), Problems))]
pub async fn watch(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    Query(query): Query<Since>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = SseResult>>, Problem> {
    stream::<QuantumGameState>(app, id, last_event_id(&headers).or(query.since)).await
}

/// Read a game of quantum chess as a JSON replay.
///
/// With its seed, and what every measurement showed.
#[utoipa::path(get, path = "/quantum/games/{id}/replay", tag = "quantum",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game", body = Object, content_type = "application/json"), Problems))]
pub async fn as_replay(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<Response, Problem> {
    let state = app.quantum.sessions.find(&app, id).await?.state();
    Ok(super::records::file("application/json", &format!("{id}.json"), replay::write(&state.record())))
}
