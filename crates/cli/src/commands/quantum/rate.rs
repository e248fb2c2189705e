//! `tabia quantum rate`: measures networks against fixed opponents, generation by generation.

use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets};
use serde::{Deserialize, Serialize};
use tabia_core::Stop;
use tabia_draw::{LineChart, Series};
use tabia_net::checkpoint::{self, Checkpoint};
use tabia_net::device::{DevicePool, Evaluator};
use tabia_net::rating::{self, MatchSettings, OPPONENTS};
use tabia_net::{NetError, Training, Weights};
use tabia_run::atomic_file;
use tabia_stats::ratings::{self, Advantage, EncounterScore};
use tabia_stats::{Estimate, Tally};

use crate::device::DeviceArgs;
use crate::failure::Usage;
use crate::numbers::integer;
use crate::{interrupt, output, parallel};

/// File name of the ratings.
const RATINGS: &str = "ratings.json";
/// File name of their plot.
const PICTURE: &str = "ratings.svg";
/// Default output directory if no training's directory is given.
const DIRECTORY: &str = "ratings";

/// Arguments of `tabia quantum rate`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each network plays `random`, `greedy` and `mcts(simulations=800)`. Of a training's directory these are the networks of its checkpoints: every tenth is kept (`keep_every`), and the \
last two. A file is a network as a training writes it, `40=FILE` that of generation 40.

DIR/ratings.json is written after every match and DIR/ratings.svg draws it; the same command goes on where it was interrupted, and plays no match twice. DIR is the training's own directory \
unless --output names another.

With --among every network plays every other, and ratings are fitted to all games together (Bradley and Terry; 95% errors; their mean is 0). Matches are kept in ratings.json \
too, with the other network's SHA-256 as the opponent. A network that is given twice plays once: final.safetensors is often that of the last checkpoint.

JSON: {\"ratings\": [{\"generation\", \"network\", \"opponent\", \"games\", \"simulations\", \"seed\", \"wins\", \"draws\", \"losses\", \"pentanomial\"}]}; with --among also \
\"among\": [{\"generation\", \"network\", \"elo\", \"error\", \"games\", \"points\"}].

Examples:
  tabia quantum rate training --games 20
  tabia quantum rate training --every 4 --simulations 200 --against greedy
  tabia quantum rate training --every 20 --among --games 40
  tabia quantum rate training --among --games 400 --device cuda:0,cuda:1 --threads 64
  tabia quantum rate 0=first.safetensors 100=second.safetensors --output compared")]
pub struct RateArgs {
    /// A training's directory, or networks as FILE or GENERATION=FILE.
    #[arg(value_name = "WHAT", required = true)]
    what: Vec<String>,
    /// Of a directory, only generations that are multiples of this, and the last.
    #[arg(long, value_name = "N", default_value = "1")]
    every: NonZero<u32>,
    /// Only against this opponent; may be given more than once.
    #[arg(long, value_name = "AGENT", value_parser = PossibleValuesParser::new(OPPONENTS))]
    against: Vec<String>,
    /// Networks against one another instead: a round robin with jointly fitted ratings. The fixed opponents say nothing any more once a network wins all games against them.
    #[arg(long, conflicts_with = "against")]
    among: bool,
    /// Games against each opponent, in pairs with colours changed.
    #[arg(long, value_name = "N", default_value = "20", value_parser = integer::<u32>(2..=100_000))]
    games: u32,
    /// The network's simulations per move.
    #[arg(long, value_name = "N", default_value = "64", value_parser = integer::<u32>(2..=1_000_000))]
    simulations: u32,
    /// Seed of all randomness.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Games at a time; the result is the same for any number. All cores if not given.
    #[arg(long, value_name = "N")]
    threads: Option<NonZero<usize>>,
    #[command(flatten)]
    device: DeviceArgs,
    /// Where ratings are kept.
    #[arg(long, short, value_name = "DIR")]
    output: Option<PathBuf>,
    /// The result as JSON.
    #[arg(long)]
    json: bool,
}

impl RateArgs {
    fn opponents(&self) -> Vec<&'static str> {
        let is_asked =
            |name: &str| self.against.is_empty() || self.against.iter().any(|requested| requested == name);
        OPPONENTS.into_iter().filter(|name| is_asked(name)).collect()
    }
}

