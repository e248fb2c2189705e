//! `tabia quantum selfplay`: self-play games of a network for training, and their speed.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow};
use serde::Serialize;
use tabia_grid::SharedFiles;
use tabia_grid::nats::Nats;
use tabia_mcts::PolicyValue;
use tabia_net::device::{DeviceSpec, Evaluator};
use tabia_net::remote::{GridWorkers, RemoteSelfPlay, SelfPlayEvent, SelfPlaySettings};
use tabia_net::settings::{Hyperparameters, Preset};
use tabia_net::shard::{PlayedGame, Shard};
use tabia_net::{NetError, Network, Weights};
use tabia_quantum::QuantumGame;
use tabia_quantum::agents::HandcraftedEvaluator;
use tabia_run::atomic_file;

use crate::device::{self, DeviceArgs};
use crate::failure::Usage;
use crate::grid::GridArgs;
use crate::numbers::integer;
use crate::{interrupt, output, parallel};

/// Arguments of `tabia quantum selfplay`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Games go to DIR/games-0001.bin as they end; the same command goes on where it was interrupted. The same seed gives the same games, with any number of threads or workers (--grid).

JSON: {\"games\", \"positions\", \"plies\", \"white_score\", \"splits\", \"seconds\", \"positions_per_second\", \"simulations_per_second\"}.

Examples:
  tabia quantum selfplay --games 20 --output games
  tabia quantum selfplay --weights first/best.safetensors --games 1000 --output games --set simulations=100
  tabia quantum selfplay --weights first/best.safetensors --device cuda --threads 32 --set games_at_once=32 --games 10000 --output games")]
pub struct SelfplayArgs {
    /// Who plays: a network's file; without one, the hand-made search.
    #[arg(long, value_name = "FILE")]
    weights: Option<PathBuf>,
    /// Number of games.
    #[arg(long, value_name = "N", default_value = "100", value_parser = integer::<u32>(1..=1_000_000))]
    games: u32,
    /// The folder for the games.
    #[arg(long, value_name = "DIR")]
    output: PathBuf,
    /// Change a setting of training; may be given more than once.
    #[arg(long, value_name = "NAME=VALUE")]
    set: Vec<String>,
    /// Threads. All cores if not given.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    /// The result as JSON.
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    device: DeviceArgs,
    #[command(flatten)]
    grid: GridArgs,
}

#[derive(Copy, Clone, Default, Serialize)]
struct Summary {
    games: usize,
    positions: usize,
    plies: f64,
    white_score: f64,
    splits: f64,
    seconds: f64,
    positions_per_second: f64,
    simulations_per_second: f64,
}

impl Summary {
    /// Two summaries of which neither is a mean yet.
    fn plus(self, other: Summary) -> Summary {
        Summary {
            games: self.games + other.games,
            positions: self.positions + other.positions,
            plies: self.plies + other.plies,
            white_score: self.white_score + other.white_score,
            splits: self.splits + other.splits,
            simulations_per_second: self.simulations_per_second + other.simulations_per_second,
            ..Summary::default()
        }
    }
}

/// What a game adds.
fn of_game(game: &PlayedGame, hyper: &Hyperparameters) -> Summary {
    let full = game.samples.iter().filter(|sample| !sample.moves.is_empty()).count();
    let quick = game.samples.len() - full;
    Summary {
        games: 1,
        positions: game.samples.len(),
        plies: f64::from(game.plies),
        white_score: f64::from(game.points),
        splits: f64::from(game.splits) / 1000.0,
        simulations_per_second: full as f64 * f64::from(hyper.simulations)
            + quick as f64 * f64::from(hyper.quick_simulations),
        ..Summary::default()
    }
}

/// Plays.
pub fn run(args: &SelfplayArgs) -> anyhow::Result<ExitCode> {
    let mut settings = Preset::Small.settings();
    for assignment in &args.set {
        settings.set(assignment).map_err(|error| Usage(error.to_string()))?;
    }
    let hyper = &settings.learning;
    if args.device.device != DeviceSpec::Cpu {
        let why = match (&args.weights, args.grid.is_remote()) {
            (_, true) => Some("with --grid the workers compute"),
            (None, _) => Some("the hand-made search has no network; give one with --weights"),
            _ => None,
        };
        if let Some(why) = why {
            return Err(Usage(format!("--device {}: {why}", args.device.device)).into());
        }
    }
    let weights = args.weights.as_deref().map(Weights::read).transpose()?;
    args.grid.try_connection()?;
    atomic_file::create_directory(&args.output)
        .with_context(|| format!("cannot make {}", args.output.display()))?;
    let (mut shard, before) = Shard::open(&args.output, 1)?;
    let mut there: BTreeSet<u32> = before.iter().map(|game| game.number).collect();
    let stop = interrupt::stop_flag()?;
    let orders = SelfPlaySettings {
        hyper: *hyper,
        simulations: hyper.simulations,
        quick_simulations: hyper.quick_simulations,
        seed: hyper.seed,
    };
    let workers: Option<Arc<Nats>> =
        args.grid.open(Some(&args.output), true, || Ok(SharedFiles::default()))?.map(Arc::from);
    let started = Instant::now();
    let mut played: BTreeMap<u32, Summary> = BTreeMap::new();
    let mut on_event = |event: SelfPlayEvent, there: &mut BTreeSet<u32>| -> Result<(), NetError> {
        match event {
            SelfPlayEvent::Played(game) => {
                shard.add(&game)?;
                there.insert(game.number);
                played.insert(game.number, of_game(&game, hyper));
            }
            SelfPlayEvent::Retracted(games) => {
                shard.remove(&games)?;
                there.retain(|number| !games.contains(number));
                played.retain(|number, _| !games.contains(number));
            }
        }
        Ok(())
    };
    let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
    let pool = args.device.pool(threads, stop.clone());
    let network: Option<Evaluator> = match &weights {
        Some(_) if workers.is_some() => None,
        Some(weights) if args.device.device == DeviceSpec::Cpu => {
            Some(Arc::new(Network::new(weights).without_cache()))
        }
        Some(weights) => Some(pool.evaluator(weights)?),
        None => None,
    };
    device::announce(&pool);
    let whole = loop {
        let missing: Vec<u32> = (0..args.games).filter(|number| !there.contains(number)).collect();
        let went_on = if let Some(workers) = &workers {
            let grid_workers = GridWorkers(Arc::clone(workers));
            let went_on = grid_workers
                .play(&orders, weights.as_ref(), &missing, &stop, &mut |event| on_event(event, &mut there));
            if went_on.is_err() {
                workers.finish(false);
            }
            went_on?
        } else {
            let evaluator: &dyn PolicyValue<QuantumGame> = match &network {
                Some(network) => &**network,
                None => &HandcraftedEvaluator,
            };
            let played = orders.local(threads).play(evaluator, &missing, &stop, &mut |game| {
                on_event(SelfPlayEvent::Played(Box::new(game)), &mut there)
            });
            played.map_err(|error| match error {
                NetError::Evaluator(why) => {
                    anyhow!("{why}; games that were over are kept, and the same command goes on")
                }
                error => error.into(),
            })?
        };
        // EarlierResult games may have been retracted while others were played.
        let whole = there.len() == args.games as usize;
        if whole || !went_on || stop.is_stopped() {
            break whole;
        }
    };
    if let Some(workers) = workers {
        workers.finish(whole);
    }
    let mut sum = played.into_values().fold(Summary::default(), Summary::plus);
    if whole {
        shard.finish()?;
    }
    sum.seconds = started.elapsed().as_secs_f64();
    let games = sum.games.max(1) as f64;
    for mean in [&mut sum.plies, &mut sum.white_score, &mut sum.splits] {
        *mean /= games;
    }
    sum.positions_per_second = sum.positions as f64 / sum.seconds;
    sum.simulations_per_second /= sum.seconds;
    if args.json {
        output::json(&sum)?;
    } else {
        writeln!(
            io::stdout(),
            "{} games of {:.0} plies, {:.0}% for White, {:.0}% of the moves split; {:.0} positions and {:.0} simulations a second",
            sum.games,
            sum.plies,
            100.0 * sum.white_score,
            100.0 * sum.splits,
            sum.positions_per_second,
            sum.simulations_per_second
        )?;
    }
    Ok(if whole { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}
