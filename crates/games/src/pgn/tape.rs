//! What the reader has taken in and may still have to look at again: the bytes of the game at hand, and the number of
//! its first line.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A source of bytes that remembers what it gave.
pub struct Tape<R> {
    source: R,
    kept: Shared,
}

/// The memory of a tape, shared with whoever winds it.
#[derive(Clone, Default)]
pub struct Shared(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Newlines before the first of the bytes.
    newlines: usize,
}

impl<R> Tape<R> {
    /// A tape over a source, and its memory.
    pub fn new(source: R) -> (Tape<R>, Shared) {
        let kept = Shared::default();
        (Tape { source, kept: kept.clone() }, kept)
    }
}

impl<R: Read> Read for Tape<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.kept.lock().bytes.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}

impl Shared {
    /// Nobody panics while holding it, and if so the bytes are as good as before.
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Forgets everything but the last `unread` bytes. Gives the line they begin on, from 1.
    pub fn wind(&self, unread: usize) -> usize {
        let mut kept = self.lock();
        let passed = kept.bytes.len().saturating_sub(unread);
        kept.newlines += newlines(&kept.bytes[..passed]);
        kept.bytes.drain(..passed);
        kept.newlines + 1
    }

    /// What was kept, but for the last `unread` bytes.
    pub fn passed(&self, unread: usize) -> Vec<u8> {
        let kept = self.lock();
        kept.bytes[..kept.bytes.len().saturating_sub(unread)].to_vec()
    }
}

/// Ends of lines in some bytes.
pub fn newlines(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').count() - 1
}
