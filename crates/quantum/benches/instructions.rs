//! What quantum chess costs, in instructions, at 1, 16 and 256 branches.
//!
//! Instructions are counted by valgrind, so a count is the same on a busy machine and on an idle one. Every benchmark goes once
//! over the same states of random games; how many states, moves and transitions that makes is printed first, so that a
//! count can be divided by it. By the clock, and as whole games: the benchmark `playouts` beside this one.

#![allow(missing_docs, reason = "the harness's macros make public items without a word")]

use std::hint::black_box;

use gungraun::{library_benchmark, library_benchmark_group};
use rand::Rng;
use tabia_core::{Game, Turn, seed};
use tabia_quantum::planes::SIZE;
use tabia_quantum::{Action, QuantumGame};

/// States of each number of branches.
const STATES: usize = 32;
/// Every how many moves of a state one is made.
const EVERY: usize = 4;

/// States of random games with exactly so many branches, and some of their moves.
fn states(branches: usize) -> &'static [(QuantumGame, Vec<Action>)] {
    let mut found = Vec::new();
    let mut actions = Vec::new();
    for game_seed in 0.. {
        let mut random = seed::random(game_seed);
        let mut game = QuantumGame::default();
        while game.outcome().is_none() {
            if game.branches().len() == branches && game.turn() != Turn::Chance && game.ply() >= 12 {
                game.actions(&mut actions);
                found.push((game.clone(), actions.iter().copied().step_by(EVERY).collect()));
                break;
            }
            let Some(action) = random_action(&game, branches, &mut actions, &mut random) else { break };
            game.apply(action);
        }
        if found.len() == STATES {
            break;
        }
    }
    found.leak()
}

/// Splits only while there are fewer branches than wanted.
fn random_action(
    game: &QuantumGame,
    branches: usize,
    actions: &mut Vec<Action>,
    random: &mut seed::Random,
) -> Option<Action> {
    if let Some(answer) = game.measure(random) {
        return Some(answer);
    }
    game.actions(actions);
    if game.branches().len() >= branches {
        actions.retain(|action| matches!(action, Action::Move(m) if !m.is_split()));
    }
    (!actions.is_empty()).then(|| actions[random.random_range(0..actions.len())])
}

type States = &'static [(QuantumGame, Vec<Action>)];

#[library_benchmark]
#[bench::at_1(args = (1), setup = states)]
#[bench::at_16(args = (16), setup = states)]
#[bench::at_256(args = (256), setup = states)]
fn list(states: States) -> usize {
    let mut actions = Vec::with_capacity(512);
    let mut listed = 0;
    for (game, _) in states {
        black_box(game).actions(&mut actions);
        listed += actions.len();
    }
    listed
}

// A copy, the move and whatever it measures at its likelier end: what a search pays for a successor.
#[library_benchmark]
#[bench::at_1(args = (1), setup = states)]
#[bench::at_16(args = (16), setup = states)]
#[bench::at_256(args = (256), setup = states)]
fn apply(states: States) -> u64 {
    let mut keys = 0;
    for (game, actions) in states {
        for action in actions {
            let mut next = black_box(game).clone();
            next.apply(*action);
            while let Some(measurement) = next.measurement() {
                next.apply(measurement.answer(2 * measurement.yes >= measurement.total));
            }
            keys ^= next.key();
        }
    }
    keys
}

#[library_benchmark]
#[bench::at_1(args = (1), setup = states)]
#[bench::at_16(args = (16), setup = states)]
#[bench::at_256(args = (256), setup = states)]
fn planes(states: States) -> f32 {
    let mut planes = Box::new([0.0; SIZE]);
    let mut sum = 0.0;
    for (game, _) in states {
        black_box(game).planes(&mut planes);
        sum += planes[0];
    }
    sum
}

library_benchmark_group!(name = rules, benchmarks = [list, apply, planes]);

/// gungraun's own `main`, under another name.
mod harness {
    use super::rules;

    gungraun::main!(library_benchmark_groups = rules);

    pub fn run() {
        main();
    }
}

/// `cargo test --all-targets` runs this too, and must not need valgrind: only what `cargo bench` says counts, and
/// what the harness says to itself.
fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let inside = arguments.first().is_some_and(|first| first == "--gungraun-run");
    if inside || arguments.iter().any(|argument| argument == "--bench") {
        if !inside {
            print_counts();
        }
        harness::run();
    }
}

/// How often each benchmark does what it is named for.
fn print_counts() {
    for branches in [1, 16, 256] {
        let states = states(branches);
        let applied: usize = states.iter().map(|(_, actions)| actions.len()).sum();
        let mut actions = Vec::new();
        let listed: usize = states
            .iter()
            .map(|(game, _)| {
                game.actions(&mut actions);
                actions.len()
            })
            .sum();
        println!(
            "{branches:>4} branches: {} states, {listed} moves listed, {applied} moves made",
            states.len()
        );
    }
}
