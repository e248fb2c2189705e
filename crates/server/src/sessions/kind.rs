//! What a session needs from a game: its version, whose turn it is, how it is saved, and how its agents think.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use axum::response::sse::Event;
use tabia_core::Stop;

use super::Sessions;
use super::session::{GameSession, LiveThought};
use crate::app_state::AppState;
use crate::chess::document::Awaits;
use crate::id::Id;
use crate::store::StoreError;

/// An event of a stream.
pub type SseResult = Result<Event, axum::Error>;

/// A kind of game that sessions can hold. Chess and quantum chess implement it.
pub trait GameKind: Clone + Send + Sync + 'static {
    /// Why an update is refused.
    type Error: std::error::Error + Send + 'static;
    /// An agent's current line, for watchers.
    type Line: Clone + Send + Sync + 'static;
    /// Its label in metrics.
    const GAME: &'static str;

    fn id(&self) -> Id;

    /// The same game under another name, as watchers see it.
    fn renamed(&self, id: Id) -> Self;

    /// The number of the last event.
    fn version(&self) -> u64;

    /// The number of the event that led to the current position.
    fn position_version(&self) -> u64;

    /// Who is to move.
    fn awaits(&self) -> Awaits;

    fn is_over(&self) -> bool;

    fn sessions(app: &AppState) -> &Sessions<Self>;

    /// Ends the game if a clock has run out; returns whether it did.
    fn flag(&mut self) -> bool {
        false
    }

    /// Time left to the side whose clock runs.
    fn time_left(&self) -> Option<Duration> {
        None
    }

    /// Events after version `heard`; the whole game if they are no longer all kept.
    fn news(&self, heard: Option<u64>) -> Vec<SseResult>;

    /// The agent's current line, if it is about the current position.
    fn thinking(&self, thought: &LiveThought<Self>) -> Option<SseResult>;

    /// Saves a changed game.
    fn save(
        app: &AppState,
        before: Option<Arc<Self>>,
        after: Arc<Self>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    fn load(app: &AppState, id: Id) -> impl Future<Output = Result<Option<Self>, StoreError>> + Send;

    /// Deletes a game; returns whether it existed.
    fn delete(app: &AppState, id: Id) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Drops the cached agents of a game.
    fn forget(app: &AppState, id: Id);

    /// Lets the agent whose turn it is think, and plays its move; nothing comes of it once it is put aside.
    fn think(
        app: Arc<AppState>,
        session: Arc<GameSession<Self>>,
        state: Arc<Self>,
        stop: Stop,
        suspended: Arc<AtomicBool>,
    ) -> impl Future<Output = ()> + Send;
}
