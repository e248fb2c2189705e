//! Errors.

use std::io;
use std::path::{Path, PathBuf};

use tabia_eval::chromosome;
use tabia_games::FileError;
use tabia_grid::GridError;
use tabia_run::RunError;

/// An error of an evolution.
#[derive(Debug, thiserror::Error)]
pub enum EvolveError {
    /// Invalid settings.
    #[error("{0}")]
    Settings(String),
    /// An error of the run directory.
    #[error(transparent)]
    Run(#[from] RunError),
    /// An invalid file of positions or games.
    #[error(transparent)]
    Positions(#[from] FileError),
    /// An invalid file of weights.
    #[error("{}: {source}", path.display())]
    Weights {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        source: chromosome::FileError,
    },
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
    #[error("{}: {why}; it was changed or damaged after the run wrote it, and nothing was overwritten", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// An agent that cannot be built or fails.
    #[error("{player}: {why}")]
    Player {
        /// Its spec.
        player: String,
        /// What happened.
        why: String,
    },
    /// An invalid task.
    #[error("{0}")]
    Task(String),
    /// An error of the grid.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl EvolveError {
    /// Maps an I/O error on a file.
    pub(crate) fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> EvolveError {
        let path = path.to_owned();
        move |source| EvolveError::File { what, path, source }
    }

    pub(crate) fn malformed(path: &Path, why: impl std::fmt::Display) -> EvolveError {
        EvolveError::Malformed { path: path.to_owned(), why: format!("{why}") }
    }
}
