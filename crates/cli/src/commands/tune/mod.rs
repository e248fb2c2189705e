//! `tabia tune`: an evaluation learns its weights.

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
use crate::{interrupt, output, parallel};
use progress::Progress;

/// What `tabia tune` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Positions come from `tabia datagen`, or from games with `tabia samples`. One in twenty is held out; the weights that \
predict those best are kept. Ctrl-C ends early and keeps the best so far.

The network (--eval nnue) learns on processors by our own arithmetic, or with --device cuda on a GPU, through a Python with PyTorch (--python). Give it files of games (.games): one game in twenty is held out as a \
whole. What it learns on a GPU cannot be repeated bit for bit. Its scores are checked against our own inference at the end.

With --run everything goes into a folder: what was asked, how far it has come after each epoch, the weights, and \
pictures of them and of the loss. The same command goes on where it was interrupted, and ends with the same bytes.

What a part of an evaluation is worth: learn once with it and once --without it, and let the two play. Numbers are named as the lists of a weights file are: \"threats\", \"passed pawns\", \"middlegame control\".

Examples:
  tabia tune data/positions.samples --eval axiomx --run learned
  tabia tune a.samples b.samples --epochs 50 --result-share 0.8 -o field.json
  tabia tune data/positions.samples --without threats --run without-threats
  tabia tune data/shard-*.games --eval nnue --device cuda --run network
  tabia match --agent 'old=engine(eval=axiomx)' --agent 'new=engine(eval=axiomx,weights=learned/weights.json)' --nodes 2000")]
pub struct TuneArgs {
    /// Files of positions.
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Which evaluation learns.
    #[arg(long, value_name = "NAME", default_value = registry::STRONGEST,
          value_parser = PossibleValuesParser::new(registry::WEIGHTED))]
    eval: String,
    /// Where the weights go; DIR/weights.json with --run, if not given.
    #[arg(short, long, value_name = "FILE", required_unless_present = "run")]
    output: Option<PathBuf>,
    /// A folder for all there is to keep.
    #[arg(long, value_name = "DIR")]
    run: Option<PathBuf>,
    /// Begin with these weights rather than with those it has before it learned anything.
    #[arg(long, value_name = "FILE")]
    from: Option<PathBuf>,
    /// Passes over the data [default: 30; 40 for nnue].
    #[arg(long, value_name = "N")]
    epochs: Option<u32>,
    /// Positions a step.
    #[arg(long, value_name = "N", default_value_t = Settings::default().batch)]
    batch: usize,
    /// The first step's size, in centipawns [default: 2]; for nnue the learning rate of AdamW [default: 0.001].
    #[arg(long, value_name = "RATE")]
    rate: Option<f64>,
    /// What is left of it in the last epoch [default: 0.05; 0.00001 for nnue].
    #[arg(long, value_name = "RATE")]
    final_rate: Option<f64>,
    /// How much the game's result counts beside the search's score, from 0 to 1.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().result_share)]
    result_share: f64,
    /// How strongly weights are pulled back to where they began.
    #[arg(long, value_name = "PULL", default_value_t = Settings::default().pull)]
    pull: f64,
    /// Epochs without a better held-out loss after which it ends.
    #[arg(long, value_name = "N", default_value_t = Settings::default().patience)]
    patience: u32,
    /// Do without all numbers that have these words in their names: they are nought, and stay so. May be given more than once.
    #[arg(long, value_name = "WORDS")]
    without: Vec<String>,
    /// Weight decay, for nnue [default: 0.01].
    #[arg(long, value_name = "DECAY")]
    decay: Option<f64>,
    /// The power of the difference in winning chances that is the loss, for nnue [default: 2.5].
    #[arg(long, value_name = "POWER")]
    power: Option<f64>,
    /// Where the arithmetic is done, for nnue [default: cpu].
    #[arg(long, value_name = "DEVICE")]
    device: Option<network::Place>,
    /// The Python that has PyTorch, for nnue.
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,
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

/// What decides what is learned.
#[derive(Serialize)]
struct Asked<'a> {
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
    if args.eval == registry::NETWORK {
        return network::run(args);
    }
    if args.device.is_some() || args.decay.is_some() || args.power.is_some() {
        return Err(Usage("--device, --decay and --power are for --eval nnue".to_owned()).into());
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
        read(path, &mut samples).with_context(|| path.display().to_string())?;
    }
    let lesson = Lesson { args, settings, samples, stop };
    let (summary, whole) =
        registry::with_tunable(&args.eval, lesson).context("clap lets only those through that learn")??;
    if args.json {
        output::json(&summary)?;
    } else {
        writeln!(
            io::stdout(),
            "{} positions, {} weights: held-out loss {:.6} before ({:.6} at its best scale), {:.6} after {} epochs; {}",
            summary.positions,
            summary.parameters,
            summary.loss_before,
            summary.loss_before_scaled,
            summary.loss_after,
            summary.epochs,
            summary.output
        )?;
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// All that is needed but the evaluation.
struct Lesson<'a> {
    args: &'a TuneArgs,
    settings: Settings,
    samples: Vec<Sample>,
    stop: Stop,
}

