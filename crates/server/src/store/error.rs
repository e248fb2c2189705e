//! Why something could not be kept or found.

use crate::chess::error::ChessError;
use crate::quantum::error::QuantumError;

/// Why something could not be kept or found.
#[derive(Debug, thiserror::Error)]
pub enum StoreError {
    /// SQLite refused.
    #[error("the database refused: {0}")]
    Sql(#[from] rusqlite::Error),
    /// What lies there cannot be read.
    #[error("a kept game cannot be read: {0}")]
    Json(#[from] serde_json::Error),
    /// A kept game that does not follow the rules.
    #[error("a kept game cannot be played: {0}")]
    Play(#[from] ChessError),
    /// The same, of quantum chess.
    #[error("a kept game of quantum chess cannot be played: {0}")]
    Quantum(#[from] QuantumError),
    /// Nobody is there any more.
    #[error("the storage has ended")]
    Ended,
    /// The database is of a later version.
    #[error("the database is of version {found}, and this program knows {known}: a newer one wrote it")]
    TooNew {
        /// What was found.
        found: usize,
        /// What is known.
        known: usize,
    },
    /// The thread could not be started.
    #[error("cannot start the storage: {0}")]
    Thread(std::io::Error),
}
