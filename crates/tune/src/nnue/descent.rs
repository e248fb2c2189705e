//! Training on CPUs by our own code.
//!
//! The same loss, optimiser and schedule as `trainer.py`. A batch is divided into a fixed number of parts whose gradients
//! are summed in order, so that the result does not depend on the number of threads. Positions stay packed, 32 bytes
//! each, and are unpacked when they are used. After each epoch the state is written to `state.bin`; a resumed training
//! ends with the same bytes.
//!
//! With several king buckets there is a factoriser: a table of input weights that is added to those of every bucket, so
//! that what holds for all is learned from all positions. It is folded into the buckets' weights before each step, and
//! its gradient is the sum of theirs; so a position costs the same as with one bucket.

use std::borrow::Cow;
use std::fs;
use std::path::Path;
use std::thread;
use std::time::Instant;

use rand::seq::SliceRandom;
use tabia_core::{Stop, seed};
use tabia_eval::nnue::features::{INPUTS, KING_SQUARES};
use tabia_eval::nnue::kernels::LARGEST_OUTPUT;
use tabia_eval::nnue::{BUCKETS, Network, QA, QB, SCALE, Shape, file};
use tabia_run::atomic_file;

use super::{CHECKED, Event, NnueError, Request, Settings, WEIGHTS, data};
use crate::sample::BYTES;

/// Largest weight, see `trainer.py`.
const CLIP: f32 = 1.98;
/// The same for output weights, whose products with units must fit 16 bits.
const OUTPUT_CLIP: f32 = LARGEST_OUTPUT as f32 / QB as f32;
/// Parts of a batch; more threads than this are idle.
const PARTS: usize = 16;
/// Largest number of positions that K is fitted to.
const FITTED: usize = 2_000_000;
/// AdamW's usual constants.
const BETA1: f32 = 0.9;
const BETA2: f32 = 0.999;
const EPSILON: f32 = 1e-8;
const STATE: &str = "state.bin";
const MAGIC: &[u8; 16] = b"TABIA-NNUE-ST/1\0";

/// Index of the first parameter of each kind. The numbers of the network come first, in the order of its file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Layout {
    hidden: usize,
    king_buckets: usize,
    hidden_bias: usize,
    outputs: usize,
    output_bias: usize,
    /// The factoriser, and the number of parameters without it.
    factoriser: usize,
    /// The number of parameters.
    count: usize,
}

impl Layout {
    fn of(shape: &Shape) -> Layout {
        let (hidden, king_buckets) = (shape.hidden, shape.kings.count());
        let hidden_bias = shape.inputs() * hidden;
        let outputs = hidden_bias + hidden;
        let output_bias = outputs + BUCKETS * 2 * hidden;
        let factoriser = output_bias + BUCKETS;
        let count = factoriser + if king_buckets > 1 { INPUTS * hidden } else { 0 };
        Layout { hidden, king_buckets, hidden_bias, outputs, output_bias, factoriser, count }
    }

    /// Input weights of a bucket, or of the factoriser.
    fn table(self) -> usize {
        INPUTS * self.hidden
    }

    /// First output weight of a bucket and side.
    fn output_row(self, bucket: usize, side: usize) -> usize {
        self.outputs + (bucket * 2 + side) * self.hidden
    }

