//! `tabia datagen`: training positions by self-play.

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use anyhow::bail;
use clap::builder::PossibleValuesParser;
use serde::Serialize;
use tabia_eval::registry;
use tabia_search::{bench, engine};
use tabia_tune::datagen::{self, Run, Settings, pack, shards, task};

use crate::failure::Usage;
use crate::grid::{BENCH_DEPTH, GridArgs, RunGrid};
use crate::{files, interrupt, output, parallel, text};

/// Interval of progress messages without a terminal.
const QUIET_INTERVAL: Duration = Duration::from_secs(30);

/// Arguments of `tabia datagen`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The directory holds the games in shards (.games), each written atomically, and a manifest with the settings. The same \
command resumes an interrupted run; one with other settings is refused. At the end the quiet positions are packed into \
one file, without duplicates and in random order.

Examples:
  tabia datagen --run data --games 1000
  tabia datagen --run data --games 100000 --grid nats://localhost:4222
  tabia datagen --run data --games 100000 --nodes 5000 --threads 2 --output positions.samples")]
pub struct DatagenArgs {
    /// Directory of the run.
    #[arg(long, value_name = "DIR")]
    run: PathBuf,
    /// Number of games, rounded up to a multiple of 64.
    #[arg(long, value_name = "N", default_value = "1000")]
    games: NonZero<u64>,
    /// Nodes per move.
    #[arg(long, value_name = "N", default_value_t = Settings::default().nodes)]
    nodes: u64,
    /// The evaluation that plays.
    #[arg(long, value_name = "NAME", default_value = registry::STRONGEST,
          value_parser = PossibleValuesParser::new(registry::NAMES))]
    eval: String,
    /// Seed of all randomness.
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// Number of threads; the result does not depend on it [default: all cores].
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// The packed file [default: DIR/positions.samples].
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Play no games, only pack the existing shards.
    #[arg(long)]
    pack_only: bool,
    /// The result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    grid: GridArgs,
}

#[derive(Serialize)]
struct Summary {
    games: u64,
    positions: u64,
    repeated: u64,
    positions_per_second: f64,
    positions_per_second_a_core: f64,
    output: Option<String>,
}

/// Plays and packs.
pub fn run(args: &DatagenArgs) -> anyhow::Result<ExitCode> {
    let settings =
        Settings { seed: args.seed, nodes: args.nodes, evaluation: args.eval.clone(), ..Settings::default() };
    if let Some(path) = &args.output {
        files::refuse_nowhere(path)?;
    }
    let stop = interrupt::stop_flag()?;
    let _held = if args.pack_only {
        stop.stop();
        None
    } else {
        settings.check().map_err(|error| Usage(error.to_string()))?;
        args.grid.try_connection()?;
        let bench = bench::run(&args.eval, &engine::Settings::default(), BENCH_DEPTH, &mut |_, _, _| {})?;
        let run = Run { settings: &settings, bench_depth: BENCH_DEPTH, bench_nodes: bench.nodes };
        Some(datagen::claim(&args.run, env!("CARGO_PKG_VERSION"), &run)?)
    };
    let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
    let count = args.games.get().div_ceil(settings.shard_games.into());
    let directory = (!args.pack_only).then_some(&*args.run);
    let workers = args.grid.open(directory, true, || Ok(task::shared(&settings)))?;
    let place =
        workers.map_or_else(|| RunGrid::Threads(task::on_threads(&settings, threads)), RunGrid::Workers);
    let (started, watched) = (Instant::now(), io::stderr().is_terminal());
    let mut last = started;
    let done = shards::make(&args.run, &settings, count, place.grid(), &stop, &mut |progress| {
        if watched || last.elapsed() >= QUIET_INTERVAL {
            last = Instant::now();
            let rate = (progress.samples - progress.found) as f64 / started.elapsed().as_secs_f64();
            let end = if watched { "\r" } else { "\n" };
            // Progress that cannot be shown is no reason to stop.
            let _ = write!(
                io::stderr(),
                "{} of {} games, {} positions, {rate:.0} a second{}{end}",
                progress.shards * u64::from(settings.shard_games),
                progress.of * u64::from(settings.shard_games),
                text::short_count(progress.samples),
                place.status().map(|status| format!("; {}", status.line())).unwrap_or_default(),
            );
        }
    });
    place.finish(done.as_ref().is_ok_and(|done| done.shards == done.of));
    let done = done?;
    if watched {
        writeln!(io::stderr())?;
    }
    let rate = (done.samples - done.found) as f64 / started.elapsed().as_secs_f64().max(1e-9);
    let mut summary = Summary {
        games: done.shards * u64::from(settings.shard_games),
        positions: done.samples,
        repeated: 0,
        positions_per_second: rate,
        positions_per_second_a_core: rate / threads as f64,
        output: None,
    };
    let whole = done.shards == done.of;
    if whole || args.pack_only {
        let output = args.output.clone().unwrap_or_else(|| args.run.join("positions.samples"));
        let there: Vec<u64> = (0..count).filter(|number| shards::path(&args.run, *number).exists()).collect();
        if there.is_empty() {
            bail!("{} has no shards (.games) to pack", args.run.display());
        }
        let packed = pack::pack(&args.run, there, settings.first_ply as u16, args.seed, &output)?;
        summary.positions = packed.samples;
        summary.repeated = packed.repeated;
        if packed.cut_short > 0 {
            writeln!(io::stderr(), "{} files were cut short and lost their last game", packed.cut_short)?;
        }
        summary.output = Some(output.display().to_string());
    }
    if args.json {
        output::json(&summary)?;
    } else {
        match &summary.output {
            Some(file) => writeln!(
                io::stdout(),
                "{} of {} in {file} ({} seen twice); {rate:.0} a second, {:.0} a second a core",
                text::counted(summary.positions, "position"),
                text::counted(summary.games, "game"),
                summary.repeated,
                summary.positions_per_second_a_core
            )?,
            None => writeln!(
                io::stdout(),
                "interrupted after {} of {} games; the same command goes on",
                summary.games,
                done.of * u64::from(settings.shard_games)
            )?,
        }
    }
    Ok(if whole || args.pack_only { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
