//! `tabia tune`: trains the weights of an evaluation.

mod network;
mod pictures;
mod progress;

use std::fs::{self, File};
use std::io::{self, BufReader, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use tabia_core::{Stop, seed};
use tabia_eval::registry::{self, TunableVisitor};
use tabia_eval::tuning::Tunable;
use tabia_run::atomic_file;
use tabia_tune::descent::{self, Data, Settings, State};
use tabia_tune::exchange::FIRST_PLY;
use tabia_tune::games::{self, ScoredGame};
use tabia_tune::samples::Reader;
use tabia_tune::{Sample, run, samples::SamplesError};

use crate::failure::Usage;
use crate::{files, interrupt, output, parallel, text};
use progress::Progress;

/// Arguments of `tabia tune`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Positions come from `tabia datagen`, or from games with `tabia samples`. One in 20 is held out for validation, and the \
weights with the lowest validation loss are kept. Ctrl-C stops early and keeps the best weights so far.

The network (--eval nnue) is trained on CPUs by our own code, or with --device cuda on a GPU through a Python \
interpreter with PyTorch (--python). Give it files of games (.games): one game in 20 is held out as a whole. Training on \
a GPU is not reproducible bit for bit. At the end the scores are compared with our own inference.

With --run a directory holds the settings, the state after each epoch, the weights, and plots of them and of the loss. \
The same command resumes an interrupted run, and ends with the same bytes.

To measure the value of a part of an evaluation, train with it and --without it, and play a match. Weights have the \
names of the lists in a weight file: \"threats\", \"passed pawns\", \"middlegame control\".

Examples:
  tabia tune data/positions.samples --eval axiomx --run learned
  tabia tune a.samples b.samples --epochs 50 --result-share 0.8 -o field.json
  tabia tune data/positions.samples --without threats --run without-threats
  tabia tune data/shard-*.games --eval nnue --device cuda --run network
  tabia tune data/shard-*.games --eval nnue --device cuda --king-buckets 4 --hidden 512 --run larger
  tabia match --agent 'old=engine(eval=axiomx)' --agent 'new=engine(eval=axiomx,weights=learned/weights.json)' --nodes 2000")]
pub struct TuneArgs {
    /// Files of training positions.
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// The evaluation to train.
    #[arg(long, value_name = "NAME", default_value = "field",
          value_parser = PossibleValuesParser::new(registry::WEIGHTED))]
    eval: String,
    /// Output file of the weights [default with --run: DIR/weights.json].
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Directory of the run: settings, state, weights and plots.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Start from these weights instead of the initial ones.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Number of epochs [default: 30; 40 for nnue].
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,
    /// Batch size in positions.
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch)]
    batch: usize,
    /// Initial step size in centipawns [default: 2]; for nnue the initial learning rate of AdamW [default: 0.001].
    #[arg(long, value_name = "RATE")]
    rate: Option<f64>,
    /// Final step size as a fraction of the initial one [default: 0.05]; for nnue the final learning rate [default: 0.00001].
    #[arg(long, value_name = "RATE")]
    final_rate: Option<f64>,
    /// Weight of the game's result in the target, from 0 to 1; the rest is the search's score.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().result_share)]
    result_share: f64,
    /// Strength of the pull towards the initial weights (L2 regularisation).
    #[arg(long, value_name = "PULL", default_value_t = Settings::default().pull)]
    pull: f64,
    /// Early stopping: epochs without a lower validation loss.
    #[arg(long, value_name = "N", default_value_t = Settings::default().patience)]
    patience: u32,
    /// Fix all weights with these words in their names to zero (ablation). May be given more than once.
    #[arg(long, value_name = "WORDS")]
    without: Vec<String>,
    /// Weight decay, for nnue [default: 0.01].
    #[arg(long, value_name = "DECAY")]
    decay: Option<f64>,
    /// Exponent of the difference of win probabilities in the loss, for nnue [default: 2.5].
    #[arg(long, value_name = "POWER")]
    power: Option<f64>,
    /// Weight of later scores of a game in a position's target, TD(λ), for nnue; from 0 to less than 1 [default: 0.5].
    #[arg(long, value_name = "LAMBDA")]
    lambda: Option<f64>,
    /// Steepness of the logistic function from centipawns to win probabilities, for nnue [default: fitted to results].
    #[arg(long, value_name = "K")]
    steepness: Option<f64>,
    /// Hidden units per side, for nnue: 256, 384 or 512 [default: 256].
    #[arg(long, value_name = "N")]
    hidden: Option<usize>,
    /// Tables of input weights, chosen by the square of the own king, for nnue: 1, 4 or 8 [default: 1].
    #[arg(long, value_name = "N")]
    king_buckets: Option<usize>,
    /// Training device, for nnue [default: cpu].
    #[arg(long, value_name = "DEVICE")]
    device: Option<network::DeviceChoice>,
    /// A Python interpreter with PyTorch, for nnue.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,
    /// Seed of all randomness.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of threads; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// The result as JSON.
    #[arg(long)]
    json: bool,
}

