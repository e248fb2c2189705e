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
    #[error("{0}")]
    Settings(String),
    /// An error of the run directory or of a match.
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Match(#[from] TournamentError),
    #[error(transparent)]
    Evolution(#[from] EvolveError),
    #[error(transparent)]
    Input(#[from] FileError),
    #[error(transparent)]
    Player(#[from] CatalogueError),
    #[error(transparent)]
    Agent(#[from] AgentError),
    #[error(transparent)]
    Position(#[from] FenError),
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// `read`, `write`.
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{}: {why}; it was changed or damaged after the run wrote it", path.display())]
    Malformed {
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
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
