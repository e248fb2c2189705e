//! Training the network of `tabia_eval::nnue`: by our own arithmetic on processors, or with PyTorch in another process.
//!
//! [`data`] splits games into those that are learned from and those that judge. [`train`] either learns itself
//! (`descent`), or starts a Python process whose program, `trainer.py`, is part of the binary. Both read the two files,
//! keep their state in the run's directory after every epoch, write the weights that judge best, and tell how far they
//! have come.
//!
//! Before weights are believed, some positions are evaluated on both sides: the trainer's whole-number scores must be
//! those of our own inference, to the centipawn.

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
use tabia_eval::nnue::{BUCKETS, HIDDEN, Network, Nnue, file};
use tabia_eval::weights_file::FileError;
use tabia_run::RunError;

use crate::samples::Reader;

const PROGRAM: &str = include_str!("trainer.py");
/// Positions that are evaluated on both sides; `trainer.py` has as many.
const CHECKED: usize = 256;
/// The weights in a run's directory.
pub const WEIGHTS: &str = "weights.nnue";

/// Where the arithmetic is done.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Device {
    Cuda,
    /// PyTorch with a CUDA device if there is one, else with processors.
    Any,
    /// Our own arithmetic, on processors.
    Cpu,
}

/// How the network learns.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Settings {
    /// Everything random follows from it.
    #[serde(serialize_with = "crate::run::as_text")]
    pub seed: u64,
    /// Passes over the data.
    pub epochs: u32,
    /// Positions a step.
    pub batch: usize,
    /// The first learning rate of AdamW.
    pub rate: f64,
    /// The last one; in between it falls as a cosine does.
    pub final_rate: f64,
    pub decay: f64,
    /// How much the game's result counts in the target; the rest is the search's score.
    pub result_share: f64,
    /// The loss is the difference of winning chances to this power.
    pub power: f64,
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
            power: 2.5,
        }
    }
}

impl Settings {
    /// Refuses what cannot work.
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
        if !(1.0..=4.0).contains(&self.power) {
            return refuse(&format!("a loss to the power of {}", self.power), "it lies between 1 and 4");
        }
        Ok(())
    }
}

/// Why no network came.
#[derive(Debug, thiserror::Error)]
pub enum NnueError {
    /// A setting that cannot work.
    #[error("{what} cannot work; {right}")]
    Setting {
        what: String,
        /// What would be right.
        right: &'static str,
    },
    /// A file of positions could not be read or written.
    #[error("{path}: {cause}")]
    File { path: String, cause: String },
    /// Too little to learn from.
    #[error("{learned} positions to learn from and {held_out} to judge by are too few; one game in {every} is held out", every = data::HELD_OUT_EVERY)]
    TooFew {
        /// Positions of games to learn from.
        learned: u64,
        /// Positions of games held out.
        held_out: u64,
    },
    /// The directory belongs to another run.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The Python process could not do it.
    #[error("{python}: {why}")]
    Python { python: String, why: String },
    /// The weights are none.
    #[error("what the trainer wrote cannot be read: {0}")]
    Weights(#[from] FileError),
    /// The trainer's arithmetic is not ours.
    #[error(
        "position {position} is worth {theirs} centipawns to the trainer and {ours} to us: one of the two is wrong"
    )]
    Differs {
        /// Which of the positions held out, from 0.
        position: usize,
        /// What the trainer says.
        theirs: i64,
        /// What our inference says.
        ours: i64,
    },
}

/// What is trained, and where.
#[derive(Clone, Debug)]
pub struct Request<'a> {
    pub settings: &'a Settings,
    /// The run's directory, with the files of [`data`].
    pub run: &'a Path,
    /// Weights to begin with.
    pub from: Option<&'a Path>,
    /// Where the arithmetic is done.
    pub device: Device,
    /// The Python that has PyTorch.
    pub python: &'a str,
    /// Threads, where processors do it.
    pub threads: usize,
}