/// Everything that determines the result, for the manifest.
#[derive(Serialize)]
struct ManifestSettings<'a> {
    evaluation: &'a str,
    positions: usize,
    data: String,
    from: Option<String>,
    #[serde(serialize_with = "run::as_text")]
    seed: u64,
    epochs: u32,
    batch: usize,
    rate: f64,
    final_rate: f64,
    result_share: f64,
    pull: f64,
    patience: u32,
    #[serde(skip_serializing_if = "<[String]>::is_empty")]
    without: &'a [String],
}

#[derive(Serialize)]
struct Summary {
    evaluation: String,
    positions: usize,
    parameters: usize,
    k: f64,
    loss_before: f64,
    loss_before_scaled: f64,
    loss_after: f64,
    epochs: usize,
    output: String,
}

/// Learns.
pub fn run(args: &TuneArgs) -> anyhow::Result<ExitCode> {
    for path in &args.data {
        // Ctrl-C and SIGTERM only set a flag, which nobody looks at while a pipe is waited for.
        if fs::metadata(path).is_ok_and(|there| !there.is_file()) {
            return Err(Usage(format!(
                "{} is not a regular file, expected training positions (.samples or .games)",
                path.display()
            ))
            .into());
        }
    }
    if let Some(path) = &args.output {
        files::refuse_nowhere(path)?;
    }
    if args.eval == registry::NETWORK {
        return network::run(args);
    }
    let of_networks = [args.decay, args.power, args.lambda, args.steepness];
    let shapes = [args.hidden, args.king_buckets];
    if args.device.is_some() || of_networks.iter().any(Option::is_some) || shapes.iter().any(Option::is_some)
    {
        return Err(Usage(
            "--device, --decay, --power, --lambda, --steepness, --hidden and --king-buckets need --eval nnue"
                .to_owned(),
        )
        .into());
    }
    if args.output.is_none() && args.run.is_none() {
        return Err(Usage("the weights need a place: give -o FILE or --run DIR".to_owned()).into());
    }
    let usual = Settings::default();
    let settings = Settings {
        seed: args.seed,
        epochs: args.epochs.unwrap_or(usual.epochs),
        batch: args.batch,
        rate: args.rate.unwrap_or(usual.rate),
        final_rate: args.final_rate.unwrap_or(usual.final_rate),
        result_share: args.result_share,
        pull: args.pull,
        patience: args.patience,
        without: args.without.clone(),
    };
    settings.check().map_err(|error| Usage(error.to_string()))?;
    let stop = interrupt::stop_flag()?;
    let mut samples = Vec::new();
    for path in &args.data {
        read(path, &mut samples).with_context(|| format!("cannot read {}", path.display()))?;
    }
    let job = TrainingJob { args, settings, samples, stop };
    let (summary, whole) = registry::with_tunable(&args.eval, job)
        .context("clap accepts only evaluations that can be trained")??;
    if args.json {
        output::json(&summary)?;
    } else {
        writeln!(
            io::stdout(),
            "{}, {}: held-out loss {:.6} before ({:.6} at its best scale), {:.6} after {}; {}",
            text::counted(summary.positions as u64, "position"),
            text::counted(summary.parameters as u64, "weight"),
            summary.loss_before,
            summary.loss_before_scaled,
            summary.loss_after,
            text::counted(summary.epochs as u64, "epoch"),
            summary.output
        )?;
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All that is needed but the evaluation.
struct TrainingJob<'a> {
    args: &'a TuneArgs,
    settings: Settings,
    samples: Vec<Sample>,
    stop: Stop,
}

impl TunableVisitor for TrainingJob<'_> {
    type Output = anyhow::Result<(Summary, bool)>;

    fn visit<E: Tunable + Sync + 'static>(self, evaluation: E) -> Self::Output {
        let TrainingJob { args, settings, samples, stop } = self;
        let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
        let from = args.from.as_deref().map(text_of).transpose()?;
        let evaluation = match (&from, &args.from) {
            (Some(text), Some(path)) => {
                evaluation.with_file(text).with_context(|| path.display().to_string())?
            }
            _ => evaluation,
        };
        // Before a folder is this run's.
        descent::parameters(&evaluation, &settings).map_err(|error| Usage(error.to_string()))?;
        let positions = samples.len();
        let kept = match args.run.as_deref() {
            Some(folder) => {
                Some(Kept::open(folder, &manifest_settings(args, &settings, &samples, from.as_deref()))?)
            }
            None => None,
        };
        let left = match &kept {
            Some(kept) => kept.left()?,
            None => None,
        };
        let data = Data::new(&evaluation, &samples, threads);
        drop(samples);
        let mut trouble = None;
        let mut progress = Progress::new(&args.eval);
        let state = descent::train(&evaluation, &data, &settings, threads, left, &stop, &mut |state| {
            progress.tell(state);
            if let Some(Err(error)) = kept.as_ref().map(|kept| kept.keep(state)) {
                // Without a saved state, going on makes no sense.
                stop.stop();
                trouble.get_or_insert(error);
            }
        })?;
        progress.end();
        trouble.map_or(Ok(()), Err)?;

        let learned = evaluation.with_parameters(&state.best).context("the number of parameters changed")?;
        let note = format!(
            "learned from {positions} positions, seed {}: held-out loss {:.6} before, {:.6} after, K {:.6}",
            args.seed, state.before, state.after, state.k
        );
        let output = match (&args.output, &args.run) {
            (Some(file), _) => file.clone(),
            (None, Some(folder)) => folder.join("weights.json"),
            (None, None) => anyhow::bail!("no output file was given for the weights"),
        };
        write(&output, learned.file(&note).as_bytes())?;
        let summary = Summary {
            evaluation: args.eval.clone(),
            positions,
            parameters: state.best.len(),
            k: state.k,
            loss_before: state.before,
            loss_before_scaled: state.before_scaled,
            loss_after: state.after,
            epochs: state.epochs.len(),
            output: output.display().to_string(),
        };
        if let Some(kept) = &kept {
            for (name, svg) in pictures::of(&args.eval, &evaluation, &learned, &state) {
                write(&kept.folder.join(name), svg.as_bytes())?;
            }
            let mut result =
                serde_json::to_string_pretty(&Summary { output: ".".to_owned(), ..clone(&summary) })?;
            result.push('\n');
            write(&kept.folder.join("result.json"), result.as_bytes())?;
        }
        Ok((summary, !stop.is_stopped()))
    }
}

