//! Games as JSON: what clients are sent, and what the database keeps. The games themselves know nothing of it.

pub mod chess;
pub mod outcome;
pub mod players;
pub mod quantum;
pub mod quantum_analysis;
