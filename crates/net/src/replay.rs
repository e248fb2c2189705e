//! The samples that batches are drawn from: the latest, more of them the longer it goes.

use std::collections::VecDeque;

use rand::Rng;
use tabia_core::seed::Random;

use crate::backward::Lesson;
use crate::sample::Sample;

/// A sample that was drawn.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Pick<'a> {
    /// The sample.
    pub sample: &'a Sample,
    /// Whether left and right are to be swapped, where the rules allow it.
    pub swapped: bool,
}

impl Pick<'_> {
    /// Whether left and right are swapped.
    pub fn mirrored(&self) -> bool {
        self.swapped && self.sample.seen.mirrors
    }

    /// The lesson in it.
    pub fn lesson(&self) -> Lesson {
        self.sample.lesson(self.swapped)
    }
}

/// Samples, the oldest first.
#[derive(Clone, Debug, Default)]
pub struct Replay {
    samples: VecDeque<Sample>,
}

impl Replay {
    /// Adds samples; then the oldest are dropped until no more than `room` are left.
    pub fn add(&mut self, samples: impl IntoIterator<Item = Sample>, room: usize) {
        self.samples.extend(samples);
        let extra = self.samples.len().saturating_sub(room);
        self.samples.drain(..extra);
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.samples.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.samples.is_empty()
    }

    /// Draws samples, each as likely as any other, half of those that allow it with left and right swapped.
    pub fn draw(&self, count: usize, random: &mut Random) -> Vec<Pick<'_>> {
        let one = |_| {
            let sample = &self.samples[random.random_range(0..self.samples.len())];
            Pick { sample, swapped: random.random_bool(0.5) }
        };
        (0..count).map(one).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_oldest_go_first() {
        let sample = |chance| Sample { chances: [chance, 0.0, 0.0], ..Sample::default() };
        let mut replay = Replay::default();
        replay.add((0..10u8).map(|n| sample(f32::from(n) / 10.0)), 8);
        replay.add([sample(1.0)], 8);
        assert_eq!(replay.len(), 8);
        assert!((replay.samples.front().unwrap().chances[0] - 0.3).abs() < 1e-6);
    }
}
