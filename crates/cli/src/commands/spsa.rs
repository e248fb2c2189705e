//! `tabia spsa`: tunes search parameters by games.

use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::Context;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use tabia_draw::line_chart::{LineChart, Series};
use tabia_eval::registry;
use tabia_run::atomic_file;
use tabia_tune::spsa::{Run, Settings, SpsaError};

use crate::failure::Usage;
use crate::{interrupt, output, parallel, text};

/// Interval of progress messages without a terminal.
const QUIET_INTERVAL: Duration = Duration::from_secs(30);
/// File with the current values, for `engine(params=…)`.
const PARAMS: &str = "params.json";
/// Number of plotted parameters: those that moved farthest.
const DRAWN: usize = 6;

/// Arguments of `tabia spsa`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
In every iteration all parameters are perturbed up or down at random. Players with the perturbation meet players with its \
opposite, and the parameters move a step towards the winners. The directory keeps the settings (manifest.toml), the state \
(state.json), the current values (params.json) and a plot (numbers.svg). The same command resumes an interrupted run; the \
result does not depend on the number of threads.

Examples:
  tabia spsa --run tuned
  tabia spsa --run tuned --numbers lmr_base,lmr_slope --iterations 500 --nodes 2000
  tabia match --agent 'new=engine(params=tuned/params.json)' --agent 'old=engine' --sprt 0,5")]
pub struct SpsaArgs {
    /// Directory of the run.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Parameters to tune [default: all except those of time management].
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    numbers: Vec<String>,
    /// Iterations.
    #[arg(long, value_name = "N", default_value_t = Settings::default().iterations)]
    iterations: u32,
    /// Pairs of games per iteration.
    #[arg(long, value_name = "N", default_value_t = Settings::default().pairs)]
    pairs: u32,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = Settings::default().nodes)]
    nodes: u64,
    /// The evaluation that plays.
    #[arg(long, value_name = "NAME", default_value = registry::STRONGEST,
          value_parser = PossibleValuesParser::new(registry::NAMES))]
    eval: String,
    /// Final perturbation, as a share of a parameter's range.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().change)]
    change: f64,
    /// Final step per game won more than lost, as a share of the perturbation.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().step)]
    step: f64,
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

#[derive(Serialize)]
struct Summary {
    iterations: u32,
    of: u32,
    games: u64,
    numbers: Vec<Number>,
}

#[derive(Serialize)]
struct Number {
    name: &'static str,
    before: i32,
    now: f64,
    /// How far it moved, as a share of its range.
    moved: f64,
}

pub fn run(args: &SpsaArgs) -> anyhow::Result<ExitCode> {
    let settings = Settings {
        seed: args.seed,
        evaluation: args.eval.clone(),
        nodes: args.nodes,
        iterations: args.iterations,
        pairs: args.pairs,
        numbers: args.numbers.clone(),
        change: args.change,
        step: args.step,
        ..Settings::default()
    };
    let stop = interrupt::stop_flag()?;
    let mut run = Run::open(&args.run, env!("CARGO_PKG_VERSION"), settings).map_err(|error| match error {
        SpsaError::Setting(why) => anyhow::Error::new(Usage(why)),
        other => other.into(),
    })?;
    let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
    let (started, first, watched) = (Instant::now(), run.state().iterations, io::stderr().is_terminal());
    let mut last = started;
    let mut written = Ok(());
    run.run_to_end(threads, &stop, &mut |run| {
        // Written every time, so that the file is there after a kill.
        written = write_params(&args.run, run);
        if written.is_err() {
            stop.stop();
        }
        if watched || last.elapsed() >= QUIET_INTERVAL {
            last = Instant::now();
            let state = run.state();
            let per_second = f64::from(state.iterations - first) / started.elapsed().as_secs_f64();
            let left = f64::from(run.settings().iterations - state.iterations) / per_second.max(1e-9);
            // Progress that cannot be shown is no error.
            let _ = write!(
                io::stderr(),
                "iteration {} of {}, {} games, {} left{}",
                state.iterations,
                run.settings().iterations,
                text::short_count(state.results.iter().sum()),
                text::duration(Duration::from_secs_f64(left.min(1e9))),
                if watched { "  \r" } else { "\n" }
            );
        }
    })?;
    if watched {
        writeln!(io::stderr())?;
    }
    written?;
    let summary = summary(&run);
    write_params(&args.run, &run)?;
    atomic_file::write_bytes(&args.run.join("numbers.svg"), picture(&run, &summary).as_bytes())?;
    if args.json {
        output::json(&summary)?;
    } else {
        let mut out = io::stdout().lock();
        for number in &summary.numbers {
            writeln!(
                out,
                "{:26} {:6} -> {:8.1}  {:+6.1}% of its range",
                number.name,
                number.before,
                number.now,
                100.0 * number.moved
            )?;
        }
        writeln!(
            out,
            "{} of {} iterations, {} games; engine(params={})",
            summary.iterations,
            summary.of,
            summary.games,
            args.run.join(PARAMS).display()
        )?;
    }
    Ok(if summary.iterations == summary.of { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Writes the file for `engine(params=…)`.
fn write_params(directory: &Path, run: &Run) -> anyhow::Result<()> {
    let params = run.params();
    let numbers: BTreeMap<&str, i32> =
        run.declarations().iter().filter_map(|known| Some((known.name, params.get(known.name)?))).collect();
    let path = directory.join(PARAMS);
    atomic_file::write_bytes(&path, serde_json::to_string_pretty(&numbers)?.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

/// The result, the parameters that moved farthest first.
fn summary(run: &Run) -> Summary {
    let state = run.state();
    let mut numbers: Vec<Number> = run
        .declarations()
        .iter()
        .zip(&state.numbers)
        .map(|(known, now)| Number {
            name: known.name,
            before: known.default,
            now: *now,
            moved: (now - f64::from(known.default)) / f64::from(known.max - known.min),
        })
        .collect();
    numbers.sort_by(|a, b| b.moved.abs().total_cmp(&a.moved.abs()));
    Summary {
        iterations: state.iterations,
        of: run.settings().iterations,
        games: state.results.iter().sum(),
        numbers,
    }
}

/// A point of a plot: x, y, and its error.
type Point = (f64, f64, Option<f64>);

/// Plot of the parameters over the iterations, as shares of their ranges.
fn picture(run: &Run, summary: &Summary) -> String {
    let ways: Vec<(&str, Vec<Point>)> = summary
        .numbers
        .iter()
        .take(DRAWN)
        .filter_map(|number| {
            let at = run.declarations().iter().position(|known| known.name == number.name)?;
            let known = &run.declarations()[at];
            let share = |value: f64| (value - f64::from(known.default)) / f64::from(known.max - known.min);
            let way =
                run.state().trail.iter().map(|(when, numbers)| (f64::from(*when), share(numbers[at]), None));
            Some((number.name, way.collect()))
        })
        .collect();
    let curves: Vec<Series<'_>> = ways.iter().map(|(name, points)| Series { name, points }).collect();
    let subtitle = format!(
        "{} games at {} nodes a move; how far each went, as a share of its range",
        summary.games,
        run.settings().nodes
    );
    LineChart { title: "numbers of the search", subtitle: &subtitle, across: "iterations", curves: &curves }
        .svg()
}
