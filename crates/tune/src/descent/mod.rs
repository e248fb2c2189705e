//! Gradient descent on the parameters of any evaluation (seed 000 §10.1).
//!
//! The model: White's expected score is the logistic function of the evaluation. The target of a position is a weighted
//! mean of its game's result and the search's score; the loss is the cross-entropy between the two. *K*, the steepness,
//! is fitted to the data before the first step, so that search scores predict results best. It is then fixed, so that
//! learned weights are in the centipawns of that search. The optimiser is Adam on mini-batches; a share of the positions
//! is held out for validation, and the parameters with the lowest validation loss are kept.
//!
//! Gradients are summed over a fixed number of slices of each batch, in order, whatever the number of threads, and the
//! whole state between epochs is a [`State`]: the same seed gives the same bytes, with or without interruptions.

mod adam;
mod batch;
mod data;
mod settings;

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use tabia_core::{Stop, seed};
use tabia_eval::tuning::{Parameter, Tunable};

pub use data::{Data, Point};
pub use settings::{DescentError, Settings};

use adam::Adam;
use batch::Target;

/// The losses of an epoch.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Counted from 1.
    pub number: u32,
    /// Mean training loss during the epoch.
    pub loss: f64,
    /// Mean validation loss.
    pub held_out: f64,
}

/// The state after an epoch: enough to resume exactly.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct State {
    /// The fitted steepness: expected score is `1 / (1 + exp(-k · centipawns))`.
    pub k: f64,
    /// Validation loss before the first step.
    pub before: f64,
    /// The same with the best scaling of the scores.
    pub before_scaled: f64,
    /// The parameters with the lowest validation loss.
    pub best: Vec<f64>,
    /// Their validation loss.
    pub after: f64,
    pub epochs: Vec<Epoch>,
    parameters: Vec<f64>,
    adam: Adam,
    worse: u32,
}

/// Trains the parameters of an evaluation, from the start or from a saved state. Reports the state before the first step
/// and after each epoch. When stopped, the current epoch is discarded.
pub fn train(
    evaluation: &impl Tunable,
    data: &Data,
    settings: &Settings,
    threads: usize,
    left: Option<State>,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&State),
) -> Result<State, DescentError> {
    settings.check()?;
    if data.learned.is_empty() || data.held_out.is_empty() {
        let found = data.learned.len() + data.held_out.len();
        return Err(DescentError::TooFew { found, every: data::HELD_OUT_EVERY });
    }
    let known = parameters(evaluation, settings)?;
    let held_out_loss = |parameters: &[f64], target: Target| {
        batch::loss(&data.held_out, &evaluation.coefficients(parameters), target, 1.0, threads)
    };
    let mut state = match left {
        Some(state) => state,
        None => begin(evaluation, data, &known, settings, threads),
    };
    let found = state.parameters.len().max(state.adam.len());
    if found != known.len() {
        return Err(DescentError::State { found, expected: known.len() });
    }
    let target = Target { k: state.k, result_share: settings.result_share };
    on_progress(&state);
    let decay =
        (settings.final_rate / settings.rate).powf(1.0 / f64::from(settings.epochs.saturating_sub(1).max(1)));
    for number in state.epochs.len() as u32 + 1..=settings.epochs {
        if state.worse >= settings.patience {
            break;
        }
        let rate = settings.rate * decay.powi(number as i32 - 1);
        // Seeded per epoch, so that an epoch does not depend on those before.
        let mut order: Vec<u32> = (0..data.learned.len() as u32).collect();
        order.shuffle(&mut seed::random(seed::derive(settings.seed, number.into())));
        let mut loss = 0.0;
        let mut next = state.clone();
        for indices in order.chunks(settings.batch) {
            if stop.is_stopped() {
                return Ok(state);
            }
            let coefficients = evaluation.coefficients(&next.parameters);
            let step = batch::gradient(&data.learned, indices, &coefficients, target, threads);
            loss += step.loss;
            let mut gradient = evaluation.backpropagate(&next.parameters, step.gradient);
            let scale = 1.0 / indices.len() as f64;
            for ((gradient, value), Parameter { value: origin, step, .. }) in
                gradient.iter_mut().zip(&next.parameters).zip(&known)
            {
                *gradient = *gradient * scale * step + settings.pull * (value - origin) / step;
            }
            for ((value, by), known) in
                next.parameters.iter_mut().zip(next.adam.step(&gradient, rate)).zip(&known)
            {
                *value = (*value + by * known.step).clamp(known.min, known.max);
            }
        }
        let held_out = held_out_loss(&next.parameters, target);
        next.epochs.push(Epoch { number, loss: loss / order.len() as f64, held_out });
        if held_out < next.after {
            (next.best, next.after, next.worse) = (next.parameters.clone(), held_out, 0);
        } else {
            next.worse += 1;
        }
        state = next;
        on_progress(&state);
    }
    Ok(state)
}

/// The indices to train: all parameters except those excluded by [`Settings::without`], which are fixed to zero.
pub fn parameters(evaluation: &impl Tunable, settings: &Settings) -> Result<Vec<Parameter>, DescentError> {
    let mut known = evaluation.parameters();
    for name in &settings.without {
        let name = name.trim();
        let named = |parameter: &&mut Parameter| {
            !name.is_empty() && format!(" {} ", parameter.name).contains(&format!(" {name} "))
        };
        let mut found = false;
        for parameter in known.iter_mut().filter(named) {
            (parameter.value, parameter.min, parameter.max) = (0.0, 0.0, 0.0);
            found = true;
        }
        if !found {
            return Err(DescentError::Unknown(name.to_owned()));
        }
    }
    Ok(known)
}

fn begin(
    evaluation: &impl Tunable,
    data: &Data,
    known: &[Parameter],
    settings: &Settings,
    threads: usize,
) -> State {
    let parameters: Vec<f64> = known.iter().map(|parameter| parameter.value).collect();
    let coefficients = evaluation.coefficients(&parameters);
    let k = least(STEEPNESS, |k| batch::search_score_loss(&data.learned, k, threads));
    let target = Target { k, result_share: settings.result_share };
    let loss = |scale: f64| batch::loss(&data.held_out, &coefficients, target, scale, threads);
    let before = loss(1.0);
    State {
        k,
        before,
        before_scaled: loss(least(SCALES, loss)),
        best: parameters.clone(),
        after: before,
        epochs: Vec::new(),
        adam: Adam::new(parameters.len()),
        parameters,
        worse: 0,
    }
}

/// Search interval of the steepness.
const STEEPNESS: [f64; 2] = [0.000_5, 0.02];

/// Search interval of the scale of an evaluation.
const SCALES: [f64; 2] = [0.005, 5.0];

/// The minimum of a unimodal function, by golden-section search.
fn least([mut low, mut high]: [f64; 2], value: impl Fn(f64) -> f64) -> f64 {
    const RATIO: f64 = 0.618_033_988_749_895;
    const STEPS: usize = 24;
    for _ in 0..STEPS {
        let (left, right) = (high - RATIO * (high - low), low + RATIO * (high - low));
        if value(left) < value(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}

#[cfg(test)]
mod tests;
