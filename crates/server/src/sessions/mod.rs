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
use std::time::{Duration, Instant};

use tabia_session::Awaits;

use crate::budget::Refusal;
use crate::id::Id;
use crate::store::error::StoreError;
use crate::timestamp::Timestamp;
use kind::GameKind;
use session::{GameSession, Host};

/// Why a game has no session.
#[derive(Debug, thiserror::Error)]
pub enum SessionError {
    #[error("there is no game {0}")]
    NotFound(Id),
    #[error("all {0} game sessions are in use")]
    Full(usize),
    #[error("you have {0} games that are not over, and may have no more: end or delete one")]
    TooManyGames(usize),
    #[error("all engines are thinking, and many wait for their turn")]
    EnginesBusy,
    /// An agent of the game may use more than there is.
    #[error(transparent)]
    Budget(#[from] Refusal),
    #[error(transparent)]
    Store(#[from] StoreError),
}

/// The sessions in memory, at most `capacity`.
#[expect(clippy::struct_field_names, reason = "it is what the registry is about")]
pub struct Sessions<P: GameKind> {
    sessions: Mutex<HashMap<Id, Arc<GameSession<P>>>>,
    /// Held while a game is loaded, so that no game gets two sessions.
    loading: tokio::sync::Mutex<()>,
    /// Running clocks of unloaded games.
    unloaded_clocks: Mutex<HashMap<Id, UnloadedClock>>,
    capacity: usize,
}

/// The running clock of an unloaded game.
struct UnloadedClock {
    position_version: u64,
    /// When the time of the side to move runs out.
    falls: Instant,
}

impl<P: GameKind> Sessions<P> {
    /// Holds at most `capacity` sessions.
    pub fn new(capacity: usize) -> Sessions<P> {
        Sessions {
            sessions: Mutex::default(),
            loading: tokio::sync::Mutex::new(()),
            unloaded_clocks: Mutex::default(),
            capacity,
        }
    }

    /// Saves a new game and opens its session.
    pub async fn open<H: Host<P>>(
        &self,
        app: &Arc<H>,
        state: P,
    ) -> Result<Arc<GameSession<P>>, SessionError> {
        app.admit(&state)?;
        if state.session().awaits() == Awaits::Agent && app.is_full() {
            return Err(SessionError::EnginesBusy);
        }
        let max = app.max_open_games();
        if app.open_games(state.owner()).await? >= max {
            return Err(SessionError::TooManyGames(max));
        }
        if !self.evict_idle() {
            return Err(SessionError::Full(self.capacity));
        }
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
        let mut state = app.load(id).await?.ok_or(SessionError::NotFound(id))?;
        let clock = lock(&self.unloaded_clocks).remove(&id);
        if let Some(UnloadedClock { falls, .. }) =
            clock.filter(|clock| clock.position_version == state.position_version())
        {
            let now = Instant::now();
            state.session_mut().set_time_left(falls.saturating_duration_since(now), now);
        }
        // An existing game is opened even at capacity: every request holds a connection, and those are limited.
        self.evict_idle();
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

    /// Unloads the session that has been idle longest, if all are in use. Returns whether there is room.
    fn evict_idle(&self) -> bool {
        let mut sessions = self.sessions();
        if sessions.len() < self.capacity {
            return true;
        }
        let idle = sessions
            .iter()
            .filter(|(_, session)| is_idle(session))
            .min_by_key(|(_, session)| session.last_touched());
        let Some(id) = idle.map(|(id, _)| *id) else { return false };
        if let Some(session) = sessions.remove(&id) {
            self.keep_clock(&session);
        }
        true
    }

    /// Stores the running clock of a session that is unloaded.
    fn keep_clock(&self, session: &GameSession<P>) {
        let state = session.state();
        if let Some(left) = state.time_left() {
            let clock =
                UnloadedClock { position_version: state.position_version(), falls: Instant::now() + left };
            lock(&self.unloaded_clocks).insert(state.id(), clock);
        }
    }

    /// Evicts sessions that have been idle for a while; they can be loaded again.
    pub fn evict_expired(&self, idle: Duration) {
        let since = Timestamp::now().milliseconds().saturating_sub(idle.as_millis() as u64);
        self.sessions().retain(|_, session| {
            let is_kept = !is_idle(session) || session.last_touched() > since;
            if !is_kept {
                self.keep_clock(session);
            }
            is_kept
        });
        self.count();
    }

    /// Suspends agents of abandoned games, so that others can search.
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
        lock(&self.sessions)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Whether the map holds the only reference: no request, stream or agent uses the session. Checked under the lock of
/// the map, so that no new reference can appear.
fn is_idle<P: GameKind>(session: &Arc<GameSession<P>>) -> bool {
    Arc::strong_count(session) == 1
}
