//! Where a training stands after a generation, in one file: everything that is needed to go on as if nothing had happened.
//!
//! A file is whole or not there, and its numbers have a checksum. The last two are kept, and every tenth or so for ever; if the last is broken all the same, the
//! one before it is used, and that is said.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::architecture::Architecture;
use crate::error::NetError;
use crate::metrics::Line;
use crate::optimiser::Optimiser;
use crate::tensors::Tensors;
use crate::weights::Weights;

const STANDING: &str = "standing";
const PARTS: [&str; 5] = ["weights.", "averaged.", "first.", "second.", "player."];

/// What else is known after a generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Standing {
    /// Generations that are done.
    pub generation: u32,
    /// Steps taken.
    pub steps: u64,
    /// Samples of all generations.
    pub played_samples: usize,
    /// Seconds of all runs.
    pub seconds: f64,
    /// The best mean score of a rating match.
    pub best_score: Option<f64>,
    /// The generation's line, in case it did not reach the metrics.
    pub line: Line,
}

/// Where a training stands.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// The weights and their steps.
    pub optimiser: Optimiser,
    /// Who plays against itself.
    pub player: Weights,
    /// What else is known.
    pub standing: Standing,
}

/// The file of a generation.
pub fn path(directory: &Path, generation: u32) -> PathBuf {
    directory.join(format!("checkpoint-{generation:04}.safetensors"))
}

impl Checkpoint {
    /// Writes it, and removes those that are not needed any more.
    pub fn write(&self, directory: &Path, keep_every: u32) -> Result<(), NetError> {
        let mut tensors = Tensors::default();
        let Optimiser { weights, averaged, first, second, .. } = &self.optimiser;
        for (part, prefix) in [weights, averaged, first, second, &self.player].into_iter().zip(PARTS) {
            part.put(&mut tensors, prefix);
        }
        let standing = serde_json::to_string(&self.standing).expect("numbers can be written");
        tensors.notes.insert(STANDING.to_owned(), standing);
        let generation = self.standing.generation;
        tensors.write(&path(directory, generation))?;
        for old in generations(directory)? {
            let kept = keep_every > 0 && old.is_multiple_of(keep_every) && old > 0;
            if old + 1 < generation && !kept {
                let path = path(directory, old);
                fs::remove_file(&path).map_err(NetError::file("remove", &path))?;
            }
        }
        Ok(())
    }

    /// Reads one.
    pub fn read(path: &Path, architecture: Architecture) -> Result<Checkpoint, NetError> {
        let mut tensors = Tensors::read(path)?;
        let mut part = |prefix: &str| Weights::take(architecture, &mut tensors, prefix, path);
        let [weights, averaged, first, second, player] = PARTS;
        let (weights, averaged, first, second, player) =
            (part(weights)?, part(averaged)?, part(first)?, part(second)?, part(player)?);
        let text = tensors.notes.get(STANDING).map_or("", String::as_str);
        let standing: Standing = serde_json::from_str(text)
            .map_err(|error| NetError::broken(path, format!("its standing: {error}")))?;
        let optimiser = Optimiser { weights, averaged, first, second, steps: standing.steps };
        Ok(Checkpoint { optimiser, player, standing })
    }

    /// The last one that can be read, and what was wrong with later ones. Nothing where there was never one.
    pub fn last(
        directory: &Path,
        architecture: Architecture,
    ) -> Result<(Option<Checkpoint>, Vec<NetError>), NetError> {
        let mut faults = Vec::new();
        for generation in generations(directory)?.into_iter().rev() {
            match Checkpoint::read(&path(directory, generation), architecture) {
                Ok(checkpoint) => return Ok((Some(checkpoint), faults)),
                Err(fault @ NetError::Shape { .. }) => return Err(fault),
                Err(fault) => faults.push(fault),
            }
        }
        Ok((None, faults))
    }
}

/// Generations with a checkpoint, in their order.
pub fn generations(directory: &Path) -> Result<Vec<u32>, NetError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(NetError::file("read", directory))? {
        let name = entry.map_err(NetError::file("read", directory))?.file_name();
        let number =
            name.to_str().and_then(|name| name.strip_prefix("checkpoint-")?.strip_suffix(".safetensors"));
        found.extend(number.and_then(|number| number.parse::<u32>().ok()));
    }
    found.sort_unstable();
    Ok(found)
}
