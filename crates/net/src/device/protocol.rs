//! Binary protocol with the Python process.
//!
//! A request is seven `u32` (kind, request id, network, rows, cells, moves, payload length), little-endian, and its payload. A response
//! is two `u32` (request id, payload length) and its payload.

use crate::backward::Losses;
use crate::encoding::{self, EncodedPosition};
use crate::replay::DrawnSample;
use crate::settings::Hyperparameters;
use crate::weights::Weights;

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Load weights for inference.
    Load = 1,
    /// Evaluate positions.
    Infer = 2,
    /// Load the optimiser's state.
    LoadOptimiser = 3,
    /// One optimiser step.
    Step = 4,
    /// Return the optimiser's state.
    FetchOptimiser = 5,
    /// Return the gradient of a part of a batch.
    Gradient = 6,
    /// One optimiser step with this gradient.
    Apply = 7,
    /// Return the average of the weights alone.
    FetchAverage = 8,
}

/// A batch of positions.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    globals: Vec<u16>,
    cell_counts: Vec<u16>,
    cells: Vec<u16>,
    values: Vec<u16>,
    move_counts: Vec<u16>,
    moves: Vec<u16>,
    policy: Vec<u16>,
    wdl: Vec<f32>,
}

impl Positions {
    /// Adds a position with the policy indices of its legal moves.
    pub(super) fn add(
        &mut self,
        encoded: &EncodedPosition,
        mirrored: bool,
        moves: impl IntoIterator<Item = u16>,
    ) {
        self.globals.extend([encoded.branches, u16::from(encoded.white_to_move)]);
        self.cell_counts.push(encoded.cells.len() as u16);
        for (cell, value) in &encoded.cells {
            self.cells.push(if mirrored { encoding::mirrored_cell(*cell) } else { *cell });
            self.values.push(*value);
        }
        let before = self.moves.len();
        self.moves.extend(moves);
        self.move_counts.push((self.moves.len() - before) as u16);
    }

    /// Adds a training sample.
    pub(super) fn add_sample(&mut self, drawn: &DrawnSample<'_>) {
        let (sample, mirrored) = (drawn.sample, drawn.is_mirrored());
        let policy_index =
            |index: u16| if mirrored { encoding::mirrored_index(index.into()) as u16 } else { index };
        self.add(&sample.position, mirrored, sample.moves.iter().map(|(index, _)| policy_index(*index)));
        self.policy.extend(sample.moves.iter().map(|(_, probability)| *probability));
        self.wdl.extend(sample.wdl);
    }

    pub(super) fn rows(&self) -> usize {
        self.cell_counts.len()
    }

    /// Moves of each row.
    pub(super) fn move_counts(&self) -> &[u16] {
        &self.move_counts
    }

    /// A request to evaluate the positions.
    pub(super) fn infer_request(&self, id: u32, network: u32) -> Vec<u8> {
        let mut out = self.header(Kind::Infer, id, network);
        self.write(&mut out);
        finish(out)
    }

    /// Samples with a target for the policy.
    pub(super) fn policies(&self) -> usize {
        let mut shares = &self.policy[..];
        let mut count = 0;
        for moves in &self.move_counts {
            let (row, rest) = shares.split_at(usize::from(*moves));
            count += usize::from(row.iter().any(|share| *share > 0));
            shares = rest;
        }
        count
    }

    /// A request for one step with these samples.
    pub(super) fn step_request(&self, hyper: &Hyperparameters, rate: f32) -> Vec<u8> {
        self.samples_request(Kind::Step, 0, hyper, rate, BatchSize::of(self))
    }

    /// A request for these samples' share of the gradient of a batch.
    pub(super) fn gradient_request(&self, id: u32, hyper: &Hyperparameters, batch: BatchSize) -> Vec<u8> {
        self.samples_request(Kind::Gradient, id, hyper, 0.0, batch)
    }

    fn samples_request(
        &self,
        kind: Kind,
        id: u32,
        hyper: &Hyperparameters,
        rate: f32,
        batch: BatchSize,
    ) -> Vec<u8> {
        let mut out = self.header(kind, id, 0);
        write_f32s(&mut out, &step_numbers(hyper, rate));
        write_f32s(&mut out, &[batch.policies as f32, batch.rows as f32]);
        write_f32s(&mut out, &self.wdl);
        self.write(&mut out);
        write_u16s(&mut out, &self.policy);
        finish(out)
    }

    fn header(&self, kind: Kind, id: u32, network: u32) -> Vec<u8> {
        header(kind, id, network, [self.rows(), self.cells.len(), self.moves.len()])
    }

    fn write(&self, out: &mut Vec<u8>) {
        for part in
            [&self.globals, &self.cell_counts, &self.cells, &self.values, &self.move_counts, &self.moves]
        {
            write_u16s(out, part);
        }
    }
}

/// Size of a whole batch, of which a request may have a part: its losses are means over these.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct BatchSize {
    /// Samples with a target for the policy.
    pub(super) policies: usize,
    pub(super) rows: usize,
}

