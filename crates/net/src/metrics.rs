//! How a training went, generation by generation: `metrics.jsonl`, one line each.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabia_run::atomic_file;

use crate::error::NetError;

/// One generation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// Its number, from 1.
    pub generation: u32,
    /// Steps so far.
    pub steps: u64,
    /// Policy and value loss together, averaged over the generation's steps.
    pub loss: f64,
    /// Cross-entropy of the policy.
    pub policy_loss: f64,
    /// What the policy's loss cannot go below: the entropy of what is learned.
    pub policy_entropy: f64,
    /// Loss of the value.
    pub value_loss: f64,
    /// Share of policies whose best move is the network's.
    pub policy_hits: f64,
    /// The learning rate of the last step.
    pub rate: f64,
    /// Samples that batches are drawn from.
    pub samples: usize,
    /// Games of the generation.
    pub games: u32,
    /// Samples that it added.
    pub new_samples: usize,
    /// Plies of a game on average.
    pub plies: f64,
    /// White's score.
    pub white_score: f64,
    /// Games that were drawn.
    pub draws: f64,
    /// Moves that split.
    pub splits: f64,
    /// Games played on in which somebody would have resigned.
    pub resignations: u32,
    /// How many of them wrongly.
    pub wrong_resignations: u32,
    /// Positions that the network valued in self-play.
    #[serde(default)]
    pub leaves: u64,
    /// Seconds of self-play.
    pub play_seconds: f64,
    /// Seconds of steps.
    pub learn_seconds: f64,
    /// Seconds of the whole training so far.
    pub seconds: f64,
    /// The score against each opponent of the rating match, if there was one, from 0 to 1.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, f64>,
    /// The score against the best network so far, if it was asked for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<f64>,
}

/// Reads the lines up to a generation; what comes after, or is cut off, is not counted.
pub fn read(path: &Path, generation: u32) -> Result<Vec<Line>, NetError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(NetError::file("read", path)(error)),
    };
    let lines = text.lines().map_while(|line| serde_json::from_str::<Line>(line).ok());
    Ok(lines.take_while(|line| line.generation <= generation).collect())
}

/// Writes all lines.
pub fn write(path: &Path, lines: &[Line]) -> Result<(), NetError> {
    let text: String = lines
        .iter()
        .map(|line| serde_json::to_string(line).expect("numbers can be written") + "\n")
        .collect();
    atomic_file::write_bytes(path, text.as_bytes()).map_err(NetError::file("write", path))
}
