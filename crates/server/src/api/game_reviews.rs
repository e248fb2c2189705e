//! Jobs that review whole games with the coach: start, watch, cancel.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::sse::{Event, KeepAlive};
use axum::response::{IntoResponse, Response, Sse};
use futures_util::Stream;
use serde::Deserialize;
use tabia_arena::analysis;
use tabia_core::{ChessGame, Game};
use tabia_games::{GameRecord, GameTree, pgn};
use tokio::sync::{OwnedSemaphorePermit, watch};
use utoipa::{IntoParams, ToSchema};

use super::analysis::position;
use super::events::{KEEP_ALIVE, last_event_id};
use super::records::{PGN, file, read_pgn};
use super::responses::Problems;
use super::review::{LanguageQuery, analyst, nodes};
use crate::app_state::AppState;
use crate::chess::setup::Variant;
use crate::extract::{Json, Path, Query};
use crate::id::Id;
use crate::problem::{Kind, Problem};
use crate::reviews::document::{Exercises, JobDocument};
use crate::reviews::job::{Job, JobEvent};
use crate::reviews::request::Request;
use crate::reviews::work;
use crate::sessions::side::Side;

/// Default nodes per position.
const NODES: u64 = 200_000;
/// Most nodes per position.
const MAX_NODES: u64 = 2_000_000;

/// A game to be reviewed: as `pgn`, or as `moves`.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct GameReviewRequest {
    /// A PGN of one game; its variations and comments are kept in the annotated game.
    #[serde(default)]
    #[schema(example = "1. e4 e5 2. Nf3 f6 3. Nxe5 fxe5 4. Qh5+ *")]
    pub pgn: Option<String>,
    /// The moves, in UCI or standard notation.
    #[serde(default)]
    #[schema(example = json!(null))]
    pub moves: Option<Vec<String>>,
    /// The position that `moves` start from; without one, the start of a game.
    #[serde(default)]
    pub fen: Option<String>,
    /// Which game `moves` are of; without it, Chess960 is recognised by its castling rights.
    #[serde(default)]
    pub variant: Option<Variant>,
    /// Nodes for each position; 200000 without it.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 2_000_000)]
    pub nodes: Option<u64>,
    /// The agent that analyses; `engine` by default.
    #[serde(default)]
    #[schema(example = "engine")]
    pub agent: Option<String>,
    /// Whether to make exercises of the mistakes, which takes a few more searches for each.
    #[serde(default)]
    pub exercises: bool,
}

/// Where the stream starts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct HeardQuery {
    /// The number of the last event that is known already. Without it, and without `Last-Event-ID`, the stream begins
    /// with the first event.
    #[serde(default)]
    pub since: Option<u64>,
}

/// Which exercises.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ExercisesQuery {
    /// Only this player's.
    #[serde(default)]
    #[param(inline)]
    pub player: Option<Side>,
}

/// Review a game.
///
/// Starts a job. It continues without the client, and reports its progress as events. It is bounded by nodes, so that
/// the same game gets the same marks.
#[utoipa::path(post, path = "/analysis/games", tag = "analysis", params(LanguageQuery),
    request_body = GameReviewRequest,
    responses((status = 201, description = "The job", body = JobDocument,
        headers(("location" = String, description = "Where it is"))), Problems))]
pub async fn start(
    State(app): State<Arc<AppState>>,
    Query(LanguageQuery { language }): Query<LanguageQuery>,
    Json(request): Json<GameReviewRequest>,
) -> Result<Response, Problem> {
    let read = match (&request.pgn, &request.moves) {
        (Some(_), Some(_)) => {
            return Err(Problem::unprocessable("give the game as `pgn` or as `moves`, not both"));
        }
        (Some(_), None) if request.fen.is_some() || request.variant.is_some() => {
            return Err(Problem::unprocessable(
                "`fen` and `variant` go with `moves`; a PGN has tags for them",
            ));
        }
        (Some(text), None) => read_pgn(text.as_bytes())?,
        (None, Some(moves)) => {
            let tree = of_moves(position(request.fen.as_deref(), request.variant)?, moves)?;
            pgn::ReadGame { tree, faults: Vec::new() }
        }
        (None, None) => return Err(Problem::unprocessable("give the game as `pgn` or as `moves`")),
    };
    let pgn::ReadGame { tree, faults } = read;
    let record = tree.record();
    let (plies, max) = (record.plies.len(), app.config.bounds.plies);
    if plies == 0 || plies > max {
        return Err(Problem::unprocessable(format_args!(
            "the game has {plies} half-moves; from 1 to {max} are reviewed"
        )));
    }
    let start = record.opening_position().map_err(Problem::unprocessable)?;
    record.moves().map_err(Problem::unprocessable)?;
    let job = work::start(
        &app,
        Request {
            start,
            record,
            tree,
            faults: faults.iter().map(ToString::to_string).collect(),
            agent: analyst(&app, request.agent.as_deref())?,
            nodes: nodes(request.nodes, NODES, MAX_NODES)?,
            exercises: request.exercises,
            language,
        },
    )?;
    let location = format!("{}/analysis/games/{}", super::PREFIX, job.id);
    let value = HeaderValue::from_str(&location).expect("an id is plain text");
    Ok((StatusCode::CREATED, [(header::LOCATION, value)], Json(job.document())).into_response())
}

fn of_moves(mut game: ChessGame, moves: &[String]) -> Result<GameTree, Problem> {
    for (index, text) in moves.iter().enumerate() {
        let m = game
            .read_move(text)
            .map_err(|error| Problem::unprocessable(format_args!("half-move {}: {error}", index + 1)))?;
        game.apply(m);
    }
    let record = GameRecord { outcome: game.outcome(), ..GameRecord::of_game(&game) };
    GameTree::of_record(&record).map_err(Problem::unprocessable)
}

