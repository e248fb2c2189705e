//! Errors of files of games and positions, with their location.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// An invalid part of a file; the rest is still usable.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct LineError {
    /// The file, or another name of the source.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what is expected.
    pub why: String,
}

/// `games.pgn:12: "Ke3" is not legal in …`, the form that editors understand.
impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.why)
    }
}

/// Why a file is unusable.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("cannot read {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    #[error(transparent)]
    Broken(#[from] LineError),
    #[error("{file} has no {what}{}", first.as_ref().map(|fault| format!("; the first fault: {fault}")).unwrap_or_default())]
    Empty {
        file: String,
        /// What was expected: `games`, `positions`.
        what: &'static str,
        /// The first error in it, if there is one.
        first: Option<LineError>,
    },
    #[error("{} has an unknown extension; expected one of {expected}", path.display())]
    Kind { path: PathBuf, expected: &'static str },
}

impl FileError {
    /// For `map_err` after an operation on a path.
    pub fn reading(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> FileError {
        let path = path.into();
        move |source| FileError::Read { path, source }
    }
}
