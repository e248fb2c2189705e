//! `tabia tune`: an evaluation learns its weights.

use std::fs;
use std::io::{self, BufReader, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::thread;

use anyhow::Context;
use serde::Serialize;
use tabia_eval::field::{Learned, Weights, file};
use tabia_eval::recipe::Tunable;
use tabia_tune::descent::{self, Data, Settings};
use tabia_tune::samples::Reader;
use tabia_tune::{Sample, samples::SamplesError};

use crate::{interrupt, output};

/// What `tabia tune` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Positions come from `tabia datagen`. One in twenty is held out; the weights that predict those best are kept. \
Ctrl-C ends early and keeps the best so far.

Examples:
  tabia tune data/positions.samples -o field.json
  tabia tune a.samples b.samples --epochs 50 --result-share 0.8 -o field.json")]
pub struct TuneArgs {
    /// Files of positions.
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Where the weights go.
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Begin with these weights rather than bare material.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Passes over the data.
    #[arg(long, value_name = "N", default_value_t = Settings::default().epochs)]
    epochs: u32,
    /// Positions a step.
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch)]
    batch: usize,
    /// The first step's size, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = Settings::default().rate)]
    rate: f64,
    /// How much the game's result counts beside the search's score, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().result_share)]
    result_share: f64,
    /// How strongly weights are pulled back to where they began.
    #[arg(long, value_name = "PULL", default_value_t = Settings::default().pull)]
    pull: f64,
    /// Everything random follows from it.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Threads; the result is the same for any number. All cores if not given.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// The result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Summary {
    positions: usize,
    parameters: usize,
    k: f64,
    loss_before: f64,
    loss_after: f64,
    epochs: usize,
    output: String,
}

/// Learns.
pub fn run(args: &TuneArgs) -> anyhow::Result<ExitCode> {
    let stop = interrupt::stop_flag()?;
    let threads =
        args.threads.map_or_else(|| thread::available_parallelism().map_or(1, NonZero::get), NonZero::get);
    let pupil = match &args.from {
        Some(path) => {
            let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
            Learned::with_weights(file::read(&text).with_context(|| path.display().to_string())?)
        }
        None => Learned::with_weights(Weights::untaught()),
    };
    let mut samples = Vec::new();
    for path in &args.data {
        read(path, &mut samples).with_context(|| path.display().to_string())?;
    }
    let data = Data::new(&pupil, &samples, threads);
    let positions = samples.len();
    drop(samples);
    let settings = Settings {
        seed: args.seed,
        epochs: args.epochs,
        batch: args.batch,
        rate: args.rate,
        result_share: args.result_share,
        pull: args.pull,
        threads,
        ..Settings::default()
    };
    let outcome = descent::learn(&pupil, &data, &settings, &stop, &mut |epoch| {
        // Progress that cannot be shown is no reason to stop.
        let _ = writeln!(
            io::stderr(),
            "epoch {:>3}: loss {:.6}, held out {:.6}",
            epoch.number,
            epoch.loss,
            epoch.held_out
        );
    });
    let learned =
        pupil.with_parameters(&outcome.parameters).context("the parameters changed their number")?;
    let note = format!(
        "learned from {positions} positions, seed {}: held-out loss {:.6} before, {:.6} after, K {:.6}",
        args.seed, outcome.before, outcome.after, outcome.k
    );
    output::file(&args.output, file::write(learned.weights(), Some(&note)).as_bytes())
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    let summary = Summary {
        positions,
        parameters: outcome.parameters.len(),
        k: outcome.k,
        loss_before: outcome.before,
        loss_after: outcome.after,
        epochs: outcome.epochs.len(),
        output: args.output.display().to_string(),
    };
    if args.json {
        output::json(&summary)?;
    } else {
        writeln!(
            io::stdout(),
            "{positions} positions, {} weights: held-out loss {:.6} before, {:.6} after {} epochs; {}",
            summary.parameters,
            summary.loss_before,
            summary.loss_after,
            summary.epochs,
            summary.output
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Adds the samples of a file; says so when it was cut short.
fn read(path: &Path, samples: &mut Vec<Sample>) -> anyhow::Result<()> {
    let mut reader = Reader::new(BufReader::new(fs::File::open(path)?))?;
    samples.extend(reader.by_ref().collect::<Result<Vec<Sample>, SamplesError>>()?);
    if reader.left_over() > 0 {
        writeln!(
            io::stderr(),
            "{}: cut short, its last {} bytes are no whole position and are left out",
            path.display(),
            reader.left_over()
        )?;
    }
    Ok(())
}
