//! Analysis of a position as a stream: an agent searches, and every line it finds is sent as an event.

use std::sync::Arc;

use axum::extract::State;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::{Stream, stream};
use serde::{Deserialize, Serialize};
use tabia_core::{ChessGame, Limits, Stop};
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use utoipa::{IntoParams, ToSchema};

use super::analysis::position;
use super::responses::Problems;
use crate::agents::{self, Checked};
use crate::app_state::{AppState, RETRY};
use crate::budget::Reservation;
use crate::chess::setup::Variant;
use crate::extract::Query;
use crate::line::{EngineLine, san_moves};
use crate::problem::Problem;
use crate::sessions::player::ThinkLimits;

/// The default agent.
const ANALYST: &str = "engine";
/// The most lines at once.
const MAX_LINES: u32 = 10;
/// Capacity of the channel to the client; when it is full, the search waits.
const UNREAD: usize = 64;

/// The position and the limits.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LinesQuery {
    /// The position; without one, the start of a game.
    #[serde(default)]
    #[param(example = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")]
    pub fen: Option<String>,
    /// Which game; without it, Chess960 is recognised by its castling rights.
    #[serde(default)]
    #[param(inline)]
    pub variant: Option<Variant>,
    /// The agent; `engine` by default.
    #[serde(default)]
    #[param(example = "engine(eval=axon)")]
    pub agent: Option<String>,
    /// How many lines, 1 to 10; more than one needs an agent with the option `lines`.
    #[serde(default)]
    #[param(minimum = 1, maximum = 10, example = 3)]
    pub multipv: Option<u32>,
    /// Stop at this depth.
    #[serde(default)]
    #[param(minimum = 1, maximum = 120, example = 12)]
    pub depth: Option<u32>,
    /// Stop after this many nodes.
    #[serde(default)]
    #[param(minimum = 1)]
    pub nodes: Option<u64>,
    /// Stop after this many milliseconds.
    #[serde(default)]
    #[param(minimum = 1, example = 2000)]
    pub movetime_ms: Option<u64>,
}

/// The result of an analysis.
#[derive(Debug, Serialize, ToSchema)]
pub struct BestDocument {
    /// The best move, as UCI writes it.
    pub uci: String,
    /// The best move in standard notation.
    pub san: String,
}

/// Why an analysis ended without a move.
#[derive(Debug, Serialize, ToSchema)]
pub struct FailedDocument {
    /// Why.
    pub detail: String,
}

/// Messages from the search thread to the stream.
enum SseResult {
    Line(Box<EngineLine>),
    Best(BestDocument),
    Failed(FailedDocument),
}

/// Stream the lines that an agent finds.
///
/// Server-Sent Events: `line` for every line found, then `best`, or `failed`. Closing the stream stops the search;
/// without a limit it stops at the server's limit (a minute).
#[utoipa::path(get, path = "/analysis/lines", tag = "analysis", params(LinesQuery),
    responses((status = 200, description = "The stream; `data` is JSON: `line` has a EngineLine, `best` a \
        BestDocument, `failed` a FailedDocument", body = EngineLine, content_type = "text/event-stream"), Problems))]
