//! Replay buffer: the latest samples, from which batches are drawn.

use std::collections::VecDeque;

use rand::Rng;
use tabia_core::seed::Random;

use crate::backward::Sample;
use crate::sample::PackedSample;

/// A sample drawn for a batch.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct DrawnSample<'a> {
    pub sample: &'a PackedSample,
    /// Whether to mirror it left to right, if it can be.
    pub mirror: bool,
}

impl DrawnSample<'_> {
    pub fn is_mirrored(&self) -> bool {
        self.mirror && self.sample.position.is_mirrorable
    }

    /// Expands it for training.
    pub fn unpack(&self) -> Sample {
        self.sample.unpack(self.mirror)
    }
}

/// Samples, oldest first.
#[derive(Clone, Debug, Default)]
pub struct ReplayBuffer {
    samples: VecDeque<PackedSample>,
}

impl ReplayBuffer {
    /// Adds samples, then drops the oldest beyond `capacity`.
    pub fn add(&mut self, samples: impl IntoIterator<Item = PackedSample>, capacity: usize) {
        self.samples.extend(samples);
        let extra = self.samples.len().saturating_sub(capacity);
        self.samples.drain(..extra);
    }

    pub fn len(&self) -> usize {
        self.samples.len()
    }

    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Draws samples uniformly with replacement; half of them mirrored, as data augmentation.
    pub fn draw(&self, count: usize, rng: &mut Random) -> Vec<DrawnSample<'_>> {
        let one = |_| {
            let sample = &self.samples[rng.random_range(0..self.samples.len())];
            DrawnSample { sample, mirror: rng.random_bool(0.5) }
        };
        (0..count).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_first() {
        let sample = |win| PackedSample { wdl: [win, 0.0, 0.0], ..PackedSample::default() };
        let mut replay = ReplayBuffer::default();
        replay.add((0..10u8).map(|n| sample(f32::from(n) / 10.0)), 8);
        replay.add([sample(1.0)], 8);
        assert_eq!(replay.len(), 8);
        assert!((replay.samples.front().unwrap().wdl[0] - 0.3).abs() < 1e-6);
    }
}
