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
    #[error("{0}")]
    Settings(String),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error(transparent)]
    Positions(#[from] FileError),
    #[error("{}: {source}", path.display())]
    Weights {
        path: PathBuf,
        /// What is wrong with it.
        source: chromosome::FileError,
    },
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// `read`, `write`.
        what: &'static str,
        path: PathBuf,
        source: io::Error,
    },
    #[error("{}: {why}; it was changed or damaged after the run wrote it, and nothing was overwritten", path.display())]
    Malformed {
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    #[error("{player}: {why}")]
    Player { player: String, why: String },
    #[error("{0}")]
    Task(String),
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
