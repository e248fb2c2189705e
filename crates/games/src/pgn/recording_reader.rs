//! A reader that records the bytes of the current game for a second pass, and counts lines.

use std::io::{self, Read};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// A source of bytes that records what was read from it.
pub struct RecordingReader<R> {
    source: R,
    kept: Recording,
}

#[derive(Clone, Default)]
pub struct Recording(Arc<Mutex<Kept>>);

#[derive(Default)]
struct Kept {
    bytes: Vec<u8>,
    /// Newlines before the first recorded byte.
    newlines: usize,
    /// Offset of the first recorded byte in the source.
    offset: u64,
}

impl<R> RecordingReader<R> {
    /// A recording reader over a source, and its recording.
    pub fn new(source: R) -> (RecordingReader<R>, Recording) {
        let kept = Recording::default();
        (RecordingReader { source, kept: kept.clone() }, kept)
    }
}

impl<R: Read> Read for RecordingReader<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let count = self.source.read(buffer)?;
        self.kept.lock().bytes.extend_from_slice(&buffer[..count]);
        Ok(count)
    }
}

impl Recording {
    fn lock(&self) -> MutexGuard<'_, Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops everything except the last `unread` bytes; returns the line they start on, from 1, and their offset in the
    /// source.
    pub fn advance(&self, unread: usize) -> (usize, u64) {
        let mut kept = self.lock();
        let passed = kept.bytes.len().saturating_sub(unread);
        kept.newlines += newlines(&kept.bytes[..passed]);
        kept.bytes.drain(..passed);
        kept.offset += passed as u64;
        (kept.newlines + 1, kept.offset)
    }

    /// The recorded bytes except the last `unread` ones.
    pub fn passed(&self, unread: usize) -> Vec<u8> {
        let kept = self.lock();
        kept.bytes[..kept.bytes.len().saturating_sub(unread)].to_vec()
    }
}

/// Number of newlines.
pub fn newlines(bytes: &[u8]) -> usize {
    bytes.split(|byte| *byte == b'\n').count() - 1
}
