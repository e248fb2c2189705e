//! What every number of a network did to the error of some answers: the slopes that descent goes down.
//!
//! A batch is cut into parts of a fixed size, each normalised by itself; so parts can be worked on at once and their sum does not depend on how many
//! threads there are. Within a part everything is kept that the way back needs. The policy is that of legal moves alone: where
//! nothing can be played, nothing is learned.

mod losses;

use crate::architecture::{Architecture, Convolution, Layout, MOVES};
use crate::forward::{EPSILON, dense, dot, packed, room_for};
use crate::kernels::{self, BORDERED_SQUARES, SQUARES, TAPS, bordered};
use crate::view::INPUT_SIZE;
use crate::weights::Weights;

pub use losses::{Lesson, Losses};
use losses::{policy_errors, value_errors};

/// What came of one part of a batch.
#[derive(Clone, Debug)]
pub struct Part {
    /// Slopes, slot by slot; means and variances of normalisations as they were in this part.
    pub slopes: Weights,
    /// How wrong it was.
    pub losses: Losses,
}

/// A normalised convolution on its way forwards, kept for the way back.
struct Normalised {
    /// `[lesson · square][channel]`, with mean 0 and variance 1.
    centred: Vec<f32>,
    inverse: Vec<f32>,
    mean: Vec<f32>,
    variance: Vec<f32>,
}

/// How much a lesson's policy and value count.
#[derive(Copy, Clone, Debug)]
pub struct Shares {
    /// Of a lesson's policy.
    pub policy: f32,
    /// Of a lesson's value.
    pub value: f32,
}

/// Learns from one part of a batch.
pub fn part(weights: &Weights, lessons: &[Lesson], shares: Shares) -> Part {
    Work::new(weights, lessons).run(shares)
}

struct Work<'a> {
    architecture: Architecture,
    layout: Layout,
    weights: &'a Weights,
    lessons: &'a [Lesson],
    slopes: Weights,
}

