//! The loss of a position, and its gradient by backpropagation.

use tabia_eval::nnue::SCALE;

use super::parameters::Layout;
use super::positions::Seen;

/// What determines the loss.
#[derive(Copy, Clone)]
pub(super) struct Loss {
    pub k: f32,
    pub share: f32,
    pub power: f32,
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Loss {
    /// The loss of an output, and its gradient.
    pub fn of(self, output: f32, seen: &Seen) -> (f32, f32) {
        let target = (1.0 - self.share) * sigmoid(self.k * seen.score) + self.share * seen.result;
        let scale = self.k * SCALE as f32;
        let chance = sigmoid(output * scale);
        let miss = chance - target;
        let gradient = self.power * miss.abs().powf(self.power - 1.0) * miss.signum();
        (miss.abs().powf(self.power), gradient * chance * (1.0 - chance) * scale)
    }
}

pub(super) type Units<const N: usize> = [f32; N];

fn row<const N: usize>(parameters: &[f32], at: usize) -> &Units<N> {
    parameters[at..].first_chunk().expect("parameters have rows of this length")
}

fn row_mut<const N: usize>(parameters: &mut [f32], at: usize) -> &mut Units<N> {
    parameters[at..].first_chunk_mut().expect("parameters have rows of this length")
}

/// Hidden sums of both sides, and the output. Parameters are folded.
pub(super) fn forward<const N: usize>(
    layout: Layout,
    parameters: &[f32],
    seen: &Seen,
) -> ([Units<N>; 2], f32) {
    let mut output = parameters[layout.output_bias + seen.bucket];
    let sums = [0, 1].map(|side| {
        let mut sums = *row::<N>(parameters, layout.hidden_bias);
        for feature in seen.features(side) {
            let weights = row::<N>(parameters, usize::from(*feature) * N);
            for i in 0..N {
                sums[i] += weights[i];
            }
        }
        let weights = row::<N>(parameters, layout.output_row(seen.bucket, side));
        // Several partial sums, so that the loop vectorises.
        let mut lanes = [0.0; 16];
        for i in 0..N {
            let unit = sums[i].clamp(0.0, 1.0);
            lanes[i % 16] += unit * unit * weights[i];
        }
        output += lanes.iter().sum::<f32>();
        sums
    });
    (sums, output)
}

/// Adds the gradient of a position's loss, that of folded parameters; returns the loss.
pub(super) fn backward<const N: usize>(
    layout: Layout,
    parameters: &[f32],
    gradient: &mut [f32],
    loss: Loss,
    seen: &Seen,
) -> f32 {
    let (sums, output) = forward::<N>(layout, parameters, seen);
    let (value, output_gradient) = loss.of(output, seen);
    gradient[layout.output_bias + seen.bucket] += output_gradient;
    for (side, sums) in sums.iter().enumerate() {
        let at = layout.output_row(seen.bucket, side);
        let mut errors = [0.0; N];
        let (weights, weights_gradient) = (row::<N>(parameters, at), row_mut::<N>(gradient, at));
        for i in 0..N {
            let unit = sums[i].clamp(0.0, 1.0);
            weights_gradient[i] += output_gradient * unit * unit;
            let open = sums[i] > 0.0 && sums[i] < 1.0;
            errors[i] = if open { output_gradient * weights[i] * 2.0 * unit } else { 0.0 };
        }
        let bias = row_mut::<N>(gradient, layout.hidden_bias);
        for i in 0..N {
            bias[i] += errors[i];
        }
        for feature in seen.features(side) {
            let row = row_mut::<N>(gradient, usize::from(*feature) * N);
            for i in 0..N {
                row[i] += errors[i];
            }
        }
    }
    value
}
