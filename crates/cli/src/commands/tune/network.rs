//! `tabia tune --eval nnue`: trains the network, by our own code or with PyTorch.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use clap::ValueEnum;
use serde::Serialize;
use tabia_eval::registry;
use tabia_run::atomic_file;
use tabia_tune::exchange::FIRST_PLY;
use tabia_tune::nnue::{self, Event, Request, Settings, data};
use tabia_tune::run;

use super::TuneArgs;
use crate::failure::Usage;
use crate::{interrupt, output, parallel, text};

/// The training device.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum DeviceChoice {
    /// Our own code, on CPUs
    Cpu,
    /// A GPU, through PyTorch
    Cuda,
    /// A GPU if there is one, else CPUs, through PyTorch
    Torch,
}

/// Everything that determines the result, for the manifest.
#[derive(Serialize)]
struct ManifestSettings<'a> {
    evaluation: &'a str,
    games: u64,
    positions: u64,
    data: String,
    from: Option<String>,
    settings: &'a Settings,
}

/// The result: a line, or JSON.
#[derive(Serialize)]
struct Summary {
    evaluation: &'static str,
    games: u64,
    positions: u64,
    held_out: u64,
    k: f64,
    loss_before: f64,
    loss_after: f64,
    loss_quantised: f64,
    epochs: u32,
    seconds: f64,
    output: String,
}

/// Splits the data, trains and verifies.
pub fn run(args: &TuneArgs) -> anyhow::Result<ExitCode> {
    let usual = Settings::default();
    let settings = Settings {
        seed: args.seed,
        epochs: args.epochs.unwrap_or(usual.epochs),
        batch: args.batch,
        rate: args.rate.unwrap_or(usual.rate),
        final_rate: args.final_rate.unwrap_or(usual.final_rate),
        decay: args.decay.unwrap_or(usual.decay),
        result_share: args.result_share,
        lambda: args.lambda.unwrap_or(usual.lambda),
        steepness: args.steepness,
        power: args.power.unwrap_or(usual.power),
        hidden: args.hidden.unwrap_or(usual.hidden),
        king_buckets: args.king_buckets.unwrap_or(usual.king_buckets),
    };
    settings.check().map_err(|error| Usage(error.to_string()))?;
    if !args.without.is_empty() {
        return Err(
            Usage("--without is for evaluations with named parameters; nnue has none".to_owned()).into()
        );
    }
    let Some(folder) = args.run.as_deref() else {
        return Err(Usage("a network is trained in a folder; name it with --run".to_owned()).into());
    };
    let stop = interrupt::stop_flag()?;
    let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
    atomic_file::create_directory(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let mut err = io::stderr();
    let split = data::split(
        &args.data,
        folder,
        data::Choice { first_ply: FIRST_PLY, lambda: settings.lambda, seed: args.seed },
        threads,
    )?;
    for (path, bytes) in &split.cut_short {
        writeln!(err, "{}: cut short, its last {bytes} bytes are left out", path.display())?;
    }
    if split.single > 0 {
        writeln!(
            err,
            "{} positions come without their games: some of those held out are neighbours of those learned from",
            split.single
        )?;
    }
    let _held = claim(args, folder, &settings, &split)?;
    data::adopt(folder)?;
    let request = Request {
        settings: &settings,
        run: folder,
        from: args.from.as_deref(),
        device: match args.device.unwrap_or(DeviceChoice::Cpu) {
            DeviceChoice::Cpu => nnue::Device::Cpu,
            DeviceChoice::Cuda => nnue::Device::Cuda,
            DeviceChoice::Torch => nnue::Device::Any,
        },
        python: &args.python,
        threads,
    };
    let mut summary = Summary {
        evaluation: registry::NETWORK,
        games: split.games,
        positions: split.learned,
        held_out: split.held_out,
        k: 0.0,
        loss_before: 0.0,
        loss_after: 0.0,
        loss_quantised: 0.0,
        epochs: settings.epochs,
        seconds: 0.0,
        output: String::new(),
    };
    let trained = nnue::train(&request, &stop, &mut |event| tell(event, &mut summary))?;
    let Some(weights) = trained else {
        writeln!(io::stdout(), "interrupted; the same command goes on")?;
        return Ok(ExitCode::FAILURE);
    };
    let output = args.output.clone().unwrap_or_else(|| weights.clone());
    if output != weights {
        let bytes = fs::read(&weights).with_context(|| format!("cannot read {}", weights.display()))?;
        atomic_file::write_bytes(&output, &bytes)
            .with_context(|| format!("cannot write {}", output.display()))?;
    }
    summary.output = output.display().to_string();
    if args.json {
        output::json(&summary)?;
    } else {
        writeln!(
            io::stdout(),
            "{} of {}: loss on games not learned from {:.6} before, {:.6} after {}, {:.6} in whole numbers; {}",
            text::counted(summary.positions, "position"),
            text::counted(summary.games, "game"),
            summary.loss_before,
            summary.loss_after,
            text::counted(summary.epochs.into(), "epoch"),
            summary.loss_quantised,
            summary.output
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Creates or opens the run directory.
fn claim(args: &TuneArgs, folder: &Path, settings: &Settings, split: &data::Split) -> anyhow::Result<File> {
    let from = args.from.as_deref().map(super::text_of).transpose()?;
    let manifest_settings = ManifestSettings {
        evaluation: registry::NETWORK,
        games: split.games,
        positions: split.learned + split.held_out,
        data: format!("{:016x}", split.fingerprint),
        from: from.map(|text| format!("{:016x}", super::fingerprint(0, text.as_bytes()))),
        settings,
    };
    Ok(run::claim(folder, "tune", env!("CARGO_PKG_VERSION"), &manifest_settings)?)
}

/// Shows the trainer's progress. Progress that cannot be shown is no error.
fn tell(event: &Event, summary: &mut Summary) {
    let mut err = io::stderr();
    let _ = match event {
        Event::Start { device, positions, validation, k, epoch, before, seconds } => {
            (summary.k, summary.loss_before) = (*k, *before);
            writeln!(
                err,
                "{device}: {} positions and {} held out, read in {seconds:.0} seconds; K {k:.6}, loss {before:.6} after {}",
                text::short_count(*positions),
                text::short_count(*validation),
                text::counted((*epoch).into(), "epoch")
            )
        }
        Event::Epoch { epoch, loss, validation, rate, positions_a_second } => writeln!(
            err,
            "epoch {epoch:>3}: loss {loss:.6}, held out {validation:.6}, rate {rate:.6}; {} positions a second",
            text::short_count(*positions_a_second as u64)
        ),
        Event::End { best, quantised, seconds, .. } => {
            (summary.loss_after, summary.loss_quantised, summary.seconds) = (*best, *quantised, *seconds);
            Ok(())
        }
    };
}
