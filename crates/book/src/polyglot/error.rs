//! What can be wrong with a book: [`BookFault`] with its bytes, [`BookError`] with its file.

use std::io;
use std::path::PathBuf;

use super::entry::ENTRY_BYTES;

/// What makes some bytes no Polyglot book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookFault {
    #[error("it is empty, expected entries of 16 bytes each")]
    Empty,
    /// Not a whole number of entries.
    #[error(
        "it has {bytes} bytes, expected a multiple of 16 ({extra} left over after entry {entries}); \
         was it cut short, or copied as text?"
    )]
    Length {
        /// Length of the whole.
        bytes: usize,
        /// Whole entries in it.
        entries: usize,
        /// Bytes after the last whole entry.
        extra: usize,
    },
    /// Keys out of order.
    #[error(
        "entry {entry} (at byte {}) has key {key:016x}, less than {previous:016x} before it; \
         entries must be in ascending order of their keys",
        (entry - 1) * ENTRY_BYTES
    )]
    Order {
        /// Number of the first entry out of order, counted from 1.
        entry: usize,
        key: u64,
        /// The key before it.
        previous: u64,
    },
}

/// Why a book could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error("cannot read the book {}: {source}", path.display())]
    Read {
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The file is no book.
    #[error("{} is not a Polyglot book: {fault}", path.display())]
    NotABook {
        path: PathBuf,
        /// What is wrong with it.
        fault: BookFault,
    },
    /// A book without entries cannot be read back, so it is not written.
    #[error("there is no entry to write to {}", path.display())]
    Nothing {
        /// The file that was to be written.
        path: PathBuf,
    },
    /// The file cannot be written.
    #[error("cannot write the book {}: {source}", path.display())]
    Write {
        path: PathBuf,
        /// What the system says.
        source: io::Error,
    },
}
