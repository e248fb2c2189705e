//! Checkpoints: one file per generation with the complete state of a training.
//!
//! Files are written atomically and have a checksum. The last two are kept, and every `keep_every`-th permanently. If the last one
//! is damaged nevertheless, the one before it is used and the damage is reported. The damaged file stays until its generation is
//! trained again.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use crate::architecture::Architecture;
use crate::error::NetError;
use crate::metrics::GenerationMetrics;
use crate::optimiser::Optimiser;
use crate::tensors::TensorFile;
use crate::weights::Weights;

/// Key in the file's metadata.
const STATE: &str = "state";
const PARTS: [&str; 5] = ["weights.", "averaged.", "first.", "second.", "player."];

/// The state of a training besides its weights.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingState {
    /// Finished generations.
    pub generation: u32,
    pub steps: u64,
    /// Samples of all generations, including those no longer in the replay buffer.
    pub played_samples: usize,
    /// Duration of all runs in seconds.
    pub seconds: f64,
    /// Best mean score in a rating match.
    pub best_score: Option<f64>,
    /// Loss of the best network while it is chosen by its loss.
    #[serde(default)]
    pub best_loss: Option<f64>,
    /// The generation's metrics, in case the process ended before they were written.
    #[serde(rename = "line")]
    pub metrics: GenerationMetrics,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Weights and optimiser state.
    pub optimiser: Optimiser,
    /// The network used in self-play.
    pub player: Weights,
    /// Everything else.
    pub state: TrainingState,
}

/// Path of a generation's checkpoint.
pub fn path(directory: &Path, generation: u32) -> PathBuf {
    directory.join(format!("checkpoint-{generation:04}.safetensors"))
}

impl Checkpoint {
    /// Writes the checkpoint and removes old ones.
    pub fn write(&self, directory: &Path, keep_every: u32) -> Result<(), NetError> {
        let mut file = TensorFile::default();
        let Optimiser { weights, averaged, first_moment, second_moment, .. } = &self.optimiser;
        for (part, prefix) in
            [weights, averaged, first_moment, second_moment, &self.player].into_iter().zip(PARTS)
        {
            part.insert_into(&mut file, prefix);
        }
        let state = serde_json::to_string(&self.state).expect("numbers can be written");
        file.metadata.insert(STATE.to_owned(), state);
        let generation = self.state.generation;
        file.write(&path(directory, generation))?;
        let found = generations(directory)?;
        for old in expired(&found, generation, keep_every) {
            let path = path(directory, old);
            fs::remove_file(&path).map_err(NetError::file("remove", &path))?;
        }
        Ok(())
    }

    /// Reads a checkpoint.
    pub fn read(path: &Path, architecture: Architecture) -> Result<Checkpoint, NetError> {
        let mut file = TensorFile::read(path)?;
        let mut part = |prefix: &str| Weights::take_from(architecture, &mut file, prefix, path);
        let [weights, averaged, first, second, player] = PARTS;
        let (weights, averaged, first_moment, second_moment, player) =
            (part(weights)?, part(averaged)?, part(first)?, part(second)?, part(player)?);
        let text = file.metadata.get(STATE).map_or("", String::as_str);
        let state: TrainingState = serde_json::from_str(text)
            .map_err(|error| NetError::malformed(path, format!("its metadata \"{STATE}\": {error}")))?;
        let optimiser = Optimiser { weights, averaged, first_moment, second_moment, steps: state.steps };
        Ok(Checkpoint { optimiser, player, state })
    }

    /// The last readable checkpoint, if any, and the errors of later ones.
    pub fn last(
        directory: &Path,
        architecture: Architecture,
    ) -> Result<(Option<Checkpoint>, Vec<NetError>), NetError> {
        let mut errors = Vec::new();
        for generation in generations(directory)?.into_iter().rev() {
            match Checkpoint::read(&path(directory, generation), architecture) {
                Ok(checkpoint) => return Ok((Some(checkpoint), errors)),
                Err(error @ NetError::Shape { .. }) => return Err(error),
                Err(error) => errors.push(error),
            }
        }
        Ok((None, errors))
    }
}

