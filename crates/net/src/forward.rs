//! Inference: batch normalisation is folded into the convolutions, and logits are computed for legal moves only.

use crate::architecture::{Architecture, Convolution, MOVES_PER_SQUARE, PolicyHead, ValueHead, WDL};
use crate::encoding::{INPUT_CHANNELS, INPUT_SIZE};
use crate::kernels::{self, Kernel, PADDED_SQUARES, SQUARES, TAPS, padded_square};
use crate::weights::Weights;

/// Positions of a batch that are evaluated together; larger batches are divided. More would not fit into the second-level cache.
const BATCH: usize = 16;

/// Batch normalisation's ε, added to variances.
pub const EPSILON: f32 = 1e-5;

/// A 3×3 convolution with folded batch normalisation.
#[derive(Clone, Debug)]
struct Conv3x3 {
    kernel: Kernel,
    bias: Vec<f32>,
}

/// A 1×1 convolution with folded batch normalisation.
#[derive(Clone, Debug)]
struct Conv1x1 {
    weights: Vec<f32>,
    bias: Vec<f32>,
}

/// A network prepared for inference.
#[derive(Clone, Debug)]
pub struct FoldedNetwork {
    architecture: Architecture,
    tower: Vec<Conv3x3>,
    policy_convolution: Option<Conv1x1>,
    /// `[146][channels]`, or `[9344][64 · channels]`.
    policy: Vec<f32>,
    policy_bias: Vec<f32>,
    value_convolution: Conv1x1,
    hidden: Vec<f32>,
    hidden_bias: Vec<f32>,
    out: Vec<f32>,
    out_bias: Vec<f32>,
}

/// The network's output for a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Output {
    /// Expected result for the side to move, from -1 to 1.
    pub value: f32,
    /// Probabilities of a win, a draw and a loss; none from a scalar value head.
    pub wdl: Option<[f32; WDL]>,
    /// Policy logits of the given moves, before softmax.
    pub logits: Vec<f32>,
}

/// Buffers that are reused from one position to the next.
#[derive(Clone, Debug, Default)]
pub struct Workspace {
    boards: [Vec<f32>; 2],
    squares: Vec<f32>,
    features: Vec<f32>,
    flat: Vec<f32>,
    hidden: Vec<f32>,
}

/// Weights of a 3×3 convolution in the kernels' layout, `[tap][input][output]`; inputs are zero-padded to `padded`.
pub(crate) fn pack_kernel(weights: &[f32], inputs: usize, outputs: usize, padded: usize) -> Vec<f32> {
    let mut packed = vec![0.0; TAPS * padded * outputs];
    for (at, weight) in weights.iter().enumerate() {
        let (output, input, tap) = (at / (inputs * TAPS), at / TAPS % inputs, at % TAPS);
        packed[(tap * padded + input) * outputs + output] = *weight;
    }
    packed
}

/// Input channels after padding to whole vectors.
pub(crate) const fn padded_channels(inputs: usize) -> usize {
    if inputs < INPUT_CHANNELS && !inputs.is_multiple_of(kernels::LANES) { INPUT_CHANNELS } else { inputs }
}

/// A convolution's weights and bias with batch normalisation folded in.
pub(crate) fn fold_batch_norm(weights: &Weights, layer: Convolution) -> (Vec<f32>, Vec<f32>) {
    let parameter = |offset: usize| &weights.parameters[layer.weight + offset];
    let (kernel, scale, bias, mean, variance) =
        (parameter(0), parameter(1), parameter(2), parameter(3), parameter(4));
    let factors: Vec<f32> =
        scale.iter().zip(variance).map(|(scale, variance)| scale / (variance + EPSILON).sqrt()).collect();
    let each = kernel.len() / layer.outputs;
    let kernel = kernel.iter().enumerate().map(|(at, weight)| weight * factors[at / each]).collect();
    let bias = (0..layer.outputs).map(|at| bias[at] - mean[at] * factors[at]).collect();
    (kernel, bias)
}