impl TunableVisitor for Lesson<'_> {
    type Output = anyhow::Result<(Summary, bool)>;

    fn visit<E: Tunable + Sync + 'static>(self, evaluation: E) -> Self::Output {
        let Lesson { args, settings, samples, stop } = self;
        let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
        let from = args.from.as_deref().map(text_of).transpose()?;
        let pupil = match (&from, &args.from) {
            (Some(text), Some(path)) => {
                evaluation.with_file(text).with_context(|| path.display().to_string())?
            }
            _ => evaluation,
        };
        // Before a folder is this run's.
        descent::parameters(&pupil, &settings).map_err(|error| Usage(error.to_string()))?;
        let positions = samples.len();
        let kept = match args.run.as_deref() {
            Some(folder) => Some(Kept::open(folder, &asked(args, &settings, &samples, from.as_deref()))?),
            None => None,
        };
        let left = match &kept {
            Some(kept) => kept.left()?,
            None => None,
        };
        let data = Data::new(&pupil, &samples, threads);
        drop(samples);
        let mut trouble = None;
        let mut progress = Progress::new(&args.eval);
        let state = descent::train(&pupil, &data, &settings, threads, left, &stop, &mut |state| {
            progress.tell(state);
            if let Some(Err(error)) = kept.as_ref().map(|kept| kept.keep(state)) {
                // What cannot be kept need not be gone on with.
                stop.stop();
                trouble.get_or_insert(error);
            }
        })?;
        progress.end();
        trouble.map_or(Ok(()), Err)?;

        let learned = pupil.with_parameters(&state.best).context("the parameters changed their number")?;
        let note = format!(
            "learned from {positions} positions, seed {}: held-out loss {:.6} before, {:.6} after, K {:.6}",
            args.seed, state.before, state.after, state.k
        );
        let output = match (&args.output, &args.run) {
            (Some(file), _) => file.clone(),
            (None, Some(folder)) => folder.join("weights.json"),
            (None, None) => anyhow::bail!("nobody said where the weights go"),
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
            for (name, svg) in pictures::of(&args.eval, &pupil, &learned, &state) {
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

fn asked<'a>(args: &'a TuneArgs, settings: &Settings, samples: &[Sample], from: Option<&str>) -> Asked<'a> {
    let data = samples.iter().fold(0, |sum, sample| fingerprint(sum, &sample.to_bytes()));
    Asked {
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

/// What is kept of a run between its epochs.
struct Kept<'a> {
    folder: &'a Path,
    /// Nobody else works there.
    _held: File,
}

impl<'a> Kept<'a> {
    /// Makes the folder this run's.
    fn open(folder: &'a Path, asked: &Asked<'_>) -> anyhow::Result<Kept<'a>> {
        Ok(Kept { folder, _held: run::claim(folder, "tune", env!("CARGO_PKG_VERSION"), asked)? })
    }

    fn state(&self) -> PathBuf {
        self.folder.join("state.json")
    }

    /// Takes up what it has come to.
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
pub fn read(path: &Path, samples: &mut Vec<Sample>) -> anyhow::Result<()> {
    if path.extension().is_some_and(|extension| extension == "games") {
        return read_games(path, &mut |game| samples.extend(game.samples(FIRST_PLY)));
    }
    let mut reader = Reader::new(BufReader::new(fs::File::open(path)?))?;
    samples.extend(reader.by_ref().collect::<Result<Vec<Sample>, SamplesError>>()?);
    if reader.leftover_bytes() > 0 {
        writeln!(
            io::stderr(),
            "{}: cut short, its last {} bytes are no whole position and are left out",
            path.display(),
            reader.leftover_bytes()
        )?;
    }
    Ok(())
}

/// Hands the games of a file over; says so when it was cut short.
pub fn read_games(path: &Path, take: &mut dyn FnMut(ScoredGame)) -> anyhow::Result<()> {
    let mut reader = games::Reader::new(BufReader::new(fs::File::open(path)?))?;
    for game in reader.by_ref() {
        take(game?);
    }
    if reader.leftover_bytes() > 0 {
        writeln!(
            io::stderr(),
            "{}: cut short, its last {} bytes are no whole game and are left out",
            path.display(),
            reader.leftover_bytes()
        )?;
    }
    Ok(())
}
