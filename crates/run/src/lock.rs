//! Locks: one process at a time works in a directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use crate::error::RunError;

/// Name of the lock file.
const LOCK: &str = "lock";

/// How long to retry. A process that is being started holds copies of its parent's files for a moment, so a file that
/// was just closed may still be locked.
const PATIENCE: Duration = Duration::from_secs(2);
const PAUSE: Duration = Duration::from_millis(5);

/// Locks a file exclusively until it is closed.
pub fn lock_file(file: &File) -> Result<(), TryLockError> {
    let begun = Instant::now();
    loop {
        match file.try_lock() {
            Err(TryLockError::WouldBlock) if begun.elapsed() < PATIENCE => thread::sleep(PAUSE),
            answer => return answer,
        }
    }
}

/// Locks a directory exclusively, as long as the returned file is open.
pub fn lock_directory(path: &Path) -> Result<File, RunError> {
    let name = path.join(LOCK);
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&name);
    let file = file.map_err(RunError::file("open", &name))?;
    match lock_file(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::InUse(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(RunError::file("lock", name)(source)),
    }
}
