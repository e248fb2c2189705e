//! `tabia quantum match`: two agents, many games, every opening from both sides.
//!
//! A plain loop. Game `2n` and game `2n + 1` share their opening, a few random classical plies, and change colours; what is measured is drawn
//! from each game's own seed. The same seed gives the same games on any number of threads.

use std::io::{self, IsTerminal, Write};
use std::num::NonZero;
use std::process::ExitCode;
use std::sync::atomic::{AtomicUsize, Ordering};

use clap::value_parser;
use rand::Rng;
use serde::Serialize;
use shakmaty::Color;
use tabia_core::{Agent, AgentSpec, Game, Outcome, Reason, Stop, Turn, seed};
use tabia_quantum::{Action, QuantumGame, perft};

use crate::catalogue;
use crate::failure::Usage;
use crate::limits::LimitArgs;
use crate::terminal::ERASE_LINE;
use crate::{interrupt, output, parallel};

/// What `tabia quantum match` takes.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Games come in pairs: the same opening with colours changed. An agent that takes a seed and is given none gets one of its own for every \
game. The error is that of 95% confidence, taken over pairs.

Examples:
  tabia quantum match --agent greedy --agent random --games 200
  tabia quantum match --agent 'mcts(simulations=800)' --agent greedy --games 20 --json")]
pub struct MatchArgs {
    /// An agent; give two.
    #[arg(long = "agent", value_name = "SPEC", required = true, num_args = 1)]
    agents: Vec<AgentSpec>,
    /// Games; an odd number is rounded up.
    #[arg(long, value_name = "N", default_value = "20", value_parser = value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// What openings, measurements and agents are drawn from.
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Random classical plies before the agents begin.
    #[arg(long, value_name = "N", default_value = "4", value_parser = value_parser!(u32).range(0..=20))]
    opening_plies: u32,
    #[command(flatten)]
    limits: LimitArgs,
    /// Games at a time [default: all cores].
    #[arg(long, value_name = "N")]
    concurrency: Option<NonZero<usize>>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// One game as the first agent sees it.
struct Played {
    /// 1, 0.5 or 0.
    points: f64,
    reason: Reason,
    plies: u32,
    most_branches: usize,
    measured: u32,
}

#[derive(Serialize)]
struct Report {
    agents: [String; 2],
    games: usize,
    wins: usize,
    draws: usize,
    losses: usize,
    score: f64,
    score_error_95: f64,
    elo: Option<f64>,
    mean_plies: f64,
    mean_most_branches: f64,
    mean_measurements: f64,
    reasons: Vec<(String, usize)>,
    seed: u64,
    interrupted: bool,
}

/// Plays the match.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let [first, second] = &args.agents[..] else {
        return Err(Usage(format!("a match is between two agents, {} given", args.agents.len())).into());
    };
    let catalogue = catalogue::quantum();
    for spec in [first, second] {
        let (entry, options) = catalogue::check(&catalogue, spec)?;
        (entry.build)(&options).map_err(|error| catalogue::refused(&error))?;
    }
    let stop = interrupt::stop_flag()?;
    let pairs: Vec<u64> = (0..u64::from(args.games.div_ceil(2))).collect();
    let live = io::stderr().is_terminal();
    let done = AtomicUsize::new(0);
    let threads = args.concurrency.unwrap_or_else(parallel::all_cores);
    let played = parallel::map(&pairs, threads, |pair| {
        let games = [false, true].map(|swapped| play(args, [first, second], *pair, swapped, &stop));
        let done = done.fetch_add(1, Ordering::Relaxed) + 1;
        if live {
            eprint!("{ERASE_LINE}{} of {} games", 2 * done, 2 * pairs.len());
        }
        games
    });
    if live {
        eprint!("{ERASE_LINE}");
    }
    let mut finished = Vec::new();
    for [a, b] in played {
        // A pair that was interrupted counts for nothing.
        if let (Some(a), Some(b)) = (a?, b?) {
            finished.push([a, b]);
        }
    }
    let report = Report::new(args, [first, second], &finished, stop.is_stopped());
    if args.json {
        output::json(&report)?;
    } else {
        report.write(&mut io::stdout().lock())?;
    }
    Ok(ExitCode::SUCCESS)
}

/// One game; none when stopped.
fn play(
    args: &MatchArgs,
    specs: [&AgentSpec; 2],
    pair: u64,
    swapped: bool,
    stop: &Stop,
) -> anyhow::Result<Option<Played>> {
    let pair_seed = seed::derive(args.seed, pair);
    let game_seed = seed::derive(pair_seed, u64::from(swapped));
    let mut game = opening(args.opening_plies, pair_seed);
    let mut agents = Vec::new();
    for (at, spec) in specs.into_iter().enumerate() {
        agents.push(build(spec, &args.limits, seed::derive(game_seed, at as u64 + 1))?);
    }
    let mut random = seed::random(game_seed);
    let (mut most_branches, mut measured) = (1, 0);
    let outcome = loop {
        let turn = match game.turn() {
            Turn::Over(outcome) => break outcome,
            Turn::Player(turn) => turn,
            Turn::Chance => {
                if let Some(answer) = game.measure(&mut random) {
                    measured += 1;
                    game.apply(answer);
                }
                continue;
            }
        };
        let (agent, limits) = &mut agents[usize::from((turn == Color::Black) != swapped)];
        let action = agent.choose(&game, limits, stop, &mut |_| {})?;
        if stop.is_stopped() {
            return Ok(None);
        }
        game.apply(action);
        most_branches = most_branches.max(game.branches().len());
    };
    let first = if swapped { Color::Black } else { Color::White };
    let Outcome { reason, .. } = outcome;
    Ok(Some(Played { points: outcome.points(first), reason, plies: game.ply(), most_branches, measured }))
}

