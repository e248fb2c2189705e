//! Backpropagation.
//!
//! A batch is split into ghost batches of a fixed size, each with its own batch normalisation. They can be processed in parallel,
//! and the sum of their gradients does not depend on the number of threads. Activations are kept for the backward pass. The policy
//! loss is over legal moves only; samples without moves train the value alone.

mod losses;

use crate::architecture::{Architecture, Convolution, Layout, MOVES_PER_SQUARE};
use crate::encoding::INPUT_SIZE;
use crate::forward::{EPSILON, dense, dot, pack_kernel, padded_channels};
use crate::kernels::{self, Kernel, PADDED_SQUARES, SQUARES, TAPS, padded_square};
use crate::weights::Weights;

pub use losses::{Losses, Sample};
use losses::{policy_gradient, value_gradient};

/// Gradients and losses of one ghost batch.
#[derive(Clone, Debug)]
pub struct Gradients {
    /// Gradients of the trainable parameters; for running means and variances, those of this ghost batch.
    pub gradients: Weights,
    /// Summed losses.
    pub losses: Losses,
}

/// Output of batch normalisation, kept for the backward pass.
struct Normalised {
    /// `[sample · square][channel]`, with mean 0 and variance 1.
    values: Vec<f32>,
    inverse_deviation: Vec<f32>,
    mean: Vec<f32>,
    variance: Vec<f32>,
}

/// Weights of the two losses, per sample.
#[derive(Copy, Clone, Debug)]
pub struct LossWeights {
    /// Weight of the policy loss.
    pub policy: f32,
    /// Weight of the value loss.
    pub value: f32,
}

/// Forward and backward pass over one ghost batch.
pub fn gradients(weights: &Weights, samples: &[Sample], loss_weights: LossWeights) -> Gradients {
    Pass::new(weights, samples).run(loss_weights)
}

struct Pass<'a> {
    architecture: Architecture,
    layout: Layout,
    weights: &'a Weights,
    samples: &'a [Sample],
    gradients: Weights,
}

