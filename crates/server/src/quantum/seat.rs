//! Quantum chess as the tables, the store and the streams of the server ask for it.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use axum::response::sse::Event;
use tabia_core::Stop;

use super::document::{QuantumGameDocument, QuantumLine};
use super::error::QuantumError;
use super::event::QuantumEvent;
use super::play::QuantumPlay;
use super::thinking;
use crate::api::events::numbered;
use crate::game::document::Awaits;
use crate::game::hall::Hall;
use crate::game::seated::{Seated, Told};
use crate::game::table::{LiveThought, Table};
use crate::id::Id;
use crate::lab::Lab;
use crate::store::StoreError;

impl QuantumPlay {
    /// Events after a version, oldest first; none when they are no longer all there.
    fn events_since(&self, version: u64) -> Option<impl Iterator<Item = &Arc<QuantumEvent>>> {
        let missing = self.version.checked_sub(version)? as usize;
        let skipped = self.log.len().checked_sub(missing)?;
        Some(self.log.iter().skip(skipped))
    }
}

impl Seated for QuantumPlay {
    type Error = QuantumError;
    type Line = QuantumLine;
    const GAME: &'static str = "quantum";

    fn id(&self) -> Id {
        self.id
    }

    fn version(&self) -> u64 {
        self.version
    }

    fn position_version(&self) -> u64 {
        self.position_version
    }

    fn awaits(&self) -> Awaits {
        self.whom()
    }

    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    fn hall(lab: &Lab) -> &Hall<QuantumPlay> {
        &lab.quantum.hall
    }

    fn news(&self, heard: Option<u64>) -> Vec<Told> {
        match heard.and_then(|heard| self.events_since(heard)) {
            Some(events) => events.map(|event| numbered(event.kind.name(), event.version, event)).collect(),
            None => vec![numbered("state", self.version, &QuantumGameDocument::new(self))],
        }
    }

    fn thinking(&self, thought: &LiveThought<QuantumPlay>) -> Option<Told> {
        (thought.position_version == self.position_version && self.outcome.is_none())
            .then(|| Event::default().event("thinking").json_data(&thought.line))
    }

    async fn save(
        lab: &Lab,
        before: Option<Arc<QuantumPlay>>,
        after: Arc<QuantumPlay>,
    ) -> Result<(), StoreError> {
        lab.store.save_quantum(before, after).await
    }

    async fn load(lab: &Lab, id: Id) -> Result<Option<QuantumPlay>, StoreError> {
        lab.store.load_quantum(id).await
    }

    async fn delete(lab: &Lab, id: Id) -> Result<bool, StoreError> {
        lab.store.delete_quantum(id).await
    }

    fn forget(lab: &Lab, id: Id) {
        lab.quantum.warm.forget(id);
    }

    async fn think(
        lab: Arc<Lab>,
        table: Arc<Table<QuantumPlay>>,
        play: Arc<QuantumPlay>,
        stop: Stop,
        put_aside: Arc<AtomicBool>,
    ) {
        thinking::think(lab, table, play, stop, put_aside).await;
    }
}