    /// The parameters of the network that is played with: the factoriser is added to each bucket.
    fn fold(self, parameters: &[f32]) -> Cow<'_, [f32]> {
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
    fn fold_gradient(self, gradient: &mut [f32]) {
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
}

/// Records of positions, without a header.
struct Positions(Vec<[u8; BYTES]>);

impl Positions {
    fn read(path: &Path) -> Result<Positions, NnueError> {
        let failed = |cause: String| NnueError::File { path: path.display().to_string(), cause };
        let bytes = fs::read(path).map_err(|cause| failed(cause.to_string()))?;
        let records = bytes.chunks_exact(BYTES).skip(1);
        let records = records.map(|chunk| {
            let mut record = [0; BYTES];
            record.copy_from_slice(chunk);
            record
        });
        Ok(Positions(records.collect()))
    }
}

/// The inputs of a position, for the side to move.
struct Seen {
    features: [[u16; 32]; 2],
    pieces: usize,
    bucket: usize,
    score: f32,
    result: f32,
}

impl Seen {
    /// Unpacks a record in the format of `crate::sample`, written by this program. Inputs are in the buckets of a table.
    fn of(record: &[u8; BYTES], kings: &[u8; KING_SQUARES]) -> Seen {
        let word = |at: usize| i16::from_le_bytes([record[at], record[at + 1]]);
        let mut occupied = record[..8].iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        let black = record[24] & 1;
        let mut seen = Seen {
            features: [[0; 32]; 2],
            pieces: 0,
            bucket: 0,
            score: f32::from(word(26)) * if black == 1 { -1.0 } else { 1.0 },
            result: f32::from(if black == 1 { 2 - record[28] } else { record[28] }) / 2.0,
        };
        let mut board = [(0_u8, 0_u8); 32];
        let mut own_kings = [0_u8; 2];
        while occupied != 0 && seen.pieces < 32 {
            let square = occupied.trailing_zeros() as u8;
            occupied &= occupied - 1;
            let code = record[8 + seen.pieces / 2] >> (4 * (seen.pieces % 2)) & 15;
            board[seen.pieces] = (square, code);
            if code & 7 == 5 {
                own_kings[usize::from(code >> 3)] = square;
            }
            seen.pieces += 1;
        }
        for (own, side) in [black, 1 - black].into_iter().enumerate() {
            let king = own_kings[usize::from(side)];
            let mirror = if king & 7 < 4 { 7 } else { 0 };
            let flip = (56 * side) | mirror;
            let square = usize::from(king ^ flip);
            let first = u16::from(kings[square / 8 * 4 + square % 4]) * INPUTS as u16;
            for (feature, (square, code)) in seen.features[own].iter_mut().zip(&board[..seen.pieces]) {
                let enemy = u16::from(code >> 3 != side);
                *feature = first + (enemy * 6 + u16::from(code & 7)) * 64 + u16::from(square ^ flip);
            }
        }
        seen.bucket = (seen.pieces.saturating_sub(2) / 4).min(BUCKETS - 1);
        seen
    }

