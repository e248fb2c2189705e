//! `tabia quantum rate`: measures networks against fixed opponents, generation by generation.

use std::fs;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, anyhow};
use clap::builder::PossibleValuesParser;
use comfy_table::{CellAlignment, Table, presets};
use serde::Serialize;
use tabia_core::Stop;
use tabia_draw::{LineChart, Series};
use tabia_net::checkpoint::{self, Checkpoint};
use tabia_net::device::{DevicePool, Evaluator};
use tabia_net::rating::{self, MatchSettings, OPPONENTS, RATINGS, Rating, Ratings, Standing};
use tabia_net::{NetError, Training, Weights};
use tabia_run::atomic_file;
use tabia_stats::Tally;

use crate::device::DeviceArgs;
use crate::failure::Usage;
use crate::numbers::integer;
use crate::{interrupt, output, parallel};

/// File name of the plot of ratings.
const PICTURE: &str = "ratings.svg";
/// File name of that of networks among themselves.
const AMONG_PICTURE: &str = "among.svg";
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
too, with the other network's SHA-256 as the opponent; DIR/among.svg draws the ratings. A network that is given twice plays once: final.safetensors is often that of the last checkpoint.

JSON: {\"ratings\": [{\"generation\", \"network\", \"opponent\", \"opponent_generation\", \"games\", \"simulations\", \"seed\", \"wins\", \"draws\", \"losses\", \"pentanomial\"}]}; with --among also \
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

#[derive(Serialize)]
struct Among<'a> {
    among: &'a [Standing],
    ratings: &'a [Rating],
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
    let mut known = Ratings::read(&file)?;
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
            if let Some(before) = known.find(&network, opponent, terms) {
                requested.ratings.push(Rating { generation: *generation, ..before.clone() });
                continue;
            }
            let Some(tally) = rating::play_opponent(&player, opponent, terms, &stop) else {
                return interrupted(&pool, &file);
            };
            let (wins, draws, losses) = (tally.wins, tally.draws, tally.losses);
            eprintln!("generation {generation} against {opponent}: +{wins} ={draws} -{losses}");
            let rating = rating_of((*generation, &network), (None, opponent), tally, args);
            known.ratings.push(rating.clone());
            requested.ratings.push(rating);
            known.write(&file)?;
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

/// A match with these arguments, between two that are named by generation and text.
fn rating_of(
    (generation, network): (u32, &str),
    (opponent_generation, opponent): (Option<u32>, &str),
    tally: Tally,
    args: &RateArgs,
) -> Rating {
    let (network, opponent) = (network.to_owned(), opponent.to_owned());
    let RateArgs { games, simulations, seed, .. } = *args;
    Rating { generation, network, opponent, opponent_generation, games, simulations, seed, tally }
}

/// What is said when matches did not end, by Ctrl-C or because a device failed.
fn interrupted(pool: &DevicePool, file: &Path) -> anyhow::Result<ExitCode> {
    let kept = if file.exists() {
        format!("matches that were over are kept in {}", file.display())
    } else {
        "no match was over".to_owned()
    };
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
        .filter(|(first, second)| known.find(checksum(*first), checksum(*second), terms).is_none())
        .collect();
    let pairs: Vec<_> = missing.iter().map(|(first, second)| [&players[*first], &players[*second]]).collect();
    let mut kept = Ok(());
    let is_complete = rating::network_matches(&pairs, terms, stop, &mut |at, tally| {
        let (first, second) = missing[at];
        let (one, other) = (generation(first), generation(second));
        eprintln!("generation {one} against {other}: +{} ={} -{}", tally.wins, tally.draws, tally.losses);
        let (network, opponent) = ((one, checksum(first)), (Some(other), checksum(second)));
        known.ratings.push(rating_of(network, opponent, tally, args));
        if kept.is_ok() {
            kept = known.write(file);
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
    let mut matches = Ratings::default();
    for (first, second) in all {
        let rating = known
            .find(checksum(first), checksum(second), terms)
            .context("a match that was played is known")?;
        let (generation, opponent_generation) = (generation(first), Some(generation(second)));
        matches.ratings.push(Rating { generation, opponent_generation, ..rating.clone() });
    }
    let fitted = matches.among()?;
    // A network that is given twice has both generations.
    let standing = |(candidate, player): (&Candidate, &usize)| {
        let found = fitted.iter().find(|standing| standing.network == checksum(*player));
        found.map(|standing| Standing { generation: Some(candidate.generation), ..standing.clone() })
    };
    let mut standings: Vec<Standing> = candidates.iter().zip(&which).filter_map(standing).collect();
    standings.sort_by_key(|standing| standing.generation);
    let picture = file.with_file_name(AMONG_PICTURE);
    draw_among(&picture, &standings, args)?;
    if args.json {
        output::json(&Among { among: &standings, ratings: &matches.ratings })?;
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
        let generation = generation.map_or_else(String::new, |generation| generation.to_string());
        table.add_row([generation, points.to_string(), games.to_string(), elo]);
    }
    writeln!(io::stdout(), "{table}\n{}, {AMONG_PICTURE}", file.display())?;
    Ok(ExitCode::SUCCESS)
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

fn draw_among(path: &Path, standings: &[Standing], args: &RateArgs) -> anyhow::Result<()> {
    let points: Vec<_> = standings.iter().filter_map(Standing::point).collect();
    let subtitle = format!(
        "{} games of each pair at {} simulations; 95% intervals relative to the mean of all",
        args.games, args.simulations
    );
    let curves = [Series { name: "Elo", points: &points }];
    let svg = LineChart {
        title: "Elo among these networks",
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
