//! What goes wrong with an index.

use std::io;
use std::path::PathBuf;

/// Why an index cannot be built or read.
#[derive(Debug, thiserror::Error)]
pub enum ExplorerError {
    /// A PGN file cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    /// The database failed.
    #[error("the index of games: {0}")]
    Database(#[from] rusqlite::Error),
}

impl ExplorerError {
    /// For `map_err` after an operation on a path.
    pub(crate) fn reading(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> ExplorerError {
        let path = path.into();
        move |source| ExplorerError::Read { path, source }
    }
}
