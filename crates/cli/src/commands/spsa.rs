//! `tabia spsa`: the numbers of the search, tuned by games.

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

/// How often progress is told where nobody watches.
const QUIET_INTERVAL: Duration = Duration::from_secs(30);
/// The numbers so far, as `engine(params=…)` reads them.
const PARAMS: &str = "params.json";
/// Numbers that the picture shows: those that went farthest.
const DRAWN: usize = 6;

/// What `tabia spsa` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
In every iteration all numbers go a little up or down, by chance; those who play with that change meet those who play with its opposite, and \
the numbers go a step towards the winners. The folder keeps what was asked (manifest.toml), where it stands (state.json), the numbers so far (params.json) \
and a picture of their ways (numbers.svg). The same command goes on where it was interrupted, and ends with the same numbers on any number of threads.

Examples:
  tabia spsa --run tuned
  tabia spsa --run tuned --numbers lmr_base,lmr_slope --iterations 500 --nodes 2000
  tabia match --agent 'new=engine(params=tuned/params.json)' --agent 'old=engine' --sprt 0,5")]
pub struct SpsaArgs {
    /// The folder of the run.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// What is tuned; all numbers but those of the clock if not given.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    numbers: Vec<String>,
    /// Iterations.
    #[arg(long, value_name = "N", default_value_t = Settings::default().iterations)]
    iterations: u32,
    /// Pairs of games an iteration.
    #[arg(long, value_name = "N", default_value_t = Settings::default().pairs)]
    pairs: u32,
    /// Nodes a move.
    #[arg(long, value_name = "N", default_value_t = Settings::default().nodes)]
    nodes: u64,
    /// Who plays.
    #[arg(long, value_name = "NAME", default_value = registry::STRONGEST,
          value_parser = PossibleValuesParser::new(registry::NAMES))]
    eval: String,
    /// How far a number is changed at last, as a share of its range.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().change)]
    change: f64,
    /// How far numbers go at last for a game more won than lost, as a share of the change.
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().step)]
    step: f64,
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
    /// How far it went, as a share of its range.
    moved: f64,
}

/// Tunes.
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
        // Whoever looks in between, or after a kill, finds what there is.
        written = write_params(&args.run, run);
        if written.is_err() {
            stop.stop();
        }
        if watched || last.elapsed() >= QUIET_INTERVAL {
            last = Instant::now();
            let state = run.state();
            let pace = f64::from(state.iterations - first) / started.elapsed().as_secs_f64();
            let left = f64::from(run.settings().iterations - state.iterations) / pace.max(1e-9);
            // Progress that cannot be shown is no reason to stop.
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

/// Writes what `engine(params=…)` reads.
fn write_params(directory: &Path, run: &Run) -> anyhow::Result<()> {
    let params = run.params();
    let numbers: BTreeMap<&str, i32> =
        run.declarations().iter().filter_map(|known| Some((known.name, params.get(known.name)?))).collect();
    let path = directory.join(PARAMS);
    atomic_file::write_bytes(&path, serde_json::to_string_pretty(&numbers)?.as_bytes())
        .with_context(|| format!("cannot write {}", path.display()))
}

/// What came of it, those that went farthest first.
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

/// A point of a curve: across, down, and how sure one is.
type Point = (f64, f64, Option<f64>);

/// The ways that numbers went, as shares of their ranges.
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