impl FoldedNetwork {
    /// Prepares weights for inference.
    pub fn new(weights: &Weights) -> FoldedNetwork {
        let layout = weights.architecture.layout();
        let conv3x3 = |layer: &Convolution| {
            let (kernel, bias) = fold_batch_norm(weights, *layer);
            let inputs = padded_channels(layer.inputs);
            let kernel = pack_kernel(&kernel, layer.inputs, layer.outputs, inputs);
            Conv3x3 { kernel: Kernel::new(kernels::detect(), &kernel, (inputs, layer.outputs)), bias }
        };
        let conv1x1 = |layer: Convolution| {
            let (weights, bias) = fold_batch_norm(weights, layer);
            Conv1x1 { weights, bias }
        };
        let parameter = |at: usize| weights.parameters[at].clone();
        FoldedNetwork {
            architecture: weights.architecture,
            tower: layout.tower.iter().map(conv3x3).collect(),
            policy_convolution: layout.policy_convolution.map(conv1x1),
            policy: parameter(layout.policy),
            policy_bias: parameter(layout.policy + 1),
            value_convolution: conv1x1(layout.value_convolution),
            hidden: parameter(layout.value),
            hidden_bias: parameter(layout.value + 1),
            out: parameter(layout.value + 2),
            out_bias: parameter(layout.value + 3),
        }
    }

    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// Evaluates one position: a padded input ([`crate::encoding`]) and the policy indices of its legal moves.
    pub fn forward(&self, input: &[f32], moves: &[usize], workspace: &mut Workspace) -> Output {
        self.forward_few(input, &[moves], workspace).remove(0)
    }

    /// Evaluates a batch of positions: padded inputs one after another, and the policy indices of each one's legal moves. The outputs are
    /// those of [`FoldedNetwork::forward`], bit for bit.
    pub fn forward_batch(
        &self,
        inputs: &[f32],
        moves: &[&[usize]],
        workspace: &mut Workspace,
    ) -> Vec<Output> {
        assert_eq!(inputs.len(), moves.len() * INPUT_SIZE);
        let batches = inputs.chunks(BATCH * INPUT_SIZE).zip(moves.chunks(BATCH));
        batches.flat_map(|(inputs, moves)| self.forward_few(inputs, moves, workspace)).collect()
    }

    fn forward_few(&self, inputs: &[f32], moves: &[&[usize]], workspace: &mut Workspace) -> Vec<Output> {
        let (channels, count) = (self.architecture.channels, moves.len());
        let board_size = PADDED_SQUARES * channels;
        let [here, there] = &mut workspace.boards;
        for boards in [&mut *here, &mut *there] {
            boards.clear();
            boards.resize(count * board_size, 0.0);
        }
        workspace.squares.resize(count * SQUARES * channels, 0.0);
        for (number, layer) in self.tower.iter().enumerate() {
            // The second convolution of a block adds the block's input, which `here` still holds.
            let is_residual = number > 0 && number % 2 == 0;
            let from: &[f32] = if number == 0 {
                inputs
            } else if is_residual {
                there
            } else {
                here
            };
            layer.kernel.convolve(from, &mut workspace.squares);
            let to = if number == 0 || is_residual { &mut *here } else { &mut *there };
            for (row, sums) in workspace.squares.chunks_exact(channels).enumerate() {
                let at = row / SQUARES * board_size + padded_square(row % SQUARES) * channels;
                let to = &mut to[at..][..channels];
                for ((to, sum), bias) in to.iter_mut().zip(sums).zip(&layer.bias) {
                    let shortcut = if is_residual { *to } else { 0.0 };
                    *to = (sum + bias + shortcut).max(0.0);
                }
            }
        }
        let Workspace { boards: [towers, _], features, flat, hidden, .. } = workspace;
        let output = |(tower, moves): (&[f32], &&[usize])| {
            let logits = self.logits(tower, moves, flat);
            self.value_convolution.apply(tower, channels, features);
            let (value, wdl) = self.value(features, hidden);
            Output { value, wdl, logits }
        };
        towers.chunks_exact(board_size).zip(moves).map(output).collect()
    }

