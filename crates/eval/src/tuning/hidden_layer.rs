//! A small hidden layer over feature counts, with its exact gradient.

/// Number of hidden units per side.
pub const UNITS: usize = 8;
/// Weights per input: to its own side's units, then to the opponent's.
pub const WEIGHTS_PER_INPUT: usize = 2 * UNITS;
/// Pre-activation at which a unit saturates.
pub const SATURATION: f64 = 16.0;

/// A hidden layer that reads both sides' counts. A unit of a side sums the weighted counts of both sides, applies SCReLU
/// (clipped to 0 and [`SATURATION`], then squared), and has a middlegame and an endgame output weight. Black's units
/// count negatively.
///
/// Its coefficients are contiguous: [`WEIGHTS_PER_INPUT`] per input, then [`UNITS`] biases, middlegame output weights and
/// endgame output weights.
#[derive(Clone, Debug, PartialEq)]
pub struct HiddenLayer {
    /// Index of its first coefficient.
    pub first: usize,
    pub inputs: usize,
    /// Inputs of White and of Black, each with its count.
    pub counts: [Vec<(u16, i16)>; 2],
}

type Units = [f64; UNITS];

impl HiddenLayer {
    /// Number of coefficients of a layer with this number of inputs.
    pub const fn coefficients(inputs: usize) -> usize {
        inputs * WEIGHTS_PER_INPUT + 3 * UNITS
    }

    /// [`UNITS`] contiguous coefficients.
    fn units(coefficients: &[f64], at: usize) -> &Units {
        coefficients[at..].first_chunk().expect("a layer has all its coefficients")
    }

    /// Index of the biases; the output weights follow.
    const fn start(&self) -> usize {
        self.first + self.inputs * WEIGHTS_PER_INPUT
    }

    /// Pre-activations of White's units and of Black's.
    fn sums(&self, coefficients: &[f64]) -> [Units; 2] {
        let mut sums = [*HiddenLayer::units(coefficients, self.start()); 2];
        for (side, counts) in self.counts.iter().enumerate() {
            for (input, count) in counts {
                let at = self.first + usize::from(*input) * WEIGHTS_PER_INPUT;
                let count = f64::from(*count);
                for (view, by) in [(side, at), (1 - side, at + UNITS)] {
                    let weights = HiddenLayer::units(coefficients, by);
                    for (sum, weight) in sums[view].iter_mut().zip(weights) {
                        *sum += weight * count;
                    }
                }
            }
        }
        sums
    }

    /// Output weight of a unit, tapered.
    fn weights(&self, taper: [f64; 2], coefficients: &[f64]) -> Units {
        let [first, second] = [1, 2].map(|end| HiddenLayer::units(coefficients, self.start() + end * UNITS));
        std::array::from_fn(|unit| taper[0] * first[unit] + taper[1] * second[unit])
    }

    pub(super) fn value(&self, taper: [f64; 2], coefficients: &[f64]) -> f64 {
        let [white, black] = self.sums(coefficients);
        let weights = self.weights(taper, coefficients);
        (0..UNITS).map(|unit| weights[unit] * (screlu(white[unit]) - screlu(black[unit]))).sum()
    }

    pub(super) fn add_gradient(&self, taper: [f64; 2], coefficients: &[f64], by: f64, gradient: &mut [f64]) {
        let sums = self.sums(coefficients);
        let weights = self.weights(taper, coefficients);
        let mut gradients = [[0.0; UNITS]; 2];
        for (side, sign) in [1.0, -1.0].into_iter().enumerate() {
            for unit in 0..UNITS {
                let sum = sums[side][unit];
                for (end, share) in taper.into_iter().enumerate() {
                    gradient[self.start() + (1 + end) * UNITS + unit] += by * sign * share * screlu(sum);
                }
                gradients[side][unit] = by * sign * weights[unit] * screlu_derivative(sum);
                gradient[self.start() + unit] += gradients[side][unit];
            }
        }
        for (side, counts) in self.counts.iter().enumerate() {
            for (input, count) in counts {
                let at = self.first + usize::from(*input) * WEIGHTS_PER_INPUT;
                let count = f64::from(*count);
                let found: &mut [f64; WEIGHTS_PER_INPUT] =
                    gradient[at..].first_chunk_mut().expect("a gradient is as long as the coefficients");
                for (sum, gradient) in
                    found.iter_mut().zip(gradients[side].iter().chain(&gradients[1 - side]))
                {
                    *sum += gradient * count;
                }
            }
        }
    }
}

/// Activation of a unit, at most one.
fn screlu(sum: f64) -> f64 {
    let part = sum.clamp(0.0, SATURATION) / SATURATION;
    part * part
}

/// The derivative of [`screlu`].
fn screlu_derivative(sum: f64) -> f64 {
    if sum > 0.0 && sum < SATURATION { 2.0 * sum / (SATURATION * SATURATION) } else { 0.0 }
}
