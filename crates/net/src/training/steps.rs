//! Optimiser steps of a generation.

use tabia_core::{Stop, seed};

use super::clock::Clock;
use super::{Progress, Training, stream, window_size};
use crate::backward::Losses;
use crate::error::NetError;
use crate::metrics::GenerationMetrics;
use crate::optimiser;
use crate::shard::PlayedGame;

impl Training {
    /// Adds a generation's samples to the replay buffer, which grows with the samples played.
    pub(super) fn add_to_replay(&mut self, games: Vec<PlayedGame>) {
        let hyper = &self.settings.learning;
        let samples: usize = games.iter().map(|game| game.samples.len()).sum();
        self.state.played_samples += samples;
        let capacity = window_size(hyper, self.state.played_samples);
        self.replay.add(games.into_iter().flat_map(|game| game.samples), capacity);
    }

    /// Optimiser steps of a generation; returns whether all were taken.
    pub(super) fn train(
        &mut self,
        generation: u32,
        metrics: &mut GenerationMetrics,
        clock: &Clock,
        halt: &Stop,
        report: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<bool, NetError> {
        let hyper = self.settings.learning;
        let steps = match hyper.steps {
            _ if self.replay.len() < hyper.least_samples => 0,
            0 => (f64::from(hyper.passes) * metrics.new_samples as f64 / hyper.batch as f64).ceil() as u32,
            steps => steps,
        };
        let mut rng = seed::random(seed::derive(hyper.seed, stream::BATCHES + u64::from(generation)));
        let mut losses = Losses::default();
        if !self.is_uploaded {
            self.device.upload(&self.optimiser)?;
            self.is_uploaded = true;
        }
        for step in 0..steps {
            if halt.is_stopped() {
                self.device.download(&mut self.optimiser)?;
                return Ok(false);
            }
            let share = f64::from(step) / f64::from(steps);
            let rate = optimiser::learning_rate(
                &hyper,
                self.optimiser.steps,
                self.progress(generation, share, clock),
            );
            let batch = self.replay.draw(hyper.batch, &mut rng);
            losses.add(&self.device.step(&mut self.optimiser, &batch, &hyper, rate, clock.threads)?);
            metrics.rate = f64::from(rate);
            report(&Progress::Learning { generation, done: step + 1, steps });
        }
        losses.add(&if self.is_saved(generation) {
            self.device.download(&mut self.optimiser)?
        } else {
            self.device.download_average(&mut self.optimiser)?
        });
        metrics.steps = self.optimiser.steps;
        (metrics.policy_loss, metrics.value_loss) = (losses.policy_mean(), losses.value_mean());
        metrics.loss = metrics.policy_loss + metrics.value_loss;
        metrics.policy_entropy = losses.entropy / losses.policies.max(1.0);
        metrics.policy_hits = losses.hits / losses.policies.max(1.0);
        if self.settings.learning.gate <= 0.0 {
            self.player.clone_from(&self.optimiser.averaged);
        }
        Ok(true)
    }

    /// Progress of the learning-rate schedule, from 0 to 1.
    fn progress(&self, generation: u32, share: f64, clock: &Clock) -> f64 {
        let hyper = &self.settings.learning;
        if hyper.rate_steps > 0 {
            return self.optimiser.steps as f64 / hyper.rate_steps as f64;
        }
        let by_generation = (f64::from(generation - 1) + share) / f64::from(hyper.generations);
        clock.progress().map_or(by_generation, |by_time| by_time.max(by_generation))
    }
}
