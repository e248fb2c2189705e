//! The secret that selects which results are compared, and with which account.

use std::fmt;

use sha2::{Digest, Sha256};

/// The decisions made with the secret.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    Compare,
    /// Whether the coordinator itself computes the second result.
    Own,
    /// Which account computes the second result.
    Account,
}

/// A key that only the coordinator knows and that is never sent. Without it an account cannot predict which results
/// are compared, so it cannot cheat on the others only.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(pub [u8; 32]);

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    /// A pseudorandom number of a task, unpredictable without the key.
    pub(super) fn draw(&self, what: Decision, key: &str) -> u64 {
        let hash = Sha256::new().chain_update(self.0).chain_update([what as u8]).chain_update(key).finalize();
        u64::from_le_bytes(*hash.first_chunk().expect("a hash has 32 bytes"))
    }

    /// The same as a number from 0 to below 1.
    pub(super) fn share(&self, what: Decision, key: &str) -> f64 {
        const BITS: u32 = 53;
        (self.draw(what, key) >> (u64::BITS - BITS)) as f64 / (1_u64 << BITS) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::fingerprint;

    fn keys() -> Vec<String> {
        (0..2000_u32).map(|number| fingerprint(&number.to_le_bytes())).collect()
    }

    #[test]
    fn about_as_many_are_chosen_as_asked_for() {
        let secret = Secret([7; 32]);
        let chosen =
            |share: f64| keys().iter().filter(|key| secret.share(Decision::Compare, key) < share).count();
        assert_eq!((chosen(0.0), chosen(1.0)), (0, 2000));
        assert!((20..60).contains(&chosen(0.02)), "{}", chosen(0.02));
    }

    #[test]
    fn the_key_of_a_task_tells_nothing_without_the_secret() {
        let (one, other) = (Secret([1; 32]), Secret([2; 32]));
        let same = keys()
            .iter()
            .filter(|key| {
                (one.share(Decision::Compare, key) < 0.5) == (other.share(Decision::Compare, key) < 0.5)
            })
            .count();
        assert!((900..1100).contains(&same), "{same}");
        assert_eq!(format!("{one:?}"), "Secret(…)");
    }
}
