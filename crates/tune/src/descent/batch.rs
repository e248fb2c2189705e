//! Loss and gradient of many positions, on some threads.

use std::thread;

use super::data::Point;

/// Parts a batch is cut into: fixed, so that sums do not depend on the threads.
const SLICES: usize = 16;

/// A batch's loss and gradient, summed.
pub(super) struct Step {
    pub loss: f64,
    pub gradient: Vec<f32>,
}

fn chance(score: f32, k: f32) -> f32 {
    1.0 / (1.0 + (-k * score).exp())
}

fn target(point: &Point, k: f32, result_share: f64) -> f32 {
    let share = result_share as f32;
    share * point.result + (1.0 - share) * chance(point.score, k)
}

fn cross_entropy(chance: f32, target: f32) -> f32 {
    const LEAST: f32 = 1e-7;
    let chance = chance.clamp(LEAST, 1.0 - LEAST);
    -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
}

/// Runs slices of work on threads and gives their results in order.
fn sliced<T: Send>(length: usize, threads: usize, work: impl Fn(usize, usize) -> T + Sync) -> Vec<T> {
    let size = length.div_ceil(SLICES).max(1);
    let bounds: Vec<(usize, usize)> =
        (0..length).step_by(size).map(|start| (start, (start + size).min(length))).collect();
    let share = bounds.len().div_ceil(threads).max(1);
    thread::scope(|scope| {
        let running: Vec<_> = bounds
            .chunks(share)
            .map(|chunk| {
                let work = &work;
                scope.spawn(move || chunk.iter().map(|(from, to)| work(*from, *to)).collect::<Vec<T>>())
            })
            .collect();
        running.into_iter().flat_map(|thread| thread.join().expect("the work does not panic")).collect()
    })
}

/// Loss and gradient of some points.
pub(super) fn gradient(
    points: &[Point],
    indices: &[u32],
    parameters: &[f32],
    k: f32,
    result_share: f64,
    threads: usize,
) -> Step {
    let slices = sliced(indices.len(), threads, |from, to| {
        let mut step = Step { loss: 0.0, gradient: vec![0.0; parameters.len()] };
        for index in &indices[from..to] {
            let point = &points[*index as usize];
            let chance = chance(point.recipe.score(parameters), k);
            let target = target(point, k, result_share);
            step.loss += f64::from(cross_entropy(chance, target));
            // The slope of cross-entropy after a logistic function is as simple as this.
            point.recipe.add_gradient(parameters, (chance - target) * k, &mut step.gradient);
        }
        step
    });
    let mut total = Step { loss: 0.0, gradient: vec![0.0; parameters.len()] };
    for slice in slices {
        total.loss += slice.loss;
        for (sum, slope) in total.gradient.iter_mut().zip(slice.gradient) {
            *sum += slope;
        }
    }
    total
}

/// Mean loss of all points; nought if there are none.
pub(super) fn loss(points: &[Point], parameters: &[f32], k: f32, result_share: f64, threads: usize) -> f64 {
    let slices = sliced(points.len(), threads, |from, to| {
        points[from..to]
            .iter()
            .map(|point| {
                let chance = chance(point.recipe.score(parameters), k);
                f64::from(cross_entropy(chance, target(point, k, result_share)))
            })
            .sum::<f64>()
    });
    slices.iter().sum::<f64>() / points.len().max(1) as f64
}
