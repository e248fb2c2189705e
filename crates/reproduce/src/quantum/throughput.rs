//! How fast games of quantum chess are, and how long: without a network, by the hand-made evaluation (§5, §6.4).

use std::time::{Duration, Instant};

use tabia_core::{Agent, Game, Limits, Stop, seed};
use tabia_mcts::Settings;
use tabia_quantum::QuantumGame;
use tabia_quantum::agents::HandcraftedEvaluator;

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::step::Findings;

/// The simulations that the seed trains with: the lesser of its two numbers.
const SIMULATIONS: u64 = 200;
/// Longer games are ended.
const MAX_PLIES: u32 = 300;

/// One game against itself.
#[derive(Copy, Clone, Default)]
struct Played {
    moves: u64,
    simulations: u64,
    time: Duration,
    branches: usize,
    decided: bool,
}

/// Plays games against itself as the seed does.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let games: Vec<u64> = (0..work.extent.of(1, 8, 100)).collect();
    let simulations = work.extent.of(8, SIMULATIONS, SIMULATIONS);
    let max_plies = work.extent.of(20, MAX_PLIES, MAX_PLIES);
    let (stop, threads) = (work.stop, work.threads);
    let started = Instant::now();
    let played = work.each(&games, |number| play(*number, simulations, max_plies, stop))?;
    let Some(played) = played else { return Ok(None) };
    let wall = started.elapsed().as_secs_f64();
    let sum = |of: fn(&Played) -> f64| played.iter().map(of).sum::<f64>();
    let seconds = sum(|game| game.time.as_secs_f64());
    let (moves, all) = (sum(|game| game.moves as f64), sum(|game| game.simulations as f64));
    let decided = sum(|game| f64::from(u8::from(game.decided)));
    let number = games.len() as f64;
    Ok(Some(Findings {
        how: format!(
            "{} games of `mcts` against itself with {simulations} simulations a move, noise at the root and a temperature of 1 for 30 plies as the seed has \
             them, leaves valued by hand: no network takes part. {threads} at a time; at most {max_plies} plies.",
            games.len()
        ),
        figures: vec![
            Figure::new("positions of a game", "").seed(40.0, "about 40 (4,000 a generation of 100 games)").ours(moves / number).compared().with_seeds_settings(false),
            Figure::new("games decided by a king", "%").ours(100.0 * decided / number).compared(),
            Figure::new("most branches of a game, on average", "")
                .ours(sum(|game| game.branches as f64) / number)
                .compared(),
            Figure::new("simulations a second and thread", "").ours(all / seconds).timed().more_is_better(),
            Figure::new("time of a move, a thread", "ms").ours(1000.0 * seconds / moves).timed().less_is_better(),
            Figure::new("100 games with these threads", "min")
                .seed_range([3.0, 8.0], "3–8 min, learning included")
                .ours(wall / number * 100.0 / 60.0)
                .timed()
                .less_is_better()
                .with_seeds_settings(false),
        ],
        notes: vec![
            "The seed's minutes are for self-play with a network on a T4 and 200 gradient steps; ours are for self-play alone and without a network. They \
             bound what the rules and the search cost, and are not like for like: there is no verdict."
                .to_owned(),
        ],
        ..Findings::default()
    }))
}

fn play(
    number: u64,
    simulations: u64,
    max_plies: u32,
    stop: &Stop,
) -> Result<Option<Played>, ReproduceError> {
    let settings = Settings::default().self_play();
    let mut agent =
        tabia_mcts::Mcts::new(HandcraftedEvaluator, settings, Some(simulations), number, QuantumGame::ply);
    let mut random = seed::random(number);
    let mut game = QuantumGame::default().with_ply_limit(max_plies);
    let mut played = Played::default();
    while game.outcome().is_none() {
        let started = Instant::now();
        let chosen = agent.choose(&game, &Limits::default(), stop, &mut |_| {})?;
        played.time += started.elapsed();
        if stop.is_stopped() {
            return Ok(None);
        }
        played.moves += 1;
        played.simulations += simulations;
        game.apply(chosen);
        while let Some(answer) = game.measure(&mut random) {
            game.apply(answer);
        }
        played.branches = played.branches.max(game.branches().len());
    }
    played.decided = game.outcome().is_some_and(|outcome| outcome.winner.is_some());
    Ok(Some(played))
}
