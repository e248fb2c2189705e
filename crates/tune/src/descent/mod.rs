//! Gradient descent on the parameters of any evaluation (seed 000 §10.1).
//!
//! The model: White's chance of a point is the logistic function of the score. The target of a position is its
//! game's result blended with what the search thought of it; the loss is the cross-entropy between the two. *K*, the
//! steepness, is fitted to the data before the first step and then held, for otherwise steepness and parameters
//! could grow together for ever. The optimiser is Adam on mini-batches; a share of the positions is held out, and the
//! parameters that did best on it are the ones that are kept.
//!
//! Gradients are summed over a fixed number of slices of each batch, in order, whatever the threads: the same seed
//! gives the same bytes.

mod adam;
mod batch;
mod data;

use rand::seq::SliceRandom;
use tabia_core::{Stop, seed};
use tabia_eval::recipe::Tunable;

pub use data::{Data, Point};

use adam::Adam;

/// How learning goes.
#[derive(Clone, Debug, PartialEq)]
pub struct Settings {
    /// Everything random follows from it.
    pub seed: u64,
    /// Passes over the data.
    pub epochs: u32,
    /// Positions a step.
    pub batch: usize,
    /// The first step's size, in centipawns.
    pub rate: f64,
    /// What is left of it in the last epoch.
    pub final_rate: f64,
    /// How much the game's result counts in the target; the rest is the search's score.
    pub result_share: f64,
    /// How strongly parameters are pulled back to where they began.
    pub pull: f64,
    /// Epochs without a better held-out loss after which it ends.
    pub patience: u32,
    /// Threads.
    pub threads: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 0,
            epochs: 30,
            batch: 16_384,
            rate: 2.0,
            final_rate: 0.05,
            result_share: 0.6,
            pull: 1e-7,
            patience: 5,
            threads: 1,
        }
    }
}

/// One pass over the data.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Epoch {
    /// From 1.
    pub number: u32,
    /// Mean loss over the positions learned from, while they were learned from.
    pub loss: f64,
    /// Mean loss over the positions held out.
    pub held_out: f64,
}

/// What learning came to.
#[derive(Clone, Debug, PartialEq)]
pub struct Outcome {
    /// The parameters that did best on what was held out.
    pub parameters: Vec<f64>,
    /// The steepness that was fitted: chances are `1 / (1 + exp(-k · centipawns))`.
    pub k: f64,
    /// Held-out loss before the first step.
    pub before: f64,
    /// Held-out loss of the parameters that are kept.
    pub after: f64,
    /// All passes.
    pub epochs: Vec<Epoch>,
}

/// Learns the parameters of an evaluation from data. Stops early when asked to, with the best so far.
pub fn learn(
    evaluation: &impl Tunable,
    data: &Data,
    settings: &Settings,
    stop: &Stop,
    told: &mut dyn FnMut(&Epoch),
) -> Outcome {
    let start: Vec<f32> = evaluation.parameters().iter().map(|parameter| parameter.value as f32).collect();
    let threads = settings.threads.max(1);
    let k = fit_steepness(data, &start, settings);
    let held_out_loss =
        |parameters: &[f32]| batch::loss(&data.held_out, parameters, k, settings.result_share, threads);
    let before = held_out_loss(&start);

    let mut parameters = start.clone();
    let mut adam = Adam::new(parameters.len());
    let mut order: Vec<u32> = (0..data.learned.len() as u32).collect();
    let (mut best, mut best_loss, mut worse) = (parameters.clone(), before, 0);
    let mut epochs = Vec::new();
    let decay =
        (settings.final_rate / settings.rate).powf(1.0 / f64::from(settings.epochs.saturating_sub(1).max(1)));
    let mut rate = settings.rate;
    for number in 1..=settings.epochs {
        order.shuffle(&mut seed::random(seed::derive(settings.seed, number.into())));
        let mut loss = 0.0;
        for indices in order.chunks(settings.batch.max(1)) {
            if stop.is_stopped() {
                break;
            }
            let step =
                batch::gradient(&data.learned, indices, &parameters, k, settings.result_share, threads);
            loss += step.loss;
            let mut gradient = step.gradient;
            let scale = 1.0 / indices.len() as f32;
            for ((slope, parameter), origin) in gradient.iter_mut().zip(&parameters).zip(&start) {
                *slope = *slope * scale + settings.pull as f32 * (parameter - origin);
            }
            adam.step(&mut parameters, &gradient, rate as f32);
        }
        if stop.is_stopped() {
            break;
        }
        let epoch =
            Epoch { number, loss: loss / order.len().max(1) as f64, held_out: held_out_loss(&parameters) };
        told(&epoch);
        epochs.push(epoch);
        if epoch.held_out < best_loss {
            (best, best_loss, worse) = (parameters.clone(), epoch.held_out, 0);
        } else {
            worse += 1;
            if worse >= settings.patience {
                break;
            }
        }
        rate *= decay;
    }
    Outcome {
        parameters: best.into_iter().map(f64::from).collect(),
        k: k.into(),
        before,
        after: best_loss,
        epochs,
    }
}

/// The steepness that explains the results best with the parameters as they are.
fn fit_steepness(data: &Data, parameters: &[f32], settings: &Settings) -> f32 {
    // Golden-section search; the loss has one valley.
    const RATIO: f32 = 0.618_034;
    const STEPS: usize = 24;
    let points = if data.held_out.is_empty() { &data.learned } else { &data.held_out };
    let loss = |k: f32| batch::loss(points, parameters, k, 1.0, settings.threads.max(1));
    let (mut low, mut high) = (0.000_5, 0.02);
    for _ in 0..STEPS {
        let (left, right) = (high - RATIO * (high - low), low + RATIO * (high - low));
        if loss(left) < loss(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f32::midpoint(low, high)
}

#[cfg(test)]
mod tests;
