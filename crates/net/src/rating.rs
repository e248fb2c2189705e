//! Matches of networks, against fixed opponents and against one another.

mod file;

use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

use shakmaty::Color;
use tabia_core::play::{self, Players, Unfinished};
use tabia_core::seed::{self, Random};
use tabia_core::{Agent, Limits, Outcome, Stop};
use tabia_mcts::{Mcts, Settings};
use tabia_quantum::agents::{GreedyAgent, HandcraftedEvaluator, RandomAgent};
use tabia_quantum::{Action, QuantumGame};
use tabia_stats::{GameResult, PairResult, Tally};

use crate::device;
use crate::opening::after_random_plies;

pub use file::{RATINGS, Rating, Ratings, Standing};

/// Random classical plies before a game.
const OPENING_PLIES: u32 = 4;
/// Simulations of the searching opponent.
const OPPONENT_SIMULATIONS: u64 = 800;

type Player = Box<dyn Agent<QuantumGame>>;

/// The opponents' agent specs.
pub const OPPONENTS: [&str; 3] = ["random", "greedy", "mcts(simulations=800)"];

fn opponent(spec: &str) -> Player {
    match spec {
        "random" => Box::new(RandomAgent::new(0)),
        "greedy" => Box::new(GreedyAgent::new(0)),
        _ => Box::new(Mcts::new(
            HandcraftedEvaluator,
            Settings::default(),
            Some(OPPONENT_SIMULATIONS),
            0,
            QuantumGame::ply,
        )),
    }
}

fn player(network: &device::Evaluator, simulations: u32) -> Player {
    let simulations = Some(u64::from(simulations));
    Box::new(Mcts::new(Arc::clone(network), Settings::default(), simulations, 0, QuantumGame::ply))
}

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct MatchSettings {
    /// Number of games, in pairs with colours reversed.
    pub games: u32,
    /// Simulations per move of the network.
    pub simulations: u32,
    /// Seed of openings, measurements and agents.
    pub seed: u64,
    /// Concurrent games; the result does not depend on it.
    pub threads: usize,
}

/// Score of a network against each opponent; `None` if stopped, or if the network failed.
pub fn scores(
    network: &device::Evaluator,
    settings: MatchSettings,
    stop: &Stop,
) -> Option<BTreeMap<String, f64>> {
    let score = |spec: &&str| {
        let tally = play_opponent(network, spec, settings, stop)?;
        Some(((*spec).to_owned(), tally.point_share()?))
    };
    OPPONENTS.iter().map(score).collect()
}

/// Match of a network against one of the [`OPPONENTS`]; `None` if stopped, or if the network failed.
pub fn play_opponent(
    network: &device::Evaluator,
    spec: &str,
    settings: MatchSettings,
    stop: &Stop,
) -> Option<Tally> {
    play_match(&|_| (player(network, settings.simulations), opponent(spec)), settings, stop)
}

/// Score of a network against another; `None` if stopped, or if a network failed.
pub fn match_score(
    new: &device::Evaluator,
    old: &device::Evaluator,
    settings: MatchSettings,
    stop: &Stop,
) -> Option<f64> {
    network_match(new, old, settings, stop)?.point_share()
}

/// Match of a network against another; the tally is the first one's. `None` if stopped, or if a network failed.
pub fn network_match(
    new: &device::Evaluator,
    old: &device::Evaluator,
    settings: MatchSettings,
    stop: &Stop,
) -> Option<Tally> {
    play_match(&|_| (player(new, settings.simulations), player(old, settings.simulations)), settings, stop)
}

/// Matches of several pairs of networks, whose games are all played at the same time: the games of one match are too few for a GPU,
/// and most of them wait for the longest. `report` gets the number of each pair when its match is over, with the first one's tally.
/// Each match has the same result as if it were played alone. Returns whether all were played.
pub fn network_matches(
    pairs: &[[&device::Evaluator; 2]],
    settings: MatchSettings,
    stop: &Stop,
    report: &mut dyn FnMut(usize, Tally),
) -> bool {
    let players = |pair: usize| {
        let [first, second] = pairs[pair];
        (player(first, settings.simulations), player(second, settings.simulations))
    };
    play_matches(pairs.len(), &players, settings, stop, report)
}

/// Makes the players of the match with this number.
type Pairing<'a> = dyn Fn(usize) -> (Player, Player) + Sync + 'a;

