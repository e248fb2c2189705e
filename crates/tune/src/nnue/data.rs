//! Splits games into a training set and a validation set.
//!
//! One game in [`HELD_OUT_EVERY`] is held out as a whole, chosen by a hash of its positions: the choice depends neither
//! on the order of files nor on threads, and a duplicate game is always on the same side. A file of single positions
//! (`.samples`) has no games; there positions are held out one by one, which makes the validation loss optimistic.

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};
use std::thread;

use tabia_core::seed;
use tabia_run::atomic_file;

use super::NnueError;
use crate::games;
use crate::sample::{BYTES, Sample};
use crate::samples;

/// Every n-th game is held out.
pub const HELD_OUT_EVERY: u64 = 20;
/// Files read by each thread before their contents are written.
const FILES_AT_ONCE: usize = 8;

/// What is taken from games.
#[derive(Copy, Clone, Debug)]
pub struct Choice {
    /// Positions before this half-move are left out.
    pub first_ply: u16,
    /// Weight of later scores in a position's label (TD(λ)); 0 takes the position's own score.
    pub lambda: f64,
    /// Decides, with their positions, which games are held out.
    pub seed: u64,
}

/// Training positions.
pub fn training_path(run: &Path) -> PathBuf {
    run.join("training.samples")
}

/// Validation positions.
pub fn validation_path(run: &Path) -> PathBuf {
    run.join("validation.samples")
}

/// Temporary names, used until the directory is known to belong to this run.
fn next(path: &Path) -> PathBuf {
    path.with_extension("samples.next")
}

/// Renames the files of [`split`] to those of the run.
pub fn adopt(run: &Path) -> Result<(), NnueError> {
    for path in [training_path(run), validation_path(run)] {
        fs::rename(next(&path), &path).map_err(|cause| NnueError::File {
            path: path.display().to_string(),
            cause: cause.to_string(),
        })?;
    }
    Ok(())
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Split {
    /// Games; single positions count as one each.
    pub games: u64,
    /// Positions without a game.
    pub single: u64,
    pub learned: u64,
    pub held_out: u64,
    /// Truncated files, with the number of bytes left out.
    pub cut_short: Vec<(PathBuf, u64)>,
    /// A fingerprint of all positions.
    pub fingerprint: u64,
}

/// The positions of one file: training, validation, and messages.
#[derive(Default)]
struct Part {
    records: [Vec<u8>; 2],
    split: Split,
}

impl Part {
    fn add(&mut self, seed: u64, samples: &[Sample]) {
        let records: Vec<[u8; BYTES]> = samples.iter().map(Sample::to_bytes).collect();
        let key = records.iter().fold(seed, fingerprint);
        let held_out = key.is_multiple_of(HELD_OUT_EVERY);
        self.records[usize::from(held_out)].extend(records.iter().flatten());
        let count = records.len() as u64;
        self.split.games += 1;
        if held_out {
            self.split.held_out += count;
        } else {
            self.split.learned += count;
        }
        // A sum does not depend on the order of games.
        self.split.fingerprint = self.split.fingerprint.wrapping_add(key);
    }

    fn read(path: &Path, choice: Choice) -> Result<Part, NnueError> {
        let failed = |cause: String| NnueError::File { path: path.display().to_string(), cause };
        let file = File::open(path).map_err(|cause| failed(cause.to_string()))?;
        let file = BufReader::new(file);
        let mut part = Part::default();
        let leftover_bytes = if path.extension().is_some_and(|end| end == "games") {
            let mut reader = games::Reader::new(file).map_err(|cause| failed(cause.to_string()))?;
            for game in reader.by_ref() {
                let game = game.map_err(|cause| failed(cause.to_string()))?;
                let samples = game.samples_with_lambda(choice.first_ply, choice.lambda);
                if !samples.is_empty() {
                    part.add(choice.seed, &samples);
                }
            }
            reader.leftover_bytes()
        } else {
            let mut reader = samples::Reader::new(file).map_err(|cause| failed(cause.to_string()))?;
            for sample in reader.by_ref() {
                let sample = sample.map_err(|cause| failed(cause.to_string()))?;
                part.add(choice.seed, std::slice::from_ref(&sample));
                part.split.single += 1;
            }
            reader.leftover_bytes() as u64
        };
        if leftover_bytes > 0 {
            part.split.cut_short.push((path.to_owned(), leftover_bytes));
        }
        Ok(part)
    }
}

fn fingerprint(key: u64, record: &[u8; BYTES]) -> u64 {
    record.chunks_exact(8).fold(key, |key, chunk| {
        let mut word = [0; 8];
        word.copy_from_slice(chunk);
        seed::derive(key, u64::from_le_bytes(word))
    })
}

/// Reads files of games or samples with several threads, and writes the two files of a run, which [`adopt`] renames. The
/// same files in the same order give the same bytes with any number of threads.
pub fn split(files: &[PathBuf], run: &Path, choice: Choice, threads: usize) -> Result<Split, NnueError> {
    let mut split = Split::default();
    let mut trouble = None;
    let (training, validation) = (next(&training_path(run)), next(&validation_path(run)));
    let written = atomic_file::write(&training, |learned| {
        samples::write_header(learned)?;
        atomic_file::write(&validation, |held_out| {
            samples::write_header(held_out)?;
            for wave in files.chunks(threads.max(1) * FILES_AT_ONCE) {
                for part in read_all(wave, choice, threads) {
                    let part = match part {
                        Ok(part) => part,
                        Err(error) => {
                            trouble = Some(error);
                            return Err(io::Error::other("a file of positions cannot be read"));
                        }
                    };
                    learned.write_all(&part.records[0])?;
                    held_out.write_all(&part.records[1])?;
                    let Split { games, single, learned, held_out, cut_short, fingerprint } = part.split;
                    split.games += games;
                    split.single += single;
                    split.learned += learned;
                    split.held_out += held_out;
                    split.cut_short.extend(cut_short);
                    split.fingerprint = split.fingerprint.wrapping_add(fingerprint);
                }
            }
            Ok(())
        })
    });
    if let Some(error) = trouble {
        return Err(error);
    }
    written.map_err(|cause| NnueError::File {
        path: training.display().to_string(),
        cause: cause.to_string(),
    })?;
    if split.learned == 0 || split.held_out == 0 {
        return Err(NnueError::TooFew { learned: split.learned, held_out: split.held_out });
    }
    Ok(split)
}

fn read_all(files: &[PathBuf], choice: Choice, threads: usize) -> Vec<Result<Part, NnueError>> {
    let share = files.len().div_ceil(threads.max(1)).max(1);
    thread::scope(|scope| {
        let running: Vec<_> = files
            .chunks(share)
            .map(|files| {
                scope.spawn(move || files.iter().map(|file| Part::read(file, choice)).collect::<Vec<_>>())
            })
            .collect();
        running.into_iter().flat_map(|thread| thread.join().expect("reading does not panic")).collect()
    })
}
