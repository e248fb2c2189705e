//! Training settings and their errors.

use serde::{Deserialize, Serialize};

/// Training settings.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Seed of all randomness.
    pub seed: u64,
    /// Epochs.
    pub epochs: u32,
    /// Positions per step.
    pub batch: usize,
    /// Initial step size, in centipawns or the equivalent of a parameter's unit.
    pub rate: f64,
    /// Fraction of it in the last epoch.
    pub final_rate: f64,
    /// Weight of the game result in the target; the rest is the search score.
    pub result_share: f64,
    /// Strength of the pull towards the initial parameters (L2 regularisation).
    pub pull: f64,
    /// Epochs without a lower validation loss after which training ends (early stopping).
    pub patience: u32,
    /// Parameters with any of these phrases in their names are fixed to zero, for ablation.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub without: Vec<String>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 0,
            epochs: 30,
            batch: 16_384,
            rate: 2.0,
            final_rate: 0.05,
            result_share: 0.05,
            pull: 1e-9,
            patience: 5,
            without: Vec::new(),
        }
    }
}

/// Why training is impossible.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DescentError {
    #[error("{name} is {value}; {right}")]
    Setting { name: &'static str, value: String, right: &'static str },
    #[error("{found} positions are too few: one in {every} is held out, and some must be left to learn from")]
    TooFew { found: usize, every: usize },
    #[error("no parameter has \"{0}\" in its name; `tabia eval FEN` lists the terms")]
    Unknown(String),
    #[error("the saved state has {found} parameters, expected {expected}; was it made by another version?")]
    State { found: usize, expected: usize },
}

impl Settings {
    /// Rejects invalid settings.
    pub fn check(&self) -> Result<(), DescentError> {
        let refuse = |name, value: String, right| Err(DescentError::Setting { name, value, right });
        if self.epochs == 0 {
            return refuse("the number of epochs", "0".to_owned(), "one pass over the data is the least");
        }
        if self.batch == 0 {
            return refuse("the batch", "0".to_owned(), "a step needs at least one position");
        }
        for (name, rate) in [("the rate", self.rate), ("the final rate", self.final_rate)] {
            if !(rate.is_finite() && rate > 0.0) {
                return refuse(name, rate.to_string(), "a step size must be above zero");
            }
        }
        if !(0.0..=1.0).contains(&self.result_share) {
            return refuse(
                "the result's share",
                self.result_share.to_string(),
                "a share lies between 0 and 1",
            );
        }
        if !(self.pull.is_finite() && self.pull >= 0.0) {
            return refuse("the pull", self.pull.to_string(), "it must be zero or more");
        }
        if self.patience == 0 {
            return refuse("the patience", "0".to_owned(), "one epoch is the least");
        }
        Ok(())
    }
}