impl<'a> Pass<'a> {
    fn new(weights: &'a Weights, samples: &'a [Sample]) -> Pass<'a> {
        let architecture = weights.architecture;
        Pass { architecture, layout: architecture.layout(), weights, samples, gradients: weights.zeros() }
    }

    fn run(mut self, loss_weights: LossWeights) -> Gradients {
        let channels = self.architecture.channels;
        let level = kernels::detect();
        let rows = self.samples.len() * SQUARES;
        // Forward through the tower.
        let mut boards: Vec<Vec<f32>> = Vec::with_capacity(self.layout.tower.len() + 1);
        boards.push(self.samples.iter().flat_map(|sample| sample.input.iter().copied()).collect());
        let mut kept = Vec::with_capacity(self.layout.tower.len());
        for (number, layer) in self.layout.tower.clone().iter().enumerate() {
            let inputs = padded_channels(layer.inputs);
            let kernel = pack_kernel(&self.weights.parameters[layer.weight], layer.inputs, channels, inputs);
            let mut sums = vec![0.0; rows * channels];
            Kernel::new(level, &kernel, (inputs, channels)).convolve(&boards[number], &mut sums);
            let normalised = normalise(sums, channels);
            let shortcut = (number > 0 && number % 2 == 0).then(|| &boards[number - 1]);
            boards.push(self.activate(*layer, &normalised, shortcut));
            kept.push(normalised);
        }
        let tower = boards.last().expect("the input is there");
        let mut errors = vec![0.0; rows * channels];
        let mut losses = Losses { samples: self.samples.len() as f64, ..Losses::default() };
        self.policy(tower, loss_weights.policy, &mut errors, &mut losses);
        self.value(tower, loss_weights.value, &mut errors, &mut losses);
        // Backward through the tower.
        let mut shortcut: Vec<f32> = Vec::new();
        for (number, layer) in self.layout.tower.clone().iter().enumerate().rev() {
            relu_backward(&mut errors, &boards[number + 1], channels);
            if number > 0 && number % 2 == 0 {
                shortcut.clone_from(&errors);
            }
            self.batch_norm_backward(*layer, &kept[number], &mut errors);
            let inputs = padded_channels(layer.inputs);
            let mut kernel = vec![0.0; TAPS * inputs * channels];
            let from = boards[number].chunks_exact(PADDED_SQUARES * inputs);
            for (board, errors) in from.zip(errors.chunks_exact(SQUARES * channels)) {
                kernels::weight_gradient(level, board, errors, (inputs, channels), &mut kernel);
            }
            unpack_kernel(
                &kernel,
                layer.inputs,
                channels,
                inputs,
                &mut self.gradients.parameters[layer.weight],
            );
            if number == 0 {
                break;
            }
            let back = transposed_kernel(&self.weights.parameters[layer.weight], channels);
            let back = Kernel::new(level, &back, (channels, channels));
            let mut board = vec![0.0; PADDED_SQUARES * channels];
            for errors in errors.chunks_exact_mut(SQUARES * channels) {
                for (square, row) in errors.chunks_exact(channels).enumerate() {
                    board[padded_square(square) * channels..][..channels].copy_from_slice(row);
                }
                back.convolve(&board, errors);
            }
            if number % 2 == 1 {
                for (error, shortcut) in errors.iter_mut().zip(&shortcut) {
                    *error += shortcut;
                }
            }
        }
        Gradients { gradients: self.gradients, losses }
    }

    /// Scale, bias, optional residual connection and ReLU, written to padded boards.
    fn activate(&self, layer: Convolution, normalised: &Normalised, shortcut: Option<&Vec<f32>>) -> Vec<f32> {
        let channels = layer.outputs;
        let (scale, bias) =
            (&self.weights.parameters[layer.weight + 1], &self.weights.parameters[layer.weight + 2]);
        let mut board = vec![0.0; self.samples.len() * PADDED_SQUARES * channels];
        for (row, centred) in normalised.values.chunks_exact(channels).enumerate() {
            let at = padded_row(row) * channels;
            let to = &mut board[at..][..channels];
            for channel in 0..channels {
                to[channel] = centred[channel] * scale[channel] + bias[channel];
            }
            if let Some(shortcut) = shortcut {
                for (to, shortcut) in to.iter_mut().zip(&shortcut[at..][..channels]) {
                    *to += shortcut;
                }
            }
            for to in to {
                *to = to.max(0.0);
            }
        }
        board
    }

    /// Backward pass of batch normalisation: turns output errors into input errors and stores the layer's gradients.
    fn batch_norm_backward(&mut self, layer: Convolution, normalised: &Normalised, errors: &mut [f32]) {
        let channels = layer.outputs;
        let rows = (errors.len() / channels) as f32;
        let (mut sums, mut products) = (vec![0.0f32; channels], vec![0.0f32; channels]);
        for (errors, centred) in errors.chunks_exact(channels).zip(normalised.values.chunks_exact(channels)) {
            for channel in 0..channels {
                sums[channel] += errors[channel];
                products[channel] += errors[channel] * centred[channel];
            }
        }
        let scale = &self.weights.parameters[layer.weight + 1];
        let factors: Vec<f32> = scale
            .iter()
            .zip(&normalised.inverse_deviation)
            .map(|(scale, inverse_deviation)| scale * inverse_deviation)
            .collect();
        for (errors, centred) in
            errors.chunks_exact_mut(channels).zip(normalised.values.chunks_exact(channels))
        {
            for channel in 0..channels {
                let mean = (sums[channel] + centred[channel] * products[channel]) / rows;
                errors[channel] = factors[channel] * (errors[channel] - mean);
            }
        }
        self.gradients.parameters[layer.weight + 1] = products;
        self.gradients.parameters[layer.weight + 2] = sums;
        self.gradients.parameters[layer.weight + 3].clone_from(&normalised.mean);
        self.gradients.parameters[layer.weight + 4].clone_from(&normalised.variance);
    }

    /// 1×1 convolution, batch normalisation and ReLU; the output is `[sample · square][output]`.
    fn conv1x1(&self, layer: Convolution, tower: &[f32]) -> (Normalised, Vec<f32>) {
        let kernel = &self.weights.parameters[layer.weight];
        let mut sums = Vec::with_capacity(self.samples.len() * SQUARES * layer.outputs);
        for row in 0..self.samples.len() * SQUARES {
            let features = &tower[padded_row(row) * layer.inputs..][..layer.inputs];
            sums.extend(kernel.chunks_exact(layer.inputs).map(|weights| dot(features, weights)));
        }
        let normalised = normalise(sums, layer.outputs);
        let (scale, bias) =
            (&self.weights.parameters[layer.weight + 1], &self.weights.parameters[layer.weight + 2]);
        let number = |(at, centred): (usize, &f32)| {
            (centred * scale[at % layer.outputs] + bias[at % layer.outputs]).max(0.0)
        };
        let out = normalised.values.iter().enumerate().map(number).collect();
        (normalised, out)
    }

    /// Backward pass of [`Pass::conv1x1`]: adds its input errors to the tower's.
    fn conv1x1_backward(
        &mut self,
        layer: Convolution,
        (normalised, out): (&Normalised, &[f32]),
        mut errors: Vec<f32>,
        (tower, tower_errors): (&[f32], &mut [f32]),
    ) {
        for (error, out) in errors.iter_mut().zip(out) {
            if *out <= 0.0 {
                *error = 0.0;
            }
        }
        self.batch_norm_backward(layer, normalised, &mut errors);
        let kernel = &self.weights.parameters[layer.weight];
        let gradients = &mut self.gradients.parameters[layer.weight];
        for (row, errors) in errors.chunks_exact(layer.outputs).enumerate() {
            let features = &tower[padded_row(row) * layer.inputs..][..layer.inputs];
            let back = &mut tower_errors[row * layer.inputs..][..layer.inputs];
            for (output, error) in errors.iter().enumerate() {
                let at = output * layer.inputs..(output + 1) * layer.inputs;
                accumulate(&mut gradients[at.clone()], features, *error);
                accumulate(back, &kernel[at], *error);
            }
        }
    }

    fn policy(&mut self, tower: &[f32], loss_weight: f32, errors: &mut [f32], losses: &mut Losses) {
        match self.layout.policy_convolution {
            Some(layer) => self.dense_policy(layer, tower, loss_weight, errors, losses),
            None => self.convolutional_policy(tower, loss_weight, errors, losses),
        }
    }

    fn dense_policy(
        &mut self,
        layer: Convolution,
        tower: &[f32],
        loss_weight: f32,
        errors: &mut [f32],
        losses: &mut Losses,
    ) {
        let (weight, bias) = (self.layout.policy, self.layout.policy + 1);
        let (normalised, out) = self.conv1x1(layer, tower);
        let size = SQUARES * layer.outputs;
        let mut back = vec![0.0; out.len()];
        let (kernel, offsets) = (&self.weights.parameters[weight], &self.weights.parameters[bias]);
        for (number, sample) in self.samples.iter().enumerate().filter(|(_, sample)| !sample.moves.is_empty())
        {
            let features = transpose(&out[number * size..][..size], layer.outputs);
            let logit =
                |(index, _): &(usize, f32)| dot(&features, &kernel[index * size..][..size]) + offsets[*index];
            let gradients =
                policy_gradient(sample, sample.moves.iter().map(logit).collect(), loss_weight, losses);
            let mut input_errors = vec![0.0; size];
            for ((index, _), gradient) in sample.moves.iter().zip(gradients) {
                accumulate(
                    &mut self.gradients.parameters[weight][index * size..][..size],
                    &features,
                    gradient,
                );
                self.gradients.parameters[bias][*index] += gradient;
                accumulate(&mut input_errors, &kernel[index * size..][..size], gradient);
            }
            for square in 0..SQUARES {
                for output in 0..layer.outputs {
                    back[number * size + square * layer.outputs + output] =
                        input_errors[output * SQUARES + square];
                }
            }
        }
        self.conv1x1_backward(layer, (&normalised, &out), back, (tower, errors));
    }

    fn convolutional_policy(
        &mut self,
        tower: &[f32],
        loss_weight: f32,
        errors: &mut [f32],
        losses: &mut Losses,
    ) {
        let channels = self.architecture.channels;
        let (weight, bias) = (self.layout.policy, self.layout.policy + 1);
        let (kernel, offsets) = (&self.weights.parameters[weight], &self.weights.parameters[bias]);
        for (number, sample) in self.samples.iter().enumerate().filter(|(_, sample)| !sample.moves.is_empty())
        {
            let row = |index: usize| number * SQUARES + index / MOVES_PER_SQUARE;
            let logit = |(index, _): &(usize, f32)| {
                let features = &tower[padded_row(row(*index)) * channels..][..channels];
                dot(features, &kernel[index % MOVES_PER_SQUARE * channels..][..channels])
                    + offsets[index % MOVES_PER_SQUARE]
            };
            let gradients =
                policy_gradient(sample, sample.moves.iter().map(logit).collect(), loss_weight, losses);
            for ((index, _), gradient) in sample.moves.iter().zip(gradients) {
                let features = &tower[padded_row(row(*index)) * channels..][..channels];
                let kind = index % MOVES_PER_SQUARE * channels..(index % MOVES_PER_SQUARE + 1) * channels;
                accumulate(&mut self.gradients.parameters[weight][kind.clone()], features, gradient);
                self.gradients.parameters[bias][index % MOVES_PER_SQUARE] += gradient;
                accumulate(&mut errors[row(*index) * channels..][..channels], &kernel[kind], gradient);
            }
        }
    }

    fn value(&mut self, tower: &[f32], loss_weight: f32, errors: &mut [f32], losses: &mut Losses) {
        let layer = self.layout.value_convolution;
        let at = self.layout.value;
        let (normalised, out) = self.conv1x1(layer, tower);
        let size = SQUARES * layer.outputs;
        let mut back = vec![0.0; out.len()];
        let parameters = &self.weights.parameters;
        let (mut hidden, mut outputs) = (Vec::new(), Vec::new());
        for (number, sample) in self.samples.iter().enumerate() {
            let features = transpose(&out[number * size..][..size], layer.outputs);
            dense(&features, &parameters[at], &parameters[at + 1], &mut hidden);
            for number in &mut hidden {
                *number = number.max(0.0);
            }
            dense(&hidden, &parameters[at + 2], &parameters[at + 3], &mut outputs);
            let gradients =
                value_gradient(self.architecture.value, sample, &mut outputs, loss_weight, losses);
            let mut input_errors = vec![0.0; hidden.len()];
            for (output, gradient) in gradients.iter().enumerate() {
                let row = output * hidden.len()..(output + 1) * hidden.len();
                accumulate(&mut self.gradients.parameters[at + 2][row.clone()], &hidden, *gradient);
                self.gradients.parameters[at + 3][output] += gradient;
                accumulate(&mut input_errors, &parameters[at + 2][row], *gradient);
            }
            let mut feature_errors = vec![0.0; size];
            for (neuron, (gradient, _)) in
                input_errors.iter().zip(&hidden).enumerate().filter(|(_, (_, hidden))| **hidden > 0.0)
            {
                let row = neuron * size..(neuron + 1) * size;
                accumulate(&mut self.gradients.parameters[at][row.clone()], &features, *gradient);
                self.gradients.parameters[at + 1][neuron] += gradient;
                accumulate(&mut feature_errors, &parameters[at][row], *gradient);
            }
            for square in 0..SQUARES {
                for output in 0..layer.outputs {
                    back[number * size + square * layer.outputs + output] =
                        feature_errors[output * SQUARES + square];
                }
            }
        }
        self.conv1x1_backward(layer, (&normalised, &out), back, (tower, errors));
    }
}

