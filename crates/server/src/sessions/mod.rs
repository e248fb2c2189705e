//! Game sessions, generic over the game that is played ([`kind`]).
//!
//! [`Sessions`] holds the sessions in memory and loads the others from the database on demand. A [`session`] is one game with
//! its watchers and its thinking agent.

pub mod clock;
pub mod kind;
pub mod outcome;
pub mod session;
pub mod side;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::app_state::{AppState, RETRY};
use crate::chess::document::Awaits;
use crate::chess::state::ChessGameState;
use crate::id::Id;
use crate::problem::{Kind, Problem};
use crate::timestamp::Timestamp;
use kind::GameKind;
use session::GameSession;

/// The sessions in memory, at most `capacity`.
pub struct Sessions<P: GameKind = ChessGameState> {
    sessions: Mutex<HashMap<Id, Arc<GameSession<P>>>>,
    /// Held while a game is loaded, so that no game has two sessions.
    loading: tokio::sync::Mutex<()>,
    capacity: usize,
}

impl<P: GameKind> Sessions<P> {
    /// QuantumContext for so many.
    pub fn new(capacity: usize) -> Sessions<P> {
        Sessions { sessions: Mutex::new(HashMap::new()), loading: tokio::sync::Mutex::new(()), capacity }
    }

    /// Saves a new game and opens its session.
    pub async fn open(&self, app: &Arc<AppState>, state: P) -> Result<Arc<GameSession<P>>, Problem> {
        if state.awaits() == Awaits::Agent && app.engine_pool.is_full() {
            return Err(Problem::busy("all engines are thinking, and many wait for their turn", RETRY));
        }
        self.evict_idle()?;
        let state = Arc::new(state);
        P::save(app, None, state.clone()).await.map_err(Problem::internal)?;
        metrics::counter!("tabia_games_created").increment(1);
        Ok(self.insert(app, &state))
    }

    /// The session of a game, loaded from the database if needed. An agent to move starts thinking again.
    pub async fn find(&self, app: &Arc<AppState>, id: Id) -> Result<Arc<GameSession<P>>, Problem> {
        let missing = || Problem::new(Kind::NotFound, format!("there is no game {id}"));
        if let Some(session) = self.in_memory(id) {
            session.schedule_agent(app);
            return Ok(session);
        }
        let _loading = self.loading.lock().await;
        if let Some(session) = self.in_memory(id) {
            return Ok(session);
        }
        let state = P::load(app, id).await.map_err(Problem::internal)?.ok_or_else(missing)?;
        self.evict_idle()?;
        Ok(self.insert(app, &Arc::new(state)))
    }

    fn in_memory(&self, id: Id) -> Option<Arc<GameSession<P>>> {
        let session = self.sessions().get(&id).cloned()?;
        session.touch();
        Some(session)
    }

    fn insert(&self, app: &Arc<AppState>, state: &Arc<P>) -> Arc<GameSession<P>> {
        let session = Arc::new(GameSession::new(state.clone()));
        self.sessions().insert(state.id(), session.clone());
        self.count();
        session.schedule_agent(app);
        session.watch_clock(app, state);
        session
    }

    /// Deletes a game.
    pub async fn delete(&self, app: &Arc<AppState>, id: Id) -> Result<(), Problem> {
        let session = self.find(app, id).await?;
        session.delete(app).await.map_err(Problem::internal)?;
        self.sessions().remove(&id);
        self.count();
        P::forget(app, id);
        Ok(())
    }

    /// Evicts the session that has been idle longest, if all are in use.
    fn evict_idle(&self) -> Result<(), Problem> {
        let mut sessions = self.sessions();
        if sessions.len() < self.capacity {
            return Ok(());
        }
        let idle = sessions
            .iter()
            .filter(|(_, session)| is_idle(session))
            .min_by_key(|(_, session)| session.last_touched());
        let Some(id) = idle.map(|(id, _)| *id) else {
            return Err(Problem::busy(format!("all {} game sessions are in use", self.capacity), RETRY));
        };
        sessions.remove(&id);
        Ok(())
    }

    /// Evicts sessions that have been idle for a while; they can be loaded again.
    pub fn evict_expired(&self, idle: Duration) {
        let since = Timestamp::now().milliseconds().saturating_sub(idle.as_millis() as u64);
        self.sessions().retain(|_, session| !is_idle(session) || session.last_touched() > since);
        self.count();
    }

    /// Suspends agents whose game nobody watches, so that others can think.
    pub fn suspend_abandoned(&self) {
        for session in self.sessions().values() {
            session.suspend_if_abandoned();
        }
    }

    /// Stops all agents.
    pub fn stop_all(&self) {
        for session in self.sessions().values() {
            session.move_now();
        }
    }

    pub fn len(&self) -> usize {
        self.sessions().len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn count(&self) {
        metrics::gauge!("tabia_tables", "game" => P::GAME).set(self.len() as f64);
    }

    fn sessions(&self) -> MutexGuard<'_, HashMap<Id, Arc<GameSession<P>>>> {
        self.sessions.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Nobody holds the session but the sessions: no request, no stream, no agent, no running clock. Asked under the lock of the
/// hall, so that nobody can come meanwhile.
fn is_idle<P: GameKind>(session: &Arc<GameSession<P>>) -> bool {
    Arc::strong_count(session) == 1
}
