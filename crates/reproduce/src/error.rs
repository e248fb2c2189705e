//! Errors.

use std::io;
use std::path::{Path, PathBuf};

use tabia_arena::tournament::TournamentError;
use tabia_core::{AgentError, CatalogueError, FenError};
use tabia_evolve::EvolveError;
use tabia_games::FileError;
use tabia_run::RunError;

/// An error of a reproduction.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// Invalid settings.
    #[error("{0}")]
    Settings(String),
    /// An error of the run directory or of a match.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An error of a match.
    #[error(transparent)]
    Match(#[from] TournamentError),
    /// An error of an evolution.
    #[error(transparent)]
    Evolution(#[from] EvolveError),
    /// An invalid file of games or positions.
    #[error(transparent)]
    Input(#[from] FileError),
    /// An agent that cannot be built.
    #[error(transparent)]
    Player(#[from] CatalogueError),
    /// An agent that fails.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// An invalid position.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A file cannot be read or written.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// `read`, `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// The reason.
        source: io::Error,
    },
    /// A file of the run with unexpected contents.
    #[error("{}: {why}; it was changed or damaged after the run wrote it", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A thread that cannot be started.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

impl ReproduceError {
    /// Maps an I/O error on a file.
    pub(crate) fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ReproduceError {
        let path = path.to_owned();
        move |source| ReproduceError::File { what, path, source }
    }

    pub(crate) fn malformed(path: &Path, why: impl std::fmt::Display) -> ReproduceError {
        ReproduceError::Malformed { path: path.to_owned(), why: why.to_string() }
    }
}
