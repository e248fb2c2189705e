//! Errors of the database.

use crate::chess::error::ChessError;
use crate::quantum::error::QuantumError;

/// Why something could not be saved or loaded.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite reported an error.
    #[error("the database refused: {0}")]
    Sql(#[from] rusqlite::Error),
    /// Saved data cannot be decoded.
    #[error("a kept game cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// A saved game breaks the rules.
    #[error("a kept game cannot be played: {0}")]
    Play(#[from] ChessError),
    /// A saved game of quantum chess breaks the rules.
    #[error("a kept game of quantum chess cannot be played: {0}")]
    Quantum(#[from] QuantumError),
    /// The database thread has ended.
    #[error("the storage has ended")]
    Ended,
    /// The database was written by a later version.
    #[error("the database is of version {found}, and this program knows {known}: a newer one wrote it")]
    TooNew {
        /// Version of the database.
        found: usize,
        /// Latest version known to this program.
        known: usize,
    },
    /// The thread could not be started.
    #[error("cannot start the storage: {0}")]
    Thread(std::io::Error),
}
