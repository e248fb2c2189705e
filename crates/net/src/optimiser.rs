//! Adam with weight decay, gradient-norm clipping and an exponential moving average (EMA) of the weights.

use std::thread;

use crate::architecture::Role;
use crate::backward::{self, LossWeights, Losses, Sample};
use crate::settings::Hyperparameters;
use crate::weights::Weights;

const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Weight of the latest batch in running means and variances, as in PyTorch's `momentum`.
const BATCH_NORM_MOMENTUM: f32 = 0.05;
/// Samples per ghost batch, which are normalised together.
pub const GHOST_BATCH: usize = 64;

/// Weights being trained, and the optimiser's state.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimiser {
    pub weights: Weights,
    /// Their exponential moving average, which is the network that plays.
    pub averaged: Weights,
    /// Adam's first moment.
    pub first_moment: Weights,
    /// Adam's second moment.
    pub second_moment: Weights,
    /// Steps taken.
    pub steps: u64,
}

impl Optimiser {
    /// An optimiser before its first step.
    pub fn new(weights: Weights) -> Optimiser {
        let zeros = weights.zeros();
        Optimiser {
            averaged: weights.clone(),
            first_moment: zeros.clone(),
            second_moment: zeros,
            weights,
            steps: 0,
        }
    }

    /// One step over a batch; returns the losses before it.
    pub fn step(&mut self, samples: &[Sample], hyper: &Hyperparameters, rate: f32, threads: usize) -> Losses {
        let policies = samples.iter().filter(|sample| !sample.moves.is_empty()).count();
        let loss_weights = LossWeights {
            policy: 1.0 / policies.max(1) as f32,
            value: hyper.value_weight / samples.len().max(1) as f32,
        };
        let (gradients, losses) = batch_gradients(&self.weights, samples, loss_weights, threads);
        self.update(&gradients, hyper, rate);
        losses
    }

    fn update(&mut self, gradients: &Weights, hyper: &Hyperparameters, rate: f32) {
        self.steps += 1;
        let parameters = self.weights.architecture.parameters();
        let norm = parameters
            .iter()
            .zip(&gradients.parameters)
            .filter(|(parameter, _)| parameter.is_trainable())
            .map(|(_, gradients)| squared_norm(gradients))
            .sum::<f64>()
            .sqrt();
        let factor = if hyper.clip > 0.0 && norm > f64::from(hyper.clip) {
            (f64::from(hyper.clip) / norm) as f32
        } else {
            1.0
        };
        let step = self.steps.min(100_000) as i32;
        let (first_correction, second_correction) = (1.0 - BETA1.powi(step), 1.0 - BETA2.powi(step));
        for (at, parameter) in parameters.iter().enumerate() {
            let (weights, gradients) = (&mut self.weights.parameters[at], &gradients.parameters[at]);
            if parameter.is_trainable() {
                // No weight decay for biases and batch normalisation.
                let decay = if matches!(parameter.role, Role::Weight(_)) { hyper.decay } else { 0.0 };
                let (first, second) =
                    (&mut self.first_moment.parameters[at], &mut self.second_moment.parameters[at]);
                for (((weight, gradient), first), second) in
                    weights.iter_mut().zip(gradients).zip(first).zip(second)
                {
                    let gradient = gradient * factor + decay * *weight;
                    *first = BETA1 * *first + (1.0 - BETA1) * gradient;
                    *second = BETA2 * *second + (1.0 - BETA2) * gradient * gradient;
                    *weight -=
                        rate * (*first / first_correction) / ((*second / second_correction).sqrt() + EPSILON);
                }
            } else {
                for (weight, measured) in weights.iter_mut().zip(gradients) {
                    *weight += BATCH_NORM_MOMENTUM * (measured - *weight);
                }
            }
            // The EMA is warmed up: initial weights would otherwise dominate it at first.
            let keep = hyper.averaging.min(self.steps as f32 / (self.steps as f32 + 10.0));
            for (average, weight) in self.averaged.parameters[at].iter_mut().zip(weights) {
                *average = keep * *average + (1.0 - keep) * *weight;
            }
        }
    }
}

/// Gradients of a batch: the sum over its ghost batches, in their order, with any number of threads.
pub fn batch_gradients(
    weights: &Weights,
    samples: &[Sample],
    loss_weights: LossWeights,
    threads: usize,
) -> (Weights, Losses) {
    let ghosts: Vec<&[Sample]> = samples.chunks(GHOST_BATCH).collect();
    let workers = threads.clamp(1, ghosts.len().max(1));
    let work = |worker: usize| {
        let mine = ghosts.iter().enumerate().skip(worker).step_by(workers);
        mine.map(|(at, ghost)| (at, backward::gradients(weights, ghost, loss_weights))).collect::<Vec<_>>()
    };
    let mut done: Vec<(usize, backward::Gradients)> = thread::scope(|scope| {
        let work = &work;
        let others: Vec<_> = (1..workers).map(|worker| scope.spawn(move || work(worker))).collect();
        let mut done = work(0);
        for other in others {
            done.extend(other.join().expect("arithmetic does not panic"));
        }
        done
    });
    done.sort_by_key(|(at, _)| *at);
    let (mut sum, mut losses) = (weights.zeros(), Losses::default());
    let parameters = weights.architecture.parameters();
    for (at, ghost) in &done {
        losses.add(&ghost.losses);
        // Running statistics are averaged over ghost batches, gradients are summed.
        let weight = ghosts[*at].len() as f32 / samples.len() as f32;
        for (index, parameter) in parameters.iter().enumerate() {
            let factor = if parameter.is_trainable() { 1.0 } else { weight };
            for (sum, gradient) in sum.parameters[index].iter_mut().zip(&ghost.gradients.parameters[index]) {
                *sum += factor * gradient;
            }
        }
    }
    (sum, losses)
}

fn squared_norm(numbers: &[f32]) -> f64 {
    numbers.iter().map(|number| f64::from(*number).powi(2)).sum()
}

/// Learning rate at `progress` from 0 to 1: linear warm-up, then cosine annealing (seed 004 §6.2).
pub fn learning_rate(hyper: &Hyperparameters, steps: u64, progress: f64) -> f32 {
    let progress = progress.clamp(0.0, 1.0);
    let (first, last) = (f64::from(hyper.rate), f64::from(hyper.last_rate));
    let cosine = last + 0.5 * (first - last) * (1.0 + (std::f64::consts::PI * progress).cos());
    let warm_up = if steps < hyper.warm_steps { (steps + 1) as f64 / hyper.warm_steps as f64 } else { 1.0 };
    (cosine * warm_up) as f32
}