/// Which checkpoints of these generations, ascending, need not stay after `written` was: the last two up to it do, and every
/// `keep_every`-th. Not every generation has one (`save_every`). Newer ones do not count: the training goes on from before them because
/// the newest are damaged.
pub fn expired(generations: &[u32], written: u32, keep_every: u32) -> impl Iterator<Item = u32> {
    let end = generations.partition_point(|generation| *generation <= written);
    let older = &generations[..end.saturating_sub(2)];
    let is_kept =
        move |generation: u32| keep_every > 0 && generation.is_multiple_of(keep_every) && generation > 0;
    older.iter().copied().filter(move |generation| !is_kept(*generation))
}

/// The generation of a checkpoint's file name.
pub fn generation(name: &str) -> Option<u32> {
    name.strip_prefix("checkpoint-")?.strip_suffix(".safetensors")?.parse().ok()
}

/// Generations with a checkpoint, ascending.
pub fn generations(directory: &Path) -> Result<Vec<u32>, NetError> {
    let mut found = Vec::new();
    for entry in fs::read_dir(directory).map_err(NetError::file("read", directory))? {
        let name = entry.map_err(NetError::file("read", directory))?.file_name();
        found.extend(name.to_str().and_then(generation));
    }
    found.sort_unstable();
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An empty directory.
    fn directory(name: &str) -> PathBuf {
        let directory = std::env::temp_dir().join(format!("tabia-checkpoint-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&directory);
        fs::create_dir_all(&directory).unwrap();
        directory
    }

    fn checkpoint(generation: u32) -> Checkpoint {
        let weights = Weights::initial(Architecture::new(16, 1), 1);
        let state = TrainingState { generation, ..TrainingState::default() };
        Checkpoint { optimiser: Optimiser::new(weights.clone()), player: weights, state }
    }

    #[test]
    fn damaged_checkpoints_are_not_among_the_last_two() {
        let directory = directory("damaged");
        for damaged in [18, 20] {
            fs::write(path(&directory, damaged), "damaged").unwrap();
        }
        let architecture = Architecture::new(16, 1);
        let resumed =
            || Checkpoint::last(&directory, architecture).unwrap().0.map(|last| last.state.generation);
        for (written, there) in [
            (14, vec![14, 18, 20]),
            (16, vec![14, 16, 18, 20]),
            (17, vec![16, 17, 18, 20]),
            (18, vec![17, 18, 20]),
        ] {
            checkpoint(written).write(&directory, 0).unwrap();
            assert_eq!(generations(&directory).unwrap(), there);
            assert_eq!(resumed(), Some(written));
        }
        fs::remove_dir_all(directory).unwrap();
    }

    #[test]
    fn every_so_many_checkpoints_are_kept() {
        let expired =
            |written, keep_every| expired(&[0, 5, 10, 15, 20, 25], written, keep_every).collect::<Vec<_>>();
        assert_eq!(expired(25, 10), [0, 5, 15]);
        assert_eq!(expired(20, 0), [0, 5, 10]);
        assert!(expired(0, 0).is_empty());
    }

    #[test]
    fn a_checkpoint_without_its_state_is_refused() {
        let directory = directory("state");
        checkpoint(3).write(&directory, 0).unwrap();
        let path = path(&directory, 3);
        let mut file = TensorFile::read(&path).unwrap();
        file.metadata.remove(STATE);
        file.write(&path).unwrap();
        let error = Checkpoint::read(&path, Architecture::new(16, 1)).unwrap_err().to_string();
        assert!(error.contains("its metadata \"state\": "), "{error}");
        fs::remove_dir_all(directory).unwrap();
    }
}
