//! What ends a contest before its time, or keeps it from beginning.

use std::io;
use std::path::PathBuf;

use tabia_grid::GridError;

/// Why a contest cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum ContestError {
    /// A file of the run cannot be read or written.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// `read`, `write`, `lock`.
        what: &'static str,
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A new run in a directory that has one.
    #[error("{} already holds a run; resume it, or choose another directory", .0.display())]
    Occupied(PathBuf),
    /// A run that is not there.
    #[error("{} holds no run: it has no manifest.toml", .0.display())]
    NoRun(PathBuf),
    /// A run that somebody is playing.
    #[error("another process is playing the run in {}", .0.display())]
    InUse(PathBuf),
    /// A run of another version, or of other settings.
    #[error("the run in {} was started differently: {differences}", path.display())]
    Different {
        /// Its directory.
        path: PathBuf,
        /// What differs.
        differences: String,
    },
    /// A manifest that cannot be read.
    #[error("{}: {why}", path.display())]
    Manifest {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
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
