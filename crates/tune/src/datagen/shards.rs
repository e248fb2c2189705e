//! Shards on disk, made on a grid: each whole or not there.

use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use tabia_arena::whole;
use tabia_core::Stop;
use tabia_grid::{Earlier, Grid, Ledger, Verdict};

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
    let mut first = None;
    // Shards of before may be taken back while others are made: then there is more to make.
    loop {
        let (mut missing, mut found) = (Vec::new(), 0);
        for shard in 0..count {
            match fs::metadata(path(folder, shard)) {
                Ok(metadata) => found += (metadata.len() / BYTES as u64).saturating_sub(1),
                Err(_) => missing.push(ShardTask { shard }),
            }
        }
        let before = *first.get_or_insert(found);
        let shards = count - missing.len() as u64;
        let progress = Progress { shards, of: count, samples: found, found: before };
        if missing.is_empty() || stop.is_stopped() {
            return Ok(progress);
        }
        let mut keeper =
            Keeper { folder, settings, tasks: &missing, progress, retracted: false, trouble: None, told };
        grid.run(&missing, stop, &mut keeper)?;
        match keeper.trouble {
            Some(trouble) => return Err(trouble),
            None if keeper.retracted => {}
            None => return Ok(keeper.progress),
        }
    }
}

/// Writes shards as they come.
struct Keeper<'a> {
    folder: &'a Path,
    settings: &'a Settings,
    tasks: &'a [ShardTask],
    progress: Progress,
    /// Whether shards of before were taken back.
    retracted: bool,
    trouble: Option<DatagenError>,
    told: &'a mut dyn FnMut(Progress),
}

impl Keeper<'_> {
    fn remove(&mut self, shard: u64) -> Result<(), String> {
        let path = path(self.folder, shard);
        let Ok(metadata) = fs::metadata(&path) else { return Ok(()) };
        fs::remove_file(&path).map_err(|cause| file_error(&path, cause).to_string())?;
        let samples = (metadata.len() / BYTES as u64).saturating_sub(1);
        self.progress.shards -= 1;
        self.progress.samples -= samples;
        Ok(())
    }
}

impl Ledger<ShardTask> for Keeper<'_> {
    fn done(&mut self, place: usize, games: Vec<Game>) -> Verdict {
        let samples = match task::samples(self.settings, &games) {
            Ok(samples) => samples,
            Err(why) => return Verdict::Rejected(why),
        };
        if let Err(error) = write(&path(self.folder, self.tasks[place].shard), &samples) {
            self.trouble = Some(error);
            return Verdict::Enough;
        }
        self.progress.shards += 1;
        self.progress.samples += samples.len() as u64;
        (self.told)(self.progress);
        Verdict::Counted
    }

    fn retract(&mut self, places: &[usize]) -> Result<(), String> {
        places.iter().try_for_each(|place| self.remove(self.tasks[*place].shard))
    }

    fn retract_earlier(&mut self, results: &[Earlier]) -> Result<(), String> {
        self.retracted = true;
        results.iter().try_for_each(|result| {
            let task = ShardTask::of_id(&result.id);
            self.remove(task.ok_or_else(|| format!("\"{}\" is no shard", result.id))?.shard)
        })
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
