//! Ablations: the same training with one setting changed, for several seeds, and a match of each pair of networks.
//!
//! One pair says little: two trainings that differ in nothing but their seed end with networks of different strength. The error is
//! therefore that of the mean over seeds, by Student's t, and has the noise of training in it as well as that of the matches.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use tabia_core::{Stop, seed};
use tabia_stats::Tally;

use crate::device::Evaluator;
use crate::error::NetError;
use crate::network::Network;
use crate::rating::{self, MatchSettings};
use crate::settings::Settings;
use crate::training::{Progress, StopReason, Training};
use crate::weights::Weights;

/// Stream of the matches' seeds.
const MATCH: u64 = 6 << 32;
/// Two-sided 95% quantiles of Student's t for 1, 2, … degrees of freedom.
const STUDENT: [f64; 10] = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26, 2.23];
/// The quantile for more.
const NORMAL: f64 = 1.96;

/// An ablation. Each seed has two run directories, `base-1` and `changed-1`, which resume like any training.
#[derive(Clone, Debug)]
pub struct Ablation {
    /// The directory of all runs.
    pub path: PathBuf,
    /// The settings that are compared with.
    pub base: Settings,
    /// The same with one setting changed.
    pub changed: Settings,
    /// Seeds: 1 to this.
    pub seeds: u32,
    /// Games of each match.
    pub games: u32,
    /// Simulations a move in matches.
    pub simulations: u32,
    /// Threads.
    pub threads: usize,
}

/// What one seed showed: the match of the changed network against the base one.
#[derive(Clone, Debug, PartialEq)]
pub struct SeedResult {
    /// The seed.
    pub seed: u32,
    /// The changed network's results.
    pub tally: Tally,
}

impl SeedResult {
    /// Elo of the changed network above the base one. One drawn game is added, so that a match without a loss is finite.
    pub fn elo(&self) -> f64 {
        let Tally { wins, draws, losses, .. } = self.tally;
        tabia_stats::Estimate::of_games([losses, draws + 1, wins]).elo.unwrap_or_default()
    }
}

/// The mean over seeds, and its 95% error; none with fewer than two seeds.
pub fn mean_elo(results: &[SeedResult]) -> (f64, Option<f64>) {
    let count = results.len() as f64;
    let mean = results.iter().map(SeedResult::elo).sum::<f64>() / count.max(1.0);
    if results.len() < 2 {
        return (mean, None);
    }
    let variance = results.iter().map(|result| (result.elo() - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let quantile = STUDENT.get(results.len() - 2).copied().unwrap_or(NORMAL);
    (mean, Some(quantile * (variance / count).sqrt()))
}

impl Ablation {
    /// Trains what is not trained yet and plays the matches; `None` if stopped. `report` gets the directory of the training.
    pub fn run(
        &self,
        version: &str,
        stop: &Stop,
        report: &mut dyn FnMut(&Path, &Progress<'_>),
    ) -> Result<Option<Vec<SeedResult>>, NetError> {
        let mut results = Vec::new();
        for number in 1..=self.seeds {
            let mut network = |name: &str, mut settings: Settings| {
                settings.learning.seed = u64::from(number);
                self.train(&format!("{name}-{number}"), &settings, version, stop, report)
            };
            let (Some(base), Some(changed)) =
                (network("base", self.base)?, network("changed", self.changed)?)
            else {
                return Ok(None);
            };
            let settings = MatchSettings {
                games: self.games,
                simulations: self.simulations,
                seed: seed::derive(self.base.learning.seed, MATCH + u64::from(number)),
                threads: self.threads,
            };
            let evaluator = |weights: &Weights| -> Evaluator { Arc::new(Network::new(weights)) };
            let played = rating::network_match(&evaluator(&changed), &evaluator(&base), settings, stop);
            let Some(tally) = played else { return Ok(None) };
            results.push(SeedResult { seed: number, tally });
        }
        Ok(Some(results))
    }

    /// The network of a finished training; `None` if stopped.
    fn train(
        &self,
        name: &str,
        settings: &Settings,
        version: &str,
        stop: &Stop,
        report: &mut dyn FnMut(&Path, &Progress<'_>),
    ) -> Result<Option<Weights>, NetError> {
        let path = self.path.join(name);
        let mut training = if path.join("manifest.toml").exists() {
            let before = Training::settings_of(&path)?;
            if before != *settings {
                return Err(NetError::Settings(format!(
                    "{} was trained with other settings; choose another directory",
                    path.display()
                )));
            }
            Training::resume(&path, *settings, version)?
        } else {
            Training::start(&path, *settings, version)?
        };
        let ending = training.run(self.threads, None, stop, &mut |progress| report(&path, progress))?;
        Ok((ending == StopReason::Finished).then(|| training.network().clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn result(seed: u32, wins: u64, losses: u64) -> SeedResult {
        SeedResult { seed, tally: Tally { wins, losses, ..Tally::default() } }
    }

    #[test]
    fn the_error_is_that_of_the_mean_over_seeds() {
        let (mean, error) = mean_elo(&[result(1, 10, 10), result(2, 10, 10)]);
        assert!(mean.abs() < 1e-9 && error.unwrap().abs() < 1e-9);
        let (one, error) = mean_elo(&[result(1, 15, 5)]);
        assert!(one > 100.0 && error.is_none());
        let (mean, error) = mean_elo(&[result(1, 15, 5), result(2, 5, 15)]);
        assert!(mean.abs() < 1e-9);
        // Two seeds that contradict each other show nothing: 12.71 standard errors, each as large as the distance from the mean.
        assert!((error.unwrap() - 12.71 * one).abs() < 1.0, "{error:?} {one}");
    }
}
