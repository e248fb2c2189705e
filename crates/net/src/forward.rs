//! A network's answer, as fast as it can be had: normalisation folded into the convolutions, only legal moves looked at.

use crate::architecture::{Architecture, CHANCES, Convolution, MOVES, PolicyHead, ValueHead};
use crate::kernels::{self, BORDERED_SQUARES, Level, SQUARES, TAPS, bordered};
use crate::view::INPUTS;
use crate::weights::Weights;

/// Added to variances, so that nothing is divided by zero.
pub const EPSILON: f32 = 1e-5;

/// A 3×3 convolution with what normalises it.
#[derive(Clone, Debug)]
struct Window {
    inputs: usize,
    outputs: usize,
    /// `[tap][input][output]`.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// A 1×1 convolution with what normalises it.
#[derive(Clone, Debug)]
pub(crate) struct Point {
    /// `[output][input]`.
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// A network ready to answer.
#[derive(Clone, Debug)]
pub struct Folded {
    architecture: Architecture,
    level: Level,
    tower: Vec<Window>,
    policy_convolution: Option<Point>,
    /// `[146][channels]`, or `[9344][64 · channels]`.
    policy: Vec<f32>,
    policy_bias: Vec<f32>,
    value_convolution: Point,
    hidden: Vec<f32>,
    hidden_bias: Vec<f32>,
    out: Vec<f32>,
    out_bias: Vec<f32>,
}

/// What a network says of a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Answer {
    /// What it is worth to the mover, from -1 to 1.
    pub value: f32,
    /// How promising each move is, before it is made a share of all.
    pub logits: Vec<f32>,
}

/// Room to work in.
#[derive(Clone, Debug, Default)]
pub struct Room {
    boards: [Vec<f32>; 2],
    squares: Vec<f32>,
    seen: Vec<f32>,
    flat: Vec<f32>,
    hidden: Vec<f32>,
}

/// Weights of a 3×3 convolution as the kernels take them: `[tap][input][output]`, inputs filled up with zeros.
pub(crate) fn packed(weights: &[f32], inputs: usize, outputs: usize, room: usize) -> Vec<f32> {
    let mut packed = vec![0.0; TAPS * room * outputs];
    for (at, weight) in weights.iter().enumerate() {
        let (output, input, tap) = (at / (inputs * TAPS), at / TAPS % inputs, at % TAPS);
        packed[(tap * room + input) * outputs + output] = *weight;
    }
    packed
}

/// Channels as the kernels take them.
pub(crate) const fn room_for(inputs: usize) -> usize {
    if inputs < INPUTS && !inputs.is_multiple_of(kernels::LANES) { INPUTS } else { inputs }
}

/// A convolution's weights and bias with its normalisation folded in.
pub(crate) fn folded(weights: &Weights, layer: Convolution) -> (Vec<f32>, Vec<f32>) {
    let slot = |offset: usize| &weights.slots[layer.weight + offset];
    let (kernel, scale, bias, mean, variance) = (slot(0), slot(1), slot(2), slot(3), slot(4));
    let factors: Vec<f32> =
        scale.iter().zip(variance).map(|(scale, variance)| scale / (variance + EPSILON).sqrt()).collect();
    let each = kernel.len() / layer.outputs;
    let kernel = kernel.iter().enumerate().map(|(at, weight)| weight * factors[at / each]).collect();
    let bias = (0..layer.outputs).map(|at| bias[at] - mean[at] * factors[at]).collect();
    (kernel, bias)
}

impl Folded {
    /// Makes a network ready.
    pub fn new(weights: &Weights) -> Folded {
        let layout = weights.architecture.layout();
        let window = |layer: &Convolution| {
            let (kernel, bias) = folded(weights, *layer);
            let inputs = room_for(layer.inputs);
            Window {
                inputs,
                outputs: layer.outputs,
                weights: packed(&kernel, layer.inputs, layer.outputs, inputs),
                bias,
            }
        };
        let point = |layer: Convolution| {
            let (weights, bias) = folded(weights, layer);
            Point { weights, bias }
        };
        let slot = |at: usize| weights.slots[at].clone();
        Folded {
            architecture: weights.architecture,
            level: kernels::best_level(),
            tower: layout.tower.iter().map(window).collect(),
            policy_convolution: layout.policy_convolution.map(point),
            policy: slot(layout.policy),
            policy_bias: slot(layout.policy + 1),
            value_convolution: point(layout.value_convolution),
            hidden: slot(layout.value),
            hidden_bias: slot(layout.value + 1),
            out: slot(layout.value + 2),
            out_bias: slot(layout.value + 3),
        }
    }

