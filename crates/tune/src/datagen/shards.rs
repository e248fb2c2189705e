//! Shards on disk, made on a grid: each is a complete file of games.

use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use tabia_core::Stop;
use tabia_grid::{EarlierResult, Grid, Ledger, Verdict};
use tabia_run::atomic_file;

use super::game::Game;
use super::task::{self, ShardTask};
use super::{DatagenError, Settings};
use crate::games::{self, GamesError, ScoredGame};

/// Progress.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Progress {
    /// Shards on disk.
    pub shards: u64,
    pub of: u64,
    pub samples: u64,
    /// Samples from before this run.
    pub found: u64,
}

/// The path of a shard.
pub fn path(folder: &Path, number: u64) -> PathBuf {
    folder.join(format!("shard-{number:06}.games"))
}

pub(super) fn open(path: &Path) -> Result<games::Reader<BufReader<fs::File>>, DatagenError> {
    let file = fs::File::open(path).map_err(|cause| file_error(path, cause))?;
    games::Reader::new(BufReader::new(file)).map_err(|cause| shard_error(path, cause))
}

/// Number of training positions of a shard; damaged and truncated games have none.
fn count_samples(path: &Path, settings: &Settings) -> Result<u64, DatagenError> {
    let games = open(path)?.map_while(Result::ok);
    Ok(games.map(|game| game.samples(settings.first_ply as u16).len() as u64).sum())
}

/// Makes the missing shards of `0..count` on a grid. Returns early without an error when stopped; written shards are
/// complete.
pub fn make(
    folder: &Path,
    settings: &Settings,
    count: u64,
    grid: &dyn Grid<ShardTask>,
    stop: &Stop,
    on_progress: &mut dyn FnMut(Progress),
) -> Result<Progress, DatagenError> {
    settings.check()?;
    fs::create_dir_all(folder).map_err(|cause| file_error(folder, cause))?;
    let mut first = None;
    // Earlier shards may be retracted while others are made; they are then made again.
    loop {
        let (mut missing, mut found) = (Vec::new(), 0);
        for shard in 0..count {
            let path = path(folder, shard);
            if path.exists() {
                found += count_samples(&path, settings)?;
            } else {
                missing.push(ShardTask { shard });
            }
        }
        let before = *first.get_or_insert(found);
        let shards = count - missing.len() as u64;
        let progress = Progress { shards, of: count, samples: found, found: before };
        if missing.is_empty() || stop.is_stopped() {
            return Ok(progress);
        }
        let mut writer = ShardWriter {
            folder,
            settings,
            tasks: &missing,
            progress,
            retracted: false,
            trouble: None,
            on_progress,
        };
        grid.run(&missing, stop, &mut writer)?;
        match writer.trouble {
            Some(trouble) => return Err(trouble),
            None if writer.retracted => {}
            None => return Ok(writer.progress),
        }
    }
}

/// Writes shards as they arrive.
struct ShardWriter<'a> {
    folder: &'a Path,
    settings: &'a Settings,
    tasks: &'a [ShardTask],
    progress: Progress,
    /// Whether earlier shards were retracted.
    retracted: bool,
    trouble: Option<DatagenError>,
    on_progress: &'a mut dyn FnMut(Progress),
}

impl ShardWriter<'_> {
    fn remove(&mut self, shard: u64) -> Result<(), String> {
        let path = path(self.folder, shard);
        if !path.exists() {
            return Ok(());
        }
        let samples = count_samples(&path, self.settings).map_err(|error| error.to_string())?;
        fs::remove_file(&path).map_err(|cause| file_error(&path, cause).to_string())?;
        self.progress.shards -= 1;
        self.progress.samples -= samples;
        Ok(())
    }
}

impl Ledger<ShardTask> for ShardWriter<'_> {
    fn done(&mut self, place: usize, games: Vec<Game>) -> Verdict {
        let games = match task::scored(self.settings, &games) {
            Ok(games) => games,
            Err(why) => return Verdict::Rejected(why),
        };
        if let Err(error) = write(&path(self.folder, self.tasks[place].shard), &games) {
            self.trouble = Some(error);
            return Verdict::Enough;
        }
        self.progress.shards += 1;
        let samples = games.iter().map(|game| game.samples(self.settings.first_ply as u16).len() as u64);
        self.progress.samples += samples.sum::<u64>();
        (self.on_progress)(self.progress);
        Verdict::Counted
    }

    fn retract(&mut self, places: &[usize]) -> Result<(), String> {
        places.iter().try_for_each(|place| self.remove(self.tasks[*place].shard))
    }

    fn retract_earlier(&mut self, results: &[EarlierResult]) -> Result<(), String> {
        self.retracted = true;
        results.iter().try_for_each(|result| {
            let task = ShardTask::of_id(&result.id);
            self.remove(task.ok_or_else(|| format!("\"{}\" is no shard", result.id))?.shard)
        })
    }
}

fn write(path: &Path, games: &[ScoredGame]) -> Result<(), DatagenError> {
    let mut bytes = Vec::new();
    games::write_header(&mut bytes).map_err(|cause| file_error(path, cause))?;
    for game in games {
        // Its moves were generated by the rules.
        game.write(&mut bytes);
    }
    atomic_file::write_bytes(path, &bytes).map_err(|cause| file_error(path, cause))
}

pub(super) fn shard_error(path: &Path, cause: GamesError) -> DatagenError {
    DatagenError::Shard { path: path.display().to_string(), cause }
}

pub(super) fn file_error(path: &Path, cause: io::Error) -> DatagenError {
    DatagenError::File { path: path.display().to_string(), cause }
}
