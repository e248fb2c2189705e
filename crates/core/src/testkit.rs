//! A conformance test for every game: random playouts that check the contract of [`Game`].

use crate::game::{Game, Turn};
use crate::seed;
use rand::Rng;

/// Longest playout in plies; longer games are left unfinished.
const LONGEST_PLAYOUT: usize = 600;

/// Plays `playouts` random games from `start` and panics at the first violation of the contract.
///
/// Checked: a player's turn has actions and no chances; a chance turn has chances that sum to one and no
/// actions; a finished game has neither; no action is listed twice; `apply` is deterministic and leaves clones
/// alone; the key is a function of the position; the same seed gives the same game.
pub fn check_game<G: Game>(start: &G, playouts: u32, seed: u64) {
    for index in 0..playouts {
        let first = playout(start, seed::derive(seed, index.into()));
        let again = playout(start, seed::derive(seed, index.into()));
        assert_eq!(first, again, "the same seed gave different games");
    }
}

/// One random game; returns the keys of its positions.
fn playout<G: Game>(start: &G, seed: u64) -> Vec<u64> {
    let mut random = seed::random(seed);
    let mut game = start.clone();
    let mut keys = vec![game.key()];
    let (mut actions, mut chances) = (Vec::new(), Vec::new());
    for _ in 0..LONGEST_PLAYOUT {
        game.actions(&mut actions);
        game.chances(&mut chances);
        let action = match game.turn() {
            Turn::Over(_) => {
                assert!(actions.is_empty(), "a finished game lists actions");
                assert!(chances.is_empty(), "a finished game lists chances");
                break;
            }
            Turn::Player(_) => {
                assert!(!actions.is_empty(), "a player to move has no action");
                assert!(chances.is_empty(), "a player's turn lists chances");
                assert_distinct(&actions);
                actions[random.random_range(0..actions.len())]
            }
            Turn::Chance => {
                assert!(actions.is_empty(), "a chance turn lists a player's actions");
                assert_distinct(&chances.iter().map(|(action, _)| *action).collect::<Vec<_>>());
                let total: f64 = chances.iter().map(|(_, probability)| probability).sum();
                assert!((total - 1.0).abs() < 1e-9, "chances sum to {total}");
                assert!(chances.iter().all(|(_, p)| *p > 0.0), "an impossible chance is listed");
                pick(&chances, random.random::<f64>())
            }
        };
        let before = game.clone();
        let mut copy = game.clone();
        game.apply(action);
        copy.apply(action);
        assert_eq!(game.key(), copy.key(), "apply is not deterministic");
        assert_eq!(before.key(), keys[keys.len() - 1], "apply reached into a clone");
        keys.push(game.key());
    }
    keys
}

fn pick<A: Copy>(chances: &[(A, f64)], mut point: f64) -> A {
    for (action, probability) in chances {
        point -= probability;
        if point < 0.0 {
            return *action;
        }
    }
    chances[chances.len() - 1].0
}

fn assert_distinct<A: Eq + std::fmt::Debug>(actions: &[A]) {
    for (index, action) in actions.iter().enumerate() {
        assert!(!actions[..index].contains(action), "{action:?} is listed twice");
    }
}