    /// The network's shape.
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The answer for a bordered input and the numbers of the moves that are legal.
    pub fn answer(&self, input: &[f32], moves: &[usize], room: &mut Room) -> Answer {
        let channels = self.architecture.channels;
        let [here, there] = &mut room.boards;
        for board in [&mut *here, &mut *there] {
            board.clear();
            board.resize(BORDERED_SQUARES * channels, 0.0);
        }
        room.squares.resize(SQUARES * channels, 0.0);
        for (number, layer) in self.tower.iter().enumerate() {
            // The second convolution of a block adds what the block began with, which is still there.
            let second = number > 0 && number % 2 == 0;
            let from: &[f32] = if number == 0 {
                input
            } else if second {
                there
            } else {
                here
            };
            kernels::convolve(
                self.level,
                from,
                &layer.weights,
                (layer.inputs, layer.outputs),
                &mut room.squares,
            );
            let to = if number == 0 || second { &mut *here } else { &mut *there };
            for (square, sums) in room.squares.chunks_exact(channels).enumerate() {
                let to = &mut to[bordered(square) * channels..][..channels];
                for ((to, sum), bias) in to.iter_mut().zip(sums).zip(&layer.bias) {
                    let shortcut = if second { *to } else { 0.0 };
                    *to = (sum + bias + shortcut).max(0.0);
                }
            }
        }
        let logits = self.logits(&room.boards[0], moves, &mut room.flat);
        self.value_convolution.apply(&room.boards[0], channels, &mut room.seen);
        let value = self.value(&room.seen, &mut room.hidden);
        Answer { value, logits }
    }

    fn logits(&self, tower: &[f32], moves: &[usize], flat: &mut Vec<f32>) -> Vec<f32> {
        let channels = self.architecture.channels;
        match self.architecture.policy {
            PolicyHead::Convolution => {
                let logit = |index: &usize| {
                    let (square, way) = (index / MOVES, index % MOVES);
                    let seen = &tower[bordered(square) * channels..][..channels];
                    dot(seen, &self.policy[way * channels..][..channels]) + self.policy_bias[way]
                };
                moves.iter().map(logit).collect()
            }
            PolicyHead::Dense(_) => {
                if let Some(convolution) = &self.policy_convolution {
                    convolution.apply(tower, channels, flat);
                }
                let size = flat.len();
                let logit = |index: &usize| {
                    dot(flat, &self.policy[index * size..][..size]) + self.policy_bias[*index]
                };
                moves.iter().map(logit).collect()
            }
        }
    }

    /// The chances to win, draw and lose of what was answered last in this room, where the network says them.
    pub fn chances(&self, room: &mut Room) -> Option<[f32; CHANCES]> {
        match self.architecture.value {
            ValueHead::Scalar => None,
            ValueHead::Chances => self.said(&room.seen, &mut room.hidden).try_into().ok(),
        }
    }

    fn value(&self, seen: &[f32], hidden: &mut Vec<f32>) -> f32 {
        let said = self.said(seen, hidden);
        match self.architecture.value {
            ValueHead::Scalar => said[0],
            ValueHead::Chances => said[0] - said[2],
        }
    }

    /// What the value head says: one number, or the chances.
    fn said(&self, seen: &[f32], hidden: &mut Vec<f32>) -> Vec<f32> {
        dense(seen, &self.hidden, &self.hidden_bias, hidden);
        for number in hidden.iter_mut() {
            *number = number.max(0.0);
        }
        let mut out = Vec::with_capacity(self.out_bias.len());
        dense(hidden, &self.out, &self.out_bias, &mut out);
        match self.architecture.value {
            ValueHead::Scalar => out[0] = out[0].tanh(),
            ValueHead::Chances => softmax(&mut out),
        }
        out
    }
}

impl Point {
    /// The convolution over a bordered board, what is negative cut off; `[output][square]`.
    fn apply(&self, board: &[f32], channels: usize, out: &mut Vec<f32>) {
        out.clear();
        for (row, bias) in self.weights.chunks_exact(channels).zip(&self.bias) {
            out.extend(
                (0..SQUARES).map(|square| {
                    (dot(&board[bordered(square) * channels..][..channels], row) + bias).max(0.0)
                }),
            );
        }
    }
}

/// The sum of products, in sixteen parts that can be summed at once.
pub(crate) fn dot(a: &[f32], b: &[f32]) -> f32 {
    const PARTS: usize = 16;
    let mut sums = [0.0f32; PARTS];
    let (a_parts, b_parts) = (a.chunks_exact(PARTS), b.chunks_exact(PARTS));
    let rest: f32 = a_parts.remainder().iter().zip(b_parts.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in a_parts.zip(b_parts) {
        for at in 0..PARTS {
            sums[at] += a[at] * b[at];
        }
    }
    sums.iter().sum::<f32>() + rest
}

/// A dense layer.
pub(crate) fn dense(input: &[f32], weights: &[f32], bias: &[f32], out: &mut Vec<f32>) {
    out.clear();
    out.extend(weights.chunks_exact(input.len()).zip(bias).map(|(row, bias)| dot(input, row) + bias));
}

/// Logits become shares that sum to one.
pub fn softmax(numbers: &mut [f32]) {
    let most = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for number in numbers.iter_mut() {
        *number = (*number - most).exp();
        sum += *number;
    }
    for number in numbers {
        *number /= sum;
    }
}