/// Get the progress of a review.
#[utoipa::path(get, path = "/analysis/games/{id}", tag = "analysis",
    params(("id" = String, Path, description = "The job", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The job", body = JobDocument), Problems))]
pub async fn show(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
) -> Result<Json<JobDocument>, Problem> {
    Ok(Json(app.reviews.find(id)?.document()))
}

/// Cancel the review of a game; what was done is kept.
#[utoipa::path(post, path = "/analysis/games/{id}/cancel", tag = "analysis",
    params(("id" = String, Path, description = "The job", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The job", body = JobDocument), Problems))]
pub async fn cancel(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
) -> Result<Json<JobDocument>, Problem> {
    let job = app.reviews.find(id)?;
    job.cancel();
    Ok(Json(job.document()))
}

/// Cancel the review of a game, and delete it.
#[utoipa::path(delete, path = "/analysis/games/{id}", tag = "analysis",
    params(("id" = String, Path, description = "The job", pattern = "^[0-9a-f]{32}$")),
    responses((status = 204, description = "It is gone"), Problems))]
pub async fn delete(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<StatusCode, Problem> {
    app.reviews.remove(id)?;
    Ok(StatusCode::NO_CONTENT)
}

/// Read the annotated game as PGN.
///
/// With the variations and comments that were there, and as far as the review is with scores, marks, the coach's texts,
/// arrows and better lines.
#[utoipa::path(get, path = "/analysis/games/{id}/pgn", tag = "analysis",
    params(("id" = String, Path, description = "The job", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game", body = String, content_type = "application/x-chess-pgn"), Problems))]
pub async fn as_pgn(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<Response, Problem> {
    let job = app.reviews.find(id)?;
    let (request, reviewed) = (&job.request, job.so_far());
    let annotator = format!("tabia {}", request.agent.spec);
    let annotated = analysis::annotate(&request.tree, &reviewed, &annotator, request.language);
    let text = pgn::write_tree(&annotated);
    Ok(file(PGN, &format!("{id}.pgn"), text))
}

/// Get the exercises of a reviewed game, as far as they are.
///
/// An exercise is the position of a mistake. Every move solves it that is within three points of winning chances of the
/// best one.
#[utoipa::path(get, path = "/analysis/games/{id}/exercises", tag = "analysis",
    params(("id" = String, Path, description = "The job", pattern = "^[0-9a-f]{32}$"), ExercisesQuery),
    responses((status = 200, description = "The exercises", body = Exercises), Problems))]
pub async fn exercises(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    Query(query): Query<ExercisesQuery>,
) -> Result<Json<Exercises>, Problem> {
    let job = app.reviews.find(id)?;
    if !job.request.exercises {
        let detail = "this review was started without exercises: start one with \"exercises\": true";
        return Err(Problem::new(Kind::Conflict, detail));
    }
    Ok(Json(Exercises { exercises: job.exercises(query.player.map(Into::into)) }))
}

/// Watch the review of a game.
///
/// Server-Sent Events, each with its number, from the first one or from what is known: `position` after each search,
/// `move` when a move is judged, `review` after a marked one, `exercise` where they were asked for, and at the end `done`,
/// `cancelled` or `failed`.
#[utoipa::path(get, path = "/analysis/games/{id}/events", tag = "analysis",
    params(("id" = String, Path, description = "The job", pattern = "^[0-9a-f]{32}$"), HeardQuery,
        ("Last-Event-ID" = Option<u64>, Header, description = "The number of the last event that is known already")),
    responses((status = 200, description = "The stream; `data` is JSON: `position` has Positions, `move` an AnalysedMove, \
        `review` a ReviewedMove, `exercise` an ExerciseDocument, `done` and `cancelled` a Summary, `failed` a FailedDocument",
        body = tabia_arena::analysis::document::AnalysedMove, content_type = "text/event-stream"), Problems))]
pub async fn watch(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    Query(query): Query<HeardQuery>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, Problem> {
    let place = app.stream()?;
    let job = app.reviews.find(id)?;
    let listener = Listener {
        version: job.watch(),
        job,
        heard: last_event_id(&headers).or(query.since).unwrap_or(0),
        ready: VecDeque::new(),
        closing: Box::pin(app.closing()),
        _place: place,
    };
    Ok(Sse::new(listener.stream()).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// One event stream of a job.
struct Listener {
    job: Arc<Job>,
    version: watch::Receiver<u64>,
    heard: u64,
    ready: VecDeque<Arc<JobEvent>>,
    closing: Pin<Box<dyn Future<Output = ()> + Send>>,
    _place: OwnedSemaphorePermit,
}

impl Listener {
    fn stream(self) -> impl Stream<Item = Result<Event, axum::Error>> {
        futures_util::stream::unfold(self, |mut listener| async move {
            loop {
                if let Some(told) = listener.ready.pop_front() {
                    listener.heard += 1;
                    let event =
                        Event::default().event(told.name).id(listener.heard.to_string()).data(&told.data);
                    return Some((Ok(event), listener));
                }
                listener.version.borrow_and_update();
                let (events, more) = listener.job.events_after(listener.heard);
                if !events.is_empty() {
                    listener.ready = events.into();
                    continue;
                }
                if !more {
                    return None;
                }
                tokio::select! {
                    () = &mut listener.closing => return None,
                    changed = listener.version.changed() => changed.ok()?,
                }
            }
        })
    }
}
