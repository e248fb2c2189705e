//! What keeps a reproduction from going on.

use std::io;
use std::path::{Path, PathBuf};

use tabia_arena::contest::ContestError;
use tabia_core::{AgentError, CatalogueError, FenError};
use tabia_evolve::EvolveError;
use tabia_games::FileError;
use tabia_run::RunError;

/// Why there is no report.
#[derive(Debug, thiserror::Error)]
pub enum ReproduceError {
    /// Something that was asked for and cannot be meant.
    #[error("{0}")]
    Settings(String),
    /// The directory of the run, or a match.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A match of the reproduction.
    #[error(transparent)]
    Match(#[from] ContestError),
    /// An evolution.
    #[error(transparent)]
    Evolution(#[from] EvolveError),
    /// A file of games or positions.
    #[error(transparent)]
    Input(#[from] FileError),
    /// A player that cannot be had.
    #[error(transparent)]
    Player(#[from] CatalogueError),
    /// A player that does not play.
    #[error(transparent)]
    Agent(#[from] AgentError),
    /// A position that cannot be read.
    #[error(transparent)]
    Position(#[from] FenError),
    /// A file cannot be read or written.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// `read`, `write`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A file of the run that no run has written.
    #[error("{}: {why}; the run did not write it like this", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A thread that cannot be had.
    #[error("cannot start a thread: {0}")]
    Thread(io::Error),
}

impl ReproduceError {
    /// For `map_err` after an operation on a file.
    pub(crate) fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> ReproduceError {
        let path = path.to_owned();
        move |source| ReproduceError::File { what, path, source }
    }

    /// For a file that says what no run has written.
    pub(crate) fn broken(path: &Path, why: impl std::fmt::Display) -> ReproduceError {
        ReproduceError::Broken { path: path.to_owned(), why: why.to_string() }
    }
}
