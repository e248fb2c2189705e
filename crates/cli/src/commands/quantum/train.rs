//! `tabia quantum train`: trains a network by self-play.

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use anyhow::{Context, anyhow};
use clap::ValueEnum;
use serde::Serialize;
use tabia_grid::SharedFiles;
use tabia_grid::nats::Nats;
use tabia_net::device::Device;
use tabia_net::metrics::GenerationMetrics;
use tabia_net::remote::GridWorkers;
use tabia_net::settings::{Preset, Settings};
use tabia_net::training::{BEST, FINAL, Progress, StopReason, Training};
use tabia_net::{NetError, Weights};
use tabia_run::RunError;

use super::curves;
use super::mirror::{self, TrainingMirror};
use crate::device::DeviceArgs;
use crate::failure::Usage;
use crate::grid::GridArgs;
use crate::terminal::ERASE_LINE;
use crate::{interrupt, output, parallel, text};

/// Default directory of a run.
const DIRECTORY: &str = "training";
/// How often progress is printed on a terminal.
const PAUSE: Duration = Duration::from_millis(200);

/// Arguments of `tabia quantum train`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A generation is games that the network plays against itself, steps that learn from them, and a checkpoint. `tiny` learns visibly in minutes on two \
processors, `small` learns to play in an hour or so, `seed` is seed 004's with its schedule. --list-settings says what can be set.

A run is a directory. --resume DIR goes on after Ctrl-C or worse, from the last checkpoint and with every game that was finished. Ctrl-C, a polite kill and \
--minutes end it cleanly: DIR/final.safetensors is the network as it is then, DIR/best.safetensors the one with the best rating so far, or with the lowest loss \
(--best-by loss, as seed 004 has it). It is there from the first checkpoint on; until the first rating match the lowest loss decides.

--device cuda does the arithmetic on a GPU, through a Python with PyTorch (--python); it is checked against our own first. Give it many threads and games \
(--threads 32 --set games_at_once=32): positions of all games are valued together. With several (--device cuda:0,cuda:1) all of them value positions, and every step is \
divided among them. What is learned there cannot be repeated bit for bit.

--store keeps what is needed to go on in a bucket or a folder as well; with --resume, a DIR without a training is filled from it first, so that the same command goes \
on from any machine. Buckets are found with AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY and AWS_REGION; AWS_ENDPOINT_URL names servers that are not Amazon's.

--grid has the games of self-play played by workers, with the same network at the end; steps and rating matches stay here.

