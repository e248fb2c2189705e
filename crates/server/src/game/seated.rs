//! What a table asks of a game: enough to keep it, to let agents think about it, and to tell others of it.
//!
//! Chess and quantum chess have rules, documents and tables in the database of their own; how games are kept in memory, changed one change
//! at a time, thought about and watched is the same.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::response::sse::Event;
use tabia_core::Stop;

use super::document::Awaits;
use super::hall::Hall;
use super::play::Play;
use super::table::{LiveThought, Table};
use super::{clock, error, thinking};
use crate::api::events::{self, ThinkingDocument};
use crate::game::document::GameDocument;
use crate::id::Id;
use crate::lab::Lab;
use crate::line::LineDocument;
use crate::store::StoreError;

/// An event for a stream.
pub type Told = Result<Event, axum::Error>;

/// A game that is played at a table.
pub trait Seated: Clone + Send + Sync + 'static {
    /// What cannot be done in it.
    type Error: std::error::Error + Send + 'static;
    /// What an agent thinks of it, for those who watch.
    type Line: Clone + Send + Sync + 'static;
    /// What it is called among figures.
    const GAME: &'static str;

    /// Its name.
    fn id(&self) -> Id;

    /// The number of its last event.
    fn version(&self) -> u64;

    /// The number of the event that brought the position on the board.
    fn position_version(&self) -> u64;

    /// Whom it waits for.
    fn awaits(&self) -> Awaits;

    /// Whether it has ended.
    fn is_over(&self) -> bool;

    /// Where games of this kind are.
    fn hall(lab: &Lab) -> &Hall<Self>;

    /// Ends the game if somebody's time has run out; whether it has.
    fn flag(&mut self) -> bool {
        false
    }

    /// What is left to the side whose clock runs.
    fn time_left(&self) -> Option<Duration> {
        None
    }

    /// Events after the last one heard; the whole game where they are not all there.
    fn news(&self, heard: Option<u64>) -> Vec<Told>;

    /// What an agent thinks at this moment, if it is about the position on the board.
    fn thinking(&self, thought: &LiveThought<Self>) -> Option<Told>;

    /// Keeps a game that has become another.
    fn save(
        lab: &Lab,
        before: Option<Arc<Self>>,
        after: Arc<Self>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    /// The game of a name, if there is one.
    fn load(lab: &Lab, id: Id) -> impl Future<Output = Result<Option<Self>, StoreError>> + Send;

    /// Forgets a game; whether there was one.
    fn delete(lab: &Lab, id: Id) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Forgets the agents that learned something in it.
    fn forget(lab: &Lab, id: Id);

    /// Lets the agent whose turn it is think, and plays its move; nothing comes of it once it is put aside.
    fn think(
        lab: Arc<Lab>,
        table: Arc<Table<Self>>,
        play: Arc<Self>,
        stop: Stop,
        put_aside: Arc<AtomicBool>,
    ) -> impl Future<Output = ()> + Send;
}

impl Seated for Play {
    type Error = error::PlayError;
    type Line = LineDocument;
    const GAME: &'static str = "chess";

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
        Play::awaits(self)
    }

    fn is_over(&self) -> bool {
        self.outcome.is_some()
    }

    fn hall(lab: &Lab) -> &Hall {
        &lab.hall
    }

    fn flag(&mut self) -> bool {
        Play::flag(self)
    }

    fn time_left(&self) -> Option<Duration> {
        let clock: &clock::GameClock = self.clock.as_ref().filter(|_| self.outcome.is_none())?;
        Some(clock.left(clock.document().running?.into()))
    }

    fn news(&self, heard: Option<u64>) -> Vec<Told> {
        match heard.and_then(|heard| self.events_since(heard)) {
            Some(events) => {
                events.iter().map(|event| events::numbered(event.kind.name(), event.version, event)).collect()
            }
            None => vec![events::numbered("state", self.version, &GameDocument::new(self))],
        }
    }

    fn thinking(&self, thought: &LiveThought) -> Option<Told> {
        (thought.position_version == self.position_version && self.outcome.is_none()).then(|| {
            Event::default().event("thinking").json_data(ThinkingDocument {
                ply: self.moves.len(),
                side: self.game.side_to_move().into(),
                line: thought.line.clone(),
            })
        })
    }

    async fn save(lab: &Lab, before: Option<Arc<Play>>, after: Arc<Play>) -> Result<(), StoreError> {
        lab.store.save(before, after).await
    }

    async fn load(lab: &Lab, id: Id) -> Result<Option<Play>, StoreError> {
        lab.store.load(id).await
    }

    async fn delete(lab: &Lab, id: Id) -> Result<bool, StoreError> {
        lab.store.delete(id).await
    }

    fn forget(lab: &Lab, id: Id) {
        lab.warm.forget(id);
    }

    async fn think(
        lab: Arc<Lab>,
        table: Arc<Table>,
        play: Arc<Play>,
        stop: Stop,
        put_aside: Arc<AtomicBool>,
    ) {
        thinking::think(lab, table, play, stop, put_aside).await;
    }
}
