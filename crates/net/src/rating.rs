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
use tabia_stats::{GameResult, PairResult, Tally};

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

/// How a match is played.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Terms {
    /// Games, in pairs with colours changed.
    pub games: u32,
    /// The network's simulations a move.
    pub simulations: u32,
    /// Where openings, measurements and players' luck come from.
    pub seed: u64,
    /// Games at a time; the result does not depend on it.
    pub threads: usize,
}

/// The score of a network against each opponent; nothing if it was stopped.
pub fn scores(network: &device::Player, terms: Terms, stop: &Stop) -> Option<BTreeMap<String, f64>> {
    let score = |spec: &&str| {
        let tally = against_opponent(network, spec, terms, stop)?;
        Some(((*spec).to_owned(), tally.point_share()?))
    };
    OPPONENTS.iter().map(score).collect()
}

/// A match of a network against one of the [`OPPONENTS`]; nothing if it was stopped.
pub fn against_opponent(network: &device::Player, spec: &str, terms: Terms, stop: &Stop) -> Option<Tally> {
    contest(&|| (player(network, terms.simulations), opponent(spec)), terms, stop)
}

/// The score of a network against another; nothing if it was stopped.
pub fn against(new: &device::Player, old: &device::Player, terms: Terms, stop: &Stop) -> Option<f64> {
    let seats = || (player(new, terms.simulations), player(old, terms.simulations));
    contest(&seats, terms, stop)?.point_share()
}

/// Plays games in pairs, colours changed, by several threads; as the first one sees them.
fn contest(seats: &(dyn Fn() -> (Player, Player) + Sync), terms: Terms, stop: &Stop) -> Option<Tally> {
    let next = AtomicUsize::new(0);
    let work = || {
        let (mut first, mut second) = seats();
        let mut results = Vec::new();
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed) as u32;
            if number >= terms.games || stop.is_stopped() {
                return results;
            }
            let color = if number.is_multiple_of(2) { Color::White } else { Color::Black };
            let game_seed = seed::derive(terms.seed, u64::from(number) + (1 << 32));
            let start = opening(seed::derive(terms.seed, u64::from(number / 2)));
            results.extend(
                play(start, &mut first, &mut second, color, game_seed, stop).map(|result| (number, result)),
            );
        }
    };
    let mut results: Vec<(u32, GameResult)> = thread::scope(|scope| {
        let others: Vec<_> = (1..terms.threads.max(1)).map(|_| scope.spawn(work)).collect();
        let mut results = work();
        results.extend(others.into_iter().flat_map(|other| other.join().expect("players do not panic")));
        results
    });
    if stop.is_stopped() {
        return None;
    }
    results.sort_unstable_by_key(|(number, _)| *number);
    let mut tally = Tally::default();
    for games in results.chunks(2) {
        match games {
            [(_, white), (_, black)] => tally.add_pair(PairResult::new(*white, *black)),
            alone => alone.iter().for_each(|(_, game)| tally.add_game(*game)),
        }
    }
    Some(tally)
}

fn opening(opening_seed: u64) -> QuantumGame {
    after_random_plies(QuantumGame::default(), OPENING_PLIES, &mut seed::random(opening_seed))
}

/// One game, as the first player sees it; nothing if it was stopped.
fn play(
    mut game: QuantumGame,
    first: &mut Player,
    second: &mut Player,
    color: Color,
    game_seed: u64,
    stop: &Stop,
) -> Option<GameResult> {
    let mut random = seed::random(game_seed);
    for (player, part) in [(&mut *first, 1), (&mut *second, 2)] {
        player.new_game();
        player.reseed(seed::derive(game_seed, part));
    }
    loop {
        let turn = match game.turn() {
            Turn::Over(outcome) => return Some(GameResult::of(outcome, color)),
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
