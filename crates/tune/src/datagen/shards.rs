//! Shards on disk, made by threads: each whole or not there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

use tabia_arena::whole;
use tabia_core::Stop;
use tabia_search::engine::STACK_BYTES;

use super::{DatagenError, Settings, table};
use crate::sample::{BYTES, Sample};
use crate::samples;

/// How far it has come.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Shards on disk.
    pub shards: u64,
    /// Of how many.
    pub of: u64,
    /// Samples in them.
    pub samples: u64,
    /// Samples that were there before this run.
    pub found: u64,
}

/// Where a shard lies.
pub fn path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("shard-{number:06}.samples"))
}

/// Makes the shards `0..count` that are not there yet, on some threads. Stops early and without an error when
/// asked to; what is written is whole.
pub fn make(
    folder: &Path,
    settings: &Settings,
    count: u64,
    threads: usize,
    stop: &Stop,
    told: &(dyn Fn(Progress) + Sync),
) -> Result<Progress, DatagenError> {
    settings.check()?;
    fs::create_dir_all(folder).map_err(|cause| file_error(folder, cause))?;
    let (mut missing, mut found) = (Vec::new(), 0);
    for number in 0..count {
        match fs::metadata(path(folder, number)) {
            Ok(metadata) => found += (metadata.len() / BYTES as u64).saturating_sub(1),
            Err(_) => missing.push(number),
        }
    }
    let start = Progress { shards: count - missing.len() as u64, of: count, samples: found, found };
    let progress = Mutex::new(start);
    let next = AtomicU64::new(0);
    let failure = Mutex::new(None);
    let work = || -> Result<(), DatagenError> {
        let mut table = table(settings)?;
        while let Some(&number) = missing.get(next.fetch_add(1, Ordering::Relaxed) as usize) {
            let Some(samples) = table.shard(number, stop) else { return Ok(()) };
            write(&path(folder, number), &samples)?;
            let mut progress = progress.lock().expect("no holder panics");
            progress.shards += 1;
            progress.samples += samples.len() as u64;
            told(*progress);
        }
        Ok(())
    };
    thread::scope(|scope| {
        for _ in 0..threads.max(1) {
            let run = || {
                if let Err(error) = work() {
                    stop.stop();
                    failure.lock().expect("no holder panics").get_or_insert(error);
                }
            };
            // A thread that cannot be had is done without, unless it is the only one.
            if thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, run).is_err() {
                break;
            }
        }
    });
    match failure.into_inner().expect("no holder panics") {
        Some(error) => Err(error),
        None => Ok(progress.into_inner().expect("no holder panics")),
    }
}

fn write(path: &Path, samples: &[Sample]) -> Result<(), DatagenError> {
    whole::write(path, |file| {
        samples::write_header(file)?;
        samples.iter().try_for_each(|sample| file.write_all(&sample.to_bytes()))
    })
    .map_err(|cause| file_error(path, cause))
}

pub(super) fn file_error(path: &Path, cause: io::Error) -> DatagenError {
    DatagenError::File { path: path.display().to_string(), cause }
}
