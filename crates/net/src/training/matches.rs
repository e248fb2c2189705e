//! Matches of the network: against the one that plays, for ratings, and which one is the best so far.

use tabia_core::{Stop, seed};

use super::{BEST, Training, stream};
use crate::device::NetworkRole;
use crate::error::NetError;
use crate::metrics::GenerationMetrics;
use crate::rating::{self, MatchSettings};

impl Training {
    /// Gating and rating matches due after a generation; returns whether they were finished.
    pub(super) fn play_matches(
        &mut self,
        metrics: &mut GenerationMetrics,
        threads: usize,
        halt: &Stop,
    ) -> Result<bool, NetError> {
        let hyper = self.settings.learning;
        let is_gated = hyper.gate > 0.0 && self.optimiser.steps > 0;
        let is_rated = self.is_rated(metrics.generation);
        // Loading a large network into every process takes a second.
        if !is_gated && !is_rated {
            return Ok(true);
        }
        let network = self.device.evaluator(&self.optimiser.averaged, NetworkRole::Candidate)?;
        let generation = u64::from(metrics.generation);
        let match_settings = |games: u32, part: u64| {
            let seed = seed::derive(hyper.seed, part + generation);
            MatchSettings { games, simulations: hyper.rate_simulations, seed, threads }
        };
        if is_gated {
            let old = self.device.evaluator(&self.player, NetworkRole::SelfPlay)?;
            let settings = match_settings(hyper.gate_games, stream::GATE);
            let score = rating::match_score(&network, &old, settings, halt);
            // A match ends early as well when the device fails.
            self.device.check()?;
            let Some(score) = score else { return Ok(false) };
            metrics.gate = Some(score);
            if 100.0 * score >= f64::from(hyper.gate) {
                self.player.clone_from(&self.optimiser.averaged);
            }
        }
        if is_rated {
            let settings = match_settings(hyper.rate_games, stream::RATING);
            let scores = rating::scores(&network, settings, halt);
            self.device.check()?;
            let Some(scores) = scores else { return Ok(false) };
            metrics.scores = scores;
        }
        Ok(true)
    }

    /// Whether there is a rating match after this generation.
    pub(super) fn is_rated(&self, generation: u32) -> bool {
        let every = self.settings.learning.rate_every;
        every > 0 && generation.is_multiple_of(every)
    }

    /// Writes the network of a generation as the best one, if it is. Before the first rating match, ratings have nothing to say,
    /// and the lowest loss decides: there is a best network from the first checkpoint on.
    pub(super) fn keep_best(&mut self, metrics: &GenerationMetrics) -> Result<(), NetError> {
        let by_loss = self.settings.learning.best_by_loss > 0;
        let path = self.path.join(BEST);
        let has_learned = self.optimiser.steps > self.state.steps && metrics.loss.is_finite();
        let is_best = if !by_loss && !metrics.scores.is_empty() {
            let mean = metrics.scores.values().sum::<f64>() / metrics.scores.len() as f64;
            let is_best = self.state.best_score.is_none_or(|best| mean >= best);
            if is_best {
                self.state.best_score = Some(mean);
            }
            is_best
        } else if has_learned && (by_loss || self.state.best_score.is_none()) {
            let is_best = self.state.best_loss.is_none_or(|best| metrics.loss < best);
            if is_best {
                self.state.best_loss = Some(metrics.loss);
            }
            is_best
        } else {
            // Nothing was learned yet, so no loss is known.
            !path.exists()
        };
        if is_best {
            self.optimiser.averaged.write(&path)?;
        }
        Ok(())
    }
}
