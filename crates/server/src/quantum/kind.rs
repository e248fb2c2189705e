//! Quantum chess as the tables, the store and the streams of the server ask for it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::response::sse::Event;
use tabia_core::Stop;

use super::document::{QuantumGameDocument, QuantumLine};
use super::error::QuantumError;
use super::event::QuantumEvent;
use super::state::QuantumGameState;
use super::thinking;
use crate::api::events::numbered;
use crate::app_state::AppState;
use crate::chess::document::Awaits;
use crate::id::Id;
use crate::sessions::Sessions;
use crate::sessions::kind::{GameKind, SseResult};
use crate::sessions::session::{GameSession, LiveThought};
use crate::store::StoreError;

impl QuantumGameState {
    /// Events after a version, oldest first; none when they are no longer all there.
    fn events_since(&self, version: u64) -> Option<impl Iterator<Item = &Arc<QuantumEvent>>> {
        let missing = self.version.checked_sub(version)? as usize;
        let skipped = self.log.len().checked_sub(missing)?;
        Some(self.log.iter().skip(skipped))
    }
}

impl GameKind for QuantumGameState {
    type Error = QuantumError;
    type Line = QuantumLine;
    const GAME: &'static str = "quantum";

    fn id(&self) -> Id {
        self.id
    }

    fn renamed(&self, id: Id) -> Self {
        let mut renamed = self.clone();
        renamed.id = id;
        renamed
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn position_version(&self) -> u64 {
        self.position_version
    }

    fn awaits(&self) -> Awaits {
        self.awaits()
    }

    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    fn sessions(app: &AppState) -> &Sessions<QuantumGameState> {
        &app.quantum.sessions
    }

    fn news(&self, heard: Option<u64>) -> Vec<SseResult> {
        match heard.and_then(|heard| self.events_since(heard)) {
            Some(events) => events.map(|event| numbered(event.kind.name(), event.version, event)).collect(),
            None => vec![numbered("state", self.version, &QuantumGameDocument::new(self))],
        }
    }

    fn thinking(&self, thought: &LiveThought<QuantumGameState>) -> Option<SseResult> {
        (thought.position_version == self.position_version && self.outcome.is_none())
            .then(|| Event::default().event("thinking").json_data(&thought.line))
    }

    async fn save(
        app: &AppState,
        before: Option<Arc<QuantumGameState>>,
        after: Arc<QuantumGameState>,
    ) -> Result<(), StoreError> {
        app.store.save_quantum(before, after).await
    }

    async fn load(app: &AppState, id: Id) -> Result<Option<QuantumGameState>, StoreError> {
        app.store.load_quantum(id).await
    }

    async fn delete(app: &AppState, id: Id) -> Result<bool, StoreError> {
        app.store.delete_quantum(id).await
    }

    fn forget(app: &AppState, id: Id) {
        app.quantum.agent_cache.forget(id);
    }

    async fn think(
        app: Arc<AppState>,
        session: Arc<GameSession<QuantumGameState>>,
        state: Arc<QuantumGameState>,
        stop: Stop,
        suspended: Arc<AtomicBool>,
    ) {
        thinking::think(app, session, state, stop, suspended).await;
    }
}