JSON: {\"run\", \"ending\", \"network\", \"generations\": [one object each, as in metrics.jsonl]}.

Examples:
  tabia quantum train --preset tiny
  tabia quantum train --preset small --minutes 60 --run first
  tabia quantum train --preset tiny --set games=50 --set channels=32 --run second
  tabia quantum train --config first/manifest.toml --set seed=2 --run again
  tabia quantum train --resume first --minutes 30
  tabia quantum train --preset small --weights first/best.safetensors --run next
  tabia quantum train --preset seed --best-by loss --run as-in-the-seed
  tabia quantum train --preset small --device cuda --threads 32 --run third
  tabia quantum train --preset small --device cuda:0,cuda:1 --threads 64 --set batch=4096 --run wide
  tabia quantum train --resume first --store s3://bucket/trainings/first
  tabia quantum train --preset small --run fourth --grid nats://localhost:4222
  tabia quantum match --agent 'net(weights=first/best.safetensors)' --agent greedy")]
pub struct TrainArgs {
    /// What to begin with [default: tiny].
    #[arg(long, value_name = "NAME", conflicts_with = "resume")]
    preset: Option<Named>,
    /// Settings from this file: a manifest.toml of another training, or its `[network]` and `[learning]`. --set comes after it.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    config: Option<PathBuf>,
    /// Begin with this network, as a training wrote it, and its shape.
    #[arg(long, value_name = "FILE", conflicts_with = "resume")]
    weights: Option<PathBuf>,
    /// Change a setting; may be given more than once.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// What makes best.safetensors the best: the score in rating matches, or the lowest loss [default: rating].
    #[arg(long, value_name = "WHAT")]
    best_by: Option<BestBy>,
    /// End after so many minutes; the learning rate falls within them.
    #[arg(long, value_name = "N")]
    minutes: Option<f64>,
    /// Store the run in this new directory [default: training].
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    run: Option<PathBuf>,
    /// Go on with the training in this directory.
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// Keep what is needed to go on there too: s3://bucket/prefix, or file:///folder.
    #[arg(long, value_name = "URL")]
    store: Option<String>,
    /// Number of threads; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    device: DeviceArgs,
    /// List the settings with their values and ranges, and do nothing.
    #[arg(long)]
    list_settings: bool,
    /// One JSON document on standard output, at the end.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    grid: GridArgs,
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
enum BestBy {
    /// The lowest loss of a generation.
    Loss,
    /// The best mean score in a rating match.
    Rating,
}

/// A preset.
#[derive(Copy, Clone, Debug, ValueEnum)]
pub enum Named {
    /// Learns visibly in minutes.
    Tiny,
    /// Learns to play in an hour or so.
    Small,
    /// Seed 004's.
    Seed,
}

impl Named {
    /// Its settings.
    pub fn settings(self) -> Settings {
        match self {
            Named::Tiny => Preset::Tiny,
            Named::Small => Preset::Small,
            Named::Seed => Preset::Seed,
        }
        .settings()
    }
}

#[derive(Serialize)]
struct Summary<'a> {
    run: &'a Path,
    ending: &'static str,
    network: PathBuf,
    generations: &'a [GenerationMetrics],
}

/// Trains.
pub fn run(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    train(args).map_err(|error| match error.downcast::<NetError>() {
        Ok(NetError::Settings(why)) => Usage(why).into(),
        Ok(NetError::Run(error @ RunError::Occupied(_))) => Usage(error.to_string()).into(),
        Ok(error) => error.into(),
        Err(error) => error,
    })
}

fn train(args: &TrainArgs) -> anyhow::Result<ExitCode> {
    let store = args.store.as_deref();
    let place = store.map(|address| mirror::prepare(address, args.resume.as_deref())).transpose()?;
    let mut settings = match &args.resume {
        Some(path) => Training::settings_of(path)?,
        None => args.preset.unwrap_or(Named::Tiny).settings(),
    };
    if let Some(path) = &args.config {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        settings.apply_config(&text)?;
    }
    let weights = args.weights.as_deref().map(Weights::read).transpose()?;
    if let Some(weights) = &weights {
        settings.network = weights.architecture;
    }
    for assignment in &args.set {
        settings.set(assignment)?;
    }
    if let Some(best_by) = args.best_by {
        settings.learning.best_by_loss = u32::from(best_by == BestBy::Loss);
    }
    if args.list_settings {
        return list(&settings);
    }
    settings.check()?;
    if args.grid.is_remote() {
        settings.check_remote()?;
    }
    let budget = match args.minutes {
        Some(minutes) if !(minutes > 0.0 && minutes <= 1e6) => {
            return Err(
                Usage(format!("--minutes is {minutes}, expected more than 0 and at most a million")).into()
            );
        }
        minutes => minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes)),
    };
    let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
    let device = Device::open(&args.device.device, &args.device.python, &settings, threads)?;
    if let Some(name) = device.name() {
        eprintln!("{name}; its answers are ours");
    }
    let version = env!("CARGO_PKG_VERSION");
    let path = args.resume.clone().or(args.run.clone()).unwrap_or_else(|| PathBuf::from(DIRECTORY));
    let training = if let Some(path) = &args.resume {
        Training::resume(path, settings, version)?
    } else {
        args.grid.try_connection()?;
        Training::start(&path, settings, version)?
    };
    let training = match weights {
        Some(weights) => training.with_initial_weights(weights)?,
        None => training,
    };
    let mut training = training.with_device(device).with_clock(unix_time);
    let stop = interrupt::stop_flag()?;
    eprintln!(
        "{}; {} at a time; in {}",
        settings.network,
        text::counted(threads as u64, "thread"),
        path.display()
    );
    if training.generation() > 0 {
        eprintln!("{} were done before.", text::counted(training.generation().into(), "generation"));
    }
    // The shared files of a generation are published when it begins.
    let workers: Option<Arc<Nats>> =
        args.grid.open(Some(&path), true, || Ok(SharedFiles::default()))?.map(Arc::from);
    if let Some(workers) = &workers {
        training.set_remote(Box::new(GridWorkers(Arc::clone(workers))))?;
    }
    let mut screen = Screen::new(workers.clone());
    let mirroring = TrainingMirror::start(place, &path, settings.learning.keep_every, args.resume.is_some());
    let ending = training.run(threads, budget, &stop, &mut |progress| {
        screen.show(progress);
        if let Progress::Done(line) = progress {
            mirroring.generation(line);
        }
    });
    screen.erase();
    if let Some(workers) = &workers {
        workers.finish(matches!(ending, Ok(StopReason::Finished)));
    }
    // Save what was done in every case.
    mirroring.finish(&path, training.generation());
    let ending = ending.map_err(|error| match error {
        error @ (NetError::Torch { .. } | NetError::Evaluator(_)) => anyhow!(
            "{error}; what was finished is kept: `tabia quantum train --resume {}` goes on, there or on another device",
            path.display()
        ),
        error => error.into(),
    })?;
    curves::draw(&path, training.history())?;
    // Losses of different generations hardly compare; without a rating the last network is the better choice, unless asked otherwise.
    let is_rated = training.history().iter().any(|line| !line.scores.is_empty());
    let best = path.join(BEST);
    let network = if (is_rated || settings.learning.best_by_loss > 0) && best.exists() {
        best
    } else {
        path.join(FINAL)
    };
    if args.json {
        let ending = match ending {
            StopReason::Finished => "finished",
            StopReason::TimeLimit => "time",
            StopReason::Stopped => "stopped",
        };
        output::json(&Summary { run: &path, ending, network, generations: training.history() })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut out = io::stdout().lock();
    let learned = || training.history().iter().filter(|line| line.has_learned());
    if let (Some(first), Some(last)) = (learned().next(), learned().next_back()) {
        writeln!(
            out,
            "{}: loss {:.3} in the first, {:.3} in the last",
            text::counted(training.generation().into(), "generation"),
            first.loss,
            last.loss
        )?;
    }
    writeln!(out, "Network: {}", network.display())?;
    let drawn = |name: &&str| path.join(name).exists();
    let curves: Vec<&str> = [curves::LOSSES, curves::SCORES].into_iter().filter(drawn).collect();
    if !curves.is_empty() {
        writeln!(out, "Curves in {}: {}", path.display(), curves.join(", "))?;
    }
    writeln!(out, "Play against it: tabia quantum play --black 'net(weights={})'", network.display())?;
    if ending != StopReason::Finished {
        writeln!(out, "Go on with: tabia quantum train --resume {}", path.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Seconds since 1970.
fn unix_time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

fn list(settings: &Settings) -> anyhow::Result<ExitCode> {
    let mut out = io::stdout().lock();
    writeln!(
        out,
        "network: {} (channels, blocks, value_channels, value_hidden, policy, value)",
        settings.network
    )?;
    for hyperparameter in settings.learning.list() {
        let (min, max) = hyperparameter.range;
        writeln!(
            out,
            "{:<20} {:>10}  {} ({min} to {max})",
            hyperparameter.name, hyperparameter.value, hyperparameter.help
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Shows progress on standard error.
struct Screen {
    terminal: bool,
    shown: Option<Instant>,
    /// Where games are played, if not in this process.
    workers: Option<Arc<Nats>>,
}

impl Screen {
    fn new(workers: Option<Arc<Nats>>) -> Screen {
        Screen { terminal: io::stderr().is_terminal(), shown: None, workers }
    }

    fn show(&mut self, progress: &Progress<'_>) {
        let now = match progress {
            Progress::DamagedCheckpoint(fault) => {
                eprintln!("{fault}; the checkpoint before it is used");
                return;
            }
            Progress::Done(done) => {
                self.erase();
                eprintln!("{}", line(done));
                return;
            }
            Progress::Playing { generation, done, games } => {
                let workers = self.workers.as_ref().map(|workers| format!("; {}", workers.status().line()));
                format!("generation {generation}: {done} of {games} games{}", workers.unwrap_or_default())
            }
            Progress::Learning { generation, done, steps } => {
                format!("generation {generation}: {done} of {steps} steps")
            }
        };
        if self.terminal && self.shown.is_none_or(|shown| shown.elapsed() >= PAUSE) {
            self.shown = Some(Instant::now());
            eprint!("{ERASE_LINE}{now}");
            // Errors of progress output are ignored.
            let _ = io::stderr().flush();
        }
    }

    fn erase(&self) {
        if self.terminal {
            eprint!("{ERASE_LINE}");
        }
    }
}

fn line(line: &GenerationMetrics) -> String {
    let score = |(name, score): (&String, &f64)| format!(", {:.0}% against {name}", 100.0 * score);
    let scores = line.scores.iter().map(score).collect::<Vec<_>>().concat();
    let loss = if line.has_learned() {
        format!("loss {:.3} (policy {:.3}, value {:.3})", line.loss, line.policy_loss, line.value_loss)
    } else {
        "too few samples to learn from".to_owned()
    };
    let games = text::counted(line.games.into(), "game");
    format!(
        "generation {}: {loss}, {games} of {:.0} plies, {} samples{scores}",
        line.generation, line.plies, line.samples
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_generation_without_steps_has_no_loss() {
        let mut metrics = GenerationMetrics {
            generation: 1,
            games: 1,
            plies: 3.0,
            samples: 6,
            ..GenerationMetrics::default()
        };
        assert_eq!(
            line(&metrics),
            "generation 1: too few samples to learn from, 1 game of 3 plies, 6 samples"
        );
        (metrics.loss, metrics.policy_loss, metrics.value_loss) = (4.5, 4.0, 0.5);
        let text = "generation 1: loss 4.500 (policy 4.000, value 0.500), 1 game of 3 plies, 6 samples";
        assert_eq!(line(&metrics), text);
    }
}
