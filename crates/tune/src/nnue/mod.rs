//! Training of the network of `tabia_eval::nnue`: by our own code on CPUs, or with PyTorch in another process.
//!
//! [`data`] splits games into training and validation sets. [`train`] either trains itself (`descent`), or starts a
//! Python process whose program, `trainer.py`, is embedded in the binary. Both read the two files, save their state in
//! the run directory after every epoch, write the weights with the lowest validation loss, and report progress.
//!
//! Weights are verified before use: the trainer's quantised scores of some positions must equal those of our own
//! inference, to the centipawn.

pub mod data;
mod descent;

use std::fs::File;
use std::io::{BufRead, BufReader, Read};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;

use serde::{Deserialize, Serialize};
use tabia_core::Stop;
use tabia_eval::Evaluate;
use tabia_eval::nnue::features::KingBuckets;
use tabia_eval::nnue::{BUCKETS, HIDDEN_SIZES, Network, Nnue, Shape, file};
use tabia_eval::weights_file::FileError;
use tabia_run::RunError;

use crate::samples::Reader;

const PROGRAM: &str = include_str!("trainer.py");
/// Number of positions used for verification, the same as in `trainer.py`.
const CHECKED: usize = 256;
/// Name of the weight file in the run directory.
pub const WEIGHTS: &str = "weights.nnue";

/// The device that trains.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    Cuda,
    /// PyTorch, on a CUDA device if there is one.
    Any,
    /// Our own code, on CPUs.
    Cpu,
}

/// Training settings.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Seed of all randomness.
    #[serde(serialize_with = "crate::run::as_text")]
    pub seed: u64,
    /// Epochs.
    pub epochs: u32,
    /// Positions per step.
    pub batch: usize,
    /// Initial learning rate of AdamW.
    pub rate: f64,
    /// Final learning rate, reached by cosine decay.
    pub final_rate: f64,
    pub decay: f64,
    /// Weight of the game result in the target; the rest is the search score.
    pub result_share: f64,
    /// Weight of later scores of the game in a position's score (TD(λ)); 0 takes its own search's alone.
    #[serde(skip_serializing_if = "is_zero")]
    pub lambda: f64,
    /// Steepness of the logistic function from centipawns to win probabilities; fitted to the results if not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub steepness: Option<f64>,
    /// The loss is the difference of win probabilities to this power.
    pub power: f64,
    /// Hidden units per side.
    #[serde(skip_serializing_if = "is_default_size")]
    pub hidden: usize,
    /// King buckets, in their standard layout.
    #[serde(skip_serializing_if = "is_one")]
    pub king_buckets: usize,
}

// serde asks with a reference. Runs of older versions have no such setting.
#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_zero(number: &f64) -> bool {
    *number == 0.0
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_default_size(hidden: &usize) -> bool {
    *hidden == HIDDEN_SIZES[0]
}

#[allow(clippy::trivially_copy_pass_by_ref)]
fn is_one(number: &usize) -> bool {
    *number == 1
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 0,
            epochs: 40,
            batch: 16_384,
            rate: 1e-3,
            final_rate: 1e-5,
            decay: 1e-2,
            result_share: 0.05,
            lambda: 0.5,
            steepness: None,
            power: 2.5,
            hidden: HIDDEN_SIZES[0],
            king_buckets: 1,
        }
    }
}

