//! What there is to know of a generation's games.

use std::sync::atomic::{AtomicU64, Ordering};

use tabia_mcts::{PolicyValue, Verdict};
use tabia_quantum::{Action, QuantumGame};

use crate::device::Player;
use crate::metrics::Line;
use crate::shard::Played;

/// A player whose answers are counted.
pub struct Counted<'a> {
    /// Who answers.
    pub player: Player,
    /// How many leaves were valued.
    pub leaves: &'a AtomicU64,
}

impl PolicyValue<QuantumGame> for Counted<'_> {
    fn infer(&self, leaves: &[QuantumGame], actions: &[Vec<Action>], out: &mut Vec<Verdict>) {
        self.leaves.fetch_add(leaves.len() as u64, Ordering::Relaxed);
        self.player.infer(leaves, actions, out);
    }
}

/// What there is to say of a generation's games.
pub fn summary(games: &[Played]) -> Line {
    let count = games.len().max(1) as f64;
    let mean = |value: &dyn Fn(&Played) -> f64| games.iter().map(value).sum::<f64>() / count;
    let resigned = |kind: u32| games.iter().filter(|game| game.resignation == kind).count() as u32;
    Line {
        games: games.len() as u32,
        new_samples: games.iter().map(|game| game.samples.len()).sum(),
        plies: mean(&|game| f64::from(game.plies)),
        white_score: mean(&|game| f64::from(game.points)),
        draws: mean(&|game| f64::from(u8::from((game.points - 0.5).abs() < 0.1))),
        splits: mean(&|game| f64::from(game.splits) / 1000.0),
        resignations: resigned(1) + resigned(2),
        wrong_resignations: resigned(2),
        ..Line::default()
    }
}
