//! A game as Server-Sent Events. They are numbered, so that a client that reconnects gets what it missed.

use std::collections::VecDeque;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::Sse;
use axum::response::sse::{Event, KeepAlive};
use futures_util::Stream;
use serde::{Deserialize, Serialize};
use tabia_core::SearchInfo;
use tokio::sync::{OwnedSemaphorePermit, watch};
use utoipa::{IntoParams, ToSchema};

use super::responses::Problems;
use crate::app_state::AppState;
use crate::chess::state::ChessGameState;
use crate::documents::chess::{EventDocument, GameDocument};
use crate::documents::players::EventKindDocument;
use crate::documents::quantum::{QuantumEvent, QuantumGameDocument, QuantumLine};
use crate::extract::{Path, Query};
use crate::id::Id;
use crate::line::EngineLine;
use crate::problem::Problem;
use crate::quantum::state::QuantumGameState;
use crate::served_game::ServedGame;
use crate::sessions::journal::GameEvent;
use crate::sessions::kind::{ActionOf, GameKind};
use crate::sessions::session::{GameSession, LiveSearchInfo, WatchGuard};
use crate::sessions::side::Side;

/// Interval of the comments that keep an idle connection open.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// The header that a reconnecting client sends.
const LAST_EVENT_ID: &str = "last-event-id";

/// An event of a stream.
pub type SseResult = Result<Event, axum::Error>;

/// How a kind of game is encoded in a stream.
pub trait Streamed: ServedGame {
    /// The whole game.
    fn state_document(&self) -> impl Serialize;

    fn event_document(event: &GameEvent<Self::Ply, Self::Snapshot>) -> impl Serialize;

    /// Search information of the agent to move.
    fn search_info_document(&self, search_info: &SearchInfo<ActionOf<Self>>) -> impl Serialize;
}

impl Streamed for ChessGameState {
    fn state_document(&self) -> impl Serialize {
        GameDocument::new(self)
    }

    fn event_document(event: &GameEvent<Self::Ply, Self::Snapshot>) -> impl Serialize {
        EventDocument::from(event)
    }

    fn search_info_document(&self, search_info: &SearchInfo<ActionOf<Self>>) -> impl Serialize {
        ThinkingDocument {
            ply: self.moves.len(),
            side: self.game().side_to_move().into(),
            line: EngineLine::new(self.game(), search_info),
        }
    }
}

impl Streamed for QuantumGameState {
    fn state_document(&self) -> impl Serialize {
        QuantumGameDocument::new(self)
    }

    fn event_document(event: &GameEvent<Self::Ply, Self::Snapshot>) -> impl Serialize {
        QuantumEvent::from(event)
    }

    fn search_info_document(&self, search_info: &SearchInfo<ActionOf<Self>>) -> impl Serialize {
        QuantumLine::new(self.game(), search_info)
    }
}

/// Events after version `heard`, or the whole game if some of them are no longer kept.
fn news<K: Streamed>(state: &K, heard: Option<u64>) -> Vec<SseResult> {
    let journal = state.journal();
    match heard.and_then(|heard| journal.since(heard)) {
        Some(events) => events
            .map(|event| {
                let name = EventKindDocument::from(event.kind).name();
                numbered(name, event.version, &K::event_document(event))
            })
            .collect(),
        None => vec![numbered("state", journal.version, &state.state_document())],
    }
}

/// The agent's current line, if it is about the current position.
fn thinking<K: Streamed>(state: &K, live: &LiveSearchInfo<K>) -> Option<SseResult> {
    (live.position_version == state.position_version() && !state.is_over())
        .then(|| Event::default().event("thinking").json_data(state.search_info_document(&live.search_info)))
}

/// Where the stream starts.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Since {
    /// The number of the last event that the client has. Without it, and without `Last-Event-ID`, the stream starts
    /// with the whole game.
    #[serde(default)]
    pub since: Option<u64>,
}

/// Search information of an agent that is thinking; not numbered, and not repeated.
#[derive(Serialize, ToSchema)]
pub struct ThinkingDocument {
    /// The ply it thinks about: this many half-moves have been played.
    pub ply: usize,
    /// The side of the agent.
    pub side: Side,
    /// Its line.
    pub line: EngineLine,
}