impl Settings {
    /// Rejects invalid settings.
    pub fn check(&self) -> Result<(), NnueError> {
        let refuse = |what: &str, right| Err(NnueError::Setting { what: what.to_owned(), right });
        if self.epochs == 0 || self.batch == 0 {
            return refuse("0 epochs or a batch of 0", "one is the least");
        }
        if self.seed > u64::from(u32::MAX) {
            return refuse(&format!("the seed {}", self.seed), "PyTorch's fits 32 bits here");
        }
        for rate in [self.rate, self.final_rate] {
            if !(rate.is_finite() && rate > 0.0 && rate < 1.0) {
                return refuse(&format!("a learning rate of {rate}"), "it lies between 0 and 1");
            }
        }
        if !(self.decay.is_finite() && self.decay >= 0.0) {
            return refuse(&format!("a weight decay of {}", self.decay), "it is 0 or more");
        }
        if !(0.0..=1.0).contains(&self.result_share) {
            return refuse(&format!("a result's share of {}", self.result_share), "it lies between 0 and 1");
        }
        if !(0.0..1.0).contains(&self.lambda) {
            return refuse(&format!("a lambda of {}", self.lambda), "it is 0 or more, and less than 1");
        }
        if let Some(k) = self.steepness
            && !(1e-4..=5e-2).contains(&k)
        {
            return refuse(&format!("a steepness of {k}"), "it lies between 0.0001 and 0.05");
        }
        if !(1.0..=4.0).contains(&self.power) {
            return refuse(&format!("a loss to the power of {}", self.power), "it lies between 1 and 4");
        }
        if !HIDDEN_SIZES.contains(&self.hidden) {
            return refuse(
                &format!("a hidden layer of {}", self.hidden),
                "it has 256, 384 or 512 units per side",
            );
        }
        if KingBuckets::standard(self.king_buckets).is_none() {
            return refuse(&format!("a network with {} king buckets", self.king_buckets), "it has 1, 4 or 8");
        }
        Ok(())
    }

    /// The shape of the network. Settings were checked.
    pub fn shape(&self) -> Shape {
        Shape { hidden: self.hidden, kings: KingBuckets::standard(self.king_buckets).unwrap_or_default() }
    }
}

/// Why training failed.
#[derive(Debug, thiserror::Error)]
pub enum NnueError {
    #[error("{what} cannot work; {right}")]
    Setting { what: String, right: &'static str },
    #[error("{path}: {cause}")]
    File { path: String, cause: String },
    #[error("too few positions: {learned} for training and {held_out} for validation (one game in {every} is held out)", every = data::HELD_OUT_EVERY)]
    TooFew { learned: u64, held_out: u64 },
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{python}: {why}")]
    Python { python: String, why: String },
    #[error(
        "the initial network has {found_hidden} hidden units per side and {found_buckets} king buckets; \
         expected {hidden}, and {buckets} or 1"
    )]
    OtherShape { found_hidden: usize, found_buckets: usize, hidden: usize, buckets: usize },
    #[error("the trainer's output cannot be read: {0}")]
    Weights(#[from] FileError),
    #[error(
        "the trainer gives position {position} {theirs} centipawns, our inference {ours}: one of the two is wrong"
    )]
    Differs {
        /// Index of the validation position, from 0.
        position: usize,
        theirs: i64,
        ours: i64,
    },
}

/// A training job.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub settings: &'a Settings,
    /// The run directory, with the files of [`data`].
    pub run: &'a Path,
    /// Initial weights.
    pub from: Option<&'a Path>,
    pub device: Device,
    /// A Python interpreter with PyTorch.
    pub python: &'a str,
    /// Threads for training on CPUs.
    pub threads: usize,
}

/// Progress messages of the trainer.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Event {
    End {
        /// The best validation loss.
        best: f64,
        /// The same with quantised weights.
        quantised: f64,
        /// Scores of the first validation positions for the side to move.
        centipawns: Vec<i64>,
        seconds: f64,
    },
    /// Training starts or resumes.
    Start {
        device: String,
        positions: u64,
        validation: u64,
        /// Steepness of the logistic function that fits results to scores.
        k: f64,
        epoch: u32,
        before: f64,
        seconds: f64,
    },
    Epoch {
        /// Counted from 1.
        epoch: u32,
        /// Training loss.
        loss: f64,
        /// Validation loss.
        validation: f64,
        /// Learning rate at its end.
        rate: f64,
        positions_a_second: f64,
    },
}

/// A Python process that is killed when this is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // It may have ended already.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Trains and verifies the result; `None` if stopped. The state after the last epoch is kept in the run directory, and
/// the same request resumes from there.
pub fn train(
    request: &Request<'_>,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&Event),
) -> Result<Option<PathBuf>, NnueError> {
    request.settings.check()?;
    let from = request.from.map(read_weights).transpose()?;
    if let Some(from) = &from {
        check_initial(&from.shape(), &request.settings.shape())?;
    }
    let centipawns = match request.device {
        Device::Cpu => descent::train(request, from.as_ref(), stop, on_progress)?,
        Device::Cuda | Device::Any => through_python(request, stop, on_progress)?,
    };
    let Some(centipawns) = centipawns else { return Ok(None) };
    let weights = request.run.join(WEIGHTS);
    check(&read_weights(&weights)?, &data::validation_path(request.run), &centipawns)?;
    Ok(Some(weights))
}

