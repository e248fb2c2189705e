//! What ends a contest before its time, or keeps it from beginning.

use tabia_grid::GridError;
use tabia_run::RunError;

/// Why a contest cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// The run's directory.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A line in the middle of the journal that cannot be read.
    #[error("{path}:{line}: {why}; the journal was not written like this, and nothing was changed")]
    Journal {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        why: String,
    },
    /// A player that cannot be started at all.
    #[error("{player}: {why}")]
    Player {
        /// Its name.
        player: String,
        /// Why not.
        why: String,
    },
    /// Settings that cannot be meant.
    #[error("{0}")]
    Settings(String),
    /// Games were not played.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A game that cannot be written down.
    #[error("game {game} cannot be written: {why}")]
    Unwritable {
        /// Its number, from 1.
        game: usize,
        /// Why not.
        why: String,
    },
}
