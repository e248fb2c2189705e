//! Loss and gradient of many positions, on several threads.

use std::thread;

use super::data::Point;

/// Number of parts of a batch: fixed, so that sums do not depend on the threads.
const SLICES: usize = 16;

/// Summed loss and gradient of a batch.
pub(super) struct Step {
    pub loss: f64,
    pub gradient: Vec<f64>,
}

/// The target of training.
#[derive(Copy, Clone, Debug)]
pub(super) struct Target {
    /// Steepness of the logistic function for search scores.
    pub k: f64,
    /// Weight of the game result.
    pub result_share: f64,
}

fn chance(score: f64, k: f64) -> f64 {
    1.0 / (1.0 + (-k * score).exp())
}

impl Target {
    fn of(self, point: &Point) -> f64 {
        let thought = chance(f64::from(point.score), self.k);
        self.result_share * f64::from(point.result) + (1.0 - self.result_share) * thought
    }
}

fn cross_entropy(chance: f64, target: f64) -> f64 {
    const EPSILON: f64 = 1e-9;
    let chance = chance.clamp(EPSILON, 1.0 - EPSILON);
    -(target * chance.ln() + (1.0 - target) * (1.0 - chance).ln())
}

/// Runs slices of work on threads and returns their results in order.
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
    coefficients: &[f64],
    target: Target,
    threads: usize,
) -> Step {
    let slices = sliced(indices.len(), threads, |from, to| {
        let mut step = Step { loss: 0.0, gradient: vec![0.0; coefficients.len()] };
        for index in &indices[from..to] {
            let point = &points[*index as usize];
            let (chance, target_chance) =
                (chance(point.trace.score(coefficients), target.k), target.of(point));
            step.loss += cross_entropy(chance, target_chance);
            // The gradient of cross-entropy after a logistic function is the difference.
            point.trace.add_gradient(coefficients, (chance - target_chance) * target.k, &mut step.gradient);
        }
        step
    });
    let mut total = Step { loss: 0.0, gradient: vec![0.0; coefficients.len()] };
    for slice in slices {
        total.loss += slice.loss;
        for (sum, gradient) in total.gradient.iter_mut().zip(slice.gradient) {
            *sum += gradient;
        }
    }
    total
}

/// Mean loss of all points with scores multiplied by `scale`; zero if there are none.
pub(super) fn loss(
    points: &[Point],
    coefficients: &[f64],
    target: Target,
    scale: f64,
    threads: usize,
) -> f64 {
    mean(points, threads, |point| {
        let chance = chance(point.trace.score(coefficients), scale * target.k);
        cross_entropy(chance, target.of(point))
    })
}

/// Mean loss of search scores as predictions of results, at a steepness.
pub(super) fn search_score_loss(points: &[Point], k: f64, threads: usize) -> f64 {
    mean(points, threads, |point| cross_entropy(chance(f64::from(point.score), k), f64::from(point.result)))
}

fn mean(points: &[Point], threads: usize, loss: impl Fn(&Point) -> f64 + Sync) -> f64 {
    let slices = sliced(points.len(), threads, |from, to| points[from..to].iter().map(&loss).sum::<f64>());
    slices.iter().sum::<f64>() / points.len().max(1) as f64
}