#[derive(Clone, Debug, Default, Serialize, Deserialize)]
struct Ratings {
    ratings: Vec<Rating>,
}

impl Ratings {
    /// The match of a network that was played with these arguments.
    fn find(&self, network: &str, opponent: &str, args: &RateArgs) -> Option<&Rating> {
        self.ratings.iter().find(|rating| {
            (rating.network == network && rating.opponent == opponent)
                && (rating.games, rating.simulations, rating.seed)
                    == (args.games, args.simulations, args.seed)
        })
    }
}

/// A network among others.
#[derive(Clone, Debug, Serialize)]
struct Standing {
    generation: u32,
    network: String,
    elo: Option<f64>,
    /// 95%, relative to the mean of all.
    error: Option<f64>,
    games: u64,
    points: f64,
}

#[derive(Serialize)]
struct Among<'a> {
    among: &'a [Standing],
    ratings: &'a [Rating],
}

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Rating {
    generation: u32,
    /// SHA-256 of the network's weights.
    network: String,
    opponent: String,
    games: u32,
    simulations: u32,
    seed: u64,
    #[serde(flatten)]
    tally: Tally,
}

impl Rating {
    fn new(generation: u32, network: &str, opponent: &str, tally: Tally, args: &RateArgs) -> Rating {
        Rating {
            generation,
            network: network.to_owned(),
            opponent: opponent.to_owned(),
            games: args.games,
            simulations: args.simulations,
            seed: args.seed,
            tally,
        }
    }

    /// Elo difference to the opponent and its error. One draw is added, so that the estimate is finite even if every
    /// game was won.
    fn elo(&self) -> (f64, Option<f64>) {
        let Tally { wins, draws, losses, .. } = self.tally;
        let estimate = Estimate::of_games([losses, draws + 1, wins]);
        (estimate.elo.unwrap_or_default(), estimate.elo_error_95)
    }
}

/// A network and where it comes from.
struct Candidate {
    generation: u32,
    weights: Weights,
}

