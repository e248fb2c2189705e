//! A game as it happens: Server-Sent Events, numbered, so that whoever was away hears what was missed.

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
use tabia_core::Thought;
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
use crate::sessions::session::{GameSession, LiveThought, WatchGuard};
use crate::sessions::side::Side;

/// A word now and then keeps the connection open.
pub(super) const KEEP_ALIVE: Duration = Duration::from_secs(15);
/// The header of whoever comes back.
const LAST_EVENT_ID: &str = "last-event-id";

/// An event of a stream.
pub type SseResult = Result<Event, axum::Error>;

/// A game as a stream tells it.
pub trait Streamed: ServedGame {
    /// The whole game.
    fn state_document(&self) -> impl Serialize;

    fn event_document(event: &GameEvent<Self::Ply, Self::Snapshot>) -> impl Serialize;

    /// What the agent to move thinks.
    fn thought_document(&self, thought: &Thought<ActionOf<Self>>) -> impl Serialize;
}

impl Streamed for ChessGameState {
    fn state_document(&self) -> impl Serialize {
        GameDocument::new(self)
    }

    fn event_document(event: &GameEvent<Self::Ply, Self::Snapshot>) -> impl Serialize {
        EventDocument::from(event)
    }

    fn thought_document(&self, thought: &Thought<ActionOf<Self>>) -> impl Serialize {
        ThinkingDocument {
            ply: self.moves.len(),
            side: self.game().side_to_move().into(),
            line: EngineLine::new(self.game(), thought),
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

    fn thought_document(&self, thought: &Thought<ActionOf<Self>>) -> impl Serialize {
        QuantumLine::new(self.game(), thought)
    }
}

/// Events after version `heard`; the whole game if they are no longer all kept.
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
fn thinking<K: Streamed>(state: &K, live: &LiveThought<K>) -> Option<SseResult> {
    (live.position_version == state.position_version() && !state.is_over())
        .then(|| Event::default().event("thinking").json_data(state.thought_document(&live.thought)))
}

/// Where to begin.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct Since {
    /// The number of the last event that is known already. Without it, and without `Last-Event-ID`, the stream begins
    /// with the whole game.
    #[serde(default)]
    pub since: Option<u64>,
}

/// What an agent thinks at this moment; not numbered, and not repeated.
#[derive(Serialize, ToSchema)]
pub struct ThinkingDocument {
    /// The ply it thinks about: this many half-moves have been played.
    pub ply: usize,
    /// Whose agent.
    pub side: Side,
    /// Its line.
    pub line: EngineLine,
}

/// Watch a game.
///
/// Server-Sent Events. First `state` with the whole game, unless `Last-Event-ID` or `since` says what is known; then
/// `created`, `moved`, `undone`, `draw_offered`, `draw_declined` and `ended`, each with its number as id; in between
/// `thinking`, without a number, while an agent thinks. Whoever was away for too long gets `state` again.
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

/// The stream of a game, from what was heard already.
pub async fn stream<P: Streamed>(
    app: Arc<AppState>,
    id: Id,
    heard: Option<u64>,
) -> Result<Sse<impl Stream<Item = SseResult>>, Problem> {
    stream_as::<P>(app, id, None, heard).await
}

/// The same under another name, for those who are not told the game's own.
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

/// The number of the last event that a client which comes back has heard.
pub fn last_event_id(headers: &HeaderMap) -> Option<u64> {
    headers.get(LAST_EVENT_ID)?.to_str().ok()?.parse().ok()
}

/// What one listener has heard, and where it hears from.
struct EventFeed<P: GameKind> {
    _watching: WatchGuard<P>,
    session: Arc<GameSession<P>>,
    states: watch::Receiver<Arc<P>>,
    thoughts: watch::Receiver<Option<Arc<LiveThought<P>>>>,
    closing: Pin<Box<dyn Future<Output = ()> + Send>>,
    /// The name under which the game is told, where it is not its own.
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
            thoughts: session.watch_thoughts(),
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
                    // What happened comes before what is thought about it.
                    biased;
                    () = &mut feed.closing => return None,
                    changed = feed.states.changed() => {
                        if changed.is_err() || feed.session.is_deleted() {
                            return None;
                        }
                        feed.catch_up();
                    }
                    changed = feed.thoughts.changed() => {
                        if changed.is_err() {
                            return None;
                        }
                        feed.think();
                    }
                }
            }
        })
    }

    /// Makes ready what was not heard yet.
    fn catch_up(&mut self) {
        let state = self.states.borrow_and_update().clone();
        match self.shown_as {
            Some(name) => self.ready.extend(news(&state.renamed(name), self.heard)),
            None => self.ready.extend(news(&*state, self.heard)),
        }
        self.heard = Some(state.journal().version);
    }

    /// Makes ready what the agent thinks, if it is about the position on the board.
    fn think(&mut self) {
        let Some(thought) = self.thoughts.borrow_and_update().clone() else { return };
        let state = self.states.borrow().clone();
        self.ready.extend(thinking(&*state, &thought));
    }
}

/// An event with its name and number.
fn numbered(name: &str, version: u64, data: &impl Serialize) -> SseResult {
    Event::default().event(name).id(version.to_string()).json_data(data)
}
