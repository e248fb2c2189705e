//! Settings of SPSA.

use std::io;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use tabia_core::spelling;
use tabia_eval::registry;
use tabia_run::RunError;
use tabia_search::engine::params::{DECLARATIONS, Declaration};

/// Parameters without effect in games at fixed nodes.
const OF_THE_CLOCK: &str = "time_";

/// Settings of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Seed of all randomness.
    #[serde(serialize_with = "crate::run::as_text", deserialize_with = "crate::run::from_text")]
    pub seed: u64,
    /// The players' evaluation.
    pub evaluation: String,
    /// Nodes per move.
    pub nodes: u64,
    pub iterations: u32,
    /// Pairs of games per iteration.
    pub pairs: u32,
    /// Parameters to tune; if empty, all except those of time management.
    pub numbers: Vec<String>,
    /// Final perturbation, as a share of a parameter's range.
    pub change: f64,
    /// Final step per game won more than lost, as a share of the perturbation.
    pub step: f64,
    /// Openings with a larger absolute score are not played, in centipawns.
    pub opening_bound: i32,
    /// A game is adjudicated when both sides agree on this score for a while, in centipawns.
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

/// Why nothing can be tuned.
#[derive(Debug, thiserror::Error)]
pub enum SpsaError {
    #[error("{0}")]
    Setting(String),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{} is damaged and the run cannot be resumed; remove it to start again", .0.display())]
    Broken(PathBuf),
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    #[error("no thread could be started: {0}")]
    Threads(io::Error),
}

impl Settings {
    /// The parameters to tune, with their ranges. Rejects invalid settings.
    pub fn declarations(&self) -> Result<Vec<Declaration>, SpsaError> {
        let refuse = |why: &str| Err(SpsaError::Setting(why.to_owned()));
        let counts =
            [("nodes", self.nodes == 0), ("iterations", self.iterations == 0), ("pairs", self.pairs == 0)];
        if let Some((name, _)) = counts.iter().find(|(_, is_zero)| *is_zero) {
            return refuse(&format!("{name} is 0, expected at least 1"));
        }
        if !(self.change > 0.0 && self.change <= 0.5) {
            return refuse(&format!(
                "change is {}, expected a share of a parameter's range above 0, at most 0.5",
                self.change
            ));
        }
        if !(self.step > 0.0 && self.step <= 1.0) {
            return refuse(&format!("step is {}, expected more than 0 and at most 1", self.step));
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
                return Err(SpsaError::Setting(format!("the search has no parameter \"{name}\"{hint}")));
            };
            if found.iter().any(|other| other.name == known.name) {
                return Err(SpsaError::Setting(format!("\"{name}\" is named twice")));
            }
            found.push(*known);
        }
        Ok(found)
    }

    /// Final perturbation of a parameter: at least half a unit, or rounding would undo it.
    pub(super) fn change(&self, known: &Declaration) -> f64 {
        (self.change * f64::from(known.max - known.min)).max(0.5)
    }
}