/// One match; the tally is the first player's. `None` if not all of its games were played.
fn play_match(players: &Pairing<'_>, settings: MatchSettings, stop: &Stop) -> Option<Tally> {
    let mut tally = None;
    play_matches(1, players, settings, stop, &mut |_, result| tally = Some(result));
    tally
}

/// Plays `count` matches, each in pairs of games with colours reversed; see [`network_matches`].
fn play_matches(
    count: usize,
    players: &Pairing<'_>,
    settings: MatchSettings,
    stop: &Stop,
    report: &mut dyn FnMut(usize, Tally),
) -> bool {
    let games = settings.games as usize;
    // A match of no games is over at once.
    if games == 0 {
        (0..count).for_each(|pair| report(pair, Tally::default()));
        return true;
    }
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel();
    thread::scope(|scope| {
        for _ in 0..settings.threads.max(1) {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                loop {
                    let at = next.fetch_add(1, Ordering::Relaxed);
                    let (pair, number) = (at / games, (at % games) as u32);
                    if pair >= count || stop.is_stopped() {
                        return;
                    }
                    let result = play_numbered(number, &mut players(pair), settings, stop);
                    let Some(result) = result else { return };
                    // The receiver stays until all threads have ended.
                    let _ = send.send((pair, number, result));
                }
            });
        }
        drop(send);
        let mut results: Vec<Vec<(u32, GameResult)>> = vec![Vec::new(); count];
        let mut over = 0;
        for (pair, number, result) in receive {
            results[pair].push((number, result));
            // After a stop evaluations may count for nothing, as those of a device that failed.
            if results[pair].len() == games && !stop.is_stopped() {
                over += 1;
                report(pair, tally_of(std::mem::take(&mut results[pair])));
            }
        }
        over == count
    })
}

/// The game of this number in a match; every opening is played with both colours.
fn play_numbered(
    number: u32,
    (first, second): &mut (Player, Player),
    settings: MatchSettings,
    stop: &Stop,
) -> Option<GameResult> {
    let color = if number.is_multiple_of(2) { Color::White } else { Color::Black };
    let game_seed = seed::derive(settings.seed, u64::from(number) + (1 << 32));
    let start = opening(seed::derive(settings.seed, u64::from(number / 2)));
    play(start, first, second, color, game_seed, stop)
}

fn tally_of(mut results: Vec<(u32, GameResult)>) -> Tally {
    results.sort_unstable_by_key(|(number, _)| *number);
    let mut tally = Tally::default();
    for games in results.chunks(2) {
        match games {
            [(_, white), (_, black)] => tally.add_pair(PairResult::new(*white, *black)),
            alone => alone.iter().for_each(|(_, game)| tally.add_game(*game)),
        }
    }
    tally
}

fn opening(opening_seed: u64) -> QuantumGame {
    after_random_plies(QuantumGame::default(), OPENING_PLIES, &mut seed::random(opening_seed))
}

/// One game; the result is the first player's. `None` if stopped.
fn play(
    mut game: QuantumGame,
    first: &mut Player,
    second: &mut Player,
    color: Color,
    game_seed: u64,
    stop: &Stop,
) -> Option<GameResult> {
    for (player, part) in [(&mut *first, 1), (&mut *second, 2)] {
        player.new_game();
        player.reseed(seed::derive(game_seed, part));
    }
    let random = seed::random(game_seed);
    let outcome = play::play(&mut game, &mut Opponents { first, second, color, random, stop }).ok()?;
    Some(GameResult::of(outcome, color))
}

/// The players of a game; the first has `color`.
struct Opponents<'a> {
    first: &'a mut Player,
    second: &'a mut Player,
    color: Color,
    /// Draws the results of measurements.
    random: Random,
    stop: &'a Stop,
}

impl Players<QuantumGame> for Opponents<'_> {
    type Error = Unfinished;

    fn choose(
        &mut self,
        game: &QuantumGame,
        turn: Color,
    ) -> Result<ControlFlow<Outcome, Action>, Unfinished> {
        let player = if turn == self.color { &mut *self.first } else { &mut *self.second };
        play::ask(&mut **player, game, &Limits::default(), self.stop).map(ControlFlow::Continue)
    }

    fn chance(&mut self, game: &QuantumGame) -> Result<Action, Unfinished> {
        game.measure(&mut self.random).ok_or(Unfinished::Stopped)
    }
}
