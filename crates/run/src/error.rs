//! Why a run cannot begin or go on.

use std::io;
use std::path::{Path, PathBuf};

/// Why a run cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file of the run cannot be read or written.
    #[error("cannot {what} {}: {source}", path.display())]
    File {
        /// `read`, `write`, `lock`.
        what: &'static str,
        path: PathBuf,
        /// The operating system's error.
        source: io::Error,
    },
    #[error("{} already holds a run; resume it, or choose another directory", .0.display())]
    Occupied(PathBuf),
    #[error("{} holds no run: it has no manifest.toml", .0.display())]
    NoRun(PathBuf),
    #[error("another process is working in {}", .0.display())]
    InUse(PathBuf),
    #[error("the run in {} was started differently: {differences}", path.display())]
    Different { path: PathBuf, differences: String },
    #[error("{}: {why}", path.display())]
    Manifest {
        path: PathBuf,
        /// What is wrong with it.
        why: String,
    },
    #[error("the settings cannot be written: {0}")]
    Settings(String),
}

impl RunError {
    /// For `map_err` after an operation on a file.
    pub fn file(what: &'static str, path: impl AsRef<Path>) -> impl FnOnce(io::Error) -> RunError {
        let path = path.as_ref().to_owned();
        move |source| RunError::File { what, path, source }
    }
}
