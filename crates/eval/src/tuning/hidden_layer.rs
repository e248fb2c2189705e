//! A small layer over counts, with its value and its exact derivative.

/// How many units a layer has.
pub const UNITS: usize = 8;
/// Numbers an input has: what it gives to its own side's units, then to the other side's.
pub const WEIGHTS_PER_INPUT: usize = 2 * UNITS;
/// A unit that has come to this is full.
pub const SATURATION: f64 = 16.0;

/// Two sides' counts, each read by units from either side's view: a unit of a side adds up what that side's counts
/// give to it and what the other side's do, is cut off at zero and at [`SATURATION`], and screlu; what is left has a
/// weight at either end of the game. Black's units count against White's.
///
/// Its coefficients stand together: [`WEIGHTS_PER_INPUT`] numbers an input, then where units begin, then their weights at the
/// beginning and at the end of the game, [`UNITS`] numbers each.
#[derive(Clone, Debug, PartialEq)]
pub struct HiddenLayer {
    /// Where its coefficients begin.
    pub first: usize,
    /// How many inputs there are.
    pub inputs: usize,
    /// What White has and what Black has: inputs, so many times.
    pub counts: [Vec<(u16, i16)>; 2],
}

type Units = [f64; UNITS];

impl HiddenLayer {
    /// How many coefficients a layer of so many inputs has.
    pub const fn coefficients(inputs: usize) -> usize {
        inputs * WEIGHTS_PER_INPUT + 3 * UNITS
    }

    /// Eight coefficients that stand together.
    fn units(coefficients: &[f64], at: usize) -> &Units {
        coefficients[at..].first_chunk().expect("a layer has all its coefficients")
    }

    /// Where units begin; their weights follow, [`UNITS`] further on.
    const fn start(&self) -> usize {
        self.first + self.inputs * WEIGHTS_PER_INPUT
    }

    /// What White's units and Black's have come to.
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

    /// What a unit's square counts, blended between the ends of the game.
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

/// What a unit counts: at max one.
fn screlu(sum: f64) -> f64 {
    let part = sum.clamp(0.0, SATURATION) / SATURATION;
    part * part
}

/// The derivative of [`screlu`].
fn screlu_derivative(sum: f64) -> f64 {
    if sum > 0.0 && sum < SATURATION { 2.0 * sum / (SATURATION * SATURATION) } else { 0.0 }
}
