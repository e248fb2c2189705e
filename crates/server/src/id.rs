//! Unguessable ids: 128 random bits in hexadecimal.
//!
//! Knowing the id of a game is the right to see and play it; a game is shared by its address.

use std::fmt;
use std::str::FromStr;

use rand::TryRngCore;
use rand::rngs::OsRng;
use serde::{Deserialize, Serialize};

/// An unguessable id.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Id(u128);

/// Not a valid id.
#[derive(Debug, thiserror::Error)]
#[error("\"{0}\" is no id: an id is 32 hexadecimal digits")]
pub struct IdError(String);

impl Id {
    /// A new random id.
    pub fn random() -> Id {
        let mut bytes = [0; 16];
        OsRng.try_fill_bytes(&mut bytes).expect("the operating system has random numbers");
        Id(u128::from_be_bytes(bytes))
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:032x}", self.0)
    }
}

impl FromStr for Id {
    type Err = IdError;

    fn from_str(text: &str) -> Result<Id, IdError> {
        let refused = || IdError(text.chars().take(40).collect());
        let is_hex =
            text.len() == 32 && text.bytes().all(|c| c.is_ascii_digit() || (b'a'..=b'f').contains(&c));
        if !is_hex {
            return Err(refused());
        }
        u128::from_str_radix(text, 16).map(Id).map_err(|_| refused())
    }
}

impl TryFrom<String> for Id {
    type Error = IdError;

    fn try_from(text: String) -> Result<Id, IdError> {
        text.parse()
    }
}

impl From<Id> for String {
    fn from(id: Id) -> String {
        id.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_reads_as_it_is_written() {
        let id = Id::random();
        assert_eq!(id.to_string().parse::<Id>().unwrap(), id);
        assert_ne!(id, Id::random());
    }

    #[test]
    fn what_could_be_a_path_is_no_id() {
        for text in [
            "",
            "..",
            "../../etc/passwd",
            "0",
            "+0000000000000000000000000000000",
            &"F".repeat(32),
            &"0".repeat(33),
        ] {
            assert!(text.parse::<Id>().is_err(), "{text}");
        }
    }
}
