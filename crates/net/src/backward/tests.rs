//! Gradients against finite differences, and a network that must overfit.

use rand::Rng;
use tabia_core::seed;

use super::*;
use crate::architecture::PolicyHead;
use crate::architecture::ValueHead;
use crate::forward::softmax;
use crate::forward::{FoldedNetwork, Workspace};
use crate::optimiser::{Optimiser, batch_gradients};
use crate::settings::Preset;

fn small(policy: PolicyHead, value: ValueHead) -> Architecture {
    Architecture { policy, value, value_channels: 2, value_hidden: 8, ..Architecture::new(16, 1) }
}

fn samples(count: usize, sample_seed: u64) -> Vec<Sample> {
    let mut rng = seed::random(sample_seed);
    let sample = |_| {
        let input = random_input(&mut rng);
        let mut shares: Vec<f32> = (0..12).map(|_| rng.random_range(0.0f32..1.0).powi(4)).collect();
        let sum: f32 = shares.iter().sum();
        for share in &mut shares {
            *share /= sum;
        }
        let moves =
            shares.into_iter().enumerate().map(|(at, share)| (at * 700 + rng.random_range(0..700), share));
        let moves = moves.collect();
        let win = rng.random_range(0.0..0.8);
        Sample { input, moves, wdl: [win, 0.2, 0.8 - win] }
    };
    (0..count).map(sample).collect()
}

/// Weights away from their initial zeros and ones.
fn weights(architecture: Architecture) -> Weights {
    let mut weights = Weights::initial(architecture, 7);
    let mut rng = seed::random(8);
    for number in weights.parameters.iter_mut().flatten() {
        *number += rng.random_range(-0.2..0.2);
    }
    weights
}

fn loss(weights: &Weights, samples: &[Sample], loss_weights: LossWeights) -> f64 {
    let losses = gradients(weights, samples, loss_weights).losses;
    losses.policy * f64::from(loss_weights.policy) + losses.value * f64::from(loss_weights.value)
}

#[test]
fn gradients_match_finite_differences() {
    // Small, so that few ReLUs change state; not so small that rounding dominates.
    const STEP: f32 = 2e-4;
    let heads =
        [small(PolicyHead::Convolution, ValueHead::Wdl), small(PolicyHead::Dense(2), ValueHead::Scalar)];
    for architecture in heads {
        let (weights, samples) = (weights(architecture), samples(6, 1));
        let loss_weights = LossWeights { policy: 1.0 / 6.0, value: 0.5 };
        let found = gradients(&weights, &samples, loss_weights).gradients;
        let mut rng = seed::random(3);
        for (at, parameter) in
            architecture.parameters().iter().enumerate().filter(|(_, parameter)| parameter.is_trainable())
        {
            // A step in a rng direction through the whole tensor.
            let direction: Vec<f32> = (0..parameter.len()).map(|_| rng.random_range(-1.0..1.0)).collect();
            let moved = |step: f32| {
                let mut moved = weights.clone();
                for (number, direction) in moved.parameters[at].iter_mut().zip(&direction) {
                    *number += step * direction;
                }
                loss(&moved, &samples, loss_weights)
            };
            let expected = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
            let gradient: f64 =
                found.parameters[at].iter().zip(&direction).map(|(a, b)| f64::from(a * b)).sum();
            let error = (gradient - expected).abs();
            assert!(error < 0.05 * expected.abs() + 0.01, "{}: {gradient}, not {expected}", parameter.name);
        }
    }
}

#[test]
fn inference_matches_training_when_running_statistics_are_those_of_the_batch() {
    for architecture in
        [small(PolicyHead::Convolution, ValueHead::Wdl), small(PolicyHead::Dense(2), ValueHead::Scalar)]
    {
        let (mut weights, samples) = (weights(architecture), samples(4, 2));
        let loss_weights = LossWeights { policy: 1.0, value: 1.0 };
        let Gradients { gradients: measured, losses } = gradients(&weights, &samples, loss_weights);
        for (at, parameter) in
            architecture.parameters().iter().enumerate().filter(|(_, parameter)| !parameter.is_trainable())
        {
            assert_eq!(parameter.len(), measured.parameters[at].len());
            weights.parameters[at].clone_from(&measured.parameters[at]);
        }
        let (folded, mut workspace) = (FoldedNetwork::new(&weights), Workspace::default());
        let (mut policy, mut value) = (0.0, 0.0);
        for sample in &samples {
            let moves: Vec<usize> = sample.moves.iter().map(|(index, _)| *index).collect();
            let output = folded.forward(&sample.input, &moves, &mut workspace);
            let mut policy_output = output.logits;
            softmax(&mut policy_output);
            policy -= sample
                .moves
                .iter()
                .zip(&policy_output)
                .map(|((_, target), probability)| f64::from(target * probability.ln()))
                .sum::<f64>();
            value += f64::from(output.value - (sample.wdl[0] - sample.wdl[2])).powi(2);
        }
        assert!((policy - losses.policy).abs() < 1e-3, "{policy} and {}", losses.policy);
        if architecture.value == ValueHead::Scalar {
            assert!((value - losses.value).abs() < 1e-3, "{value} and {}", losses.value);
        }
    }
}

#[test]
fn a_tiny_network_overfits_sixty_four_positions() {
    let samples = samples(64, 5);
    let mut hyper = Preset::Tiny.settings().learning;
    hyper.decay = 0.0;
    let mut optimiser = Optimiser::new(Weights::initial(Preset::Tiny.settings().network, 1));
    let first = optimiser.step(&samples, &hyper, 0.005, 1);
    let mut last = first;
    for _ in 0..150 {
        last = optimiser.step(&samples, &hyper, 0.005, 1);
    }
    let floor = last.entropy / last.policies;
    let (before, after) = (first.policy_mean() - floor, last.policy_mean() - floor);
    assert!(after < 0.1 * before, "excess policy loss was {before} and is {after}");
    assert!(last.hits > 60.0, "{} of 64", last.hits);
}

#[test]
fn gradients_do_not_depend_on_the_number_of_threads() {
    let (weights, samples) = (weights(Architecture::new(16, 1)), samples(150, 6));
    let loss_weights = LossWeights { policy: 1.0 / 150.0, value: 1.0 / 150.0 };
    let one = batch_gradients(&weights, &samples, loss_weights, 1);
    assert_eq!(one, batch_gradients(&weights, &samples, loss_weights, 3));
    assert!((one.1.samples - 150.0).abs() < 1e-9);
}