impl BatchSize {
    pub(super) fn of(positions: &Positions) -> BatchSize {
        BatchSize { policies: positions.policies(), rows: positions.rows() }
    }

    pub(super) fn sum(parts: &[Positions]) -> BatchSize {
        parts.iter().map(BatchSize::of).fold(BatchSize::default(), |sum, part| BatchSize {
            policies: sum.policies + part.policies,
            rows: sum.rows + part.rows,
        })
    }
}

fn step_numbers(hyper: &Hyperparameters, rate: f32) -> [f32; 4] {
    [rate, hyper.decay, hyper.clip, hyper.averaging]
}

/// A request for one step with a gradient: a number for every parameter, or its statistic where it is one of normalisation.
pub(super) fn apply_request(hyper: &Hyperparameters, rate: f32, gradient: &[f32]) -> Vec<u8> {
    let mut out = header(Kind::Apply, 0, 0, [0; 3]);
    write_f32s(&mut out, &step_numbers(hyper, rate));
    write_f32s(&mut out, gradient);
    finish(out)
}

/// A request to load weights for inference.
pub(super) fn load_request(network: u32, weights: &Weights) -> Vec<u8> {
    let mut out = header(Kind::Load, 0, network, [0; 3]);
    write_tensors(&mut out, weights);
    finish(out)
}

/// A request to load the optimiser's state.
pub(super) fn load_optimiser_request(steps: u64, parts: [&Weights; 4]) -> Vec<u8> {
    let mut out = header(Kind::LoadOptimiser, 0, 0, [0; 3]);
    out.extend_from_slice(&steps.to_le_bytes());
    for part in parts {
        write_tensors(&mut out, part);
    }
    finish(out)
}

/// A request to return the optimiser's state.
pub(super) fn fetch_optimiser_request(id: u32) -> Vec<u8> {
    finish(header(Kind::FetchOptimiser, id, 0, [0; 3]))
}

/// A request to return the average of the weights, and nothing else of the optimiser's state.
pub(super) fn fetch_average_request(id: u32) -> Vec<u8> {
    finish(header(Kind::FetchAverage, id, 0, [0; 3]))
}

/// Parses the optimiser's state, or its average alone: steps, losses, and sets of tensors into `parts`. `None` if the payload is
/// malformed.
pub(super) fn parse_optimiser(bytes: &[u8], parts: &mut [&mut Weights]) -> Option<(u64, Losses)> {
    let (steps, losses, bytes) = parse_losses(bytes)?;
    let mut numbers = parse_f32s(bytes);
    for part in parts {
        for number in part.parameters.iter_mut().flatten() {
            *number = numbers.next()?;
        }
    }
    numbers.next().is_none().then_some((steps, losses))
}

/// Parses the beginning of the optimiser's state: steps and losses; returns the rest too.
pub(super) fn parse_losses(bytes: &[u8]) -> Option<(u64, Losses, &[u8])> {
    let (steps, mut bytes) = bytes.split_first_chunk::<8>()?;
    let mut sums = [0.0; 6];
    for sum in &mut sums {
        let (number, rest) = bytes.split_first_chunk::<8>()?;
        *sum = f64::from_le_bytes(*number);
        bytes = rest;
    }
    let [policy, value, policies, samples, hits, entropy] = sums;
    let losses = Losses { policy, value, policies, samples, hits, entropy };
    Some((u64::from_le_bytes(*steps), losses, bytes))
}

pub(super) fn parse_f32s(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

fn header(kind: Kind, id: u32, network: u32, counts: [usize; 3]) -> Vec<u8> {
    let mut out = Vec::new();
    for number in [kind as u32, id, network].into_iter().chain(counts.map(|count| count as u32)).chain([0]) {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out
}

/// Length of a request's header in bytes.
const HEADER: usize = 28;

/// Fills in the payload length.
fn finish(mut out: Vec<u8>) -> Vec<u8> {
    let bytes = (out.len() - HEADER) as u32;
    out[HEADER - 4..HEADER].copy_from_slice(&bytes.to_le_bytes());
    out
}

fn write_tensors(out: &mut Vec<u8>, weights: &Weights) {
    for parameter in &weights.parameters {
        write_f32s(out, parameter);
    }
}

/// A set of tensors can have 90 MB, so the bytes are written into place, which the compiler vectorises; an iterator of single bytes
/// is ten times slower.
fn write_f32s(out: &mut Vec<u8>, values: &[f32]) {
    let start = out.len();
    out.resize(start + size_of_val(values), 0);
    for (bytes, value) in out[start..].chunks_exact_mut(size_of::<f32>()).zip(values) {
        bytes.copy_from_slice(&value.to_le_bytes());
    }
}

fn write_u16s(out: &mut Vec<u8>, values: &[u16]) {
    let start = out.len();
    out.resize(start + size_of_val(values), 0);
    for (bytes, value) in out[start..].chunks_exact_mut(size_of::<u16>()).zip(values) {
        bytes.copy_from_slice(&value.to_le_bytes());
    }
}
