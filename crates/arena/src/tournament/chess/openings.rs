//! The order of openings, and their fingerprint.

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use tabia_core::seed;

use tabia_games::openings::Openings;

/// The order of openings.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Order {
    /// Shuffled by the seed; reshuffled when they run out.
    #[default]
    Random,
    /// In file order; starts over when they run out.
    Sequential,
}

/// A fingerprint of some openings in their order.
pub fn fingerprint(openings: &Openings) -> String {
    let mut hash = Sha256::new();
    for opening in openings.iter() {
        hash.update(opening.start.as_deref().unwrap_or_default());
        hash.update([0]);
        hash.update(opening.moves.join(" "));
        hash.update([0]);
    }
    format!("{:x}", hash.finalize())
}

/// Which opening each of `rounds` rounds starts from.
pub fn sequence(count: usize, rounds: usize, order: Order, seed: u64) -> Vec<usize> {
    let mut sequence = Vec::with_capacity(rounds);
    let mut cycle = 0;
    while sequence.len() < rounds && count > 0 {
        let mut turn: Vec<usize> = (0..count).collect();
        if order == Order::Random {
            turn.shuffle(&mut seed::random(seed::derive(seed, cycle)));
        }
        turn.truncate(rounds - sequence.len());
        sequence.extend(turn);
        cycle += 1;
    }
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_opening_comes_once_before_any_comes_again() {
        for order in [Order::Random, Order::Sequential] {
            let sequence = sequence(7, 20, order, 3);
            for cycle in sequence.chunks(7) {
                let mut seen = cycle.to_vec();
                seen.sort_unstable();
                seen.dedup();
                assert_eq!(seen.len(), cycle.len());
            }
        }
        assert_eq!(sequence(3, 5, Order::Sequential, 9), [0, 1, 2, 0, 1]);
        assert_eq!(sequence(50, 20, Order::Random, 1), sequence(50, 20, Order::Random, 1));
        assert_ne!(sequence(50, 20, Order::Random, 1), sequence(50, 20, Order::Random, 2));
        // A longer match begins like a shorter one.
        assert_eq!(sequence(50, 200, Order::Random, 1)[..20], sequence(50, 20, Order::Random, 1));
    }
}
