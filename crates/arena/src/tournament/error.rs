//! Errors of tournaments.

use tabia_grid::GridError;
use tabia_run::RunError;

/// Why a tournament cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum TournamentError {
    #[error(transparent)]
    Run(#[from] RunError),
    /// A line in the middle of the journal that cannot be read.
    #[error("{path}:{line}: {why}; the journal was not written like this, and nothing was changed")]
    Journal {
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with the line.
        why: String,
    },
    #[error("{player}: {why}")]
    Player {
        /// The name of the player.
        player: String,
        why: String,
    },
    #[error("{0}")]
    Settings(String),
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error("game {game} cannot be written: {why}")]
    Unwritable {
        /// Its number, from 1.
        game: usize,
        why: String,
    },
}
