//! What is wrong with a file of games or positions, and where.

use std::fmt;
use std::io;
use std::path::PathBuf;

/// Something in a file that cannot be used; what is around it still can.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub struct LineError {
    /// The file, or whatever else the text came from.
    pub file: String,
    /// The line, from 1.
    pub line: usize,
    /// What is wrong, and what would be right.
    pub why: String,
}

/// `games.pgn:12: "Ke3" is not legal in …`, as editors and compilers write places.
impl fmt::Display for LineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}: {}", self.file, self.line, self.why)
    }
}

/// Why a file as a whole is of no use.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// The system does not give it.
    #[error("cannot read {}: {source}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// A part of it is broken, and the whole was asked for.
    #[error(transparent)]
    Broken(#[from] LineError),
    /// Nothing in it can be used.
    #[error("{file} has no {what}{}", first.as_ref().map(|fault| format!("; the first fault: {fault}")).unwrap_or_default())]
    Empty {
        /// The file.
        file: String,
        /// What was looked for: `games`, `positions`.
        what: &'static str,
        /// The first thing that is wrong with it, if anything is.
        first: Option<LineError>,
    },
    /// Its name does not say what it is.
    #[error("{} ends in none of {expected}, which say what a file is", path.display())]
    Kind {
        /// The file.
        path: PathBuf,
        /// The endings that are known.
        expected: &'static str,
    },
}

impl FileError {
    /// For `map_err` after an operation on a path.
    pub fn reading(path: impl Into<PathBuf>) -> impl FnOnce(io::Error) -> FileError {
        let path = path.into();
        move |source| FileError::Read { path, source }
    }
}
