//! Leaves of action sequences: the number by which two rule books are compared.
//!
//! A leaf is a sequence of actions, with each outcome of every measurement before the last of them counted once. What the
//! last action measures is not looked at any more, as the last move of a classical count is not made any more.

use tabia_core::{Game, Stop, Turn};

use crate::action::{Action, Move};
use crate::game::QuantumGame;

/// Leaves at a depth in plies; none when stopped. With `classical` no move splits.
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

/// The moves that are counted.
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

/// Leaves of the sequences that begin with one move, at a depth that counts it.
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
