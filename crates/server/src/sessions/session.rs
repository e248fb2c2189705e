//! One game with its watchers and the agent that is thinking.
//!
//! Readers get the current state without waiting. Updates run one at a time on a copy, which is saved before it is
//! published. The game itself is generic ([`GameKind`]).
//!
//! When all engine slots are taken, agents of abandoned games are suspended. They continue when a client opens the
//! game again.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tabia_core::{SearchInfo, Stop};
use tabia_session::Awaits;
use tokio::sync::watch;

use super::kind::{ActionOf, GameKind};
use crate::agents::AgentCache;
use crate::budget::Refusal;
use crate::id::Id;
use crate::store::error::StoreError;
use crate::timestamp::Timestamp;

/// Milliseconds without a request or a stream after which a game counts as abandoned.
const ABANDONED_MS: u64 = 5_000;

/// A game, its watchers and its thinking agent.
pub struct GameSession<P: GameKind> {
    state: watch::Sender<Arc<P>>,
    search_info: watch::Sender<Option<Arc<LiveSearchInfo<P>>>>,
    updating: tokio::sync::Mutex<()>,
    thinking: Mutex<Option<Thinking>>,
    deleted: AtomicBool,
    touched: AtomicU64,
    watchers: AtomicUsize,
}

/// An agent's current line.
pub struct LiveSearchInfo<P: GameKind> {
    /// The version of the position it is about.
    pub position_version: u64,
    pub search_info: SearchInfo<ActionOf<P>>,
}

struct Thinking {
    position_version: u64,
    stop: Stop,
    suspended: Arc<AtomicBool>,
}

/// Counts as a watcher until it is dropped.
pub struct WatchGuard<P: GameKind>(Arc<GameSession<P>>);

impl<P: GameKind> Drop for WatchGuard<P> {
    fn drop(&mut self) {
        self.0.touch();
        self.0.watchers.fetch_sub(1, Ordering::Relaxed);
    }
}

/// Why an update failed.
#[derive(Debug, thiserror::Error)]
pub enum UpdateError<E> {
    /// The game does not allow it.
    #[error("{0}")]
    Play(E),
    /// It could not be saved.
    #[error(transparent)]
    Store(#[from] StoreError),
    #[error("the game was deleted")]
    Deleted,
    /// The task was aborted or panicked.
    #[error("the update was aborted")]
    Aborted,
}

/// What sessions of a kind of game need from the server.
pub trait Host<K: GameKind>: Send + Sync + Sized + 'static {
    fn agent_cache(&self) -> &AgentCache<K::Game>;

    /// The session of a game, loaded if needed; `None` if the game does not exist or cannot be loaded.
    fn session(self: &Arc<Self>, id: Id) -> impl Future<Output = Option<Arc<GameSession<K>>>> + Send;

    /// How many games of a client are not over, and how many may be.
    fn open_games(&self, owner: Id) -> impl Future<Output = Result<usize, StoreError>> + Send;

    fn max_open_games(&self) -> usize;

    /// Whether the agents of a new game fit into what clients' work may use.
    fn admit(&self, state: &K) -> Result<(), Refusal>;

    /// Whether no more agents can wait for their turn to think.
    fn is_full(&self) -> bool;

    /// Whether the server is shutting down.
    fn is_closing(&self) -> bool;

    /// Returns when the server shuts down.
    fn closed(&self) -> impl Future<Output = ()> + Send;

    /// Saves a changed game.
    fn save(
        &self,
        before: Option<Arc<K>>,
        after: Arc<K>,
    ) -> impl Future<Output = Result<(), StoreError>> + Send;

    fn load(&self, id: Id) -> impl Future<Output = Result<Option<K>, StoreError>> + Send;

    /// Deletes a game; returns whether it existed.
    fn delete(&self, id: Id) -> impl Future<Output = Result<bool, StoreError>> + Send;

    /// Lets the agent to move search, and plays its move. A suspended agent plays nothing.
    fn think(
        self: Arc<Self>,
        session: Arc<GameSession<K>>,
        state: Arc<K>,
        stop: Stop,
        suspended: Arc<AtomicBool>,
    ) -> impl Future<Output = ()> + Send;
}