impl<'a> Work<'a> {
    fn new(weights: &'a Weights, lessons: &'a [Lesson]) -> Work<'a> {
        let architecture = weights.architecture;
        Work { architecture, layout: architecture.layout(), weights, lessons, slopes: weights.zeros() }
    }

    fn run(mut self, shares: Shares) -> Part {
        let channels = self.architecture.channels;
        let level = kernels::best_level();
        let rows = self.lessons.len() * SQUARES;
        // Forwards through the tower.
        let mut boards: Vec<Vec<f32>> = Vec::with_capacity(self.layout.tower.len() + 1);
        boards.push(self.lessons.iter().flat_map(|lesson| lesson.input.iter().copied()).collect());
        let mut kept = Vec::with_capacity(self.layout.tower.len());
        for (number, layer) in self.layout.tower.clone().iter().enumerate() {
            let inputs = room_for(layer.inputs);
            let kernel = packed(&self.weights.slots[layer.weight], layer.inputs, channels, inputs);
            let mut sums = vec![0.0; rows * channels];
            let from = boards[number].chunks_exact(BORDERED_SQUARES * inputs);
            for (board, sums) in from.zip(sums.chunks_exact_mut(SQUARES * channels)) {
                kernels::convolve(level, board, &kernel, (inputs, channels), sums);
            }
            let normalised = normalise(sums, channels);
            let shortcut = (number > 0 && number % 2 == 0).then(|| &boards[number - 1]);
            boards.push(self.activate(*layer, &normalised, shortcut));
            kept.push(normalised);
        }
        let tower = boards.last().expect("the input is there");
        let mut errors = vec![0.0; rows * channels];
        let mut losses = Losses { lessons: self.lessons.len() as f64, ..Losses::default() };
        self.policy(tower, shares.policy, &mut errors, &mut losses);
        self.value(tower, shares.value, &mut errors, &mut losses);
        // And back.
        let mut shortcut: Vec<f32> = Vec::new();
        for (number, layer) in self.layout.tower.clone().iter().enumerate().rev() {
            cut(&mut errors, &boards[number + 1], channels);
            if number > 0 && number % 2 == 0 {
                shortcut.clone_from(&errors);
            }
            self.denormalise(*layer, &kept[number], &mut errors);
            let inputs = room_for(layer.inputs);
            let mut slopes = vec![0.0; TAPS * inputs * channels];
            let from = boards[number].chunks_exact(BORDERED_SQUARES * inputs);
            for (board, errors) in from.zip(errors.chunks_exact(SQUARES * channels)) {
                kernels::correlate(level, board, errors, (inputs, channels), &mut slopes);
            }
            unpack(&slopes, layer.inputs, channels, inputs, &mut self.slopes.slots[layer.weight]);
            if number == 0 {
                break;
            }
            let back = reversed(&self.weights.slots[layer.weight], channels);
            let mut board = vec![0.0; BORDERED_SQUARES * channels];
            for errors in errors.chunks_exact_mut(SQUARES * channels) {
                for (square, row) in errors.chunks_exact(channels).enumerate() {
                    board[bordered(square) * channels..][..channels].copy_from_slice(row);
                }
                kernels::convolve(level, &board, &back, (channels, channels), errors);
            }
            if number % 2 == 1 {
                for (error, shortcut) in errors.iter_mut().zip(&shortcut) {
                    *error += shortcut;
                }
            }
        }
        Part { slopes: self.slopes, losses }
    }

    /// Scaled, moved, with a shortcut added, what is negative cut off, and bordered.
    fn activate(&self, layer: Convolution, normalised: &Normalised, shortcut: Option<&Vec<f32>>) -> Vec<f32> {
        let channels = layer.outputs;
        let (scale, bias) = (&self.weights.slots[layer.weight + 1], &self.weights.slots[layer.weight + 2]);
        let mut board = vec![0.0; self.lessons.len() * BORDERED_SQUARES * channels];
        for (row, centred) in normalised.centred.chunks_exact(channels).enumerate() {
            let at = place(row) * channels;
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

    /// Back through a normalisation: errors behind it become errors before it, and its own slopes are written down.
    fn denormalise(&mut self, layer: Convolution, normalised: &Normalised, errors: &mut [f32]) {
        let channels = layer.outputs;
        let rows = (errors.len() / channels) as f32;
        let (mut sums, mut products) = (vec![0.0f32; channels], vec![0.0f32; channels]);
        for (errors, centred) in errors.chunks_exact(channels).zip(normalised.centred.chunks_exact(channels))
        {
            for channel in 0..channels {
                sums[channel] += errors[channel];
                products[channel] += errors[channel] * centred[channel];
            }
        }
        let scale = &self.weights.slots[layer.weight + 1];
        let factors: Vec<f32> =
            scale.iter().zip(&normalised.inverse).map(|(scale, inverse)| scale * inverse).collect();
        for (errors, centred) in
            errors.chunks_exact_mut(channels).zip(normalised.centred.chunks_exact(channels))
        {
            for channel in 0..channels {
                let mean = (sums[channel] + centred[channel] * products[channel]) / rows;
                errors[channel] = factors[channel] * (errors[channel] - mean);
            }
        }
        self.slopes.slots[layer.weight + 1] = products;
        self.slopes.slots[layer.weight + 2] = sums;
        self.slopes.slots[layer.weight + 3].clone_from(&normalised.mean);
        self.slopes.slots[layer.weight + 4].clone_from(&normalised.variance);
    }

    /// A normalised 1×1 convolution forwards; what is kept, and the output `[lesson · square][output]`.
    fn point(&self, layer: Convolution, tower: &[f32]) -> (Normalised, Vec<f32>) {
        let kernel = &self.weights.slots[layer.weight];
        let mut sums = Vec::with_capacity(self.lessons.len() * SQUARES * layer.outputs);
        for row in 0..self.lessons.len() * SQUARES {
            let seen = &tower[place(row) * layer.inputs..][..layer.inputs];
            sums.extend(kernel.chunks_exact(layer.inputs).map(|weights| dot(seen, weights)));
        }
        let normalised = normalise(sums, layer.outputs);
        let (scale, bias) = (&self.weights.slots[layer.weight + 1], &self.weights.slots[layer.weight + 2]);
        let number = |(at, centred): (usize, &f32)| {
            (centred * scale[at % layer.outputs] + bias[at % layer.outputs]).max(0.0)
        };
        let out = normalised.centred.iter().enumerate().map(number).collect();
        (normalised, out)
    }

    /// Back through it: errors at its output become errors at the tower.
    fn point_back(
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
        self.denormalise(layer, normalised, &mut errors);
        let kernel = &self.weights.slots[layer.weight];
        let slopes = &mut self.slopes.slots[layer.weight];
        for (row, errors) in errors.chunks_exact(layer.outputs).enumerate() {
            let seen = &tower[place(row) * layer.inputs..][..layer.inputs];
            let back = &mut tower_errors[row * layer.inputs..][..layer.inputs];
            for (output, error) in errors.iter().enumerate() {
                let at = output * layer.inputs..(output + 1) * layer.inputs;
                accumulate(&mut slopes[at.clone()], seen, *error);
                accumulate(back, &kernel[at], *error);
            }
        }
    }

    fn policy(&mut self, tower: &[f32], share: f32, errors: &mut [f32], losses: &mut Losses) {
        match self.layout.policy_convolution {
            Some(layer) => self.dense_policy(layer, tower, share, errors, losses),
            None => self.convolutional_policy(tower, share, errors, losses),
        }
    }

    fn dense_policy(
        &mut self,
        layer: Convolution,
        tower: &[f32],
        share: f32,
        errors: &mut [f32],
        losses: &mut Losses,
    ) {
        let (weight, bias) = (self.layout.policy, self.layout.policy + 1);
        let (normalised, out) = self.point(layer, tower);
        let size = SQUARES * layer.outputs;
        let mut back = vec![0.0; out.len()];
        let (kernel, offsets) = (&self.weights.slots[weight], &self.weights.slots[bias]);
        for (number, lesson) in self.lessons.iter().enumerate().filter(|(_, lesson)| !lesson.moves.is_empty())
        {
            let seen = turned(&out[number * size..][..size], layer.outputs);
            let logit =
                |(index, _): &(usize, f32)| dot(&seen, &kernel[index * size..][..size]) + offsets[*index];
            let slopes = policy_errors(lesson, lesson.moves.iter().map(logit).collect(), share, losses);
            let mut behind = vec![0.0; size];
            for ((index, _), slope) in lesson.moves.iter().zip(slopes) {
                accumulate(&mut self.slopes.slots[weight][index * size..][..size], &seen, slope);
                self.slopes.slots[bias][*index] += slope;
                accumulate(&mut behind, &kernel[index * size..][..size], slope);
            }
            for square in 0..SQUARES {
                for output in 0..layer.outputs {
                    back[number * size + square * layer.outputs + output] = behind[output * SQUARES + square];
                }
            }
        }
        self.point_back(layer, (&normalised, &out), back, (tower, errors));
    }

    fn convolutional_policy(&mut self, tower: &[f32], share: f32, errors: &mut [f32], losses: &mut Losses) {
        let channels = self.architecture.channels;
        let (weight, bias) = (self.layout.policy, self.layout.policy + 1);
        let (kernel, offsets) = (&self.weights.slots[weight], &self.weights.slots[bias]);
        for (number, lesson) in self.lessons.iter().enumerate().filter(|(_, lesson)| !lesson.moves.is_empty())
        {
            let row = |index: usize| number * SQUARES + index / MOVES;
            let logit = |(index, _): &(usize, f32)| {
                let seen = &tower[place(row(*index)) * channels..][..channels];
                dot(seen, &kernel[index % MOVES * channels..][..channels]) + offsets[index % MOVES]
            };
            let slopes = policy_errors(lesson, lesson.moves.iter().map(logit).collect(), share, losses);
            for ((index, _), slope) in lesson.moves.iter().zip(slopes) {
                let seen = &tower[place(row(*index)) * channels..][..channels];
                let way = index % MOVES * channels..(index % MOVES + 1) * channels;
                accumulate(&mut self.slopes.slots[weight][way.clone()], seen, slope);
                self.slopes.slots[bias][index % MOVES] += slope;
                accumulate(&mut errors[row(*index) * channels..][..channels], &kernel[way], slope);
            }
        }
    }

    fn value(&mut self, tower: &[f32], share: f32, errors: &mut [f32], losses: &mut Losses) {
        let layer = self.layout.value_convolution;
        let at = self.layout.value;
        let (normalised, out) = self.point(layer, tower);
        let size = SQUARES * layer.outputs;
        let mut back = vec![0.0; out.len()];
        let slots = &self.weights.slots;
        let (mut hidden, mut said) = (Vec::new(), Vec::new());
        for (number, lesson) in self.lessons.iter().enumerate() {
            let seen = turned(&out[number * size..][..size], layer.outputs);
            dense(&seen, &slots[at], &slots[at + 1], &mut hidden);
            for number in &mut hidden {
                *number = number.max(0.0);
            }
            dense(&hidden, &slots[at + 2], &slots[at + 3], &mut said);
            let slopes = value_errors(self.architecture.value, lesson, &mut said, share, losses);
            let mut behind = vec![0.0; hidden.len()];
            for (output, slope) in slopes.iter().enumerate() {
                let row = output * hidden.len()..(output + 1) * hidden.len();
                accumulate(&mut self.slopes.slots[at + 2][row.clone()], &hidden, *slope);
                self.slopes.slots[at + 3][output] += slope;
                accumulate(&mut behind, &slots[at + 2][row], *slope);
            }
            let mut seen_errors = vec![0.0; size];
            for (neuron, (slope, _)) in
                behind.iter().zip(&hidden).enumerate().filter(|(_, (_, hidden))| **hidden > 0.0)
            {
                let row = neuron * size..(neuron + 1) * size;
                accumulate(&mut self.slopes.slots[at][row.clone()], &seen, *slope);
                self.slopes.slots[at + 1][neuron] += slope;
                accumulate(&mut seen_errors, &slots[at][row], *slope);
            }
            for square in 0..SQUARES {
                for output in 0..layer.outputs {
                    back[number * size + square * layer.outputs + output] =
                        seen_errors[output * SQUARES + square];
                }
            }
        }
        self.point_back(layer, (&normalised, &out), back, (tower, errors));
    }
}

/// Where a row of lessons and squares is on bordered boards.
fn place(row: usize) -> usize {
    row / SQUARES * BORDERED_SQUARES + bordered(row % SQUARES)
}

/// From `[square][channel]` to `[channel][square]`.
fn turned(numbers: &[f32], channels: usize) -> Vec<f32> {
    (0..numbers.len()).map(|at| numbers[at % SQUARES * channels + at / SQUARES]).collect()
}

fn accumulate(to: &mut [f32], from: &[f32], factor: f32) {
    for (to, from) in to.iter_mut().zip(from) {
        *to += factor * from;
    }
}

/// What was cut off has no slope.
fn cut(errors: &mut [f32], board: &[f32], channels: usize) {
    for (row, errors) in errors.chunks_exact_mut(channels).enumerate() {
        for (error, out) in errors.iter_mut().zip(&board[place(row) * channels..][..channels]) {
            if *out <= 0.0 {
                *error = 0.0;
            }
        }
    }
}

/// Mean 0 and variance 1 for every channel.
fn normalise(mut sums: Vec<f32>, channels: usize) -> Normalised {
    let rows = (sums.len() / channels) as f64;
    let (mut total, mut squares) = (vec![0.0f64; channels], vec![0.0f64; channels]);
    // Boards are summed in single precision, and boards' sums in double.
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
    let inverse: Vec<f32> = variance.iter().map(|variance| 1.0 / (variance + EPSILON).sqrt()).collect();
    for row in sums.chunks_exact_mut(channels) {
        for channel in 0..channels {
            row[channel] = (row[channel] - mean[channel]) * inverse[channel];
        }
    }
    Normalised { centred: sums, inverse, mean, variance }
}

/// Slopes as files have weights.
fn unpack(slopes: &[f32], inputs: usize, outputs: usize, room: usize, out: &mut [f32]) {
    for (at, out) in out.iter_mut().enumerate() {
        let (output, input, tap) = (at / (inputs * TAPS), at / TAPS % inputs, at % TAPS);
        *out = slopes[(tap * room + input) * outputs + output];
    }
}

/// The weights of the convolution that leads errors back: outputs and inputs change places, and the window is turned.
fn reversed(weights: &[f32], channels: usize) -> Vec<f32> {
    let mut back = vec![0.0; weights.len()];
    for (at, weight) in weights.iter().enumerate() {
        let (output, input, tap) = (at / (channels * TAPS), at / TAPS % channels, at % TAPS);
        back[((TAPS - 1 - tap) * channels + output) * channels + input] = *weight;
    }
    back
}

/// An input for tests and for measuring speed: random numbers on the board, zeros on its border.
pub fn random_input(random: &mut tabia_core::seed::Random) -> Vec<f32> {
    use rand::Rng;
    let mut input = vec![0.0; INPUT_SIZE];
    for square in 0..SQUARES {
        for plane in 0..tabia_quantum::planes::PLANES {
            input[bordered(square) * crate::view::INPUTS + plane] = random.random_range(0.0..1.0);
        }
    }
    input
}

#[cfg(test)]
mod tests;