/// Rates.
pub fn run(args: &RateArgs) -> anyhow::Result<ExitCode> {
    let mut candidates = Vec::new();
    for what in &args.what {
        candidates.extend(named(what, args.every, candidates.len())?);
    }
    let first = Path::new(&args.what[0]);
    let own = if first.is_dir() { first.to_owned() } else { PathBuf::from(DIRECTORY) };
    let directory = args.output.clone().unwrap_or(own);
    fs::create_dir_all(&directory).with_context(|| format!("cannot make {}", directory.display()))?;
    let file = directory.join(RATINGS);
    let mut known = read(&file)?;
    let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
    let terms = MatchSettings { games: args.games, simulations: args.simulations, seed: args.seed, threads };
    let stop = interrupt::stop_flag()?;
    let pool = args.device.pool(threads, stop.clone());
    if args.among {
        return among(args, &candidates, terms, &file, known, &pool, &stop);
    }
    let mut requested = Ratings::default();
    for Candidate { generation, weights } in &candidates {
        let network = weights.checksum();
        let player = pool.evaluator(weights)?;
        for opponent in args.opponents() {
            if let Some(before) = known.find(&network, opponent, args) {
                requested.ratings.push(Rating { generation: *generation, ..before.clone() });
                continue;
            }
            let Some(tally) = rating::play_opponent(&player, opponent, terms, &stop) else {
                return interrupted(&pool, &file);
            };
            let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
            eprintln!("generation {generation} against {opponent}: +{wins} ={draws} -{losses}");
            let rating = Rating::new(*generation, &network, opponent, tally, args);
            known.ratings.push(rating.clone());
            requested.ratings.push(rating);
            keep(&file, &known)?;
        }
    }
    requested.ratings.sort_by_key(|rating| rating.generation);
    draw(&directory.join(PICTURE), &requested.ratings, args)?;
    if args.json {
        output::json(&requested)?;
    } else {
        print(&requested.ratings)?;
        writeln!(io::stdout(), "{}, {PICTURE}", file.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// What is said when matches did not end, by Ctrl-C or because a device failed.
fn interrupted(pool: &DevicePool, file: &Path) -> anyhow::Result<ExitCode> {
    let kept = format!("matches that were over are kept in {}", file.display());
    if let Some(error) = pool.failure() {
        return Err(anyhow!("{error}; {kept}"));
    }
    eprintln!("Interrupted: {kept}.");
    Ok(ExitCode::FAILURE)
}

/// Each network once, however often it is given: the index of the first candidate that has it, and for each candidate which of these
/// networks it is.
fn distinct(checksums: &[String]) -> (Vec<usize>, Vec<usize>) {
    let mut networks: Vec<usize> = Vec::new();
    let of = |(at, checksum): (usize, &String)| {
        networks.iter().position(|known| checksums[*known] == *checksum).unwrap_or_else(|| {
            networks.push(at);
            networks.len() - 1
        })
    };
    let which = checksums.iter().enumerate().map(of).collect();
    (networks, which)
}

/// Every network against every other.
fn among(
    args: &RateArgs,
    candidates: &[Candidate],
    terms: MatchSettings,
    file: &Path,
    mut known: Ratings,
    pool: &DevicePool,
    stop: &Stop,
) -> anyhow::Result<ExitCode> {
    let checksums: Vec<String> = candidates.iter().map(|candidate| candidate.weights.checksum()).collect();
    let (networks, which) = distinct(&checksums);
    if networks.len() < 2 {
        return Err(Usage("--among needs two networks that differ, 1 given".to_owned()).into());
    }
    // A player is one of the distinct networks, by its index in `networks`.
    let generation = |player: usize| candidates[networks[player]].generation;
    let checksum = |player: usize| checksums[networks[player]].as_str();
    let players: Vec<Evaluator> = networks
        .iter()
        .map(|candidate| pool.evaluator(&candidates[*candidate].weights))
        .collect::<Result<_, NetError>>()?;
    let all: Vec<(usize, usize)> = (0..players.len())
        .flat_map(|first| (first + 1..players.len()).map(move |second| (first, second)))
        .collect();
    let missing: Vec<(usize, usize)> = all
        .iter()
        .copied()
        .filter(|(first, second)| known.find(checksum(*first), checksum(*second), args).is_none())
        .collect();
    let pairs: Vec<_> = missing.iter().map(|(first, second)| [&players[*first], &players[*second]]).collect();
    let mut kept = Ok(());
    let is_complete = rating::network_matches(&pairs, terms, stop, &mut |at, tally| {
        let (first, second) = missing[at];
        let (one, other) = (generation(first), generation(second));
        eprintln!("generation {one} against {other}: +{} ={} -{}", tally.wins, tally.draws, tally.losses);
        known.ratings.push(Rating::new(one, checksum(first), checksum(second), tally, args));
        if kept.is_ok() {
            kept = keep(file, &known);
        }
        // No use in playing what cannot be kept.
        if kept.is_err() {
            stop.stop();
        }
    });
    kept?;
    if !is_complete {
        return interrupted(pool, file);
    }
    let (mut matches, mut scores) = (Vec::new(), Vec::new());
    for (first, second) in all {
        let rating = known
            .find(checksum(first), checksum(second), args)
            .context("a match that was played is known")?;
        let Tally { wins, draws, losses, pentanomial } = rating.tally;
        matches.push(Rating { generation: generation(first), ..rating.clone() });
        // Every opening is played with both colours: the first move's advantage cancels, and is not fitted.
        let as_white = [losses, draws, wins];
        scores.push(EncounterScore { as_white, pentanomial, ..EncounterScore::new(first, second) });
    }
    let fitted = ratings::fit_with(players.len(), &scores, &[], Advantage::Fixed(0.0))?;
    let standing = |(candidate, player): (&Candidate, &usize)| {
        let rating = fitted.of(*player);
        Standing {
            generation: candidate.generation,
            network: checksum(*player).to_owned(),
            elo: rating.and_then(|rating| rating.elo),
            error: rating.and_then(|rating| rating.elo_error_95),
            games: rating.map_or(0, |rating| rating.games),
            points: rating.map_or(0.0, |rating| rating.points),
        }
    };
    let mut standings: Vec<Standing> = candidates.iter().zip(&which).map(standing).collect();
    standings.sort_by_key(|standing| standing.generation);
    if args.json {
        output::json(&Among { among: &standings, ratings: &matches })?;
        return Ok(ExitCode::SUCCESS);
    }
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["generation", "points", "games", "Elo"]);
    for Standing { generation, points, games, elo, error, .. } in &standings {
        let elo = match (elo, error) {
            (Some(elo), Some(error)) => format!("{elo:+.0} ± {error:.0}"),
            (Some(elo), None) => format!("{elo:+.0}"),
            (None, _) => "?".to_owned(),
        };
        table.add_row([generation.to_string(), points.to_string(), games.to_string(), elo]);
    }
    writeln!(io::stdout(), "{table}\n{}", file.display())?;
    Ok(ExitCode::SUCCESS)
}

fn keep(file: &Path, known: &Ratings) -> anyhow::Result<()> {
    let text = serde_json::to_string_pretty(known).expect("texts and numbers can be written");
    atomic_file::write_bytes(file, text.as_bytes())
        .with_context(|| format!("cannot write {}", file.display()))
}

/// The networks that a word means.
fn named(what: &str, every: NonZero<u32>, before: usize) -> anyhow::Result<Vec<Candidate>> {
    let path = Path::new(what);
    if !path.is_dir() {
        let (generation, file) = match what.split_once('=') {
            Some((number, file)) if !path.exists() => {
                let wrong = || {
                    Usage(format!("\"{number}\" of \"{what}\" is not a generation; write GENERATION=FILE"))
                };
                (number.parse().map_err(|_| wrong())?, Path::new(file))
            }
            _ => (before as u32, path),
        };
        return Ok(vec![Candidate { generation, weights: Weights::read(file)? }]);
    }
    let settings = Training::settings_of(path)?;
    let generations = checkpoint::generations(path)?;
    let last = generations.last().copied();
    let mut found = Vec::new();
    for generation in generations {
        if generation.is_multiple_of(every.get()) || Some(generation) == last {
            let file = checkpoint::path(path, generation);
            let weights = Checkpoint::read(&file, settings.network)?.optimiser.averaged;
            found.push(Candidate { generation, weights });
        }
    }
    if found.is_empty() {
        return Err(Usage(format!("{what} has no checkpoint yet: no generation is done")).into());
    }
    Ok(found)
}

fn read(file: &Path) -> anyhow::Result<Ratings> {
    if !file.exists() {
        return Ok(Ratings::default());
    }
    let text = fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    serde_json::from_str(&text)
        .with_context(|| format!("{} holds no ratings that `tabia quantum rate` wrote", file.display()))
}

fn draw(path: &Path, ratings: &[Rating], args: &RateArgs) -> anyhow::Result<()> {
    let place = |rating: &Rating| {
        let (elo, error) = rating.elo();
        (f64::from(rating.generation), elo, error)
    };
    let points = |opponent: &str| -> Vec<_> {
        ratings.iter().filter(|rating| rating.opponent == opponent).map(place).collect()
    };
    let opponents: Vec<_> = args.opponents().into_iter().map(|name| (name, points(name))).collect();
    let curves: Vec<Series<'_>> = opponents.iter().map(|(name, points)| Series { name, points }).collect();
    let subtitle = format!(
        "{} games each at {} simulations; 95% intervals; one drawn game is added to each match, so that a clean sweep has a number",
        args.games, args.simulations
    );
    let svg = LineChart {
        title: "Elo above those who do not learn",
        subtitle: &subtitle,
        across: "generation",
        curves: &curves,
    }
    .svg();
    atomic_file::write_bytes(path, svg.as_bytes()).with_context(|| format!("cannot write {}", path.display()))
}

fn print(ratings: &[Rating]) -> anyhow::Result<()> {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    table.set_header(["generation", "against", "won", "drawn", "lost", "points", "Elo"]);
    for rating in ratings {
        let (elo, error) = rating.elo();
        table.add_row([
            rating.generation.to_string(),
            rating.opponent.clone(),
            rating.tally.wins.to_string(),
            rating.tally.draws.to_string(),
            rating.tally.losses.to_string(),
            format!("{:.1}%", 100.0 * rating.tally.point_share().unwrap_or_default()),
            error.map_or_else(|| format!("{elo:+.0}"), |error| format!("{elo:+.0} ± {error:.0}")),
        ]);
    }
    for column in [0, 2, 3, 4, 5, 6] {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    writeln!(io::stdout(), "{table}")?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_network_that_is_given_twice_plays_once() {
        let checksums = ["b", "a", "b", "c", "a"].map(str::to_owned);
        assert_eq!(distinct(&checksums), (vec![0, 1, 3], vec![0, 1, 0, 2, 1]));
    }
}