/// Watch a game.
///
/// Server-Sent Events. First `state` with the whole game, unless `Last-Event-ID` or `since` is given; then `created`,
/// `moved`, `undone`, `draw_offered`, `draw_declined` and `ended`, each with its number as id; in between `thinking`,
/// without a number, while an agent thinks. A client that missed too many events gets `state` again.
#[utoipa::path(get, path = "/games/{id}/events", tag = "games",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"), Since,
        ("Last-Event-ID" = Option<u64>, Header, description = "The number of the last event that is known already")),
    responses((status = 200, description = "The stream; `data` is one of these as JSON, by the name of the event: \
        `state` has a GameDocument, `thinking` a ThinkingDocument, all others a GameEvent",
        body = EventDocument, content_type = "text/event-stream"), Problems))]
pub async fn watch(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    Query(query): Query<Since>,
    headers: HeaderMap,
) -> Result<Sse<impl Stream<Item = Result<Event, axum::Error>>>, Problem> {
    stream::<ChessGameState>(app, id, last_event_id(&headers).or(query.since)).await
}

/// The stream of a game after the last event that the client has.
pub async fn stream<P: Streamed>(
    app: Arc<AppState>,
    id: Id,
    heard: Option<u64>,
) -> Result<Sse<impl Stream<Item = SseResult>>, Problem> {
    stream_as::<P>(app, id, None, heard).await
}

/// The same under a watcher's id, which does not reveal the game's id.
pub async fn stream_as<P: Streamed>(
    app: Arc<AppState>,
    id: Id,
    shown_as: Option<Id>,
    heard: Option<u64>,
) -> Result<Sse<impl Stream<Item = SseResult>>, Problem> {
    let place = app.stream()?;
    let session = P::sessions(&app).find(&app, id).await?;
    let feed = EventFeed::new(&app, &session, place, shown_as, heard);
    Ok(Sse::new(feed.stream()).keep_alive(KeepAlive::new().interval(KEEP_ALIVE)))
}

/// The number of the last event that a reconnecting client has.
pub fn last_event_id(headers: &HeaderMap) -> Option<u64> {
    headers.get(LAST_EVENT_ID)?.to_str().ok()?.parse().ok()
}

/// State of one event stream: what was sent, and the channels that it receives from.
struct EventFeed<P: GameKind> {
    _watching: WatchGuard<P>,
    session: Arc<GameSession<P>>,
    states: watch::Receiver<Arc<P>>,
    search_info: watch::Receiver<Option<Arc<LiveSearchInfo<P>>>>,
    closing: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// The watcher's id, if the stream must not reveal the game's id.
    shown_as: Option<Id>,
    heard: Option<u64>,
    ready: VecDeque<SseResult>,
    _place: OwnedSemaphorePermit,
}

impl<P: Streamed> EventFeed<P> {
    fn new(
        app: &AppState,
        session: &Arc<GameSession<P>>,
        place: OwnedSemaphorePermit,
        shown_as: Option<Id>,
        heard: Option<u64>,
    ) -> EventFeed<P> {
        let mut feed = EventFeed {
            _watching: session.watching(),
            session: session.clone(),
            states: session.watch(),
            search_info: session.watch_search_info(),
            closing: Box::pin(app.closing()),
            shown_as,
            heard,
            ready: VecDeque::new(),
            _place: place,
        };
        feed.catch_up();
        feed.think();
        feed
    }

    fn stream(self) -> impl Stream<Item = SseResult> {
        futures_util::stream::unfold(self, |mut feed| async move {
            loop {
                if let Some(event) = feed.ready.pop_front() {
                    return Some((event, feed));
                }
                tokio::select! {
                    // A played move is sent before search information about the new position.
                    biased;
                    () = &mut feed.closing => return None,
                    changed = feed.states.changed() => {
                        if changed.is_err() || feed.session.is_deleted() {
                            return None;
                        }
                        feed.catch_up();
                    }
                    changed = feed.search_info.changed() => {
                        if changed.is_err() {
                            return None;
                        }
                        feed.think();
                    }
                }
            }
        })
    }

    /// Queues the events that were not sent yet.
    fn catch_up(&mut self) {
        let state = self.states.borrow_and_update().clone();
        match self.shown_as {
            Some(name) => self.ready.extend(news(&state.renamed(name), self.heard)),
            None => self.ready.extend(news(&*state, self.heard)),
        }
        self.heard = Some(state.journal().version);
    }

    /// Queues the agent's search information if it belongs to the current position.
    fn think(&mut self) {
        let Some(search_info) = self.search_info.borrow_and_update().clone() else { return };
        let state = self.states.borrow().clone();
        self.ready.extend(thinking(&*state, &search_info));
    }
}

/// An event with its name and number.
fn numbered(name: &str, version: u64, data: &impl Serialize) -> SseResult {
    Event::default().event(name).id(version.to_string()).json_data(data)
}
