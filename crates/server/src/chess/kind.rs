//! Chess as the sessions, the store and the streams use it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::response::sse::Event;
use tabia_core::Stop;

use super::document::{Awaits, GameDocument};
use super::error::ChessError;
use super::state::ChessGameState;
use super::thinking;
use crate::api::events::{self, ThinkingDocument};
use crate::app_state::AppState;
use crate::id::Id;
use crate::line::LineDocument;
use crate::sessions::Sessions;
use crate::sessions::clock::GameClock;
use crate::sessions::kind::{GameKind, SseResult};
use crate::sessions::session::{GameSession, LiveThought};
use crate::store::StoreError;

impl GameKind for ChessGameState {
    type Error = ChessError;
    type Line = LineDocument;
    const GAME: &'static str = "chess";

    fn id(&self) -> Id {
        self.id
    }

    fn renamed(&self, id: Id) -> Self {
        Self { id, ..self.clone() }
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn position_version(&self) -> u64 {
        self.position_version
    }

    fn awaits(&self) -> Awaits {
        ChessGameState::awaits(self)
    }

    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    fn sessions(app: &AppState) -> &Sessions {
        &app.sessions
    }

    fn flag(&mut self) -> bool {
        ChessGameState::flag(self)
    }

    fn time_left(&self) -> Option<Duration> {
        let clock: &GameClock = self.clock.as_ref().filter(|_| self.outcome.is_none())?;
        Some(clock.left(clock.document().running?.into()))
    }

    fn news(&self, heard: Option<u64>) -> Vec<SseResult> {
        match heard.and_then(|heard| self.events_since(heard)) {
            Some(events) => {
                events.iter().map(|event| events::numbered(event.kind.name(), event.version, event)).collect()
            }
            None => vec![events::numbered("state", self.version, &GameDocument::new(self))],
        }
    }

    fn thinking(&self, thought: &LiveThought) -> Option<SseResult> {
        (thought.position_version == self.position_version && self.outcome.is_none()).then(|| {
            Event::default().event("thinking").json_data(ThinkingDocument {
                ply: self.moves.len(),
                side: self.game.side_to_move().into(),
                line: thought.line.clone(),
            })
        })
    }

    async fn save(
        app: &AppState,
        before: Option<Arc<ChessGameState>>,
        after: Arc<ChessGameState>,
    ) -> Result<(), StoreError> {
        app.store.save(before, after).await
    }

    async fn load(app: &AppState, id: Id) -> Result<Option<ChessGameState>, StoreError> {
        app.store.load(id).await
    }

    async fn delete(app: &AppState, id: Id) -> Result<bool, StoreError> {
        app.store.delete(id).await
    }

    fn forget(app: &AppState, id: Id) {
        app.agent_cache.forget(id);
    }

    async fn think(
        app: Arc<AppState>,
        session: Arc<GameSession>,
        state: Arc<ChessGameState>,
        stop: Stop,
        suspended: Arc<AtomicBool>,
    ) {
        thinking::think(app, session, state, stop, suspended).await;
    }
}
