//! Positions prepared for training: traces and targets.

use std::thread;

use tabia_eval::tuning::{EvalTrace, Tunable};

use crate::sample::Sample;

/// One position in this many is held out.
pub(super) const HELD_OUT_EVERY: usize = 20;

/// A position: its score as a function of the parameters, and its target.
#[derive(Clone, Debug)]
pub struct Point {
    pub trace: EvalTrace,
    /// White's points in the game.
    pub result: f32,
    /// Search score in centipawns, White's view.
    pub score: f32,
}

/// Training and validation sets.
#[derive(Clone, Debug, Default)]
pub struct Data {
    pub learned: Vec<Point>,
    pub held_out: Vec<Point>,
}

impl Data {
    /// Prepares samples for an evaluation, on several threads; every twentieth is held out.
    pub fn new<E: Tunable + Sync>(evaluation: &E, samples: &[Sample], threads: usize) -> Data {
        let share = samples.len().div_ceil(threads.max(1)).max(1);
        let points: Vec<Option<Point>> = thread::scope(|scope| {
            let running: Vec<_> = samples
                .chunks(share)
                .map(|chunk| {
                    scope.spawn(move || chunk.iter().map(|sample| point(evaluation, sample)).collect())
                })
                .collect();
            let parts: Vec<Vec<Option<Point>>> =
                running.into_iter().map(|thread| thread.join().expect("the work does not panic")).collect();
            parts.into_iter().flatten().collect()
        });
        let mut data = Data::default();
        for (index, point) in points.into_iter().enumerate() {
            let to = if index % HELD_OUT_EVERY == 0 { &mut data.held_out } else { &mut data.learned };
            to.extend(point);
        }
        data
    }
}

fn point(evaluation: &impl Tunable, sample: &Sample) -> Option<Point> {
    let trace = evaluation.trace(sample.view())?;
    Some(Point { trace, result: sample.result.points() as f32, score: sample.score.into() })
}