    fn features(&self, side: usize) -> &[u16] {
        &self.features[side][..self.pieces]
    }
}

/// What determines the loss.
#[derive(Copy, Clone)]
struct Loss {
    k: f32,
    share: f32,
    power: f32,
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

impl Loss {
    /// The loss of an output, and its gradient.
    fn of(self, output: f32, seen: &Seen) -> (f32, f32) {
        let target = (1.0 - self.share) * sigmoid(self.k * seen.score) + self.share * seen.result;
        let scale = self.k * SCALE as f32;
        let chance = sigmoid(output * scale);
        let miss = chance - target;
        let gradient = self.power * miss.abs().powf(self.power - 1.0) * miss.signum();
        (miss.abs().powf(self.power), gradient * chance * (1.0 - chance) * scale)
    }
}

type Units<const N: usize> = [f32; N];

fn row<const N: usize>(parameters: &[f32], at: usize) -> &Units<N> {
    parameters[at..].first_chunk().expect("parameters have rows of this length")
}

fn row_mut<const N: usize>(parameters: &mut [f32], at: usize) -> &mut Units<N> {
    parameters[at..].first_chunk_mut().expect("parameters have rows of this length")
}

/// Hidden sums of both sides, and the output. Parameters are folded.
fn forward<const N: usize>(layout: Layout, parameters: &[f32], seen: &Seen) -> ([Units<N>; 2], f32) {
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
fn backward<const N: usize>(
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

/// The complete state after an epoch.
#[derive(Clone, Debug, PartialEq)]
struct State {
    layout: Layout,
    epoch: u32,
    steps: u64,
    best: f64,
    parameters: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl State {
    /// The initial state: random, or of a network with the same shape, or of one with one king bucket and as many
    /// hidden units.
    fn new(shape: &Shape, seed: u64, from: Option<&Network>) -> State {
        let layout = Layout::of(shape);
        let Layout { hidden, hidden_bias, outputs, output_bias, factoriser, count, .. } = layout;
        let mut parameters = vec![0.0; count];
        if let Some(network) = from {
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
        } else {
            let uniform = |at: usize| {
                let bits = seed::derive(seed, at as u64) >> 40;
                bits as f32 / (1_u64 << 23) as f32 - 1.0
            };
            let (spread, output_spread) = (1.0 / 32_f32.sqrt(), 1.0 / (2.0 * hidden as f32).sqrt());
            // With a factoriser the buckets start equal.
            let first = if factoriser == count { 0 } else { factoriser };
            for (at, parameter) in parameters[first..][..layout.table()].iter_mut().enumerate() {
                *parameter = uniform(at) * spread;
            }
            parameters[hidden_bias..outputs].fill(0.1);
            for (at, parameter) in parameters[outputs..output_bias].iter_mut().enumerate() {
                // All output buckets start equal.
                *parameter = uniform(layout.table() + hidden + at % (2 * hidden)) * output_spread;
            }
        }
        let (first, second) = (vec![0.0; count], vec![0.0; count]);
        State { layout, epoch: 0, steps: 0, best: f64::INFINITY, parameters, first, second }
    }

    fn step(&mut self, gradient: &[f32], rate: f32, decay: f32) {
        self.steps += 1;
        let steps = self.steps as f64;
        let unbias1 = (1.0 - f64::from(BETA1).powf(steps)) as f32;
        let unbias2 = (1.0 - f64::from(BETA2).powf(steps)) as f32;
        let all = self.parameters.iter_mut().zip(gradient).zip(&mut self.first).zip(&mut self.second);
        for (((parameter, gradient), first), second) in all {
            *first = BETA1 * *first + (1.0 - BETA1) * gradient;
            *second = BETA2 * *second + (1.0 - BETA2) * gradient * gradient;
            let step = (*first / unbias1) / ((*second / unbias2).sqrt() + EPSILON);
            *parameter -= rate * (decay * *parameter + step);
        }
        let layout = self.layout;
        let (played, factoriser) = self.parameters.split_at_mut(layout.factoriser);
        let (inputs, rest) = played.split_at_mut(layout.hidden_bias);
        let (hidden_bias, outputs) =
            rest[..layout.output_bias - layout.hidden_bias].split_at_mut(layout.hidden);
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
        for table in inputs.chunks_exact_mut(layout.table()) {
            for (weight, shared) in table.iter_mut().zip(&*factoriser) {
                *weight = weight.clamp(-CLIP - shared, CLIP - shared);
            }
        }
    }

    /// Quantised weights.
    fn network(&self, shape: &Shape, note: String) -> Network {
        let Layout { outputs, output_bias, .. } = self.layout;
        let number = |(at, parameter): (usize, &f32)| {
            (f64::from(*parameter) * f64::from(if at < outputs { QA } else { QB })).round() as i16
        };
        let played = self.layout.fold(&self.parameters);
        let small: Vec<i16> = played[..output_bias].iter().enumerate().map(number).collect();
        let large =
            std::array::from_fn(|bucket| (f64::from(played[output_bias + bucket]) * one()).round() as i32);
        Network::from_numbers(shape, &small, large, note).expect("parameters are as many as numbers")
    }

    fn write(&self, path: &Path) -> Result<(), NnueError> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.epoch.to_le_bytes());
        bytes.extend(self.steps.to_le_bytes());
        bytes.extend(self.best.to_le_bytes());
        for list in [&self.parameters, &self.first, &self.second] {
            bytes.extend(list.iter().flat_map(|number| number.to_le_bytes()));
        }
        let failed = |cause: std::io::Error| NnueError::File {
            path: path.display().to_string(),
            cause: cause.to_string(),
        };
        atomic_file::write_bytes(path, &bytes).map_err(failed)
    }

    /// The saved state, if there is one.
    fn read(path: &Path, layout: Layout) -> Result<Option<State>, NnueError> {
        if !path.exists() {
            return Ok(None);
        }
        let failed = |cause: String| NnueError::File { path: path.display().to_string(), cause };
        let bytes = fs::read(path).map_err(|cause| failed(cause.to_string()))?;
        let expected = MAGIC.len() + 20 + 3 * 4 * layout.count;
        if bytes.len() != expected || !bytes.starts_with(MAGIC) {
            return Err(failed(format!(
                "not a state of this training: {} bytes, expected {expected}",
                bytes.len()
            )));
        }
        let mut rest = &bytes[MAGIC.len()..];
        let (epoch, steps, best) = (take(&mut rest), take(&mut rest), take(&mut rest));
        let mut list = || (0..layout.count).map(|_| f32::from_le_bytes(take(&mut rest))).collect();
        Ok(Some(State {
            layout,
            epoch: u32::from_le_bytes(epoch),
            steps: u64::from_le_bytes(steps),
            best: f64::from_le_bytes(best),
            parameters: list(),
            first: list(),
            second: list(),
        }))
    }
}

/// The next bytes; the length was checked.
fn take<const N: usize>(rest: &mut &[u8]) -> [u8; N] {
    let (taken, left) = rest.split_at(N);
    *rest = left;
    std::array::from_fn(|i| taken[i])
}

/// An output of 1 in the units of output biases.
fn one() -> f64 {
    f64::from(QA * QA * QB)
}

/// The steepness of the logistic function that best fits results to scores, by golden-section search.
fn fit_k(positions: &Positions, kings: &[u8; KING_SQUARES]) -> f32 {
    let points: Vec<(f64, f64)> = positions.0[..positions.0.len().min(FITTED)]
        .iter()
        .map(|record| {
            let seen = Seen::of(record, kings);
            (f64::from(seen.score), f64::from(seen.result))
        })
        .collect();
    let loss = |k: f64| -> f64 {
        // Cross-entropy with logits x: log(1 + exp(-|x|)) + max(x, 0) − x · target.
        points
            .iter()
            .map(|(score, result)| {
                let x = k * score;
                (-x.abs()).exp().ln_1p() + x.max(0.0) - x * result
            })
            .sum()
    };
    let golden = (5_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (1e-4, 5e-2);
    for _ in 0..40 {
        let (a, b) = (high - golden * (high - low), low + golden * (high - low));
        if loss(a) < loss(b) {
            high = b;
        } else {
            low = a;
        }
    }
    f64::midpoint(low, high) as f32
}

/// Processes the parts of a batch on several threads; results are in the order of parts.
fn on_threads<T: Send>(parts: &mut [T], threads: usize, work: impl Fn(usize, &mut T) + Sync) {
    let share = parts.len().div_ceil(threads.max(1)).max(1);
    let work = &work;
    thread::scope(|scope| {
        for (chunk, parts) in parts.chunks_mut(share).enumerate() {
            scope.spawn(move || {
                for (i, part) in parts.iter_mut().enumerate() {
                    work(chunk * share + i, part);
                }
            });
        }
    });
}

/// The loss on positions, without training.
fn judge<const N: usize>(
    state: &State,
    kings: &[u8; KING_SQUARES],
    positions: &Positions,
    loss: Loss,
    threads: usize,
) -> f64 {
    let share = positions.0.len().div_ceil(PARTS).max(1);
    let parameters = state.layout.fold(&state.parameters);
    let mut sums = [0.0_f64; PARTS];
    on_threads(&mut sums, threads, |part, sum| {
        for record in positions.0.chunks(share).nth(part).unwrap_or_default() {
            let seen = Seen::of(record, kings);
            let (_, output) = forward::<N>(state.layout, &parameters, &seen);
            *sum += f64::from(loss.of(output, &seen).0);
        }
    });
    sums.iter().sum::<f64>() / positions.0.len() as f64
}

/// Trains; returns the scores of the first validation positions, or `None` if stopped. Settings and the initial network
/// were checked.
pub(super) fn train(
    request: &Request<'_>,
    from: Option<&Network>,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&Event),
) -> Result<Option<Vec<i64>>, NnueError> {
    match request.settings.hidden {
        256 => train_sized::<256>(request, from, stop, on_progress),
        384 => train_sized::<384>(request, from, stop, on_progress),
        _ => train_sized::<512>(request, from, stop, on_progress),
    }
}

fn train_sized<const N: usize>(
    request: &Request<'_>,
    from: Option<&Network>,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&Event),
) -> Result<Option<Vec<i64>>, NnueError> {
    let Settings { seed, epochs, batch, rate, final_rate, decay, result_share, steepness, power, .. } =
        *request.settings;
    let started = Instant::now();
    let shape = request.settings.shape();
    let (layout, kings) = (Layout::of(&shape), shape.kings.table());
    let training = Positions::read(&data::training_path(request.run))?;
    let validation = Positions::read(&data::validation_path(request.run))?;
    let k = steepness.map_or_else(|| fit_k(&training, &kings), |k| k as f32);
    let loss = Loss { k, share: result_share as f32, power: power as f32 };
    let state_path = request.run.join(STATE);
    let mut state = State::read(&state_path, layout)?.unwrap_or_else(|| State::new(&shape, seed, from));
    on_progress(&Event::Start {
        device: format!("own arithmetic, {} threads", request.threads),
        positions: training.0.len() as u64,
        validation: validation.0.len() as u64,
        k: f64::from(k),
        epoch: state.epoch,
        before: judge::<N>(&state, &kings, &validation, loss, request.threads),
        seconds: started.elapsed().as_secs_f64(),
    });
    let batch = batch.min(training.0.len());
    let steps = training.0.len() / batch;
    let mut parts: Vec<(Vec<f32>, f64)> = vec![(vec![0.0; layout.count], 0.0); PARTS];
    let mut order: Vec<u32> = (0..training.0.len() as u32).collect();
    while state.epoch < epochs {
        let began = Instant::now();
        let epoch = state.epoch;
        order.sort_unstable();
        order.shuffle(&mut seed::random(seed::derive(seed, epoch.into())));
        let (mut sum, mut now) = (0.0, rate);
        for step in 0..steps {
            let rows = &order[step * batch..(step + 1) * batch];
            let share = batch.div_ceil(PARTS).max(1);
            let parameters = &layout.fold(&state.parameters);
            on_threads(&mut parts, request.threads, |part, (gradient, value)| {
                gradient.fill(0.0);
                *value = 0.0;
                for index in rows.chunks(share).nth(part).unwrap_or_default() {
                    let seen = Seen::of(&training.0[*index as usize], &kings);
                    *value += f64::from(backward::<N>(layout, parameters, gradient, loss, &seen));
                }
            });
            let (first, others) = parts.split_at_mut(1);
            let gradient = &mut first[0].0;
            sum += first[0].1 / batch as f64;
            for (other, value) in others {
                sum += *value / batch as f64;
                for (total, more) in gradient.iter_mut().zip(&*other) {
                    *total += more;
                }
            }
            for total in gradient.iter_mut() {
                *total /= batch as f32;
            }
            layout.fold_gradient(gradient);
            let done = (f64::from(epoch) + step as f64 / steps as f64) / f64::from(epochs);
            now = final_rate + (rate - final_rate) * f64::midpoint(1.0, (std::f64::consts::PI * done).cos());
            state.step(gradient, now as f32, decay as f32);
            if stop.is_stopped() {
                return Ok(None);
            }
        }
        let held_out = judge::<N>(&state, &kings, &validation, loss, request.threads);
        state.epoch += 1;
        if held_out < state.best {
            state.best = held_out;
            let note = format!(
                "learned from {} positions, seed {seed}, epoch {} of {epochs}: loss {:.6}, {held_out:.6} on games it has not seen, K {k:.6}",
                training.0.len(),
                state.epoch,
                sum / steps as f64
            );
            let path = request.run.join(WEIGHTS);
            atomic_file::write_bytes(&path, file::write(&state.network(&shape, note)).as_bytes()).map_err(
                |cause| NnueError::File { path: path.display().to_string(), cause: cause.to_string() },
            )?;
        }
        state.write(&state_path)?;
        on_progress(&Event::Epoch {
            epoch: state.epoch,
            loss: sum / steps as f64,
            validation: held_out,
            rate: now,
            positions_a_second: (steps * batch) as f64 / began.elapsed().as_secs_f64(),
        });
    }
    let network = super::read_weights(&request.run.join(WEIGHTS))?;
    let quantised = State::new(&shape, seed, Some(&network));
    let first = validation.0.iter().take(CHECKED);
    let centipawns: Vec<i64> = first.map(|record| centipawns(&network, &Seen::of(record, &kings))).collect();
    on_progress(&Event::End {
        best: state.best,
        quantised: judge::<N>(&quantised, &kings, &validation, loss, request.threads),
        centipawns: centipawns.clone(),
        seconds: started.elapsed().as_secs_f64(),
    });
    Ok(Some(centipawns))
}

/// The quantised network's score of a position for the side to move, by this module's own input encoding.
fn centipawns(network: &Network, seen: &Seen) -> i64 {
    let layout = Layout::of(&network.shape());
    let (small, large) = network.numbers();
    let number = |at: usize| i64::from(small[at]);
    let mut total = i64::from(large[seen.bucket]);
    for side in 0..2 {
        for unit in 0..layout.hidden {
            let given = seen
                .features(side)
                .iter()
                .map(|feature| number(usize::from(*feature) * layout.hidden + unit));
            let sum = (number(layout.hidden_bias + unit) + given.sum::<i64>()).clamp(0, QA.into());
            total += sum * sum * number(layout.output_row(seen.bucket, side) + unit);
        }
    }
    total * i64::from(SCALE) / i64::from(QA * QA * QB)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{GameResult, Sample};
    use tabia_eval::nnue::features::KingBuckets;
    use tabia_eval::testing;

    fn shape(hidden: usize, king_buckets: usize) -> Shape {
        Shape { hidden, kings: KingBuckets::standard(king_buckets).unwrap() }
    }

    fn seen(seed: u64, shape: &Shape) -> Seen {
        let result = [GameResult::Loss, GameResult::Draw, GameResult::Win][seed as usize % 3];
        Seen::of(
            &Sample::new(&testing::random_position(seed), (seed % 500) as i16 - 250, result, 40).to_bytes(),
            &shape.kings.table(),
        )
    }

    /// A state whose buckets differ.
    fn uneven(shape: &Shape, seed: u64) -> State {
        let mut state = State::new(shape, seed, None);
        if shape.kings.count() > 1 {
            let inputs = state.layout.hidden_bias;
            for (at, weight) in state.parameters[..inputs].iter_mut().enumerate() {
                *weight = (seed::derive(seed + 1, at as u64) % 1_000) as f32 / 5_000.0 - 0.1;
            }
        }
        state
    }

    fn check_gradients<const N: usize>(king_buckets: usize) {
        let shape = shape(N, king_buckets);
        let layout = Layout::of(&shape);
        let state = uneven(&shape, 5);
        let loss = Loss { k: 0.006, share: 0.05, power: 2.5 };
        // Copies of many parameters take long in a test's build.
        for seed in 0..20 / king_buckets as u64 {
            let seen = seen(seed, &shape);
            let mut gradient = vec![0.0; layout.count];
            backward::<N>(layout, &layout.fold(&state.parameters), &mut gradient, loss, &seen);
            layout.fold_gradient(&mut gradient);
            let feature = usize::from(seen.features(seed as usize % 2)[1]) * N;
            let mut places = vec![
                feature + 3,
                feature + 200,
                layout.hidden_bias + 17,
                layout.output_row(seen.bucket, 1) + 9,
                layout.output_bias + seen.bucket,
            ];
            if king_buckets > 1 {
                places.extend([3, 200].map(|unit| layout.factoriser + feature % layout.table() + unit));
            }
            for at in places {
                let shifted = |by: f32| {
                    let mut parameters = state.parameters.clone();
                    parameters[at] += by;
                    let output = forward::<N>(layout, &layout.fold(&parameters), &seen).1;
                    f64::from(loss.of(output, &seen).0)
                };
                let step = 2e-3;
                let numeric = (shifted(step) - shifted(-step)) / f64::from(2.0 * step);
                let exact = f64::from(gradient[at]);
                assert!((numeric - exact).abs() < 2e-3 + 0.05 * exact.abs(), "{at}: {numeric} and {exact}");
            }
        }
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        check_gradients::<256>(1);
        check_gradients::<256>(4);
        check_gradients::<512>(8);
    }

    #[test]
    fn states_come_back_from_their_file() {
        let path = std::env::temp_dir().join(format!("tabia-nnue-state-{}", std::process::id()));
        for shape in [shape(256, 1), shape(384, 4)] {
            let mut state = State::new(&shape, 3, None);
            let gradient: Vec<f32> = (0..state.layout.count).map(|i| (i % 7) as f32 - 3.0).collect();
            state.step(&gradient, 1e-3, 1e-2);
            state.epoch = 4;
            state.write(&path).unwrap();
            let layout = state.layout;
            assert_eq!(State::read(&path, layout).unwrap(), Some(state));
            fs::write(&path, b"TABIA").unwrap();
            assert!(State::read(&path, layout).unwrap_err().to_string().contains("5 bytes"));
            fs::remove_file(&path).unwrap();
            assert_eq!(State::read(&path, layout).unwrap(), None);
        }
    }

    #[test]
    fn whole_numbers_and_parameters_are_the_same_network() {
        for shape in [shape(256, 1), shape(256, 4), shape(512, 8)] {
            let state = uneven(&shape, 9);
            let network = state.network(&shape, "test".to_owned());
            let again = State::new(&shape, 0, Some(&network));
            assert_eq!(again.network(&shape, "test".to_owned()), network);
            let seen = seen(11, &shape);
            let played = again.layout.fold(&again.parameters);
            let output = match shape.hidden {
                256 => forward::<256>(again.layout, &played, &seen).1,
                _ => forward::<512>(again.layout, &played, &seen).1,
            };
            let exact = output * SCALE as f32;
            assert!((f64::from(exact) - centipawns(&network, &seen) as f64).abs() <= 1.01);
        }
    }

    #[test]
    fn a_network_with_one_bucket_starts_one_with_more() {
        let (one, four) = (shape(256, 1), shape(256, 4));
        let network = State::new(&one, 7, None).network(&one, String::new());
        let wider = State::new(&four, 0, Some(&network)).network(&four, String::new());
        for seed in 0..20 {
            assert_eq!(centipawns(&network, &seen(seed, &one)), centipawns(&wider, &seen(seed, &four)));
        }
    }

    #[test]
    fn weights_stay_in_range_with_a_factoriser() {
        let shape = shape(256, 4);
        let mut state = State::new(&shape, 3, None);
        let gradient: Vec<f32> = (0..state.layout.count).map(|i| (i % 3) as f32 - 1.0).collect();
        for _ in 0..40 {
            state.step(&gradient, 0.1, 0.0);
        }
        let played = state.layout.fold(&state.parameters);
        assert!(played[..state.layout.hidden_bias].iter().all(|weight| weight.abs() <= CLIP + 1e-5));
        file::read(&file::write(&state.network(&shape, String::new()))).unwrap();
    }
}
