//! Nanoseconds an evaluation, by the clock, for every family in one run.
//!
//! Over the positions of `tabia bench` and their successors; the families take turns in short rounds and the best of
//! many counts for each, so that a machine that is slow for a while is slow for all.

use std::hint::black_box;
use std::time::{Duration, Instant};

use shakmaty::{Chess, Position as _};
use tabia_core::ChessGame;
use tabia_eval::{AnyEvaluation, Evaluate, View, registry};
use tabia_search::bench::POSITIONS;

const ROUNDS: usize = 200;

fn positions() -> Vec<Chess> {
    let mut all = Vec::new();
    for fen in POSITIONS {
        let game = ChessGame::from_fen(fen).expect("the positions of the bench are sound");
        for m in game.position().legal_moves() {
            let mut next = game.position().clone();
            next.play_unchecked(m);
            all.push(next);
        }
        all.push(game.position().clone());
    }
    all
}

fn round(evaluation: &mut AnyEvaluation, positions: &[Chess]) -> Duration {
    let start = Instant::now();
    for position in positions {
        black_box(evaluation.evaluate(View::from(black_box(position))));
    }
    start.elapsed()
}

fn main() {
    // `cargo test --benches` runs this too; only `cargo bench` means it.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    let positions = positions();
    let mut families: Vec<(&str, AnyEvaluation, Duration)> = registry::NAMES
        .iter()
        .filter_map(|name| Some((*name, AnyEvaluation::named(name)?, Duration::MAX)))
        .collect();
    for _ in 0..ROUNDS {
        for (_, evaluation, best) in &mut families {
            *best = round(evaluation, &positions).min(*best);
        }
    }
    println!("{} positions, the best of {ROUNDS} rounds", positions.len());
    for (name, _, best) in &families {
        println!("{name:<14} {:>8.0} ns", best.as_nanos() as f64 / positions.len() as f64);
    }
}