/// Offset on padded boards of a row of `[sample · square]`.
fn padded_row(row: usize) -> usize {
    row / SQUARES * PADDED_SQUARES + padded_square(row % SQUARES)
}

/// From `[square][channel]` to `[channel][square]`.
fn transpose(numbers: &[f32], channels: usize) -> Vec<f32> {
    (0..numbers.len()).map(|at| numbers[at % SQUARES * channels + at / SQUARES]).collect()
}

fn accumulate(to: &mut [f32], from: &[f32], factor: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// Backward pass of ReLU: inactive units pass no error.
fn relu_backward(errors: &mut [f32], board: &[f32], channels: usize) {
    for (row, errors) in errors.chunks_exact_mut(channels).enumerate() {
        for (error, out) in errors.iter_mut().zip(&board[padded_row(row) * channels..][..channels]) {
            if *out <= 0.0 {
                *error = 0.0;
            }
        }
    }
}

/// Batch normalisation without scale and bias: mean 0 and variance 1 per channel.
fn normalise(mut sums: Vec<f32>, channels: usize) -> Normalised {
    let rows = (sums.len() / channels) as f64;
    let (mut total, mut squares) = (vec![0.0f64; channels], vec![0.0f64; channels]);
    // Within a board sums are f32; across boards they are f64.
    for board in sums.chunks(SQUARES * channels) {
        let (mut part, mut part_squares) = (vec![0.0f32; channels], vec![0.0f32; channels]);
        for row in board.chunks_exact(channels) {
            for channel in 0..channels {
                part[channel] += row[channel];
                part_squares[channel] += row[channel] * row[channel];
            }
        }
        for channel in 0..channels {
            total[channel] += f64::from(part[channel]);
            squares[channel] += f64::from(part_squares[channel]);
        }
    }
    let mean: Vec<f32> = total.iter().map(|total| (total / rows) as f32).collect();
    let variance: Vec<f32> = total
        .iter()
        .zip(&squares)
        .map(|(total, squares)| (squares / rows - (total / rows).powi(2)).max(0.0) as f32)
        .collect();
    let inverse_deviation: Vec<f32> =
        variance.iter().map(|variance| 1.0 / (variance + EPSILON).sqrt()).collect();
    for row in sums.chunks_exact_mut(channels) {
        for channel in 0..channels {
            row[channel] = (row[channel] - mean[channel]) * inverse_deviation[channel];
        }
    }
    Normalised { values: sums, inverse_deviation, mean, variance }
}

fn unpack_kernel(kernel: &[f32], inputs: usize, outputs: usize, padded: usize, out: &mut [f32]) {
    for (at, out) in out.iter_mut().enumerate() {
        let (output, input, tap) = (at / (inputs * TAPS), at / TAPS % inputs, at % TAPS);
        *out = kernel[(tap * padded + input) * outputs + output];
    }
}

/// Weights of the transposed convolution, which propagates errors back: inputs and outputs swapped, the kernel rotated by 180°.
fn transposed_kernel(weights: &[f32], channels: usize) -> Vec<f32> {
    let mut back = vec![0.0; weights.len()];
    for (at, weight) in weights.iter().enumerate() {
        let (output, input, tap) = (at / (channels * TAPS), at / TAPS % channels, at % TAPS);
        back[((TAPS - 1 - tap) * channels + output) * channels + input] = *weight;
    }
    back
}

/// A random input for tests and benchmarks: values on the board, zeros in its padding.
pub fn random_input(random: &mut tabia_core::seed::Random) -> Vec<f32> {
    use rand::Rng;
    let mut input = vec![0.0; INPUT_SIZE];
    for square in 0..SQUARES {
        for plane in 0..tabia_quantum::planes::PLANES {
            input[padded_square(square) * crate::encoding::INPUT_CHANNELS + plane] =
                random.random_range(0.0..1.0);
        }
    }
    input
}

#[cfg(test)]
mod tests;
