//! Perft: leaf counts of action sequences, for comparing implementations of the rules.
//!
//! A leaf is a sequence of actions; each outcome of every measurement before the last action counts once. The
//! measurements of the last action are not counted, as the last move of a classical perft is not made.

use tabia_core::{Game, Stop, Turn};

use crate::action::{Action, Move};
use crate::game::QuantumGame;

/// Number of leaves at a depth in plies; `None` when stopped. With `classical` no move splits.
///
/// ```
/// use tabia_core::Stop;
/// use tabia_quantum::{QuantumGame, perft};
///
/// let game = QuantumGame::default();
/// assert_eq!(perft::count(&game, 2, true, &Stop::new()), Some(400));
/// ```
pub fn count(game: &QuantumGame, depth: u32, classical: bool, stop: &Stop) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let moves = moves(game, classical);
    if depth == 1 {
        return Some(moves.len() as u64);
    }
    moves.into_iter().map(|m| after(game, m, depth, classical, stop)).sum()
}

pub fn moves(game: &QuantumGame, classical: bool) -> Vec<Move> {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    actions
        .into_iter()
        .filter_map(|action| match action {
            Action::Move(m) => Some(m),
            Action::Capture(_) | Action::King(_) => None,
        })
        .filter(|m| !(classical && m.is_split()))
        .collect()
}

/// Number of leaves of the sequences that start with a move; the depth includes it.
pub fn after(game: &QuantumGame, m: Move, depth: u32, classical: bool, stop: &Stop) -> Option<u64> {
    if depth <= 1 {
        return Some(1);
    }
    outcomes(game, Action::Move(m), depth, classical, stop)
}

fn outcomes(game: &QuantumGame, action: Action, depth: u32, classical: bool, stop: &Stop) -> Option<u64> {
    if stop.is_stopped() {
        return None;
    }
    let mut next = game.clone();
    next.apply(action);
    if next.turn() != Turn::Chance {
        return count(&next, depth - 1, classical, stop);
    }
    let mut chances = Vec::new();
    next.chances(&mut chances);
    chances.into_iter().map(|(chance, _)| outcomes(&next, chance, depth, classical, stop)).sum()
}
