//! Shards on disk, made on a grid: each a file of games, whole or not there.

use std::fs;
use std::io::{self, BufReader};
use std::path::{Path, PathBuf};

use tabia_core::Stop;
use tabia_grid::{Grid, Verdict};
use tabia_run::atomic_file;

use super::task::{self, Game, ShardTask};
use super::{DatagenError, Settings};
use crate::games::{self, GamesError, ScoredGame};

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
    folder.join(format!("shard-{number:06}.games"))
}

/// Opens the games of a shard.
pub(super) fn open(path: &Path) -> Result<games::Reader<BufReader<fs::File>>, DatagenError> {
    let file = fs::File::open(path).map_err(|cause| file_error(path, cause))?;
    games::Reader::new(BufReader::new(file)).map_err(|cause| shard_error(path, cause))
}

/// How many positions to learn from a shard has; damaged and cut games have none.
fn count_samples(path: &Path, settings: &Settings) -> Result<u64, DatagenError> {
    let games = open(path)?.map_while(Result::ok);
    Ok(games.map(|game| game.samples(settings.first_ply as u16).len() as u64).sum())
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
        let path = path(folder, shard);
        if path.exists() {
            found += count_samples(&path, settings)?;
        } else {
            missing.push(ShardTask { shard });
        }
    }
    let mut progress = Progress { shards: count - missing.len() as u64, of: count, samples: found, found };
    let mut trouble = None;
    grid.run(&missing, stop, &mut |place: usize, games: Vec<Game>| {
        let games = match task::scored(settings, &games) {
            Ok(games) => games,
            Err(why) => return Verdict::Rejected(why),
        };
        if let Err(error) = write(&path(folder, missing[place].shard), &games) {
            trouble = Some(error);
            return Verdict::Enough;
        }
        progress.shards += 1;
        let samples = games.iter().map(|game| game.samples(settings.first_ply as u16).len() as u64);
        progress.samples += samples.sum::<u64>();
        told(progress);
        Verdict::Counted
    })?;
    trouble.map_or(Ok(progress), Err)
}

fn write(path: &Path, games: &[ScoredGame]) -> Result<(), DatagenError> {
    let mut bytes = Vec::new();
    games::write_header(&mut bytes).map_err(|cause| file_error(path, cause))?;
    for game in games {
        // Its moves were made by the rules.
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
