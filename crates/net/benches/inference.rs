//! Positions per second on one core, alone and in batches of 16: `cargo bench -p tabia-net`. Other runtimes are held against it in docs/adr/0011-own-arithmetic.md.

use std::hint::black_box;
use std::time::{Duration, Instant};

use rand::Rng;
use tabia_core::{Game, Turn, seed};
use tabia_net::encoding::{self, EncodedPosition, INPUT_SIZE};
use tabia_net::forward::{FoldedNetwork, Workspace};
use tabia_net::{Architecture, Weights, shipped};
use tabia_quantum::{Action, QuantumGame};

const POSITIONS: usize = 64;
const LONG_ENOUGH: Duration = Duration::from_secs(4);
const LONGEST: u32 = 60;

/// Positions of random games: planes as the mover sees them, and the numbers of the legal moves.
fn positions() -> Vec<(Vec<f32>, Vec<usize>)> {
    let mut random = seed::random(1);
    let (mut found, mut actions) = (Vec::new(), Vec::new());
    let mut game = QuantumGame::default();
    while found.len() < POSITIONS {
        if game.outcome().is_some() || game.ply() > LONGEST {
            game = QuantumGame::default();
        }
        game.actions(&mut actions);
        if matches!(game.turn(), Turn::Player(_)) {
            let turn = game.side_to_move();
            let moves = actions.iter().map(|action| encoding::policy_index(*action, turn)).collect();
            let mut planes = vec![0.0; INPUT_SIZE];
            EncodedPosition::new(&game).write(false, &mut planes);
            found.push((planes, moves));
        }
        let action: Action =
            game.measure(&mut random).unwrap_or_else(|| actions[random.random_range(0..actions.len())]);
        game.apply(action);
    }
    found
}

fn main() {
    let positions = positions();
    let ours = |channels, blocks| Weights::initial(Architecture::new(channels, blocks), 1);
    let shipped = shipped::weights().expect("the shipped network can be read");
    for weights in [shipped, ours(16, 2), ours(32, 4), Weights::initial(Architecture::SEED, 1)] {
        let (folded, mut workspace) = (FoldedNetwork::new(&weights), Workspace::default());
        let mut rate = |batch: usize| {
            let batches: Vec<(Vec<f32>, Vec<&[usize]>)> = positions
                .chunks(batch)
                .map(|part| {
                    let planes = part.iter().flat_map(|(planes, _)| planes.iter().copied()).collect();
                    (planes, part.iter().map(|(_, moves)| &moves[..]).collect())
                })
                .collect();
            let (begun, mut count) = (Instant::now(), 0_u32);
            while begun.elapsed() < LONG_ENOUGH {
                for (planes, moves) in &batches {
                    black_box(folded.forward_batch(planes, moves, &mut workspace));
                }
                count += POSITIONS as u32;
            }
            f64::from(count) / begun.elapsed().as_secs_f64()
        };
        let (alone, together) = (rate(1), rate(16));
        println!("{}: {alone:.0} positions a second, {together:.0} in batches of 16", weights.architecture);
    }
}
