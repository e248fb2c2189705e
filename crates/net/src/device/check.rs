//! Comparison of PyTorch with the CPU before it is used: outputs, and the gradient of one batch.

use tabia_core::{Game, seed};
use tabia_mcts::{Evaluation, PolicyValue};
use tabia_quantum::{Action, QuantumGame};

use super::torch::Torch;
use super::{NetError, NetworkRole};
use crate::architecture::Architecture;
use crate::encoding::{self, EncodedPosition};
use crate::network::Network;
use crate::opening::after_random_plies;
use crate::optimiser::{GHOST_BATCH, Optimiser};
use crate::replay::DrawnSample;
use crate::sample::PackedSample;
use crate::settings::{Hyperparameters, Settings};
use crate::weights::Weights;

/// Positions on which PyTorch and the CPU are compared.
const CHECK_POSITIONS: u32 = 64;
/// Largest accepted difference of values and priors: half precision has three decimals.
const TOLERANCE: f32 = 0.02;

/// Samples whose gradient is compared: two ghost batches and a part of a third.
const CHECK_SAMPLES: usize = 2 * GHOST_BATCH + GHOST_BATCH / 2;
/// Largest accepted difference of the gradient, relative to its length.
///
/// Training on a GPU computes in bfloat16, which has two decimals. PyTorch's gradient in bfloat16 differs from its own in single
/// precision by 0.010 to 0.019 (mean 0.014): an untrained network of 8 blocks of 64 channels, 160 samples, ten seeds, on a CPU.
/// Faults that this is to find are far larger: a value weight of 1.5 instead of 1 gives 0.38 to 0.46, missing policy targets of a third
/// of the samples 0.37 to 0.61. So 0.15 is eight times the rounding and less than half of a fault. It does not find normalisation
/// over the whole batch instead of ghost batches, which gives 0.026 to 0.041.
const GRADIENT_TOLERANCE: f64 = 0.15;
/// Seeds of the initial weights and of the samples in the comparison of gradients.
const GRADIENT_SEED: u64 = 1;

/// Compares outputs with the CPU's, for an untrained network of this architecture.
pub(super) fn check_outputs(torch: &Torch, architecture: Architecture) -> Result<(), NetError> {
    let weights = Weights::initial(architecture, 1);
    let (ours, theirs) = (Network::new(&weights), torch.evaluator(&weights, NetworkRole::Candidate)?);
    let mut random = seed::random(1);
    let games: Vec<QuantumGame> = (0..CHECK_POSITIONS)
        .map(|number| after_random_plies(QuantumGame::default(), number % 20, &mut random))
        .filter(|game| matches!(game.turn(), tabia_core::Turn::Player(_)))
        .collect();
    let actions: Vec<Vec<Action>> = games
        .iter()
        .map(|game| {
            let mut actions = Vec::new();
            game.actions(&mut actions);
            actions
        })
        .collect();
    let (mut own, mut other) = (Vec::new(), Vec::new());
    ours.infer(&games, &actions, &mut own);
    let distance = |a: &Evaluation, b: &Evaluation| {
        let priors = a.priors.iter().zip(&b.priors).map(|(a, b)| (a - b).abs());
        priors.fold((a.value - b.value).abs().max((a.draw - b.draw).abs()), f32::max)
    };
    // Requests go round: each process answers once.
    for _ in 0..torch.process_count() {
        theirs.infer(&games, &actions, &mut other);
        torch.check_alive()?;
        let largest = own.iter().zip(&other).map(|(a, b)| distance(a, b)).fold(0.0, f32::max);
        if largest > TOLERANCE {
            return Err(torch.error(&format!(
                "its outputs differ from the CPU's by {largest}, expected at most {TOLERANCE}"
            )));
        }
    }
    Ok(())
}

/// Compares the gradient of one batch with the CPU's, for an untrained network.
pub(super) fn check_gradient(torch: &Torch, settings: &Settings, threads: usize) -> Result<(), NetError> {
    let difference = gradient_difference(torch, settings, threads, GRADIENT_SEED)?;
    if difference <= GRADIENT_TOLERANCE {
        return Ok(());
    }
    Err(torch.error(&format!(
        "its gradient differs from the CPU's by {difference:.3} of its length, expected at most {GRADIENT_TOLERANCE}"
    )))
}

/// Distance of the two gradients of one batch, relative to the length of ours. Adam's first moment after one step is a fixed share
/// of the gradient, so nothing but the training protocol is needed.
fn gradient_difference(
    torch: &Torch,
    settings: &Settings,
    threads: usize,
    random_seed: u64,
) -> Result<f64, NetError> {
    let samples = check_samples(seed::derive(random_seed, 1));
    let batch: Vec<DrawnSample<'_>> =
        samples.iter().map(|sample| DrawnSample { sample, mirror: false }).collect();
    let hyper = Hyperparameters { decay: 0.0, clip: 0.0, ..settings.learning };
    let rate = 0.001;
    let mut ours = Optimiser::new(Weights::initial(settings.network, random_seed));
    let mut theirs = ours.clone();
    torch.upload(&theirs)?;
    torch.step(&batch, &hyper, rate)?;
    torch.download(&mut theirs)?;
    let unpacked: Vec<_> = batch.iter().map(DrawnSample::unpack).collect();
    ours.step(&unpacked, &hyper, rate, threads);
    let (mut distance, mut length) = (0.0, 0.0);
    let moments = ours.first_moment.parameters.iter().zip(&theirs.first_moment.parameters);
    for (own, other) in moments.flat_map(|(own, other)| own.iter().zip(other)) {
        distance += f64::from(own - other).powi(2);
        length += f64::from(*own).powi(2);
    }
    Ok((distance / length.max(f64::MIN_POSITIVE)).sqrt())
}

/// Positions of random games with arbitrary targets; every third has none for the policy.
fn check_samples(random_seed: u64) -> Vec<PackedSample> {
    let mut random = seed::random(random_seed);
    let mut samples = Vec::with_capacity(CHECK_SAMPLES);
    while samples.len() < CHECK_SAMPLES {
        let number = samples.len();
        let game = after_random_plies(QuantumGame::default(), number as u32 % 30, &mut random);
        let mut actions = Vec::new();
        game.actions(&mut actions);
        if actions.is_empty() {
            continue;
        }
        let indices =
            actions.iter().map(|action| encoding::policy_index(*action, game.side_to_move()) as u16);
        let shares = (0..actions.len())
            .map(|at| PackedSample::quantise(if at == 0 { 0.5 } else { 0.5 / actions.len() as f32 }));
        let moves = if number % 3 == 2 { Box::default() } else { indices.zip(shares).collect() };
        let wdl = [[1.0, 0.0, 0.0], [0.25, 0.5, 0.25], [0.0, 0.25, 0.75]][number % 3];
        samples.push(PackedSample { position: EncodedPosition::new(&game), moves, wdl });
    }
    samples
}