fn clone(summary: &Summary) -> Summary {
    Summary { evaluation: summary.evaluation.clone(), output: summary.output.clone(), ..*summary }
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    atomic_file::write_bytes(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

fn manifest_settings<'a>(
    args: &'a TuneArgs,
    settings: &Settings,
    samples: &[Sample],
    from: Option<&str>,
) -> ManifestSettings<'a> {
    let data = samples.iter().fold(0, |sum, sample| fingerprint(sum, &sample.to_bytes()));
    ManifestSettings {
        evaluation: &args.eval,
        positions: samples.len(),
        data: format!("{data:016x}"),
        from: from.map(|text| format!("{:016x}", fingerprint(0, text.as_bytes()))),
        seed: settings.seed,
        epochs: settings.epochs,
        batch: settings.batch,
        rate: settings.rate,
        final_rate: settings.final_rate,
        result_share: settings.result_share,
        pull: settings.pull,
        patience: settings.patience,
        without: &args.without,
    }
}

/// Bytes by a number that other bytes hardly have.
fn fingerprint(sum: u64, bytes: &[u8]) -> u64 {
    bytes.chunks(8).fold(sum, |sum, chunk| {
        let mut word = [0; 8];
        word[..chunk.len()].copy_from_slice(chunk);
        seed::derive(sum, u64::from_le_bytes(word))
    })
}

/// The run directory of a training.
struct Kept<'a> {
    folder: &'a Path,
    /// The lock of the directory.
    _held: File,
}

impl<'a> Kept<'a> {
    /// Creates or opens the run directory.
    fn open(folder: &'a Path, settings: &ManifestSettings<'_>) -> anyhow::Result<Kept<'a>> {
        Ok(Kept { folder, _held: run::claim(folder, "tune", env!("CARGO_PKG_VERSION"), settings)? })
    }

    fn state(&self) -> PathBuf {
        self.folder.join("state.json")
    }

    /// The saved state, if there is one.
    fn left(&self) -> anyhow::Result<Option<State>> {
        let path = self.state();
        if !path.exists() {
            return Ok(None);
        }
        let state = serde_json::from_str(&text_of(&path)?).with_context(|| path.display().to_string())?;
        Ok(Some(state))
    }

    fn keep(&self, state: &State) -> anyhow::Result<()> {
        write(&self.state(), serde_json::to_string(state)?.as_bytes())
    }
}

/// Adds the samples of a file; says so when it was cut short.
fn read(path: &Path, samples: &mut Vec<Sample>) -> anyhow::Result<()> {
    if path.extension().is_some_and(|extension| extension == "games") {
        return read_games(path, &mut |game| samples.extend(game.samples(FIRST_PLY)));
    }
    let mut reader = Reader::new(BufReader::new(fs::File::open(path)?))?;
    samples.extend(reader.by_ref().collect::<Result<Vec<Sample>, SamplesError>>()?);
    files::say_if_cut_short(path, reader.leftover_bytes() as u64, "position")
}

/// Reads the games of a file; reports a truncated one.
fn read_games(path: &Path, take: &mut dyn FnMut(ScoredGame)) -> anyhow::Result<()> {
    let mut reader = games::Reader::new(BufReader::new(fs::File::open(path)?))?;
    for game in reader.by_ref() {
        take(game?);
    }
    files::say_if_cut_short(path, reader.leftover_bytes(), "game")
}