type Seated = (Box<dyn Agent<QuantumGame>>, tabia_core::Limits);

fn build(spec: &AgentSpec, limits: &LimitArgs, seed: u64) -> anyhow::Result<Seated> {
    let catalogue = catalogue::quantum();
    let (entry, _) = catalogue::check(&catalogue, spec)?;
    let takes_seed = entry.options.iter().any(|option| option.key == "seed");
    let spec = match spec.get("seed") {
        None if takes_seed => spec.clone().with("seed", seed >> 1),
        _ => spec.clone(),
    };
    let (entry, options) = catalogue::check(&catalogue, &spec)?;
    let limits = limits.for_agent(&options);
    Ok(((entry.build)(&options).map_err(|error| catalogue::refused(&error))?, limits))
}

/// A few random classical plies; a game that they end begins anew with fewer.
fn opening(plies: u32, pair_seed: u64) -> QuantumGame {
    let mut random = seed::random(seed::derive(pair_seed, u64::MAX));
    let mut game = QuantumGame::default();
    for _ in 0..plies {
        let moves = perft::moves(&game, true);
        let mut next = game.clone();
        next.apply(Action::Move(moves[random.random_range(0..moves.len())]));
        if !matches!(next.turn(), Turn::Player(_)) {
            break;
        }
        game = next;
    }
    game
}

impl Report {
    fn new(args: &MatchArgs, specs: [&AgentSpec; 2], pairs: &[[Played; 2]], interrupted: bool) -> Report {
        let games: Vec<&Played> = pairs.iter().flatten().collect();
        let count = |points: f64| games.iter().filter(|game| (game.points - points).abs() < 0.1).count();
        let number = games.len().max(1) as f64;
        let mean = |of: &dyn Fn(&Played) -> f64| games.iter().map(|game| of(game)).sum::<f64>() / number;
        let score = mean(&|game| game.points);
        let pair_scores: Vec<f64> = pairs.iter().map(|[a, b]| f64::midpoint(a.points, b.points)).collect();
        let mut reasons: Vec<(String, usize)> = Vec::new();
        for game in &games {
            let reason = game.reason.to_string();
            match reasons.iter_mut().find(|(known, _)| *known == reason) {
                Some((_, count)) => *count += 1,
                None => reasons.push((reason, 1)),
            }
        }
        reasons.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        Report {
            agents: specs.map(ToString::to_string),
            games: games.len(),
            wins: count(1.0),
            draws: count(0.5),
            losses: count(0.0),
            score,
            score_error_95: error_95(&pair_scores, score),
            elo: (score > 0.0 && score < 1.0).then(|| 400.0 * (score / (1.0 - score)).log10()),
            mean_plies: mean(&|game| f64::from(game.plies)),
            mean_most_branches: mean(&|game| game.most_branches as f64),
            mean_measurements: mean(&|game| f64::from(game.measured)),
            reasons,
            seed: args.seed,
            interrupted,
        }
    }

    fn write(&self, out: &mut impl Write) -> io::Result<()> {
        let [first, second] = &self.agents;
        writeln!(out, "{first} against {second}: {} games, seed {}", self.games, self.seed)?;
        writeln!(
            out,
            "+{} ={} -{}, {:.1}% ± {:.1}{}",
            self.wins,
            self.draws,
            self.losses,
            100.0 * self.score,
            100.0 * self.score_error_95,
            self.elo.map(|elo| format!(" ({elo:+.0} Elo)")).unwrap_or_default(),
        )?;
        let reasons: Vec<String> =
            self.reasons.iter().map(|(reason, count)| format!("{count} {reason}")).collect();
        writeln!(out, "ended by: {}", reasons.join(", "))?;
        writeln!(
            out,
            "a game: {:.0} plies, {:.0} branches at most, {:.1} measurements",
            self.mean_plies, self.mean_most_branches, self.mean_measurements
        )?;
        if self.interrupted {
            writeln!(out, "interrupted: games that were under way are not counted")?;
        }
        Ok(())
    }
}

/// Half the width of the interval that holds the true score with 95% confidence, from pairs.
fn error_95(pairs: &[f64], mean: f64) -> f64 {
    const Z_95: f64 = 1.96;
    if pairs.len() < 2 {
        return 0.5;
    }
    let number = pairs.len() as f64;
    let variance = pairs.iter().map(|score| (score - mean).powi(2)).sum::<f64>() / (number - 1.0);
    // All pairs alike says little when there are few: as if one more had gone the other way.
    let least = 0.25 / (number + 2.0);
    Z_95 * (variance.max(least) / number).sqrt()
}