pub async fn lines(
    State(app): State<Arc<AppState>>,
    Query(query): Query<LinesQuery>,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, Problem> {
    let game = position(query.fen.as_deref(), query.variant)?;
    if let Some(outcome) = game.outcome() {
        return Err(Problem::unprocessable(format_args!("the game is over in this position: {outcome}")));
    }
    let (checked, limits) = analyst(&app, &query)?;
    let place = app.stream()?;
    if app.analysis_pool.is_full() {
        return Err(Problem::busy("as many positions are being analysed as this server can", RETRY));
    }
    let reservation = app.reserve(agents::demand(&checked, &app.config.confinement)).await?;
    let stop = Stop::new();
    let (sender, told) = mpsc::channel(UNREAD);
    tokio::spawn(analyse(app.clone(), checked, limits, game, stop.clone(), sender, reservation));
    let stream =
        Listener { told, _stops: StopsWhenDropped(stop), _place: place, closing: Box::pin(app.closing()) };
    Ok(Sse::new(stream.stream()).keep_alive(KeepAlive::default()))
}

fn analyst(app: &AppState, query: &LinesQuery) -> Result<(Checked, Limits), Problem> {
    let asked =
        ThinkLimits { movetime_ms: query.movetime_ms, depth: query.depth, nodes: query.nodes, elo: None };
    let text = query.agent.as_deref().unwrap_or(ANALYST);
    let mut checked = agents::check_with_limits(&app.catalogue, &app.config, text, &asked)?;
    match query.multipv {
        None | Some(1) => {}
        Some(lines @ 2..=MAX_LINES) => {
            checked =
                agents::check(&app.catalogue, &app.config, &checked.spec.with("lines", lines).to_string())?;
        }
        Some(lines) => {
            return Err(Problem::unprocessable(format_args!(
                "multipv is {lines}; it takes 1 to {MAX_LINES}"
            )));
        }
    }
    let longest = app.config.bounds.think_time;
    let mut limits = asked.limits();
    limits.movetime = Some(limits.movetime.map_or(longest, |time| time.min(longest)));
    Ok((checked, limits))
}

async fn analyse(
    app: Arc<AppState>,
    checked: Checked,
    limits: Limits,
    game: ChessGame,
    stop: Stop,
    sender: mpsc::Sender<SseResult>,
    reservation: Reservation,
) {
    let thread_app = app.clone();
    let thread_sender = sender.clone();
    let work = move || {
        let (app, sender, _reservation) = (thread_app, thread_sender, reservation);
        if stop.is_stopped() {
            return;
        }
        let folder = app.config.allowed_programs.as_deref();
        let chosen =
            app.catalogue.build(&agents::with_paths(checked.spec, folder)).map_err(|error| error.to_string());
        let chosen = chosen.and_then(|mut agent| {
            let mut report = |info: &tabia_core::SearchInfo<shakmaty::Move>| {
                let line = SseResult::Line(Box::new(EngineLine::new(&game, info)));
                if sender.blocking_send(line).is_err() {
                    // The client has disconnected.
                    stop.stop();
                }
            };
            agent.choose(&game, &limits, &stop, &mut report).map_err(|error| error.to_string())
        });
        let last = match chosen {
            Ok(m) => SseResult::Best(BestDocument {
                uci: game.write_move(m),
                san: san_moves(game.position(), &[m]).concat(),
            }),
            Err(detail) => SseResult::Failed(FailedDocument { detail }),
        };
        // The client may have disconnected.
        let _ = sender.blocking_send(last);
    };
    if let Err(error) = app.analysis_pool.run(work, || {}).await {
        let _ = sender.send(SseResult::Failed(FailedDocument { detail: error.to_string() })).await;
    }
}

/// Stops a search when the request is dropped.
pub(super) struct StopsWhenDropped(pub(super) Stop);

impl Drop for StopsWhenDropped {
    fn drop(&mut self) {
        self.0.stop();
    }
}

/// One event stream of an analysis; dropping it stops the search.
struct Listener {
    told: mpsc::Receiver<SseResult>,
    closing: std::pin::Pin<Box<dyn Future<Output = ()> + Send>>,
    _stops: StopsWhenDropped,
    _place: OwnedSemaphorePermit,
}

impl Listener {
    fn stream(self) -> impl Stream<Item = Result<Event, axum::Error>> {
        stream::unfold(self, |mut listener| async move {
            let told = tokio::select! {
                told = listener.told.recv() => told?,
                () = &mut listener.closing => return None,
            };
            let event = match told {
                SseResult::Line(line) => Event::default().event("line").json_data(line),
                SseResult::Best(best) => Event::default().event("best").json_data(best),
                SseResult::Failed(failed) => Event::default().event("failed").json_data(failed),
            };
            Some((event, listener))
        })
    }
}
