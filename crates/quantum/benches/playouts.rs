//! Random games by the clock: transitions and moves listed a second, with at most 1, 16 and 256 branches.
//!
//! A transition is what a random player pays for a ply: the moves listed, one drawn, made, and measured where it must be.
//! The three take turns in short rounds and the best of many counts for each, so that a machine that is slow for a while is
//! slow for all.

use std::time::{Duration, Instant};

use rand::Rng;
use tabia_core::{Game, seed};
use tabia_quantum::{Action, QuantumGame};

const ROUNDS: u64 = 300;
const ROUND: Duration = Duration::from_millis(4);

#[derive(Copy, Clone, Default)]
struct Speed {
    transitions: f64,
    listed: f64,
    branches: f64,
}

/// Plays random games for a while. Splits are drawn only while there are fewer branches than wanted, and then always.
fn round(max: usize, round_seed: u64) -> Speed {
    let mut random = seed::random(round_seed);
    let mut actions: Vec<Action> = Vec::with_capacity(512);
    let (mut transitions, mut listed, mut branches) = (0u64, 0u64, 0u64);
    let mut spent = Duration::ZERO;
    while spent < ROUND {
        let mut game = QuantumGame::default();
        let wanted = |game: &QuantumGame| game.branches().len() * 2 > max || max == 1;
        let mut started = Instant::now();
        while game.outcome().is_none() {
            let counts = wanted(&game);
            if !counts {
                // On the way to as many branches as are wanted, nothing is measured.
                spent += started.elapsed();
            }
            game.actions(&mut actions);
            let split = game.branches().len() < max;
            let mut drawn = actions[random.random_range(0..actions.len())];
            for _ in 0..16 {
                if matches!(drawn, Action::Move(m) if m.is_split() == split) {
                    break;
                }
                drawn = actions[random.random_range(0..actions.len())];
            }
            let number = actions.len() as u64;
            game.apply(drawn);
            while let Some(answer) = game.measure(&mut random) {
                game.apply(answer);
            }
            if counts {
                transitions += 1;
                listed += number;
                branches += game.branches().len() as u64;
            } else {
                started = Instant::now();
            }
        }
        spent += started.elapsed();
    }
    let seconds = spent.as_secs_f64();
    Speed {
        transitions: transitions as f64 / seconds,
        listed: listed as f64 / seconds,
        branches: branches as f64 / transitions.max(1) as f64,
    }
}

fn main() {
    if !std::env::args().any(|argument| argument == "--bench") {
        // `cargo test --all-targets` builds and starts this; a measurement is nothing to test.
        return;
    }
    let sizes = [1, 16, 256];
    let mut best = [Speed::default(); 3];
    for number in 0..ROUNDS {
        for (best, max) in best.iter_mut().zip(sizes) {
            let speed = round(max, number);
            if speed.transitions > best.transitions {
                *best = speed;
            }
        }
    }
    println!("at most  branches  transitions/s  moves listed/s  ns a transition and branch");
    for (best, max) in best.iter().zip(sizes) {
        println!(
            "{max:>7}  {:>8.1}  {:>13.0}  {:>14.0}  {:>26.1}",
            best.branches,
            best.transitions,
            best.listed,
            1e9 / best.transitions / best.branches
        );
    }
}
