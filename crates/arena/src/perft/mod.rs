//! Perft: counts the leaf nodes of the legal-move tree, the standard test of a move generator. [`count`] counts,
//! [`suite`] reads files of known counts, [`check`] compares the two.

pub mod check;
pub mod count;
pub mod suite;

pub use check::{Check, Report};
pub use count::Generator;
pub use suite::PerftError;
