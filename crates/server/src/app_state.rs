//! Shared state of all handlers.

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

/// File name of the database in the data folder.
const DATABASE: &str = "tabia.sqlite3";

/// Shared state of all handlers.
pub struct AppState {
    pub config: Config,
    /// Agents that can play chess.
    pub catalogue: Catalogue<ChessGame>,
    /// The database.
    pub store: Store,
    /// Chess games in memory.
    pub sessions: Sessions<ChessGameState>,
    /// Threads for agents that play.
    pub engine_pool: EnginePool,
    /// Threads for analyses.
    pub analysis_pool: EnginePool,
    /// Jobs that review games.
    pub reviews: Reviews,
    /// The games of the opening explorer, if any.
    pub collection: Option<Collection>,
    /// Agents between two moves of a game.
    pub agent_cache: AgentCache,
    /// Quantum chess: agents and games in memory.
    pub quantum: QuantumContext,
    /// Runs of the data folder, if there is one.
    pub runs: Option<Runs>,
    /// Starts runs.
    pub launcher: Arc<RunLauncher>,
    /// Rate limit of requests.
    pub rates: Rates,
    /// Rate limit of new games.
    pub new_games: Rates,
    /// Open connections.
    pub connections: Connections,
    /// Browser sessions that are logged in.
    pub logins: Logins,
    /// Memory and threads for what clients start.
    pub budget: Arc<Budget>,
    /// Held while the game of seed 003's protocol is looked up, so that it is created only once.
    pub legacy: tokio::sync::Mutex<()>,
    streams: Arc<Semaphore>,
    closing: watch::Sender<bool>,
    /// Locks the data folder against other servers.
    _lock: Option<File>,
}

/// Shared state for quantum chess.
pub struct QuantumContext {
    /// Agents that can play it.
    pub catalogue: Catalogue<QuantumGame>,
    /// The games in memory.
    pub sessions: Sessions<QuantumGameState>,
    /// Agents between two moves of a game.
    pub agent_cache: AgentCache<QuantumGame>,
}

impl QuantumContext {
    /// With all agents of quantum chess.
    pub fn new(bounds: &Bounds) -> QuantumContext {
        QuantumContext {
            catalogue: tabia_net::agents::catalogue(),
            sessions: Sessions::new(bounds.sessions),
            agent_cache: AgentCache::new(bounds.warm_agents),
        }
    }
}

/// Why the server could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// The data folder cannot be created.
    #[error("cannot make the folder {}: {error}", .path.display())]
    Folder { path: PathBuf, error: std::io::Error },
    /// The data folder is a file.
    #[error("{} is a file, expected a directory", .0.display())]
    FileAsFolder(PathBuf),
    /// Another server uses the folder, or it cannot be locked.
    #[error(
        "{0}; a data folder is for one server at a time: end the other, or name another folder with --data"
    )]
    Lock(#[from] tabia_run::RunError),
    /// The database cannot be opened.
    #[error("cannot open the database in {}: {error}", .path.display())]
    Store { path: PathBuf, error: StoreError },
    /// The index of games cannot be opened.
    #[error(transparent)]
    Games(tabia_explorer::ExplorerError),
}

impl AppState {
    /// Opens the data folder and the database.
    pub fn open(config: Config, catalogue: Catalogue<ChessGame>) -> Result<Arc<AppState>, OpenError> {
        if let Some(path) = &config.data {
            if path.is_file() {
                return Err(OpenError::FileAsFolder(path.clone()));
            }
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

    /// A permit for an event stream, if one is free.
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

    /// Shutdown: ends streams and searches.
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

    /// Whether the server is shutting down.
    pub fn is_closing(&self) -> bool {
        *self.closing.borrow()
    }

    /// Returns when the server shuts down.
    pub async fn closed(&self) {
        closed(self.closing.subscribe()).await;
    }

    /// The same as an independent future that holds no reference to the state.
    pub fn closing(&self) -> impl Future<Output = ()> + Send + use<> {
        closed(self.closing.subscribe())
    }
}

async fn closed(mut closing: watch::Receiver<bool>) {
    // The sender is dropped with the state: that is a shutdown too.
    let _ = closing.wait_for(|closing| *closing).await;
}
