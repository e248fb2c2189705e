//! Slopes against differences, and against a network that can only get better.

use rand::Rng;
use tabia_core::seed;

use super::*;
use crate::architecture::PolicyHead;
use crate::architecture::ValueHead;
use crate::forward::softmax;
use crate::forward::{Folded, Room};
use crate::optimiser::{Optimiser, slopes};
use crate::settings::Preset;

fn small(policy: PolicyHead, value: ValueHead) -> Architecture {
    Architecture { policy, value, value_channels: 2, value_hidden: 8, ..Architecture::ours(16, 1) }
}

fn lessons(count: usize, lesson_seed: u64) -> Vec<Lesson> {
    let mut random = seed::random(lesson_seed);
    let lesson = |_| {
        let input = random_input(&mut random);
        let mut shares: Vec<f32> = (0..12).map(|_| random.random_range(0.0f32..1.0).powi(4)).collect();
        let sum: f32 = shares.iter().sum();
        for share in &mut shares {
            *share /= sum;
        }
        let moves =
            shares.into_iter().enumerate().map(|(at, share)| (at * 700 + random.random_range(0..700), share));
        let moves = moves.collect();
        let win = random.random_range(0.0..0.8);
        Lesson { input, moves, chances: [win, 0.2, 0.8 - win] }
    };
    (0..count).map(lesson).collect()
}

/// Weights with nothing at its special beginning.
fn weights(architecture: Architecture) -> Weights {
    let mut weights = Weights::fresh(architecture, 7);
    let mut random = seed::random(8);
    for number in weights.slots.iter_mut().flatten() {
        *number += random.random_range(-0.2..0.2);
    }
    weights
}

fn loss(weights: &Weights, lessons: &[Lesson], shares: Shares) -> f64 {
    let losses = part(weights, lessons, shares).losses;
    losses.policy * f64::from(shares.policy) + losses.value * f64::from(shares.value)
}

#[test]
fn slopes_are_what_differences_say() {
    // Small, so that little of what is cut off changes sides; not so small that rounding is all that is left.
    const STEP: f32 = 2e-4;
    let heads =
        [small(PolicyHead::Convolution, ValueHead::Chances), small(PolicyHead::Dense(2), ValueHead::Scalar)];
    for architecture in heads {
        let (weights, lessons) = (weights(architecture), lessons(6, 1));
        let shares = Shares { policy: 1.0 / 6.0, value: 0.5 };
        let found = part(&weights, &lessons, shares).slopes;
        let mut random = seed::random(3);
        for (at, slot) in architecture.slots().iter().enumerate().filter(|(_, slot)| slot.is_learned()) {
            // A step in a random direction through the whole tensor.
            let direction: Vec<f32> = (0..slot.len()).map(|_| random.random_range(-1.0..1.0)).collect();
            let moved = |step: f32| {
                let mut moved = weights.clone();
                for (number, direction) in moved.slots[at].iter_mut().zip(&direction) {
                    *number += step * direction;
                }
                loss(&moved, &lessons, shares)
            };
            let expected = (moved(STEP) - moved(-STEP)) / f64::from(2.0 * STEP);
            let slope: f64 = found.slots[at].iter().zip(&direction).map(|(a, b)| f64::from(a * b)).sum();
            let error = (slope - expected).abs();
            assert!(error < 0.05 * expected.abs() + 0.01, "{}: {slope}, not {expected}", slot.name);
        }
    }
}

#[test]
fn the_answer_in_play_is_that_of_training_once_means_are_those_of_the_batch() {
    for architecture in
        [small(PolicyHead::Convolution, ValueHead::Chances), small(PolicyHead::Dense(2), ValueHead::Scalar)]
    {
        let (mut weights, lessons) = (weights(architecture), lessons(4, 2));
        let shares = Shares { policy: 1.0, value: 1.0 };
        let Part { slopes: measured, losses } = part(&weights, &lessons, shares);
        for (at, slot) in architecture.slots().iter().enumerate().filter(|(_, slot)| !slot.is_learned()) {
            assert_eq!(slot.len(), measured.slots[at].len());
            weights.slots[at].clone_from(&measured.slots[at]);
        }
        let (folded, mut room) = (Folded::new(&weights), Room::default());
        let (mut policy, mut value) = (0.0, 0.0);
        for lesson in &lessons {
            let moves: Vec<usize> = lesson.moves.iter().map(|(index, _)| *index).collect();
            let answer = folded.answer(&lesson.input, &moves, &mut room);
            let mut shares = answer.logits;
            softmax(&mut shares);
            policy -= lesson
                .moves
                .iter()
                .zip(&shares)
                .map(|((_, wanted), said)| f64::from(wanted * said.ln()))
                .sum::<f64>();
            value += f64::from(answer.value - (lesson.chances[0] - lesson.chances[2])).powi(2);
        }
        assert!((policy - losses.policy).abs() < 1e-3, "{policy} and {}", losses.policy);
        if architecture.value == ValueHead::Scalar {
            assert!((value - losses.value).abs() < 1e-3, "{value} and {}", losses.value);
        }
    }
}

#[test]
fn a_tiny_network_learns_sixty_four_positions_by_heart() {
    let lessons = lessons(64, 5);
    let mut knobs = Preset::Tiny.settings().learning;
    knobs.decay = 0.0;
    let mut optimiser = Optimiser::new(Weights::fresh(Preset::Tiny.settings().network, 1));
    let first = optimiser.step(&lessons, &knobs, 0.005, 1);
    let mut last = first;
    for _ in 0..150 {
        last = optimiser.step(&lessons, &knobs, 0.005, 1);
    }
    let floor = last.entropy / last.policies;
    let (begun, ended) = (first.policy_mean() - floor, last.policy_mean() - floor);
    assert!(ended < 0.1 * begun, "the policy was {begun} above what is possible and is {ended}");
    assert!(last.hits > 60.0, "{} of 64", last.hits);
}

#[test]
fn slopes_do_not_depend_on_the_number_of_threads() {
    let (weights, lessons) = (weights(Architecture::ours(16, 1)), lessons(150, 6));
    let shares = Shares { policy: 1.0 / 150.0, value: 1.0 / 150.0 };
    let one = slopes(&weights, &lessons, shares, 1);
    assert_eq!(one, slopes(&weights, &lessons, shares, 3));
    assert!((one.1.lessons - 150.0).abs() < 1e-9);
}