/// Trains in a Python process; returns its scores of the first validation positions, or `None` if stopped.
fn through_python(
    request: &Request<'_>,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&Event),
) -> Result<Option<Vec<i64>>, NnueError> {
    let refused = |why: String| NnueError::Python { python: request.python.to_owned(), why };
    let child = Command::new(request.python)
        .args(["-u", "-c", PROGRAM, &document(request)])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| refused(format!("it cannot be started: {error}")))?;
    let mut process = Process(child);
    let (Some(out), Some(mut err)) = (process.0.stdout.take(), process.0.stderr.take()) else {
        return Err(refused("it has no pipes".to_owned()));
    };
    let complaints = thread::spawn(move || {
        let mut text = String::new();
        // Lines that are not progress messages are ignored.
        let _ = err.read_to_string(&mut text);
        text
    });
    let mut end = None;
    for line in BufReader::new(out).lines() {
        let line = line.map_err(|error| refused(error.to_string()))?;
        let event: Event = serde_json::from_str(&line)
            .map_err(|error| refused(format!("it says what nobody understands ({error}): {line}")))?;
        on_progress(&event);
        if let Event::End { centipawns, .. } = event {
            end = Some(centipawns);
        } else if stop.is_stopped() {
            return Ok(None);
        }
    }
    let status = process.0.wait().map_err(|error| refused(error.to_string()))?;
    if stop.is_stopped() && end.is_none() {
        return Ok(None);
    }
    let said = complaints.join().unwrap_or_default();
    if end.is_some() && status.success() {
        return Ok(end);
    }
    let last = said.lines().rev().find(|line| !line.trim().is_empty());
    Err(refused(last.map_or_else(|| format!("it ended with {status}"), str::to_owned)))
}

fn read_weights(path: &Path) -> Result<Network, NnueError> {
    let text = std::fs::read_to_string(path)
        .map_err(|cause| NnueError::File { path: path.display().to_string(), cause: cause.to_string() })?;
    Ok(file::read(&text)?)
}

/// Training starts from a network of the same shape, or from one with a single king bucket.
fn check_initial(found: &Shape, expected: &Shape) -> Result<(), NnueError> {
    if found.hidden == expected.hidden && (found.kings == expected.kings || found.kings.count() == 1) {
        return Ok(());
    }
    Err(NnueError::OtherShape {
        found_hidden: found.hidden,
        found_buckets: found.kings.count(),
        hidden: expected.hidden,
        buckets: expected.kings.count(),
    })
}

fn document(request: &Request<'_>) -> String {
    let shape = request.settings.shape();
    let Settings { seed, epochs, batch, rate, final_rate, decay, result_share, steepness, power, .. } =
        request.settings;
    serde_json::json!({
        "device": request.device,
        "threads": request.threads,
        "run": request.run,
        "training": data::training_path(request.run),
        "validation": data::validation_path(request.run),
        "from": request.from,
        "hidden": shape.hidden,
        "king_buckets": shape.kings.table(),
        "buckets": BUCKETS,
        "seed": seed,
        "epochs": epochs,
        "batch": batch,
        "rate": rate,
        "final_rate": final_rate,
        "decay": decay,
        "result_share": result_share,
        "steepness": steepness,
        "power": power,
    })
    .to_string()
}

/// Compares the trainer's scores of the first validation positions with our inference.
fn check(network: &Network, positions: &Path, theirs: &[i64]) -> Result<(), NnueError> {
    let failed = |path: &Path, cause: String| NnueError::File { path: path.display().to_string(), cause };
    let mut nnue = Nnue::new(network.clone());
    let opened = File::open(positions).map_err(|cause| failed(positions, cause.to_string()))?;
    let reader = Reader::new(BufReader::new(opened)).map_err(|cause| failed(positions, cause.to_string()))?;
    for (position, (sample, theirs)) in reader.zip(theirs).enumerate() {
        let sample = sample.map_err(|cause| failed(positions, cause.to_string()))?;
        let ours = i64::from(nnue.relative(sample.view()).raw());
        // Our scores are clamped.
        if ours != (*theirs).clamp(-20_000, 20_000) {
            return Err(NnueError::Differs { position, theirs: *theirs, ours });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