    fn logits(&self, tower: &[f32], moves: &[usize], flat: &mut Vec<f32>) -> Vec<f32> {
        let channels = self.architecture.channels;
        match self.architecture.policy {
            PolicyHead::Convolution => {
                let logit = |index: &usize| {
                    let (square, kind) = (index / MOVES_PER_SQUARE, index % MOVES_PER_SQUARE);
                    let features = &tower[padded_square(square) * channels..][..channels];
                    dot(features, &self.policy[kind * channels..][..channels]) + self.policy_bias[kind]
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

    fn value(&self, features: &[f32], hidden: &mut Vec<f32>) -> (f32, Option<[f32; WDL]>) {
        let outputs = self.value_outputs(features, hidden);
        match self.architecture.value {
            ValueHead::Scalar => (outputs[0], None),
            ValueHead::Wdl => (outputs[0] - outputs[2], outputs.try_into().ok()),
        }
    }

    /// The value head's outputs after their activation: tanh of one, or softmax of three.
    fn value_outputs(&self, features: &[f32], hidden: &mut Vec<f32>) -> Vec<f32> {
        dense(features, &self.hidden, &self.hidden_bias, hidden);
        for number in hidden.iter_mut() {
            *number = number.max(0.0);
        }
        let mut out = Vec::with_capacity(self.out_bias.len());
        dense(hidden, &self.out, &self.out_bias, &mut out);
        match self.architecture.value {
            ValueHead::Scalar => out[0] = out[0].tanh(),
            ValueHead::Wdl => softmax(&mut out),
        }
        out
    }
}

impl Conv1x1 {
    /// Convolution and ReLU over a padded board; the output is `[output][square]`.
    fn apply(&self, board: &[f32], channels: usize, out: &mut Vec<f32>) {
        out.clear();
        for (row, bias) in self.weights.chunks_exact(channels).zip(&self.bias) {
            out.extend((0..SQUARES).map(|square| {
                (dot(&board[padded_square(square) * channels..][..channels], row) + bias).max(0.0)
            }));
        }
    }
}

/// Dot product with sixteen partial sums, so that it can be vectorised.
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

/// A fully connected layer.
pub(crate) fn dense(input: &[f32], weights: &[f32], bias: &[f32], out: &mut Vec<f32>) {
    out.clear();
    out.extend(weights.chunks_exact(input.len()).zip(bias).map(|(row, bias)| dot(input, row) + bias));
}

/// Softmax in place.
pub fn softmax(numbers: &mut [f32]) {
    let max = numbers.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let mut sum = 0.0;
    for number in numbers.iter_mut() {
        *number = (*number - max).exp();
        sum += *number;
    }
    for number in numbers {
        *number /= sum;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::backward::random_input;
    use tabia_core::seed;

    #[test]
    fn a_batch_is_its_positions_bit_for_bit() {
        let mut random = seed::random(3);
        for architecture in
            [Architecture::new(32, 1), Architecture { blocks: 1, channels: 16, ..Architecture::SEED }]
        {
            let network = FoldedNetwork::new(&Weights::initial(architecture, 1));
            let count = 2 * BATCH + 3;
            let inputs: Vec<Vec<f32>> = (0..count).map(|_| random_input(&mut random)).collect();
            let moves: Vec<Vec<usize>> =
                (0..count).map(|at| (0..at % 5).map(|n| n * 777 + at).collect()).collect();
            let slices: Vec<&[usize]> = moves.iter().map(Vec::as_slice).collect();
            let batch = network.forward_batch(&inputs.concat(), &slices, &mut Workspace::default());
            let mut workspace = Workspace::default();
            let alone: Vec<Output> = inputs
                .iter()
                .zip(&moves)
                .map(|(input, moves)| network.forward(input, moves, &mut workspace))
                .collect();
            assert_eq!(batch, alone);
            assert!(network.forward_batch(&[], &[], &mut workspace).is_empty());
        }
    }
}