impl<P: GameKind> GameSession<P> {
    /// A session for a saved game.
    pub fn new(state: Arc<P>) -> GameSession<P> {
        GameSession {
            state: watch::Sender::new(state),
            search_info: watch::Sender::new(None),
            updating: tokio::sync::Mutex::new(()),
            thinking: Mutex::new(None),
            deleted: AtomicBool::new(false),
            touched: AtomicU64::new(Timestamp::now().milliseconds()),
            watchers: AtomicUsize::new(0),
        }
    }

    /// The current state.
    pub fn state(&self) -> Arc<P> {
        self.state.borrow().clone()
    }

    pub fn id(&self) -> Id {
        self.state.borrow().id()
    }

    /// Receives every new state.
    pub fn watch(&self) -> watch::Receiver<Arc<P>> {
        self.state.subscribe()
    }

    /// Receives the agent's lines.
    pub fn watch_search_info(&self) -> watch::Receiver<Option<Arc<LiveSearchInfo<P>>>> {
        self.search_info.subscribe()
    }

    /// Registers a watcher.
    pub fn watching(self: &Arc<Self>) -> WatchGuard<P> {
        self.watchers.fetch_add(1, Ordering::Relaxed);
        WatchGuard(self.clone())
    }

    /// No watcher, and no request for a while.
    fn is_abandoned(&self) -> bool {
        self.watchers.load(Ordering::Relaxed) == 0
            && Timestamp::now().milliseconds().saturating_sub(self.last_touched()) > ABANDONED_MS
    }

    /// Suspends the agent if the game is abandoned; it starts again at the next request.
    pub fn suspend_if_abandoned(&self) {
        if !self.is_abandoned() {
            return;
        }
        if let Some(current) = self.thinking().take() {
            current.suspended.store(true, Ordering::Relaxed);
            current.stop.stop();
        }
    }

    /// Publishes the agent's line.
    pub fn publish_search_info(&self, search_info: LiveSearchInfo<P>) {
        self.search_info.send_replace(Some(Arc::new(search_info)));
    }

    /// Records the time of a request.
    pub fn touch(&self) {
        self.touched.store(Timestamp::now().milliseconds(), Ordering::Relaxed);
    }

    /// Time of the last request, in milliseconds since 1970.
    pub fn last_touched(&self) -> u64 {
        self.touched.load(Ordering::Relaxed)
    }

