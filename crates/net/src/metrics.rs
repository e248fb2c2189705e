//! `metrics.jsonl`: one line of metrics per generation.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabia_run::atomic_file;

use crate::error::NetError;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct GenerationMetrics {
    /// Generation, from 1.
    pub generation: u32,
    /// Optimiser steps since the start of the training.
    pub steps: u64,
    /// Policy plus value loss, averaged over the generation's steps.
    pub loss: f64,
    /// Cross-entropy of the policy.
    pub policy_loss: f64,
    /// Entropy of the policy targets, a lower bound of the policy loss.
    pub policy_entropy: f64,
    /// Mean value loss.
    pub value_loss: f64,
    /// Top-1 accuracy of the policy.
    pub policy_hits: f64,
    /// The learning rate of the last step.
    pub rate: f64,
    /// Samples in the replay buffer.
    pub samples: usize,
    /// Games of the generation.
    pub games: u32,
    /// Samples added by this generation.
    pub new_samples: usize,
    /// Mean length of a game in plies.
    pub plies: f64,
    /// White's mean score, from 0 to 1.
    pub white_score: f64,
    /// Share of drawn games.
    pub draws: f64,
    /// Share of split moves.
    pub splits: f64,
    /// Games played to the end in which a side would have resigned.
    pub resignations: u32,
    /// Of these, games that the resigning side did not lose.
    pub wrong_resignations: u32,
    /// Positions evaluated in self-play.
    #[serde(default)]
    pub leaves: u64,
    /// Duration of self-play in seconds.
    pub play_seconds: f64,
    /// Duration of training steps in seconds.
    pub learn_seconds: f64,
    /// Duration of the training so far in seconds.
    pub seconds: f64,
    /// When it was finished, in seconds since 1970; 0 if the run had no clock.
    #[serde(default, skip_serializing_if = "is_unknown")]
    pub time: f64,
    /// Score against each rating opponent, from 0 to 1, if rated in this generation.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub scores: BTreeMap<String, f64>,
    /// Score against the previous best network, if gating is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<f64>,
}

impl GenerationMetrics {
    /// Whether the network learned in this generation. Before there are enough samples it does not, and losses are 0, not known.
    pub fn has_learned(&self) -> bool {
        self.loss > 0.0
    }
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde hands over a reference")]
fn is_unknown(time: &f64) -> bool {
    *time <= 0.0
}

/// Reads the lines up to a generation; later and truncated lines are ignored.
pub fn read(path: &Path, generation: u32) -> Result<Vec<GenerationMetrics>, NetError> {
    let text = match fs::read_to_string(path) {
        Ok(text) => text,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(Vec::new()),
        Err(error) => return Err(NetError::file("read", path)(error)),
    };
    let lines = text.lines().map_while(|line| serde_json::from_str::<GenerationMetrics>(line).ok());
    Ok(lines.take_while(|line| line.generation <= generation).collect())
}

/// Writes all lines.
pub fn write(path: &Path, lines: &[GenerationMetrics]) -> Result<(), NetError> {
    let text: String = lines
        .iter()
        .map(|line| serde_json::to_string(line).expect("numbers can be written") + "\n")
        .collect();
    atomic_file::write_bytes(path, text.as_bytes()).map_err(NetError::file("write", path))
}
