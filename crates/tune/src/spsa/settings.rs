//! What is tuned, and how.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tabia_core::spelling;
use tabia_eval::registry;
use tabia_run::RunError;
use tabia_search::engine::params::{DECLARATIONS, Declaration};

/// Numbers that mean nothing in games at fixed nodes.
const OF_THE_CLOCK: &str = "time_";

/// What is asked of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Everything random follows from it.
    #[serde(serialize_with = "crate::run::as_text", deserialize_with = "crate::run::from_text")]
    pub seed: u64,
    /// The evaluation that plays.
    pub evaluation: String,
    /// Nodes a move.
    pub nodes: u64,
    pub iterations: u32,
    /// Pairs of games an iteration.
    pub pairs: u32,
    /// The numbers that are tuned; all but those of the clock where none is named.
    pub numbers: Vec<String>,
    /// How far a number is changed at last, as a share of its range.
    pub change: f64,
    /// How far numbers go towards winners at last, for a game more won than lost, as a share of the change.
    pub step: f64,
    /// Openings worth more than this to either side are not played, in centipawns.
    pub opening_bound: i32,
    /// A game is won when both agree on this for a while, in centipawns.
    pub win_score: i32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 0,
            evaluation: registry::STRONGEST.to_owned(),
            nodes: 4_000,
            iterations: 2_000,
            pairs: 8,
            numbers: Vec::new(),
            change: 0.05,
            step: 0.004,
            opening_bound: 150,
            win_score: 700,
        }
    }
}

/// Why nothing is tuned.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    /// A setting that makes no sense.
    #[error("{0}")]
    Setting(String),
    /// The directory belongs to other settings, or to another process.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The state cannot be read.
    #[error("{} is broken; without it the run cannot go on: remove it to begin anew", .0.display())]
    Broken(PathBuf),
    /// A file could not be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    /// No thread could be had.
    #[error("no thread could be started: {0}")]
    Threads(io::Error),
}

impl Settings {
    /// The numbers that are tuned, with their ranges. Refuses what cannot work.
    pub fn declarations(&self) -> Result<Vec<Declaration>, SpsaError> {
        let refuse = |why: &str| Err(SpsaError::Setting(why.to_owned()));
        if self.nodes == 0 || self.iterations == 0 || self.pairs == 0 {
            return refuse("nodes, iterations and pairs are one at least");
        }
        if !(self.change > 0.0 && self.change <= 0.5) {
            return refuse("a number can be changed by more than 0 and at most 0.5 of its range");
        }
        if !(self.step > 0.0 && self.step <= 1.0) {
            return refuse("a step is more than 0 and at most 1");
        }
        if !registry::NAMES.contains(&self.evaluation.as_str()) {
            return Err(SpsaError::Setting(format!("there is no evaluation \"{}\"", self.evaluation)));
        }
        if self.numbers.is_empty() {
            return Ok(DECLARATIONS
                .iter()
                .filter(|known| !known.name.starts_with(OF_THE_CLOCK))
                .copied()
                .collect());
        }
        let mut found: Vec<Declaration> = Vec::new();
        for name in &self.numbers {
            let Some(known) = DECLARATIONS.iter().find(|known| known.name == name) else {
                let hint = spelling::hint(name, DECLARATIONS.iter().map(|known| known.name));
                return Err(SpsaError::Setting(format!("the search has no number \"{name}\"{hint}")));
            };
            if found.iter().any(|other| other.name == known.name) {
                return Err(SpsaError::Setting(format!("\"{name}\" is named twice")));
            }
            found.push(*known);
        }
        Ok(found)
    }

    /// How far a number is changed at last: half a unit at least, or rounding would undo it.
    pub(super) fn change(&self, known: &Declaration) -> f64 {
        (self.change * f64::from(known.max - known.min)).max(0.5)
    }
}
