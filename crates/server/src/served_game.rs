//! The kinds of games that the server hosts: where their sessions, agents and saved games are.

use std::sync::Arc;

use tabia_core::{Catalogue, ChessGame};
use tabia_quantum::QuantumGame;

use crate::agents::AgentCache;
use crate::app_state::AppState;
use crate::chess::state::ChessGameState;
use crate::id::Id;
use crate::quantum::state::QuantumGameState;
use crate::sessions::Sessions;
use crate::sessions::kind::GameKind;
use crate::store::Store;
use crate::store::error::StoreError;

/// A kind of game that the server hosts.
pub trait ServedGame: GameKind {
    fn sessions(app: &AppState) -> &Sessions<Self>;

    fn catalogue(app: &AppState) -> &Catalogue<Self::Game>;

    fn agent_cache(app: &AppState) -> &AgentCache<Self::Game>;

    fn save(
        store: &Store,
        before: Option<Arc<Self>>,
        after: Arc<Self>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    fn load(store: &Store, id: Id) -> impl Future<Output = Result<Option<Self>, StoreError>> + Send;

    fn delete(store: &Store, id: Id) -> impl Future<Output = Result<bool, StoreError>> + Send;
}

impl ServedGame for ChessGameState {
    fn sessions(app: &AppState) -> &Sessions<ChessGameState> {
        &app.sessions
    }

    fn catalogue(app: &AppState) -> &Catalogue<ChessGame> {
        &app.catalogue
    }

    fn agent_cache(app: &AppState) -> &AgentCache<ChessGame> {
        &app.agent_cache
    }

    async fn save(store: &Store, before: Option<Arc<Self>>, after: Arc<Self>) -> Result<(), StoreError> {
        store.save(before, after).await
    }

    async fn load(store: &Store, id: Id) -> Result<Option<Self>, StoreError> {
        store.load(id).await
    }

    async fn delete(store: &Store, id: Id) -> Result<bool, StoreError> {
        store.delete(id).await
    }
}

impl ServedGame for QuantumGameState {
    fn sessions(app: &AppState) -> &Sessions<QuantumGameState> {
        &app.quantum.sessions
    }

    fn catalogue(app: &AppState) -> &Catalogue<QuantumGame> {
        &app.quantum.catalogue
    }

    fn agent_cache(app: &AppState) -> &AgentCache<QuantumGame> {
        &app.quantum.agent_cache
    }

    async fn save(store: &Store, before: Option<Arc<Self>>, after: Arc<Self>) -> Result<(), StoreError> {
        store.save_quantum(before, after).await
    }

    async fn load(store: &Store, id: Id) -> Result<Option<Self>, StoreError> {
        store.load_quantum(id).await
    }

    async fn delete(store: &Store, id: Id) -> Result<bool, StoreError> {
        store.delete_quantum(id).await
    }
}
