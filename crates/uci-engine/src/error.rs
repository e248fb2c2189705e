//! Why the engine cannot do what it is asked.

use std::io;

use tabia_core::CatalogueError;
use tabia_eval::registry::WeightsError;
use tabia_search::agents::PlayerError;
use tabia_uci::SearchMoveError;

/// Why the engine cannot do what it is asked.
#[derive(Debug, thiserror::Error)]
pub enum UciEngineError {
    #[error(transparent)]
    Agent(#[from] CatalogueError),
    #[error("{0}")]
    Evaluation(String),
    /// A file of weights cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// The file.
        path: String,
        /// Why not.
        error: io::Error,
    },
    /// A file of weights cannot be used.
    #[error("{path}: {error}")]
    Weights {
        /// The file.
        path: String,
        /// Why not.
        error: WeightsError,
    },
    /// The strong search cannot be built: its table does not fit into memory, for instance.
    #[error(transparent)]
    Player(#[from] PlayerError),
    #[error(transparent)]
    Go(#[from] SearchMoveError),
    #[error("bench takes a depth, not \"{0}\"")]
    BenchDepth(String),
    #[error("nobody is there to think: the last search broke down")]
    NoSearcher,
    #[error("cannot start a thread: {0}")]
    Thread(#[from] io::Error),
}
