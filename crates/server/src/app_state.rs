//! The laboratory: everything that handlers share.

use std::fs::File;
use std::path::PathBuf;
use std::sync::Arc;

use tabia_core::{Catalogue, ChessGame};
use tabia_quantum::QuantumGame;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};

use crate::agents::AgentCache;
use crate::budget::{Budget, Demand, Refusal, Reservation, Use};
use crate::chess::state::ChessGameState;
use crate::config::{Bounds, Config};
use crate::connections::Connections;
use crate::engine_pool::EnginePool;
use crate::explorer::Collection;
use crate::logins::Logins;
use crate::problem::Problem;
pub use crate::problem::RETRY;
use crate::quantum::state::QuantumGameState;
use crate::rates::Rates;
use crate::reviews::Reviews;
use crate::runs::Runs;
use crate::runs::start::RunLauncher;
use crate::sessions::Sessions;
use crate::store::Store;
use crate::store::error::StoreError;

/// The name of the database within the data folder.
const DATABASE: &str = "tabia.sqlite3";

/// Everything that handlers share.
pub struct AppState {
    /// As it was told.
    pub config: Config,
    /// Who can play.
    pub catalogue: Catalogue<ChessGame>,
    /// Where games are kept.
    pub store: Store,
    /// The games in memory.
    pub sessions: Sessions<ChessGameState>,
    /// Where agents think in games.
    pub engine_pool: EnginePool,
    /// Where positions are analysed.
    pub analysis_pool: EnginePool,
    /// Games that the coach reviews.
    pub reviews: Reviews,
    /// Games that the opening explorer knows, if there are any.
    pub collection: Option<Collection>,
    /// Agents between two moves.
    pub agent_cache: AgentCache,
    /// Quantum chess: who plays it, and the games in memory.
    pub quantum: QuantumContext,
    /// Runs of the data folder, if there is one.
    pub runs: Option<Runs>,
    /// Starts runs.
    pub launcher: Arc<RunLauncher>,
    /// How often clients come.
    pub rates: Rates,
    /// How often clients set up games.
    pub new_games: Rates,
    /// The connections that are open.
    pub connections: Connections,
    /// Sessions of browsers that have shown the token.
    pub logins: Logins,
    /// What clients' work may use.
    pub budget: Arc<Budget>,
    /// Held by whoever looks for the game of seed 003's protocol, so that it is set up once.
    pub legacy: tokio::sync::Mutex<()>,
    streams: Arc<Semaphore>,
    closing: watch::Sender<bool>,
    /// Keeps other servers out of the data folder.
    _lock: Option<File>,
}

/// Everything of quantum chess that handlers share.
pub struct QuantumContext {
    /// Who can play it.
    pub catalogue: Catalogue<QuantumGame>,
    /// The games in memory.
    pub sessions: Sessions<QuantumGameState>,
    /// Agents between two moves.
    pub agent_cache: AgentCache<QuantumGame>,
}

impl QuantumContext {
    /// With everybody who plays it.
    pub fn new(bounds: &Bounds) -> QuantumContext {
        QuantumContext {
            catalogue: tabia_net::agents::catalogue(),
            sessions: Sessions::new(bounds.sessions),
            agent_cache: AgentCache::new(bounds.warm_agents),
        }
    }
}

/// Why a laboratory could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The folder cannot be made.
    #[error("cannot make the folder {}: {error}", .path.display())]
    Folder {
        /// Which.
        path: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// Another server works in the folder, or it cannot be locked.
    #[error(
        "{0}; a data folder is for one server at a time: end the other, or name another folder with --data"
    )]
    Lock(#[from] tabia_run::RunError),
    /// The database cannot be opened.
    #[error("cannot open the database in {}: {error}", .path.display())]
    Store {
        /// Where.
        path: PathBuf,
        /// Why not.
        error: StoreError,
    },
    /// The index of games cannot be opened.
    #[error(transparent)]
    Games(tabia_explorer::ExplorerError),
}

