//! How learning goes, and what cannot go.

use serde::{Deserialize, Serialize};

/// How learning goes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Everything random follows from it.
    pub seed: u64,
    /// Passes over the data.
    pub epochs: u32,
    /// Positions a step.
    pub batch: usize,
    /// The first step's size, in centipawns, or what is as much to a parameter.
    pub rate: f64,
    /// What is left of it in the last epoch.
    pub final_rate: f64,
    /// How much the game's result counts in the target; the rest is the search's score.
    pub result_share: f64,
    /// How strongly parameters are pulled back to where they began.
    pub pull: f64,
    /// Epochs without a better held-out loss after which it ends.
    pub patience: u32,
    /// Parameters with any of these words in their names are zero, and stay so: what are they worth?
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

/// Why nothing can be learned.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum DescentError {
    /// A setting that cannot work.
    #[error("{name} is {value}; {right}")]
    Setting {
        name: &'static str,
        value: String,
        /// What would be right.
        right: &'static str,
    },
    /// Too little to learn from.
    #[error("{found} positions are too few: one in {every} is held out, and some must be left to learn from")]
    TooFew {
        /// How many there are.
        found: usize,
        /// One in so many is held out.
        every: usize,
    },
    /// Words that are in no parameter's name.
    #[error("no parameter has \"{0}\" in its name; the lists of a weights file have these names")]
    Unknown(String),
    /// What was kept belongs to another run.
    #[error("what was kept of this run has {found} parameters, and the evaluation has {expected}")]
    State {
        /// How many were kept.
        found: usize,
        /// How many there are.
        expected: usize,
    },
}

impl Settings {
    /// Refuses what cannot work.
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
                return refuse(name, rate.to_string(), "steps have a size above nought");
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
            return refuse("the pull", self.pull.to_string(), "it is nought or more");
        }
        if self.patience == 0 {
            return refuse("the patience", "0".to_owned(), "one epoch is the least");
        }
        Ok(())
    }
}
