//! Steps downhill: Adam with weight decay, slopes cut to a length, and averaged weights.

use std::thread;

use crate::architecture::{Role, Slot};
use crate::backward::{self, Lesson, Losses, Shares};
use crate::settings::Knobs;
use crate::weights::Weights;

const MOMENTUM: f32 = 0.9;
const MEMORY: f32 = 0.999;
const LEAST: f32 = 1e-8;
/// How much of a running mean or variance is that of the latest batch.
const LATEST: f32 = 0.05;
/// Lessons that are normalised together.
pub const PART: usize = 64;

/// Weights being learned, and all that is remembered from step to step.
#[derive(Clone, Debug, PartialEq)]
pub struct Optimiser {
    /// The weights.
    pub weights: Weights,
    /// Their average, which plays.
    pub averaged: Weights,
    /// Adam's first moment.
    pub first: Weights,
    /// Adam's second moment.
    pub second: Weights,
    /// Steps taken.
    pub steps: u64,
}

impl Optimiser {
    /// Before the first step.
    pub fn new(weights: Weights) -> Optimiser {
        let zeros = weights.zeros();
        Optimiser { averaged: weights.clone(), first: zeros.clone(), second: zeros, weights, steps: 0 }
    }

    /// One step down, by so many threads; how wrong the lessons' answers were before it.
    pub fn step(&mut self, lessons: &[Lesson], knobs: &Knobs, rate: f32, threads: usize) -> Losses {
        let policies = lessons.iter().filter(|lesson| !lesson.moves.is_empty()).count();
        let shares = Shares {
            policy: 1.0 / policies.max(1) as f32,
            value: knobs.value_weight / lessons.len().max(1) as f32,
        };
        let (slopes, losses) = slopes(&self.weights, lessons, shares, threads);
        self.descend(&slopes, knobs, rate);
        losses
    }

    fn descend(&mut self, slopes: &Weights, knobs: &Knobs, rate: f32) {
        self.steps += 1;
        let kinds = self.weights.architecture.slots();
        let learned = |kind: &Slot| kind.is_learned();
        let length = kinds
            .iter()
            .zip(&slopes.slots)
            .filter(|(kind, _)| learned(kind))
            .map(|(_, slopes)| square(slopes))
            .sum::<f64>()
            .sqrt();
        let factor = if knobs.clip > 0.0 && length > f64::from(knobs.clip) {
            (f64::from(knobs.clip) / length) as f32
        } else {
            1.0
        };
        let age = self.steps.min(100_000) as i32;
        let (first_bias, second_bias) = (1.0 - MOMENTUM.powi(age), 1.0 - MEMORY.powi(age));
        for (at, kind) in kinds.iter().enumerate() {
            let (weights, slopes) = (&mut self.weights.slots[at], &slopes.slots[at]);
            if kind.is_learned() {
                // Biases and normalisations are not pulled towards zero.
                let decay = if matches!(kind.role, Role::Weight(_)) { knobs.decay } else { 0.0 };
                let (first, second) = (&mut self.first.slots[at], &mut self.second.slots[at]);
                for (((weight, slope), first), second) in
                    weights.iter_mut().zip(slopes).zip(first).zip(second)
                {
                    let slope = slope * factor + decay * *weight;
                    *first = MOMENTUM * *first + (1.0 - MOMENTUM) * slope;
                    *second = MEMORY * *second + (1.0 - MEMORY) * slope * slope;
                    *weight -= rate * (*first / first_bias) / ((*second / second_bias).sqrt() + LEAST);
                }
            } else {
                for (weight, measured) in weights.iter_mut().zip(slopes) {
                    *weight += LATEST * (measured - *weight);
                }
            }
            // At first the average is mostly of the beginning, which is worth nothing.
            let keep = knobs.averaging.min(self.steps as f32 / (self.steps as f32 + 10.0));
            for (average, weight) in self.averaged.slots[at].iter_mut().zip(weights) {
                *average = keep * *average + (1.0 - keep) * *weight;
            }
        }
    }
}

/// Slopes of a batch: those of its parts, summed in their order whoever computed them.
pub fn slopes(weights: &Weights, lessons: &[Lesson], shares: Shares, threads: usize) -> (Weights, Losses) {
    let parts: Vec<&[Lesson]> = lessons.chunks(PART).collect();
    let workers = threads.clamp(1, parts.len().max(1));
    let work = |worker: usize| {
        let parts = parts.iter().enumerate().skip(worker).step_by(workers);
        parts.map(|(at, part)| (at, backward::part(weights, part, shares))).collect::<Vec<_>>()
    };
    let mut done: Vec<(usize, backward::Part)> = thread::scope(|scope| {
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
    let kinds = weights.architecture.slots();
    for (at, part) in &done {
        losses.add(&part.losses);
        // Means and variances are averaged over parts, slopes are summed.
        let weight = parts[*at].len() as f32 / lessons.len() as f32;
        for (slot, kind) in kinds.iter().enumerate() {
            let factor = if kind.is_learned() { 1.0 } else { weight };
            for (sum, slope) in sum.slots[slot].iter_mut().zip(&part.slopes.slots[slot]) {
                *sum += factor * slope;
            }
        }
    }
    (sum, losses)
}

fn square(numbers: &[f32]) -> f64 {
    numbers.iter().map(|number| f64::from(*number).powi(2)).sum()
}

/// The learning rate when so much of the way is behind: it rises at first, then falls as a cosine (seed 004 §6.2).
pub fn rate(knobs: &Knobs, steps: u64, progress: f64) -> f32 {
    let progress = progress.clamp(0.0, 1.0);
    let (first, last) = (f64::from(knobs.rate), f64::from(knobs.last_rate));
    let cosine = last + 0.5 * (first - last) * (1.0 + (std::f64::consts::PI * progress).cos());
    let warm = if steps < knobs.warm_steps { (steps + 1) as f64 / knobs.warm_steps as f64 } else { 1.0 };
    (cosine * warm) as f32
}
