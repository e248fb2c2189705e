//! The parameters of a network in training: their order in one list, initial values and quantisation.
//!
//! With several king buckets there is a factoriser: a table of input weights that is added to those of every bucket, so
//! that what holds for all is learned from all positions. It is folded into the buckets' weights before each step, and
//! its gradient is the sum of theirs; so a position costs the same as with one bucket.

use std::borrow::Cow;

use tabia_core::seed;
use tabia_eval::nnue::features::INPUTS;
use tabia_eval::nnue::kernels::LARGEST_OUTPUT;
use tabia_eval::nnue::{BUCKETS, Network, QA, QB, Shape};

/// Largest weight, see `trainer.py`.
pub(super) const CLIP: f32 = 1.98;
/// The same for output weights, whose products with units must fit 16 bits.
const OUTPUT_CLIP: f32 = LARGEST_OUTPUT as f32 / QB as f32;

/// Index of the first parameter of each kind. The numbers of the network come first, in the order of its file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Layout {
    pub hidden: usize,
    king_buckets: usize,
    pub hidden_bias: usize,
    outputs: usize,
    pub output_bias: usize,
    /// The factoriser, and the number of parameters without it.
    pub factoriser: usize,
    /// The number of parameters.
    pub count: usize,
}

impl Layout {
    pub fn of(shape: &Shape) -> Layout {
        let (hidden, king_buckets) = (shape.hidden, shape.kings.count());
        let hidden_bias = shape.inputs() * hidden;
        let outputs = hidden_bias + hidden;
        let output_bias = outputs + BUCKETS * 2 * hidden;
        let factoriser = output_bias + BUCKETS;
        let count = factoriser + if king_buckets > 1 { INPUTS * hidden } else { 0 };
        Layout { hidden, king_buckets, hidden_bias, outputs, output_bias, factoriser, count }
    }

    /// Input weights of a bucket, or of the factoriser.
    pub fn table(self) -> usize {
        INPUTS * self.hidden
    }

    /// First output weight of a bucket and side.
    pub fn output_row(self, bucket: usize, side: usize) -> usize {
        self.outputs + (bucket * 2 + side) * self.hidden
    }

    /// The parameters of the network that is played with: the factoriser is added to each bucket.
    pub fn fold(self, parameters: &[f32]) -> Cow<'_, [f32]> {
        let (played, factoriser) = parameters.split_at(self.factoriser);
        if factoriser.is_empty() {
            return Cow::Borrowed(played);
        }
        let mut played = played.to_vec();
        for table in played[..self.hidden_bias].chunks_exact_mut(self.table()) {
            for (weight, shared) in table.iter_mut().zip(factoriser) {
                *weight += shared;
            }
        }
        Cow::Owned(played)
    }

    /// Sets the gradient of the factoriser from that of the folded parameters.
    pub fn fold_gradient(self, gradient: &mut [f32]) {
        let (played, factoriser) = gradient.split_at_mut(self.factoriser);
        if factoriser.is_empty() {
            return;
        }
        factoriser.fill(0.0);
        for table in played[..self.hidden_bias].chunks_exact(self.table()) {
            for (shared, weight) in factoriser.iter_mut().zip(table) {
                *shared += weight;
            }
        }
    }

    /// Random initial parameters.
    pub fn random(self, seed: u64) -> Vec<f32> {
        let Layout { hidden, hidden_bias, outputs, output_bias, factoriser, count, .. } = self;
        let mut parameters = vec![0.0; count];
        let uniform = |at: usize| {
            let bits = seed::derive(seed, at as u64) >> 40;
            bits as f32 / (1_u64 << 23) as f32 - 1.0
        };
        let (spread, output_spread) = (1.0 / 32_f32.sqrt(), 1.0 / (2.0 * hidden as f32).sqrt());
        // With a factoriser the buckets start equal.
        let first = if factoriser == count { 0 } else { factoriser };
        for (at, parameter) in parameters[first..][..self.table()].iter_mut().enumerate() {
            *parameter = uniform(at) * spread;
        }
        parameters[hidden_bias..outputs].fill(0.1);
        for (at, parameter) in parameters[outputs..output_bias].iter_mut().enumerate() {
            // All output buckets start equal.
            *parameter = uniform(self.table() + hidden + at % (2 * hidden)) * output_spread;
        }
        parameters
    }

    /// The parameters of a network with the same shape, or of one with one king bucket and as many hidden units.
    pub fn dequantise(self, network: &Network) -> Vec<f32> {
        let Layout { hidden, hidden_bias, outputs, output_bias, factoriser, count, .. } = self;
        let mut parameters = vec![0.0; count];
        let (small, large) = network.numbers();
        let inputs = network.shape().inputs() * hidden;
        // What one bucket knew holds for all.
        let first = if inputs == hidden_bias { 0 } else { factoriser };
        for (parameter, number) in parameters[first..].iter_mut().zip(&small[..inputs]) {
            *parameter = f32::from(*number) / QA as f32;
        }
        for (at, number) in (hidden_bias..).zip(&small[inputs..]) {
            parameters[at] = f32::from(*number) / if at < outputs { QA as f32 } else { QB as f32 };
        }
        for (bucket, number) in large.into_iter().enumerate() {
            parameters[output_bias + bucket] = (f64::from(number) / one()) as f32;
        }
        parameters
    }

    /// The network with quantised weights. The shape is that of the layout.
    pub fn quantise(self, parameters: &[f32], shape: &Shape, note: String) -> Network {
        let Layout { outputs, output_bias, .. } = self;
        let number = |(at, parameter): (usize, &f32)| {
            (f64::from(*parameter) * f64::from(if at < outputs { QA } else { QB })).round() as i16
        };
        let played = self.fold(parameters);
        let small: Vec<i16> = played[..output_bias].iter().enumerate().map(number).collect();
        let large =
            std::array::from_fn(|bucket| (f64::from(played[output_bias + bucket]) * one()).round() as i32);
        Network::from_numbers(shape, &small, large, note).expect("parameters are as many as numbers")
    }

    /// Limits parameters to what can be quantised.
    pub fn clip(self, parameters: &mut [f32]) {
        let (played, factoriser) = parameters.split_at_mut(self.factoriser);
        let (inputs, rest) = played.split_at_mut(self.hidden_bias);
        let (hidden_bias, outputs) = rest[..self.output_bias - self.hidden_bias].split_at_mut(self.hidden);
        let clip = |parameters: &mut [f32], largest: f32| {
            for parameter in parameters {
                *parameter = parameter.clamp(-largest, largest);
            }
        };
        clip(hidden_bias, CLIP);
        clip(outputs, OUTPUT_CLIP);
        if factoriser.is_empty() {
            clip(inputs, CLIP);
            return;
        }
        // The sums are what must be in range.
        clip(factoriser, CLIP);
        for table in inputs.chunks_exact_mut(self.table()) {
            for (weight, shared) in table.iter_mut().zip(&*factoriser) {
                *weight = weight.clamp(-CLIP - shared, CLIP - shared);
            }
        }
    }
}

/// An output of 1 in the units of output biases.
fn one() -> f64 {
    f64::from(QA * QA * QB)
}
