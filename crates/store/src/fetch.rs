//! A run directory from what is kept elsewhere.

use std::fs;
use std::path::Path;

use tabia_net::training::{BEST, METRICS};
use tabia_net::{checkpoint, shard};

use crate::place::{Place, StoreError};
use crate::{MANIFEST, name};

/// Checkpoints that are brought: if the last is broken, the one before it is used.
const CHECKPOINTS: usize = 2;

/// Makes a run directory from the last checkpoint there that has all its games; gives its generation. The manifest comes last, so that what is cut
/// off is no run.
pub fn fetch(place: &Place, directory: &Path) -> Result<u32, StoreError> {
    let names = place.names()?;
    let has = |name: &str| names.iter().any(|known| known == name);
    let nothing = |why: &str| StoreError::Nothing { place: place.address().to_owned(), why: why.to_owned() };
    if !has(MANIFEST) {
        return Err(nothing("holds no training: there is no manifest.toml in it"));
    }
    let games = |generation: u32| name(&shard::path(directory, generation));
    let whole = (1..=u32::MAX).take_while(|generation| has(&games(*generation))).last().unwrap_or(0);
    let last: Vec<u32> = (1..=whole)
        .rev()
        .filter(|generation| has(&name(&checkpoint::path(directory, *generation))))
        .take(CHECKPOINTS)
        .collect();
    let Some(generation) = last.first().copied() else {
        return Err(nothing("holds no checkpoint with all its games"));
    };
    fs::create_dir_all(directory).map_err(|source| StoreError::File {
        what: "make",
        path: directory.to_owned(),
        source,
    })?;
    let bring = |name: &str| place.get(name, &directory.join(name));
    for generation in 1..=generation {
        bring(&games(generation))?;
    }
    for generation in last {
        bring(&name(&checkpoint::path(directory, generation)))?;
    }
    for name in [METRICS, BEST].into_iter().filter(|name| has(name)) {
        bring(name)?;
    }
    bring(MANIFEST)?;
    Ok(generation)
}
