//! What keeps an evolution from beginning or going on.

use std::io;
use std::path::{Path, PathBuf};

use tabia_eval::chromosome;
use tabia_games::FileError;
use tabia_grid::GridError;
use tabia_run::RunError;

/// Why there is no further generation.
#[derive(Debug, thiserror::Error)]
pub enum EvolveError {
    /// Settings that cannot be meant.
    #[error("{0}")]
    Settings(String),
    /// The directory of a run cannot be used.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A file of positions or games cannot be used.
    #[error(transparent)]
    Positions(#[from] FileError),
    /// A file of weights cannot be used.
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
        /// What the system says.
        source: io::Error,
    },
    /// A file of the run that no run has written.
    #[error("{}: {why}; the run did not write it like this, and nothing was changed", path.display())]
    Broken {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    /// A player that cannot be had, or does not play.
    #[error("{player}: {why}")]
    Player {
        /// Its spec.
        player: String,
        /// What happened.
        why: String,
    },
    /// A task that nobody can do.
    #[error("{0}")]
    Task(String),
    /// Tasks were not done.
    #[error(transparent)]
    Grid(#[from] GridError),
}

impl EvolveError {
    /// For `map_err` after an operation on a file.
    pub(crate) fn file(what: &'static str, path: &Path) -> impl FnOnce(io::Error) -> EvolveError {
        let path = path.to_owned();
        move |source| EvolveError::File { what, path, source }
    }

    /// For a file that says what no run has written.
    pub(crate) fn broken(path: &Path, why: impl std::fmt::Display) -> EvolveError {
        EvolveError::Broken { path: path.to_owned(), why: format!("{why}") }
    }
}
