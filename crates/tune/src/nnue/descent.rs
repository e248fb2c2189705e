//! Training on CPUs by our own code.
//!
//! The same loss, optimiser and schedule as `trainer.py`. A batch is divided into a fixed number of parts whose gradients
//! are summed in order, so that the result does not depend on the number of threads. Positions stay packed, 32 bytes
//! each, and are unpacked when they are used. After each epoch the state is written to `state.bin`; a resumed training
//! ends with the same bytes.
//!
//! | module | what |
//! | --- | --- |
//! | `positions` | packed positions, and their inputs to the network |
//! | `parameters` | layout of the parameters, factoriser, initial values, quantisation |
//! | `gradient` | the loss of a position, and its gradient |
//! | `optimiser` | AdamW, and the state on disk |

mod gradient;
mod optimiser;
mod parameters;
mod positions;

use std::thread;
use std::time::Instant;

use rand::seq::SliceRandom;
use tabia_core::{Stop, seed};
use tabia_eval::nnue::features::KING_SQUARES;
use tabia_eval::nnue::{Network, QA, QB, SCALE, file};
use tabia_run::atomic_file;

use super::{CHECKED, Event, NnueError, Request, Settings, WEIGHTS, data};
use gradient::{Loss, backward, forward};
use optimiser::State;
use parameters::Layout;
use positions::{Positions, Seen};

/// Parts of a batch; more threads than this are idle.
const PARTS: usize = 16;
/// Largest number of positions that K is fitted to.
const FITTED: usize = 2_000_000;
const STATE: &str = "state.bin";

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
mod tests;
