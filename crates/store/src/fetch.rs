//! Restores a run directory from a mirror.

use std::fs;
use std::path::Path;

use tabia_net::training::{BEST, METRICS};
use tabia_net::{checkpoint, shard};

use crate::location::{Location, StoreError};
use crate::{MANIFEST, name};

/// Checkpoints to download: if the last is damaged, the one before it is used.
const CHECKPOINTS: usize = 2;

/// Restores a run directory at the last checkpoint with all its games; returns its generation. A store without any checkpoint is a
/// training that has written none yet: it starts again. Games of later generations come, too, and are not played again. The
/// manifest is downloaded last, so that an interrupted download is not mistaken for a run.
pub fn fetch(location: &Location, directory: &Path) -> Result<u32, StoreError> {
    let names = location.names()?;
    let has = |name: &str| names.iter().any(|known| known == name);
    let has_checkpoint = names.iter().any(|name| checkpoint::generation(name).is_some());
    let incomplete =
        |why: &str| StoreError::Nothing { location: location.address().to_owned(), why: why.to_owned() };
    if !has(MANIFEST) {
        return Err(incomplete("holds no training: there is no manifest.toml in it"));
    }
    let games = |generation: u32| name(&shard::path(directory, generation));
    let complete = (1..=u32::MAX).take_while(|generation| has(&games(*generation))).last().unwrap_or(0);
    let last: Vec<u32> = (0..=complete)
        .rev()
        .filter(|generation| has(&name(&checkpoint::path(directory, *generation))))
        .take(CHECKPOINTS)
        .collect();
    let generation = match last.first() {
        Some(generation) => *generation,
        None if !has_checkpoint => 0,
        None => return Err(incomplete("holds no checkpoint with all its games")),
    };
    fs::create_dir_all(directory).map_err(|source| StoreError::File {
        what: "make",
        path: directory.to_owned(),
        source,
    })?;
    let download = |name: &str| location.get(name, &directory.join(name));
    for generation in 1..=complete {
        download(&games(generation))?;
    }
    for generation in last {
        download(&name(&checkpoint::path(directory, generation)))?;
    }
    for name in [METRICS, BEST].into_iter().filter(|name| has(name)) {
        download(name)?;
    }
    download(MANIFEST)?;
    Ok(generation)
}