    /// Updates a copy of the game, saves it, and publishes it. The update completes or has no effect, even if the client
    /// disconnects meanwhile.
    pub async fn update<T: Send + 'static, H: Host<P>>(
        self: &Arc<Self>,
        app: &Arc<H>,
        update: impl FnOnce(&mut P) -> Result<T, P::Error> + Send + 'static,
    ) -> Result<(T, Arc<P>), UpdateError<P::Error>> {
        let (session, app) = (self.clone(), app.clone());
        tokio::spawn(async move { session.update_now(&app, update).await })
            .await
            .unwrap_or(Err(UpdateError::Aborted))
    }

    async fn update_now<T, H: Host<P>>(
        self: &Arc<Self>,
        app: &Arc<H>,
        update: impl FnOnce(&mut P) -> Result<T, P::Error>,
    ) -> Result<(T, Arc<P>), UpdateError<P::Error>> {
        let _updating = self.updating.lock().await;
        if self.deleted.load(Ordering::Relaxed) {
            return Err(UpdateError::Deleted);
        }
        let mut after = P::clone(&self.state());
        if after.flag() {
            // A loss on time takes precedence over the late update.
            self.commit(app, after).await?;
            after = P::clone(&self.state());
        }
        let result = update(&mut after).map_err(UpdateError::Play)?;
        let after = self.commit(app, after).await?;
        Ok((result, after))
    }

    /// Saves a changed game, then publishes it.
    async fn commit<H: Host<P>>(self: &Arc<Self>, app: &Arc<H>, after: P) -> Result<Arc<P>, StoreError> {
        let after = Arc::new(after);
        app.save(Some(self.state()), after.clone()).await?;
        self.state.send_replace(after.clone());
        if after.is_over() {
            app.agent_cache().forget(after.id());
        }
        self.schedule_agent(app);
        self.watch_clock(app, &after);
        Ok(after)
    }

    /// Starts the agent to move, and stops one that thinks about an old position.
    pub fn schedule_agent<H: Host<P>>(self: &Arc<Self>, app: &Arc<H>) {
        let mut thinking = self.thinking();
        // Read under the lock: the state must be the latest when an agent is started for it.
        let state = self.state();
        let wanted = state.session().awaits() == Awaits::Agent && !app.is_closing();
        if let Some(current) = &*thinking {
            if wanted && current.position_version == state.position_version() {
                return;
            }
            current.stop.stop();
            *thinking = None;
        }
        if wanted {
            let (stop, suspended) = (Stop::new(), Arc::new(AtomicBool::new(false)));
            *thinking = Some(Thinking {
                position_version: state.position_version(),
                stop: stop.clone(),
                suspended: suspended.clone(),
            });
            tokio::spawn(app.clone().think(self.clone(), state, stop, suspended));
        }
    }

    /// The agent that searched this version has finished, with or without a move.
    pub fn finish_thinking(&self, position_version: u64) {
        let mut thinking = self.thinking();
        if thinking.as_ref().is_some_and(|current| current.position_version == position_version) {
            *thinking = None;
        }
    }

    /// Stops the thinking agent, which then plays its best move. Returns whether one was thinking.
    pub fn move_now(&self) -> bool {
        let thinking = self.thinking();
        thinking.as_ref().inspect(|current| current.stop.stop()).is_some()
    }

    /// Deletes the game.
    pub async fn delete<H: Host<P>>(&self, app: &H) -> Result<bool, StoreError> {
        let _updating = self.updating.lock().await;
        self.deleted.store(true, Ordering::Relaxed);
        self.move_now();
        let was_there = app.delete(self.id()).await?;
        // Notifies the watchers, so that their streams end.
        self.state.send_modify(|_| {});
        Ok(was_there)
    }

    pub fn is_deleted(&self) -> bool {
        self.deleted.load(Ordering::Relaxed)
    }

    /// Whether no agent will search it again: the game is over or deleted.
    pub fn is_over(&self) -> bool {
        self.is_deleted() || self.state.borrow().is_over()
    }

    fn thinking(&self) -> MutexGuard<'_, Option<Thinking>> {
        self.thinking.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends the game when the clock of the side to move runs out.
    pub fn watch_clock<H: Host<P>>(self: &Arc<Self>, app: &Arc<H>, state: &P) {
        let Some(left) = state.time_left() else { return };
        // The timer holds only a weak reference: an idle game can be unloaded, and its clock continues.
        let (session, mut states) = (Arc::downgrade(self), self.watch());
        let (app, id, version) = (app.clone(), state.id(), state.position_version());
        tokio::spawn(async move {
            let mut falls = std::pin::pin!(tokio::time::sleep(left));
            let mut is_loaded = true;
            loop {
                tokio::select! {
                    () = &mut falls => break,
                    has_changed = async {
                        states.wait_for(|state| state.position_version() != version).await.is_ok()
                    }, if is_loaded => {
                        if has_changed {
                            // The position has changed; there is another timer for it.
                            return;
                        }
                        is_loaded = false;
                    }
                    () = app.closed() => return,
                }
            }
            let session = match session.upgrade() {
                Some(session) => session,
                // Unloaded meanwhile; none if the game was deleted.
                None => match app.session(id).await {
                    Some(session) => session,
                    None => return,
                },
            };
            if let Err(error) = session.forfeit_on_time(&app).await {
                tracing::error!(%error, "a loss on time could not be saved");
            }
        });
    }

    /// Ends the game if the clock of the side to move has run out.
    async fn forfeit_on_time<H: Host<P>>(self: &Arc<Self>, app: &Arc<H>) -> Result<(), StoreError> {
        let _updating = self.updating.lock().await;
        let mut after = P::clone(&self.state());
        if !self.is_deleted() && after.flag() {
            self.commit(app, after).await?;
        }
        Ok(())
    }
}
