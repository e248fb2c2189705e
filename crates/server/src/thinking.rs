//! The server as the host of game sessions. An agent to move searches on a thread of its own, its search information
//! is published, and its move is played.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use shakmaty::Color;
use tabia_core::{AgentError, CatalogueError, SearchInfo, Stop};
use tabia_session::{Awaits, Refusal};

use crate::agents::{self, AgentCache, WarmAgent};
use crate::app_state::AppState;
use crate::budget::{Demand, Refusal as BudgetRefusal, Reservation, Use};
use crate::engine_pool::EngineError;
use crate::id::Id;
use crate::served_game::ServedGame;
use crate::sessions::kind::ActionOf;
use crate::sessions::player::Player;
use crate::sessions::session::{GameSession, Host, LiveSearchInfo, UpdateError};
use crate::store::error::StoreError;

/// Why an agent did not move.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error(transparent)]
    Built(#[from] CatalogueError),
    #[error(transparent)]
    Chose(#[from] AgentError),
    #[error(transparent)]
    Engine(#[from] EngineError),
    #[error("{0}")]
    Refused(String),
    #[error("it chose a move that is not legal")]
    Illegal,
}

impl From<Failure> for AgentError {
    fn from(failure: Failure) -> AgentError {
        match failure {
            Failure::Chose(error) => error,
            other => AgentError::Failed(other.to_string()),
        }
    }
}

/// A move, and what was thought of it.
type Choice<K> = (ActionOf<K>, Option<SearchInfo<ActionOf<K>>>);

/// Lets the agent whose turn it is think, and plays its move.
async fn think<K: ServedGame>(
    app: Arc<AppState>,
    session: Arc<GameSession<K>>,
    state: Arc<K>,
    stop: Stop,
    suspended: Arc<AtomicBool>,
) {
    let version = state.position_version();
    let chosen = choose(&app, &session, &state, &stop, suspended.clone()).await;
    if suspended.load(Ordering::Relaxed) {
        // Suspended: the game continues when a client opens it.
        return;
    }
    if app.is_closing() {
        // Shutdown: the game continues after a restart.
        return session.finish_thinking(version);
    }
    let longest = app.config.bounds.plies;
    let changed = session
        .update(&app, move |state| {
            if state.position_version() != version || state.session().awaits() != Awaits::Agent {
                // A move was taken back, or the game ended.
                return Err(Refusal::Stale.into());
            }
            match chosen {
                Ok((action, search_info)) => state.play_agent_move(action, search_info.as_ref(), longest)?,
                Err(failure) => {
                    tracing::warn!(game = %state.id(), %failure, "an agent gave no move");
                    state.agent_failed(&failure.into());
                }
            }
            Ok(())
        })
        .await;
    session.finish_thinking(version);
    if session.is_over() {
        // It may have ended, or been deleted, while the agent thought.
        K::agent_cache(&app).forget(state.id());
    }
    if let Err(UpdateError::Store(error)) = changed {
        tracing::error!(%error, "an agent's move could not be kept");
    }
}

async fn choose<K: ServedGame>(
    app: &Arc<AppState>,
    session: &Arc<GameSession<K>>,
    state: &Arc<K>,
    stop: &Stop,
    suspended: Arc<AtomicBool>,
) -> Result<Choice<K>, Failure> {
    let color = tabia_session::SessionGame::side_to_move(state.session().game());
    let Player::Agent { spec, limits } = state.player(color) else {
        return Err(Failure::Refused("nobody sits there who could think".to_owned()));
    };
    let checked = agents::check(K::catalogue(app), &app.config, spec)
        .map_err(|problem| Failure::Refused(problem.detail().to_owned()))?;
    let limits = *limits;
    let (thread_app, session, state, stop) = (app.clone(), session.clone(), state.clone(), stop.clone());
    let work = move || {
        let app = thread_app;
        if suspended.load(Ordering::Relaxed) {
            return Err(Failure::Refused("nobody looks at the game any more".to_owned()));
        }
        let cache = K::agent_cache(&app);
        let demand = agents::demand(&checked, &app.config.confinement);
        let given_up = || Failure::Refused("nobody waits for the move any more".to_owned());
        let mut warm = if let Some(mut warm) = cache.take(state.id(), color) {
            let threads = Demand { memory_mb: 0, ..demand };
            let Some(threads) = reserve(&app, &session, &state, threads, &suspended)? else {
                cache.keep(state.id(), color, warm);
                return Err(given_up());
            };
            warm.reservation.add(threads);
            warm
        } else {
            let reserved = reserve(&app, &session, &state, demand, &suspended)?;
            let reservation = reserved.ok_or_else(given_up)?;
            let spec = agents::with_paths(checked.spec, app.config.allowed_programs.as_deref());
            let mut agent = K::catalogue(&app).build(&spec)?;
            state.reseed(agent.as_mut(), color);
            WarmAgent { agent, reservation }
        };
        let clock = state.session().clock().map(|clock| clock.for_search(Instant::now()));
        let limits = agents::limits(&checked.options, &limits, clock, app.config.bounds.think_time);
        let mut last = None;
        let chosen = warm.agent.choose(state.session().game(), &limits, &stop, &mut |search_info| {
            if search_info.rank == 1 {
                last = Some(search_info.clone());
            }
            let search_info = search_info.clone();
            session.publish_search_info(LiveSearchInfo {
                position_version: state.position_version(),
                search_info,
            });
        });
        cache.keep(state.id(), color, warm);
        let chosen = chosen?;
        if state.is_legal(chosen) { Ok((chosen, last)) } else { Err(Failure::Illegal) }
    };
    app.engine_pool.run(work, || app.suspend_abandoned()).await?
}

/// Waits until the agent may use what it needs; none when its move is of no use any more.
fn reserve<K: ServedGame>(
    app: &AppState,
    session: &GameSession<K>,
    state: &K,
    demand: Demand,
    suspended: &AtomicBool,
) -> Result<Option<Reservation>, Failure> {
    let is_over = || {
        suspended.load(Ordering::Relaxed)
            || app.is_closing()
            || session.is_over()
            || session.state().position_version() != state.position_version()
    };
    let make_room = || {
        app.suspend_abandoned();
        app.budget.is_short_of_memory(demand) && app.drop_warm_agent()
    };
    let reserved = app.budget.wait_for(Use::Game, demand, is_over, make_room);
    reserved.map_err(|refusal| Failure::Refused(refusal.to_string()))
}

impl<K: ServedGame> Host<K> for AppState {
    fn agent_cache(&self) -> &AgentCache<K::Game> {
        K::agent_cache(self)
    }

    async fn session(self: &Arc<Self>, id: Id) -> Option<Arc<GameSession<K>>> {
        K::sessions(self).find(self, id).await.ok()
    }

    async fn open_games(&self, owner: Id) -> Result<usize, StoreError> {
        self.store.open_games(owner).await
    }

    fn max_open_games(&self) -> usize {
        self.config.bounds.games_per_client
    }

    fn admit(&self, state: &K) -> Result<(), BudgetRefusal> {
        for color in Color::ALL {
            if let Player::Agent { spec, .. } = state.player(color)
                && let Ok(checked) = agents::check(K::catalogue(self), &self.config, spec)
            {
                self.budget.admit_game(agents::demand(&checked, &self.config.confinement))?;
            }
        }
        Ok(())
    }

    fn is_full(&self) -> bool {
        self.engine_pool.is_full()
    }

    fn is_closing(&self) -> bool {
        AppState::is_closing(self)
    }

    async fn closed(&self) {
        AppState::closed(self).await;
    }

    async fn save(&self, before: Option<Arc<K>>, after: Arc<K>) -> Result<(), StoreError> {
        K::save(&self.store, before, after).await
    }

    async fn load(&self, id: Id) -> Result<Option<K>, StoreError> {
        K::load(&self.store, id).await
    }

    async fn delete(&self, id: Id) -> Result<bool, StoreError> {
        K::delete(&self.store, id).await
    }

    async fn think(
        self: Arc<Self>,
        session: Arc<GameSession<K>>,
        state: Arc<K>,
        stop: Stop,
        suspended: Arc<AtomicBool>,
    ) {
        think(self, session, state, stop, suspended).await;
    }
}
