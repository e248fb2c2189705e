//! Tuning of search parameters by games: simultaneous perturbation stochastic approximation (SPSA; Spall, 1992).
//!
//! In every iteration each parameter is perturbed up or down at random. Players with the perturbed parameters meet players
//! with the opposite perturbation, and all parameters move a step towards the winners. One match says a little about all
//! parameters at once, and many matches a lot. Steps and perturbations shrink over the iterations.
//!
//! Games are at fixed nodes and start with random moves, each opening twice. An iteration is a function of the seed, its
//! number and the current values, so a run gives the same result with any number of threads and interruptions.

mod game_pair;
mod settings;

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, Ordering};
use std::{fs, io, thread};

use rand::Rng;
use serde::{Deserialize, Serialize};
use tabia_core::{Stop, seed};
use tabia_run::atomic_file;
use tabia_search::engine::STACK_BYTES;
use tabia_search::engine::params::{Declaration, Params};

pub use settings::{Settings, SpsaError};

const STATE: &str = "state.json";
/// Decay exponents of steps and perturbations, as recommended by Spall.
const STEP_DECAY: f64 = 0.602;
const CHANGE_DECAY: f64 = 0.101;
/// Offset of the step decay, as a share of the iterations.
const HEAD_START: f64 = 0.1;

/// The state of a run.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    pub iterations: u32,
    /// Current values, in the order of the settings.
    pub numbers: Vec<f64>,
    /// Wins, draws and losses of the players with the perturbation against those with its opposite.
    pub results: [u64; 3],
    /// Values at intervals, for a plot.
    pub trail: Vec<(u32, Vec<f64>)>,
}

/// A tuning run.
#[derive(Debug)]
pub struct Run {
    settings: Settings,
    declarations: Vec<Declaration>,
    folder: PathBuf,
    state: State,
    /// The lock of the directory.
    _lock: fs::File,
}

impl Run {
    /// Starts or resumes a run in a directory.
    pub fn open(folder: &Path, version: &str, settings: Settings) -> Result<Run, SpsaError> {
        let declarations = settings.declarations()?;
        let lock = crate::run::claim(folder, "spsa", version, &settings)?;
        let path = folder.join(STATE);
        let state = match fs::read(&path) {
            Ok(bytes) => serde_json::from_slice(&bytes)
                .ok()
                .filter(|state: &State| state.numbers.len() == declarations.len())
                .ok_or_else(|| SpsaError::Broken(path.clone()))?,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                let numbers: Vec<f64> = declarations.iter().map(|known| f64::from(known.default)).collect();
                State { iterations: 0, trail: vec![(0, numbers.clone())], numbers, results: [0; 3] }
            }
            Err(cause) => return Err(SpsaError::File(path, cause)),
        };
        Ok(Run { settings, declarations, folder: folder.to_owned(), state, _lock: lock })
    }

    pub fn state(&self) -> &State {
        &self.state
    }

    pub fn declarations(&self) -> &[Declaration] {
        &self.declarations
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// The search parameters with the current values.
    pub fn params(&self) -> Params {
        self.changed(&vec![0.0; self.state.numbers.len()])
    }

    /// The search parameters with a perturbation, rounded and clamped to their ranges.
    fn changed(&self, changes: &[f64]) -> Params {
        let mut params = Params::default();
        for ((known, number), change) in self.declarations.iter().zip(&self.state.numbers).zip(changes) {
            let value = (number + change).round().clamp(f64::from(known.min), f64::from(known.max));
            let set = params.set(known.name, value as i32);
            debug_assert!(set.is_ok(), "{set:?}");
        }
        params
    }

    /// Runs to the end, or until stopped. Finished iterations are kept.
    pub fn run_to_end(
        &mut self,
        threads: usize,
        stop: &Stop,
        after: &mut dyn FnMut(&Run),
    ) -> Result<(), SpsaError> {
        while self.state.iterations < self.settings.iterations {
            if !self
                .iterate(|run, params, iteration_seed| run.play(&params, iteration_seed, threads, stop))?
            {
                break;
            }
            after(self);
        }
        Ok(())
    }

    /// One iteration; returns whether its games were played.
    fn iterate(
        &mut self,
        play: impl FnOnce(&Run, [Params; 2], u64) -> Result<Option<[u64; 3]>, SpsaError>,
    ) -> Result<bool, SpsaError> {
        let number = self.state.iterations + 1;
        let iteration_seed = seed::derive(self.settings.seed, u64::from(number));
        let mut random = seed::random(iteration_seed);
        let total = f64::from(self.settings.iterations);
        let (now, head_start) = (f64::from(number), HEAD_START * total);
        let shrink = (total / now).powf(CHANGE_DECAY);
        let slow = ((head_start + total) / (head_start + now)).powf(STEP_DECAY);
        let sizes: Vec<f64> =
            self.declarations.iter().map(|known| self.settings.change(known) * shrink).collect();
        let changes: Vec<f64> =
            sizes.iter().map(|size| if random.random::<bool>() { *size } else { -size }).collect();
        let opposite: Vec<f64> = changes.iter().map(|change| -change).collect();
        let Some(results) = play(self, [self.changed(&changes), self.changed(&opposite)], iteration_seed)?
        else {
            return Ok(false);
        };
        let [won, drawn, lost] = results;
        let balance = won as f64 - lost as f64;
        let last: Vec<f64> = self.declarations.iter().map(|known| self.settings.change(known)).collect();
        for (at, number) in self.state.numbers.iter_mut().enumerate() {
            let step = self.settings.step * last[at].powi(2) * slow / changes[at];
            let (min, max) = (self.declarations[at].min, self.declarations[at].max);
            *number = (*number + step * balance).clamp(f64::from(min), f64::from(max));
        }
        for (sum, more) in self.state.results.iter_mut().zip([won, drawn, lost]) {
            *sum += more;
        }
        self.state.iterations = number;
        if number.is_multiple_of(self.settings.iterations.div_ceil(100).max(1)) {
            self.state.trail.push((number, self.state.numbers.clone()));
        }
        let path = self.folder.join(STATE);
        let bytes = serde_json::to_vec_pretty(&self.state)
            .map_err(|error| SpsaError::File(path.clone(), error.into()))?;
        atomic_file::write_bytes(&path, &bytes).map_err(|cause| SpsaError::File(path, cause))?;
        Ok(true)
    }

    /// All pairs of games of an iteration: wins, draws and losses of the first. `None` if stopped.
    fn play(
        &self,
        params: &[Params; 2],
        iteration_seed: u64,
        threads: usize,
        stop: &Stop,
    ) -> Result<Option<[u64; 3]>, SpsaError> {
        let (next, sums) = (AtomicU32::new(0), Mutex::new([0u64; 3]));
        let pairs = self.settings.pairs;
        let work = || {
            let Some(mut games) = game_pair::GamePair::new(&self.settings, params) else { return };
            loop {
                let pair = next.fetch_add(1, Ordering::Relaxed);
                if pair >= pairs {
                    return;
                }
                let Some(results) = games.pair(seed::derive(iteration_seed, u64::from(pair)), stop) else {
                    return;
                };
                let mut sums = sums.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                for (sum, more) in sums.iter_mut().zip(results) {
                    *sum += more;
                }
            }
        };
        thread::scope(|scope| {
            for _ in 0..threads.clamp(1, pairs as usize) {
                thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work)?;
            }
            Ok(())
        })
        .map_err(SpsaError::Threads)?;
        let sums = *sums.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        Ok((sums.iter().sum::<u64>() == 2 * u64::from(pairs)).then_some(sums))
    }
}

#[cfg(test)]
mod tests;
