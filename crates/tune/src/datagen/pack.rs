//! Packing of shards: unique positions, shuffled.

use std::collections::HashSet;
use std::hash::{BuildHasherDefault, Hasher};
use std::io::Write;
use std::path::Path;

use rand::seq::SliceRandom;
use tabia_core::seed;
use tabia_run::atomic_file;

use super::DatagenError;
use super::shards::{self, file_error, shard_error};
use crate::sample::BYTES;
use crate::samples;

/// The result of packing.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed {
    pub samples: u64,
    /// Duplicate positions that were dropped.
    pub repeated: u64,
    /// Truncated shards, which lost their last game.
    pub cut_short: u64,
}

/// A hasher for keys that are hashes already.
#[derive(Default)]
struct IdentityHasher(u64);

impl Hasher for IdentityHasher {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, _bytes: &[u8]) {}

    fn write_u64(&mut self, key: u64) {
        self.0 = key;
    }
}

/// Reads shards, takes their quiet positions from `first_ply` on, drops duplicates, shuffles by the seed and writes one
/// file.
pub fn pack(
    folder: &Path,
    shards: impl IntoIterator<Item = u64>,
    first_ply: u16,
    seed: u64,
    to: &Path,
) -> Result<Packed, DatagenError> {
    let mut seen: HashSet<u64, BuildHasherDefault<IdentityHasher>> = HashSet::default();
    let mut records: Vec<[u8; BYTES]> = Vec::new();
    let mut packed = Packed::default();
    for number in shards {
        let path = shards::path(folder, number);
        let mut reader = shards::open(&path)?;
        for game in reader.by_ref() {
            for sample in game.map_err(|cause| shard_error(&path, cause))?.samples(first_ply) {
                let record = sample.to_bytes();
                if seen.insert(key(&record)) {
                    records.push(record);
                } else {
                    packed.repeated += 1;
                }
            }
        }
        packed.cut_short += u64::from(reader.leftover_bytes() > 0);
    }
    records.shuffle(&mut seed::random(seed));
    packed.samples = records.len() as u64;
    atomic_file::write(to, |file| {
        samples::write_header(file)?;
        records.iter().try_for_each(|record| file.write_all(record))
    })
    .map_err(|cause| file_error(to, cause))?;
    Ok(packed)
}

/// A hash of a record's position, without its labels.
fn key(record: &[u8; BYTES]) -> u64 {
    let mut key = 0;
    for chunk in record[..26].chunks(8) {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        key = seed::derive(key, u64::from_le_bytes(word));
    }
    key
}
