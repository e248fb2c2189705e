//! Errors of books: [`BookFault`] about bytes, [`BookError`] about files.

use std::io;
use std::path::PathBuf;

use super::entry::ENTRY_BYTES;

/// Why some bytes are not a Polyglot book.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BookFault {
    #[error("it is empty, expected entries of 16 bytes each")]
    Empty,
    #[error(
        "it has {bytes} bytes, expected a multiple of 16 ({extra} left over after entry {entries}); \
         was it cut short, or copied as text?"
    )]
    Length { bytes: usize, entries: usize, extra: usize },
    #[error(
        "entry {entry} (at byte {}) has key {key:016x}, less than {previous:016x} before it; \
         entries must be in ascending order of their keys",
        (entry - 1) * ENTRY_BYTES
    )]
    Order {
        /// Number of the first entry out of order, counted from 1.
        entry: usize,
        key: u64,
        previous: u64,
    },
}

#[derive(Debug, thiserror::Error)]
pub enum BookError {
    #[error("cannot read the book {}: {source}", path.display())]
    Read { path: PathBuf, source: io::Error },
    /// A directory, a pipe or a device.
    #[error("{} is not a regular file, expected a Polyglot book", path.display())]
    NotAFile { path: PathBuf },
    #[error("{} is not a Polyglot book: {fault}", path.display())]
    NotABook { path: PathBuf, fault: BookFault },
    /// A book without entries cannot be read back, so it is not written.
    #[error("there is no entry to write to {}", path.display())]
    Nothing { path: PathBuf },
    #[error("cannot write the book {}: {source}", path.display())]
    Write { path: PathBuf, source: io::Error },
}
