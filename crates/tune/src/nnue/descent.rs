//! Training on CPUs by our own code.
//!
//! The same loss, optimiser and schedule as `trainer.py`. A batch is divided into a fixed number of parts whose gradients
//! are summed in order, so that the result does not depend on the number of threads. Positions stay packed, 32 bytes
//! each, and are unpacked when they are used. After each epoch the state is written to `state.bin`; a resumed training
//! ends with the same bytes.

use std::fs;
use std::path::Path;
use std::thread;
use std::time::Instant;

use rand::seq::SliceRandom;
use tabia_core::{Stop, seed};
use tabia_eval::nnue::features::INPUTS;
use tabia_eval::nnue::kernels::LARGEST_OUTPUT;
use tabia_eval::nnue::{BUCKETS, HIDDEN, Network, QA, QB, SCALE, file};
use tabia_run::atomic_file;

use super::{CHECKED, Event, NnueError, Request, Settings, WEIGHTS, data};
use crate::sample::BYTES;

/// Index of the first parameter of each kind.
const HIDDEN_BIAS: usize = INPUTS * HIDDEN;
const OUTPUTS: usize = HIDDEN_BIAS + HIDDEN;
const OUTPUT_BIAS: usize = OUTPUTS + BUCKETS * 2 * HIDDEN;
const PARAMETERS: usize = OUTPUT_BIAS + BUCKETS;
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
    /// Unpacks a record in the format of `crate::sample`, written by this program.
    fn of(record: &[u8; BYTES]) -> Seen {
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
        let mut kings = [0_u8; 2];
        while occupied != 0 && seen.pieces < 32 {
            let square = occupied.trailing_zeros() as u8;
            occupied &= occupied - 1;
            let code = record[8 + seen.pieces / 2] >> (4 * (seen.pieces % 2)) & 15;
            board[seen.pieces] = (square, code);
            if code & 7 == 5 {
                kings[usize::from(code >> 3)] = square;
            }
            seen.pieces += 1;
        }
        for (own, side) in [black, 1 - black].into_iter().enumerate() {
            let mirror = if kings[usize::from(side)] & 7 < 4 { 7 } else { 0 };
            let flip = (56 * side) | mirror;
            for (feature, (square, code)) in seen.features[own].iter_mut().zip(&board[..seen.pieces]) {
                let enemy = u16::from(code >> 3 != side);
                *feature = (enemy * 6 + u16::from(code & 7)) * 64 + u16::from(square ^ flip);
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

type Units = [f32; HIDDEN];

fn row(parameters: &[f32], at: usize) -> &Units {
    parameters[at..].first_chunk().expect("parameters have rows of this length")
}

fn row_mut(parameters: &mut [f32], at: usize) -> &mut Units {
    parameters[at..].first_chunk_mut().expect("parameters have rows of this length")
}

/// First output weight of a bucket and side.
const fn output_row(bucket: usize, side: usize) -> usize {
    OUTPUTS + (bucket * 2 + side) * HIDDEN
}

/// Hidden sums of both sides, and the output.
fn forward(parameters: &[f32], seen: &Seen) -> ([Units; 2], f32) {
    let mut output = parameters[OUTPUT_BIAS + seen.bucket];
    let sums = [0, 1].map(|side| {
        let mut sums = *row(parameters, HIDDEN_BIAS);
        for feature in seen.features(side) {
            let weights = row(parameters, usize::from(*feature) * HIDDEN);
            for i in 0..HIDDEN {
                sums[i] += weights[i];
            }
        }
        let weights = row(parameters, output_row(seen.bucket, side));
        // Several partial sums, so that the loop vectorises.
        let mut lanes = [0.0; 16];
        for i in 0..HIDDEN {
            let unit = sums[i].clamp(0.0, 1.0);
            lanes[i % 16] += unit * unit * weights[i];
        }
        output += lanes.iter().sum::<f32>();
        sums
    });
    (sums, output)
}

/// Adds the gradient of a position's loss; returns the loss.
fn backward(parameters: &[f32], gradient: &mut [f32], loss: Loss, seen: &Seen) -> f32 {
    let (sums, output) = forward(parameters, seen);
    let (value, output_gradient) = loss.of(output, seen);
    gradient[OUTPUT_BIAS + seen.bucket] += output_gradient;
    for (side, sums) in sums.iter().enumerate() {
        let at = output_row(seen.bucket, side);
        let mut errors = [0.0; HIDDEN];
        let (weights, weights_gradient) = (row(parameters, at), row_mut(gradient, at));
        for i in 0..HIDDEN {
            let unit = sums[i].clamp(0.0, 1.0);
            weights_gradient[i] += output_gradient * unit * unit;
            let open = sums[i] > 0.0 && sums[i] < 1.0;
            errors[i] = if open { output_gradient * weights[i] * 2.0 * unit } else { 0.0 };
        }
        let bias = row_mut(gradient, HIDDEN_BIAS);
        for i in 0..HIDDEN {
            bias[i] += errors[i];
        }
        for feature in seen.features(side) {
            let row = row_mut(gradient, usize::from(*feature) * HIDDEN);
            for i in 0..HIDDEN {
                row[i] += errors[i];
            }
        }
    }
    value
}

/// The complete state after an epoch.
#[derive(Clone, Debug, PartialEq)]
struct State {
    epoch: u32,
    steps: u64,
    best: f64,
    parameters: Vec<f32>,
    first: Vec<f32>,
    second: Vec<f32>,
}

impl State {
    fn new(seed: u64, from: Option<&Network>) -> State {
        let mut parameters = vec![0.0; PARAMETERS];
        if let Some(network) = from {
            let (small, large) = network.numbers();
            for (at, (parameter, number)) in parameters.iter_mut().zip(small).enumerate() {
                *parameter = f32::from(number) / if at < OUTPUTS { QA as f32 } else { QB as f32 };
            }
            for (bucket, number) in large.into_iter().enumerate() {
                parameters[OUTPUT_BIAS + bucket] = (f64::from(number) / one()) as f32;
            }
        } else {
            let uniform = |at: usize| {
                let bits = seed::derive(seed, at as u64) >> 40;
                bits as f32 / (1_u64 << 23) as f32 - 1.0
            };
            let (spread, output_spread) = (1.0 / 32_f32.sqrt(), 1.0 / (2.0 * HIDDEN as f32).sqrt());
            for (at, parameter) in parameters[..OUTPUT_BIAS].iter_mut().enumerate() {
                *parameter = match at {
                    at if at < HIDDEN_BIAS => uniform(at) * spread,
                    at if at < OUTPUTS => 0.1,
                    // All output buckets start equal.
                    at => uniform(OUTPUTS + (at - OUTPUTS) % (2 * HIDDEN)) * output_spread,
                };
            }
        }
        let (first, second) = (vec![0.0; PARAMETERS], vec![0.0; PARAMETERS]);
        State { epoch: 0, steps: 0, best: f64::INFINITY, parameters, first, second }
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
        for (at, parameter) in self.parameters[..OUTPUT_BIAS].iter_mut().enumerate() {
            let clip = if at < OUTPUTS { CLIP } else { OUTPUT_CLIP };
            *parameter = parameter.clamp(-clip, clip);
        }
    }

    /// Quantised weights.
    fn network(&self, note: String) -> Network {
        let number = |(at, parameter): (usize, &f32)| {
            (f64::from(*parameter) * f64::from(if at < OUTPUTS { QA } else { QB })).round() as i16
        };
        let small: Vec<i16> = self.parameters[..OUTPUT_BIAS].iter().enumerate().map(number).collect();
        let large = std::array::from_fn(|bucket| {
            (f64::from(self.parameters[OUTPUT_BIAS + bucket]) * one()).round() as i32
        });
        Network::from_numbers(&small, large, note).expect("parameters are as many as numbers")
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
    fn read(path: &Path) -> Result<Option<State>, NnueError> {
        if !path.exists() {
            return Ok(None);
        }
        let failed = |cause: String| NnueError::File { path: path.display().to_string(), cause };
        let bytes = fs::read(path).map_err(|cause| failed(cause.to_string()))?;
        let expected = MAGIC.len() + 20 + 3 * 4 * PARAMETERS;
        if bytes.len() != expected || !bytes.starts_with(MAGIC) {
            return Err(failed(format!(
                "not a state of this training: {} bytes, expected {expected}",
                bytes.len()
            )));
        }
        let mut rest = &bytes[MAGIC.len()..];
        let (epoch, steps, best) = (take(&mut rest), take(&mut rest), take(&mut rest));
        let mut list = || (0..PARAMETERS).map(|_| f32::from_le_bytes(take(&mut rest))).collect();
        Ok(Some(State {
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
fn fit_k(positions: &Positions) -> f32 {
    let points: Vec<(f64, f64)> = positions.0[..positions.0.len().min(FITTED)]
        .iter()
        .map(|record| {
            let seen = Seen::of(record);
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
fn judge(parameters: &[f32], positions: &Positions, loss: Loss, threads: usize) -> f64 {
    let share = positions.0.len().div_ceil(PARTS).max(1);
    let mut sums = [0.0_f64; PARTS];
    on_threads(&mut sums, threads, |part, sum| {
        for record in positions.0.chunks(share).nth(part).unwrap_or_default() {
            let seen = Seen::of(record);
            let (_, output) = forward(parameters, &seen);
            *sum += f64::from(loss.of(output, &seen).0);
        }
    });
    sums.iter().sum::<f64>() / positions.0.len() as f64
}

/// Trains; false if stopped.
pub(super) fn train(
    request: &Request<'_>,
    from: Option<&Network>,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&Event),
) -> Result<Option<Vec<i64>>, NnueError> {
    let Settings { seed, epochs, batch, rate, final_rate, decay, result_share, steepness, power, .. } =
        *request.settings;
    let started = Instant::now();
    let training = Positions::read(&data::training_path(request.run))?;
    let validation = Positions::read(&data::validation_path(request.run))?;
    let k = steepness.map_or_else(|| fit_k(&training), |k| k as f32);
    let loss = Loss { k, share: result_share as f32, power: power as f32 };
    let state_path = request.run.join(STATE);
    let mut state = State::read(&state_path)?.unwrap_or_else(|| State::new(seed, from));
    on_progress(&Event::Start {
        device: format!("own arithmetic, {} threads", request.threads),
        positions: training.0.len() as u64,
        validation: validation.0.len() as u64,
        k: f64::from(k),
        epoch: state.epoch,
        before: judge(&state.parameters, &validation, loss, request.threads),
        seconds: started.elapsed().as_secs_f64(),
    });
    let batch = batch.min(training.0.len());
    let steps = training.0.len() / batch;
    let mut parts: Vec<(Vec<f32>, f64)> = vec![(vec![0.0; PARAMETERS], 0.0); PARTS];
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
            let parameters = &state.parameters;
            on_threads(&mut parts, request.threads, |part, (gradient, value)| {
                gradient.fill(0.0);
                *value = 0.0;
                for index in rows.chunks(share).nth(part).unwrap_or_default() {
                    let seen = Seen::of(&training.0[*index as usize]);
                    *value += f64::from(backward(parameters, gradient, loss, &seen));
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
            let done = (f64::from(epoch) + step as f64 / steps as f64) / f64::from(epochs);
            now = final_rate + (rate - final_rate) * f64::midpoint(1.0, (std::f64::consts::PI * done).cos());
            state.step(gradient, now as f32, decay as f32);
            if stop.is_stopped() {
                return Ok(None);
            }
        }
        let held_out = judge(&state.parameters, &validation, loss, request.threads);
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
            atomic_file::write_bytes(&path, file::write(&state.network(note)).as_bytes()).map_err(
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
    let quantised = State::new(seed, Some(&network));
    let centipawns: Vec<i64> =
        validation.0.iter().take(CHECKED).map(|record| centipawns(&network, &Seen::of(record))).collect();
    on_progress(&Event::End {
        best: state.best,
        quantised: judge(&quantised.parameters, &validation, loss, request.threads),
        centipawns: centipawns.clone(),
        seconds: started.elapsed().as_secs_f64(),
    });
    Ok(Some(centipawns))
}

/// The quantised network's score of a position for the side to move, by this module's own input encoding.
fn centipawns(network: &Network, seen: &Seen) -> i64 {
    let (small, large) = network.numbers();
    let number = |at: usize| i64::from(small[at]);
    let mut total = i64::from(large[seen.bucket]);
    for side in 0..2 {
        for unit in 0..HIDDEN {
            let given =
                seen.features(side).iter().map(|feature| number(usize::from(*feature) * HIDDEN + unit));
            let sum = (number(HIDDEN_BIAS + unit) + given.sum::<i64>()).clamp(0, QA.into());
            total += sum * sum * number(output_row(seen.bucket, side) + unit);
        }
    }
    total * i64::from(SCALE) / i64::from(QA * QA * QB)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::{GameResult, Sample};
    use tabia_eval::testing;

    fn seen(seed: u64) -> Seen {
        let result = [GameResult::Loss, GameResult::Draw, GameResult::Win][seed as usize % 3];
        Seen::of(
            &Sample::new(&testing::random_position(seed), (seed % 500) as i16 - 250, result, 40).to_bytes(),
        )
    }

    #[test]
    fn gradients_are_those_of_finite_differences() {
        let state = State::new(5, None);
        let loss = Loss { k: 0.006, share: 0.05, power: 2.5 };
        for seed in 0..20 {
            let seen = seen(seed);
            let mut gradient = vec![0.0; PARAMETERS];
            backward(&state.parameters, &mut gradient, loss, &seen);
            let feature = usize::from(seen.features(seed as usize % 2)[1]) * HIDDEN;
            let places = [
                feature + 3,
                feature + 200,
                HIDDEN_BIAS + 17,
                output_row(seen.bucket, 1) + 9,
                OUTPUT_BIAS + seen.bucket,
            ];
            for at in places {
                let shifted = |by: f32| {
                    let mut parameters = state.parameters.clone();
                    parameters[at] += by;
                    f64::from(loss.of(forward(&parameters, &seen).1, &seen).0)
                };
                let step = 2e-3;
                let numeric = (shifted(step) - shifted(-step)) / f64::from(2.0 * step);
                let exact = f64::from(gradient[at]);
                assert!((numeric - exact).abs() < 2e-3 + 0.05 * exact.abs(), "{at}: {numeric} and {exact}");
            }
        }
    }

    #[test]
    fn states_come_back_from_their_file() {
        let path = std::env::temp_dir().join(format!("tabia-nnue-state-{}", std::process::id()));
        let mut state = State::new(3, None);
        let gradient: Vec<f32> = (0..PARAMETERS).map(|i| (i % 7) as f32 - 3.0).collect();
        state.step(&gradient, 1e-3, 1e-2);
        state.epoch = 4;
        state.write(&path).unwrap();
        assert_eq!(State::read(&path).unwrap(), Some(state));
        fs::write(&path, b"TABIA").unwrap();
        assert!(State::read(&path).unwrap_err().to_string().contains("5 bytes"));
        fs::remove_file(&path).unwrap();
        assert_eq!(State::read(&path).unwrap(), None);
    }

    #[test]
    fn whole_numbers_and_parameters_are_the_same_network() {
        let state = State::new(9, None);
        let network = state.network("test".to_owned());
        let again = State::new(0, Some(&network));
        assert_eq!(again.network("test".to_owned()), network);
        let seen = seen(11);
        let exact = forward(&again.parameters, &seen).1 * SCALE as f32;
        assert!((f64::from(exact) - centipawns(&network, &seen) as f64).abs() <= 1.01);
    }
}