/// What the trainer says as it goes.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum Event {
    End {
        /// The best loss on games that nothing was learned from.
        best: f64,
        /// The same with whole numbers.
        quantised: f64,
        /// What the first of those positions are worth to the side to move.
        centipawns: Vec<i64>,
        /// How long it took.
        seconds: f64,
    },
    /// It begins, or goes on.
    Start {
        /// What does the arithmetic.
        device: String,
        /// Positions to learn from.
        positions: u64,
        /// Positions to judge by.
        validation: u64,
        /// The steepness that fits results to scores.
        k: f64,
        epoch: u32,
        before: f64,
        /// How long reading took.
        seconds: f64,
    },
    /// An epoch is done.
    Epoch {
        /// Counted from 1.
        epoch: u32,
        /// The loss on what is learned.
        loss: f64,
        /// The loss on what is not.
        validation: f64,
        /// The learning rate at its end.
        rate: f64,
        /// How fast it went.
        positions_a_second: f64,
    },
}

/// A Python process that ends with us.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        // One that has ended already is fine.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Trains, and checks what came of it; nothing if stopped before the end. What was learned up to the last epoch is kept
/// in the run's directory, and the same request goes on from there.
pub fn train(
    request: &Request<'_>,
    stop: &Stop,
    on_progress: &mut dyn FnMut(&Event),
) -> Result<Option<PathBuf>, NnueError> {
    request.settings.check()?;
    let centipawns = match request.device {
        Device::Cpu => {
            let from = request.from.map(read_weights).transpose()?;
            descent::train(request, from.as_ref(), stop, on_progress)?
        }
        Device::Cuda | Device::Any => through_python(request, stop, on_progress)?,
    };
    let Some(centipawns) = centipawns else { return Ok(None) };
    let weights = request.run.join(WEIGHTS);
    check(&read_weights(&weights)?, &data::validation_path(request.run), &centipawns)?;
    Ok(Some(weights))
}

/// Has a Python process train; what it says of the first positions held out, or nothing if it was stopped.
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
        // What cannot be read is not on_progress.
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

/// The network of a file.
fn read_weights(path: &Path) -> Result<Network, NnueError> {
    let text = std::fs::read_to_string(path)
        .map_err(|cause| NnueError::File { path: path.display().to_string(), cause: cause.to_string() })?;
    Ok(file::read(&text)?)
}

fn document(request: &Request<'_>) -> String {
    let Settings { seed, epochs, batch, rate, final_rate, decay, result_share, power } = request.settings;
    serde_json::json!({
        "device": request.device,
        "threads": request.threads,
        "run": request.run,
        "training": data::training_path(request.run),
        "validation": data::validation_path(request.run),
        "from": request.from,
        "hidden": HIDDEN,
        "buckets": BUCKETS,
        "seed": seed,
        "epochs": epochs,
        "batch": batch,
        "rate": rate,
        "final_rate": final_rate,
        "decay": decay,
        "result_share": result_share,
        "power": power,
    })
    .to_string()
}

/// Compares what our inference says of the first positions held out.
fn check(network: &Network, positions: &Path, theirs: &[i64]) -> Result<(), NnueError> {
    let failed = |path: &Path, cause: String| NnueError::File { path: path.display().to_string(), cause };
    let mut nnue = Nnue::new(network.clone());
    let opened = File::open(positions).map_err(|cause| failed(positions, cause.to_string()))?;
    let reader = Reader::new(BufReader::new(opened)).map_err(|cause| failed(positions, cause.to_string()))?;
    for (position, (sample, theirs)) in reader.zip(theirs).enumerate() {
        let sample = sample.map_err(|cause| failed(positions, cause.to_string()))?;
        let ours = i64::from(nnue.relative(sample.view()).raw());
        // Scores are held within bounds on our side.
        if ours != (*theirs).clamp(-20_000, 20_000) {
            return Err(NnueError::Differs { position, theirs: *theirs, ours });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
