//! Seeded randomness: the same seed gives the same numbers on every machine.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// The generator every random choice in Tabia comes from.
pub type Random = ChaCha8Rng;

/// A generator from a seed.
pub fn random(seed: u64) -> Random {
    ChaCha8Rng::seed_from_u64(seed)
}

/// A seed for the `index`-th part of a larger task, so that parts can run in any order or anywhere.
///
/// ```
/// use tabia_core::seed::derive;
///
/// assert_eq!(derive(1, 2), derive(1, 2));
/// assert_ne!(derive(1, 2), derive(1, 3));
/// ```
pub fn derive(seed: u64, index: u64) -> u64 {
    // splitmix64's finaliser over the pair: neighbouring indices give unrelated seeds.
    let mut z = seed ^ index.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngCore;

    #[test]
    fn a_seed_always_gives_the_same_numbers() {
        assert_eq!(random(7).next_u64(), random(7).next_u64());
        assert_ne!(random(7).next_u64(), random(8).next_u64());
        assert_ne!(derive(1, 2), derive(1, 3));
        assert_ne!(derive(1, 2), derive(2, 2));
    }
}
