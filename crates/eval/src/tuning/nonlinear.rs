//! The nonlinear forms, each with its exact gradient.

/// A rectified sum that counts squared and linearly.
#[derive(Clone, Debug, PartialEq)]
pub struct SquaredRelu {
    /// Single coefficients, each with its count.
    pub inputs: Vec<(u16, i16)>,
    /// Weight of the squared sum.
    pub square: f32,
    /// Weight of the sum itself.
    pub line: f32,
}

impl SquaredRelu {
    fn sum(&self, coefficients: &[f64]) -> f64 {
        let products =
            self.inputs.iter().map(|(index, count)| coefficients[usize::from(*index)] * f64::from(*count));
        products.sum::<f64>().max(0.0)
    }

    pub(super) fn value(&self, coefficients: &[f64]) -> f64 {
        let sum = self.sum(coefficients);
        f64::from(self.square) * sum * sum + f64::from(self.line) * sum
    }

    pub(super) fn add_gradient(&self, coefficients: &[f64], by: f64, gradient: &mut [f64]) {
        let sum = self.sum(coefficients);
        if sum > 0.0 {
            let upstream = by * (2.0 * f64::from(self.square) * sum + f64::from(self.line));
            for (index, count) in &self.inputs {
                gradient[usize::from(*index)] += upstream * f64::from(*count);
            }
        }
    }
}

/// A rectified sum times a tapered weight.
#[derive(Clone, Debug, PartialEq)]
pub struct WeightedRelu {
    /// Pairs of coefficients, each with its count.
    pub inputs: Vec<(u16, i16)>,
    /// The pair that is the weight.
    pub weight: u16,
    /// 1, or -1 for Black's.
    pub sign: f32,
}

impl WeightedRelu {
    fn sum(&self, end: usize, coefficients: &[f64]) -> f64 {
        let products =
            self.inputs.iter().map(|(pair, count)| of(coefficients, *pair, end) * f64::from(*count));
        products.sum::<f64>().max(0.0)
    }

    pub(super) fn value(&self, taper: [f64; 2], coefficients: &[f64]) -> f64 {
        let ends =
            (0..2).map(|end| taper[end] * of(coefficients, self.weight, end) * self.sum(end, coefficients));
        f64::from(self.sign) * ends.sum::<f64>()
    }

    pub(super) fn add_gradient(&self, taper: [f64; 2], coefficients: &[f64], by: f64, gradient: &mut [f64]) {
        for (end, share) in taper.into_iter().enumerate() {
            let sum = self.sum(end, coefficients);
            if sum > 0.0 {
                let upstream = by * share * f64::from(self.sign);
                gradient[at(self.weight, end)] += upstream * sum;
                let upstream = upstream * of(coefficients, self.weight, end);
                for (pair, count) in &self.inputs {
                    gradient[at(*pair, end)] += upstream * f64::from(*count);
                }
            }
        }
    }
}

/// A sum within bounds.
#[derive(Clone, Debug, PartialEq)]
pub struct Clamp {
    /// Single coefficients, each with its count.
    pub inputs: Vec<(u16, f32)>,
    /// The sum is clamped to ±`bound`.
    pub bound: f32,
}

impl Clamp {
    fn sum(&self, coefficients: &[f64]) -> f64 {
        self.inputs.iter().map(|(index, count)| coefficients[usize::from(*index)] * f64::from(*count)).sum()
    }

    pub(super) fn value(&self, coefficients: &[f64]) -> f64 {
        self.sum(coefficients).clamp(-f64::from(self.bound), f64::from(self.bound))
    }

    pub(super) fn add_gradient(&self, coefficients: &[f64], by: f64, gradient: &mut [f64]) {
        if self.sum(coefficients).abs() < f64::from(self.bound) {
            for (index, count) in &self.inputs {
                gradient[usize::from(*index)] += by * f64::from(*count);
            }
        }
    }
}

/// A soft maximum: Σ softmax(n/τ)·n over several sums n, times a tapered weight.
#[derive(Clone, Debug, PartialEq)]
pub struct Attention {
    /// Each sum: pairs of coefficients with their counts.
    pub sums: Vec<Vec<(u16, i16)>>,
    /// The pair that is the weight.
    pub weight: u16,
    /// The pair that is the temperature τ.
    pub temperature: u16,
    /// 1, or -1 for Black's.
    pub sign: f32,
}

/// The sums, the softmax weight of each, and the weighted total.
struct Attended {
    sums: Vec<f64>,
    shares: Vec<f64>,
    total: f64,
}

impl Attention {
    fn attend(&self, end: usize, coefficients: &[f64]) -> Attended {
        let sum = |inputs: &Vec<(u16, i16)>| {
            inputs.iter().map(|(pair, count)| of(coefficients, *pair, end) * f64::from(*count)).sum::<f64>()
        };
        let sums: Vec<f64> = self.sums.iter().map(sum).collect();
        let strongest = sums.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let temperature = of(coefficients, self.temperature, end);
        let mut shares: Vec<f64> = sums.iter().map(|sum| ((sum - strongest) / temperature).exp()).collect();
        let all: f64 = shares.iter().sum();
        for share in &mut shares {
            *share /= all;
        }
        let total = sums.iter().zip(&shares).map(|(sum, share)| sum * share).sum();
        Attended { sums, shares, total }
    }

    pub(super) fn value(&self, taper: [f64; 2], coefficients: &[f64]) -> f64 {
        let ends = (0..2).map(|end| {
            taper[end] * of(coefficients, self.weight, end) * self.attend(end, coefficients).total
        });
        f64::from(self.sign) * ends.sum::<f64>()
    }

    pub(super) fn add_gradient(&self, taper: [f64; 2], coefficients: &[f64], by: f64, gradient: &mut [f64]) {
        for (end, share) in taper.into_iter().enumerate() {
            let Attended { sums, shares, total } = self.attend(end, coefficients);
            let temperature = of(coefficients, self.temperature, end);
            let upstream = by * share * f64::from(self.sign);
            gradient[at(self.weight, end)] += upstream * total;
            let upstream = upstream * of(coefficients, self.weight, end);
            let squares: f64 = sums.iter().zip(&shares).map(|(sum, share)| sum * sum * share).sum();
            gradient[at(self.temperature, end)] -=
                upstream * (squares - total * total) / (temperature * temperature);
            for ((inputs, sum), attention) in self.sums.iter().zip(&sums).zip(&shares) {
                let upstream = upstream * attention * (1.0 + (sum - total) / temperature);
                for (pair, count) in inputs {
                    gradient[at(*pair, end)] += upstream * f64::from(*count);
                }
            }
        }
    }
}

/// Index of one end of a pair.
fn at(pair: u16, end: usize) -> usize {
    2 * usize::from(pair) + end
}

fn of(coefficients: &[f64], pair: u16, end: usize) -> f64 {
    coefficients[at(pair, end)]
}
