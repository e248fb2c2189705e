//! Shards on disk, made on a grid: each whole or not there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tabia_core::Stop;
use tabia_grid::{Grid, Verdict};
use tabia_run::atomic_file;

use super::task::{self, Game, ShardTask};
use super::{DatagenError, Settings};
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

/// Makes the shards `0..count` that are not there yet, on a grid. Stops early and without an error when
/// asked to; what is written is whole.
pub fn make(
    folder: &Path,
    settings: &Settings,
    count: u64,
    grid: &dyn Grid<ShardTask>,
    stop: &Stop,
    told: &mut dyn FnMut(Progress),
) -> Result<Progress, DatagenError> {
    settings.check()?;
    fs::create_dir_all(folder).map_err(|cause| file_error(folder, cause))?;
    let (mut missing, mut found) = (Vec::new(), 0);
    for shard in 0..count {
        match fs::metadata(path(folder, shard)) {
            Ok(metadata) => found += (metadata.len() / BYTES as u64).saturating_sub(1),
            Err(_) => missing.push(ShardTask { shard }),
        }
    }
    let mut progress = Progress { shards: count - missing.len() as u64, of: count, samples: found, found };
    let mut trouble = None;
    grid.run(&missing, stop, &mut |place: usize, games: Vec<Game>| {
        let samples = match task::samples(settings, &games) {
            Ok(samples) => samples,
            Err(why) => return Verdict::Rejected(why),
        };
        if let Err(error) = write(&path(folder, missing[place].shard), &samples) {
            trouble = Some(error);
            return Verdict::Enough;
        }
        progress.shards += 1;
        progress.samples += samples.len() as u64;
        told(progress);
        Verdict::Counted
    })?;
    trouble.map_or(Ok(progress), Err)
}

fn write(path: &Path, samples: &[Sample]) -> Result<(), DatagenError> {
    atomic_file::write(path, |file| {
        samples::write_header(file)?;
        samples.iter().try_for_each(|sample| file.write_all(&sample.to_bytes()))
    })
    .map_err(|cause| file_error(path, cause))
}

pub(super) fn file_error(path: &Path, cause: io::Error) -> DatagenError {
    DatagenError::File { path: path.display().to_string(), cause }
}
