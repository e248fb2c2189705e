//! Errors of tournaments.

use tabia_grid::GridError;
use tabia_run::RunError;

/// Why a tournament cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    /// An error of the run directory.
    #[error(transparent)]
    Run(#[from] RunError),
    /// A line in the middle of the journal that cannot be read.
    #[error("{path}:{line}: {why}; the journal was not written like this, and nothing was changed")]
    Journal {
        /// The journal.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with the line.
        why: String,
    },
    /// A player that cannot be started at all.
    #[error("{player}: {why}")]
    Player {
        /// The name of the player.
        player: String,
        /// The cause.
        why: String,
    },
    /// Invalid settings.
    #[error("{0}")]
    Settings(String),
    /// Distributing the games failed.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A game that cannot be written down.
    #[error("game {game} cannot be written: {why}")]
    Unwritable {
        /// Its number, from 1.
        game: usize,
        /// The cause.
        why: String,
    },
}
