//! Any text is a state of quantum chess, with plies after it, or an error with words in it. A state survives being written down, its moves
//! survive their index and their text, and whatever is played leaves a state that can be written down again.
//!
//! The first line is the state, every other line a ply.

use tabia_core::{Game, Turn};
use tabia_quantum::{Action, Move, QuantumGame};

/// Moves of a state that are made.
const MADE: usize = 6;

/// Reads the input; panics where what must hold does not.
pub fn check(text: &str) {
    let mut lines = text.lines();
    let mut game = match lines.next().unwrap_or_default().parse::<QuantumGame>() {
        Ok(game) => game,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    survives(&game);
    for ply in lines.take(8) {
        let before = game.clone();
        match game.play_text(ply) {
            Ok(()) => survives(&game),
            Err(error) => {
                assert!(!error.to_string().is_empty());
                assert!(game == before, "a refused ply changed the state");
            }
        }
    }
    moves_hold(&game);
}

fn survives(game: &QuantumGame) {
    assert!(game.turn() != Turn::Chance);
    assert_eq!(game.branches().iter().map(tabia_quantum::Branch::weight).sum::<u64>(), game.total());
    if game.outcome().is_some_and(|outcome| outcome.winner.is_some()) {
        return;
    }
    let written = game.to_string();
    let again: QuantumGame = written.parse().unwrap_or_else(|error| panic!("{written}: {error}"));
    // What is written has no past, so that only a repetition may be forgotten.
    assert_eq!(again.branches(), game.branches());
    assert_eq!(again.to_string(), written);
    assert_eq!(again.repetitions(), 1);
}

fn moves_hold(game: &QuantumGame) {
    let mut actions = Vec::new();
    game.actions(&mut actions);
    assert_eq!(actions.is_empty(), game.outcome().is_some());
    let step = actions.len() / MADE + 1;
    for action in &actions {
        let Action::Move(m) = action else { panic!("{action:?} among the moves") };
        assert_eq!(Move::from_index(m.index()), Some(*m));
        assert_eq!(game.read_move(&game.write_move(*m)), Ok(*m));
    }
    for action in actions.iter().step_by(step) {
        let mut next = game.clone();
        next.apply(*action);
        while let Some(measurement) = next.measurement() {
            assert!(measurement.yes > 0 && measurement.yes < measurement.total);
            next.apply(measurement.answer(measurement.yes % 2 == 0));
        }
        survives(&next);
    }
}
