//! Game sessions, generic over the game that is played ([`kind`]).
//!
//! [`Sessions`] holds the sessions in memory and loads the others from the database on demand. A [`session`] is one game with
//! its watchers and its thinking agent.

pub mod clock;
pub mod journal;
pub mod kind;
pub mod player;
pub mod session;
pub mod side;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tabia_session::Awaits;

use crate::id::Id;
use crate::store::error::StoreError;
use crate::timestamp::Timestamp;
use kind::GameKind;
use session::{GameSession, Host};

/// Why there is no session of a game.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("there is no game {0}")]
    NotFound(Id),
    #[error("all {0} game sessions are in use")]
    Full(usize),
    #[error("all engines are thinking, and many wait for their turn")]
    EnginesBusy,
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The sessions in memory, at most `capacity`.
pub struct Sessions<P: GameKind> {
    sessions: Mutex<HashMap<Id, Arc<GameSession<P>>>>,
    /// Held while a game is loaded, so that no game has two sessions.
    loading: tokio::sync::Mutex<()>,
    capacity: usize,
}

impl<P: GameKind> Sessions<P> {
    /// Holds at most `capacity` sessions.
    pub fn new(capacity: usize) -> Sessions<P> {
        Sessions { sessions: Mutex::new(HashMap::new()), loading: tokio::sync::Mutex::new(()), capacity }
    }

    /// Saves a new game and opens its session.
    pub async fn open<H: Host<P>>(
        &self,
        app: &Arc<H>,
        state: P,
    ) -> Result<Arc<GameSession<P>>, SessionError> {
        if state.session().awaits() == Awaits::Agent && app.is_full() {
            return Err(SessionError::EnginesBusy);
        }
        self.evict_idle()?;
        let state = Arc::new(state);
        app.save(None, state.clone()).await?;
        metrics::counter!("tabia_games_created").increment(1);
        Ok(self.insert(app, &state))
    }

    /// The session of a game, loaded from the database if needed. An agent to move starts thinking again.
    pub async fn find<H: Host<P>>(&self, app: &Arc<H>, id: Id) -> Result<Arc<GameSession<P>>, SessionError> {
        if let Some(session) = self.in_memory(id) {
            session.schedule_agent(app);
            return Ok(session);
        }
        let _loading = self.loading.lock().await;
        if let Some(session) = self.in_memory(id) {
            return Ok(session);
        }
        let state = app.load(id).await?.ok_or(SessionError::NotFound(id))?;
        self.evict_idle()?;
        Ok(self.insert(app, &Arc::new(state)))
    }

    fn in_memory(&self, id: Id) -> Option<Arc<GameSession<P>>> {
        let session = self.sessions().get(&id).cloned()?;
        session.touch();
        Some(session)
    }

    fn insert<H: Host<P>>(&self, app: &Arc<H>, state: &Arc<P>) -> Arc<GameSession<P>> {
        let session = Arc::new(GameSession::new(state.clone()));
        self.sessions().insert(state.id(), session.clone());
        self.count();
        session.schedule_agent(app);
        session.watch_clock(app, state);
        session
    }

    /// Deletes a game.
    pub async fn delete<H: Host<P>>(&self, app: &Arc<H>, id: Id) -> Result<(), SessionError> {
        let session = self.find(app, id).await?;
        session.delete(&**app).await?;
        self.sessions().remove(&id);
        self.count();
        app.agent_cache().forget(id);
        Ok(())
    }

    /// Evicts the session that has been idle longest, if all are in use.
    fn evict_idle(&self) -> Result<(), SessionError> {
        let mut sessions = self.sessions();
        if sessions.len() < self.capacity {
            return Ok(());
        }
        let idle = sessions
            .iter()
            .filter(|(_, session)| is_idle(session))
            .min_by_key(|(_, session)| session.last_touched());
        let Some(id) = idle.map(|(id, _)| *id) else {
            return Err(SessionError::Full(self.capacity));
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

/// Nobody holds the session but the sessions: no request, no stream, no agent, no running clock. Asked under the lock of
/// the map, so that nobody can come meanwhile.
fn is_idle<P: GameKind>(session: &Arc<GameSession<P>>) -> bool {
    Arc::strong_count(session) == 1
}
