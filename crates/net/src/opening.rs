//! How games of self-play and of ratings begin: with random classical moves, so that no two are the same.

use rand::Rng;
use tabia_core::seed::Random;
use tabia_core::{Game, Turn};
use tabia_quantum::{Action, QuantumGame, perft};

/// The game after so many random classical plies, or fewer where the next would end it or ask chance.
pub(crate) fn after_random_plies(mut game: QuantumGame, plies: u32, random: &mut Random) -> QuantumGame {
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
