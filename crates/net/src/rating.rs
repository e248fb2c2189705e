//! How well a network plays against those who do not learn.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use shakmaty::Color;
use tabia_core::{Agent, Game, Limits, Stop, Turn, seed};
use tabia_mcts::{Mcts, Settings};
use tabia_quantum::QuantumGame;
use tabia_quantum::agents::{GreedyAgent, HandMade, RandomAgent};

use crate::device;
use crate::opening::after_random_plies;

/// Random classical plies before a game.
const OPENING_PLIES: u32 = 4;
/// Simulations of the searching opponent.
const OPPONENT_SIMULATIONS: u64 = 800;

type Player = Box<dyn Agent<QuantumGame>>;

/// Who is played against, by the spec that names it.
pub const OPPONENTS: [&str; 3] = ["random", "greedy", "mcts(simulations=800)"];

fn opponent(spec: &str) -> Player {
    match spec {
        "random" => Box::new(RandomAgent::new(0)),
        "greedy" => Box::new(GreedyAgent::new(0)),
        _ => Box::new(Mcts::new(
            HandMade,
            Settings::default(),
            Some(OPPONENT_SIMULATIONS),
            0,
            QuantumGame::ply,
        )),
    }
}

fn player(network: &device::Player, simulations: u32) -> Player {
    let simulations = Some(u64::from(simulations));
    Box::new(Mcts::new(Arc::clone(network), Settings::default(), simulations, 0, QuantumGame::ply))
}

/// The score of a network against each opponent; nothing if it was stopped.
pub fn scores(
    network: &device::Player,
    (games, simulations): (u32, u32),
    match_seed: u64,
    threads: usize,
    stop: &Stop,
) -> Option<BTreeMap<String, f64>> {
    let score = |spec: &&str| {
        let seats = || (player(network, simulations), opponent(spec));
        Some(((*spec).to_owned(), score(&seats, games, match_seed, threads, stop)?))
    };
    OPPONENTS.iter().map(score).collect()
}

/// The score of a network against another.
pub fn against(
    new: &device::Player,
    old: &device::Player,
    (games, simulations): (u32, u32),
    match_seed: u64,
    threads: usize,
    stop: &Stop,
) -> Option<f64> {
    score(&|| (player(new, simulations), player(old, simulations)), games, match_seed, threads, stop)
}

/// Plays games in pairs, colours changed, by several threads; the first one's share of the points.
fn score(
    seats: &(dyn Fn() -> (Player, Player) + Sync),
    games: u32,
    match_seed: u64,
    threads: usize,
    stop: &Stop,
) -> Option<f64> {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut first, mut second) = seats();
        let mut points = 0.0;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed) as u32;
            if number >= games || stop.is_stopped() {
                return points;
            }
            let color = if number.is_multiple_of(2) { Color::White } else { Color::Black };
            let game_seed = seed::derive(match_seed, u64::from(number) + (1 << 32));
            let start = opening(seed::derive(match_seed, u64::from(number / 2)));
            points += play(start, &mut first, &mut second, color, game_seed, stop).unwrap_or(0.0);
        }
    };
    let points: f64 = thread::scope(|scope| {
        let others: Vec<_> = (1..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let own = work();
        own + others.into_iter().map(|other| other.join().expect("players do not panic")).sum::<f64>()
    });
    (!stop.is_stopped()).then(|| points / f64::from(games))
}

fn opening(opening_seed: u64) -> QuantumGame {
    after_random_plies(QuantumGame::default(), OPENING_PLIES, &mut seed::random(opening_seed))
}

/// One game; the first player's points, nothing if it was stopped.
fn play(
    mut game: QuantumGame,
    first: &mut Player,
    second: &mut Player,
    color: Color,
    game_seed: u64,
    stop: &Stop,
) -> Option<f64> {
    let mut random = seed::random(game_seed);
    for (player, part) in [(&mut *first, 1), (&mut *second, 2)] {
        player.new_game();
        player.reseed(seed::derive(game_seed, part));
    }
    loop {
        let turn = match game.turn() {
            Turn::Over(outcome) => return Some(outcome.points(color)),
            Turn::Player(turn) => turn,
            Turn::Chance => {
                let answer = game.measure(&mut random)?;
                game.apply(answer);
                continue;
            }
        };
        let player = if turn == color { &mut *first } else { &mut *second };
        let action = player.choose(&game, &Limits::default(), stop, &mut |_| {}).ok()?;
        if stop.is_stopped() {
            return None;
        }
        game.apply(action);
    }
}