impl AppState {
    /// Opens a laboratory: its folder, its database.
    pub fn open(config: Config, catalogue: Catalogue<ChessGame>) -> Result<Arc<AppState>, OpenError> {
        if let Some(path) = &config.data {
            std::fs::create_dir_all(path).map_err(|error| OpenError::Folder { path: path.clone(), error })?;
        }
        let lock = config.data.as_deref().map(tabia_run::lock::lock_directory).transpose()?;
        let database = config.data.as_ref().map(|path| path.join(DATABASE));
        let collection = match &config.data {
            Some(data) if !config.games.is_empty() => {
                Some(Collection::open(data, &config.games).map_err(OpenError::Games)?)
            }
            _ => None,
        };
        let bounds = &config.bounds;
        let failed = |error| OpenError::Store { path: database.clone().unwrap_or_default(), error };
        let store = Store::open(database.as_deref()).map_err(failed)?;
        let logins =
            Logins::open(&store, config.token.as_deref(), bounds.logins_per_minute).map_err(failed)?;
        let launcher =
            Arc::new(RunLauncher::new(config.program.clone(), config.confinement.clone(), bounds.runs));
        Ok(Arc::new(AppState {
            engine_pool: EnginePool::new("game", bounds.engines, bounds.waiting),
            analysis_pool: EnginePool::new("analysis", bounds.analyses, 0),
            reviews: Reviews::new(bounds),
            collection,
            agent_cache: AgentCache::new(bounds.warm_agents),
            sessions: Sessions::new(bounds.sessions),
            quantum: QuantumContext::new(bounds),
            runs: config.data.as_deref().map(|data| Runs::new(data, launcher.clone())),
            launcher,
            rates: Rates::new(bounds.requests_per_second),
            new_games: Rates::per_minute(bounds.games_per_minute),
            connections: Connections::new(bounds.connections, bounds.connections_per_address),
            budget: Budget::new(bounds.budget),
            logins,
            legacy: tokio::sync::Mutex::new(()),
            streams: Arc::new(Semaphore::new(bounds.streams)),
            closing: watch::Sender::new(false),
            config,
            catalogue,
            store,
            _lock: lock,
        }))
    }

    /// A place for a stream, if there is one.
    pub fn stream(&self) -> Result<OwnedSemaphorePermit, Problem> {
        self.streams
            .clone()
            .try_acquire_owned()
            .map_err(|_| Problem::busy("as many streams are open as this server keeps", RETRY))
    }

    /// Reserves what an analysis or a match may use. Agents that are kept for the next move of a game make room for it.
    pub async fn reserve(self: &Arc<Self>, demand: Demand) -> Result<Reservation, Refusal> {
        loop {
            match self.budget.reserve(Use::Work, demand) {
                Err(Refusal::InUse { .. }) if self.budget.is_short_of_memory(demand) => {
                    // To end an engine in a process of its own takes a moment.
                    let app = self.clone();
                    let dropped = tokio::task::spawn_blocking(move || app.drop_warm_agent()).await;
                    if !dropped.unwrap_or(false) {
                        return self.budget.reserve(Use::Work, demand);
                    }
                }
                reserved => return reserved,
            }
        }
    }

    /// Drops the agent of a game that has not moved for longest, and gives its memory back. It is built again for its next
    /// move. Returns whether there was one.
    pub fn drop_warm_agent(&self) -> bool {
        self.agent_cache.drop_oldest() || self.quantum.agent_cache.drop_oldest()
    }

    /// Agents at tables that everybody has left make room for others.
    pub fn suspend_abandoned(&self) {
        self.sessions.suspend_abandoned();
        self.quantum.sessions.suspend_abandoned();
    }

    /// Ends streams and thinking: the server closes.
    pub fn close(&self) {
        self.closing.send_replace(true);
        self.sessions.stop_all();
        self.quantum.sessions.stop_all();
        self.reviews.stop_all();
        if let Some(collection) = &self.collection {
            collection.close();
        }
        self.launcher.stop_all();
    }

    /// Whether the server closes.
    pub fn is_closing(&self) -> bool {
        *self.closing.borrow()
    }

    /// Returns when the server closes.
    pub async fn closed(&self) {
        closed(self.closing.subscribe()).await;
    }

    /// Returns when the server closes; holds nothing of it meanwhile.
    pub fn closing(&self) -> impl Future<Output = ()> + Send + use<> {
        closed(self.closing.subscribe())
    }
}

async fn closed(mut closing: watch::Receiver<bool>) {
    // Without a sender there is no laboratory any more.
    let _ = closing.wait_for(|closing| *closing).await;
}
