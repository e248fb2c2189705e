//! One file a command: its arguments, and what it does with them.

pub mod agents;
pub mod analyze;
pub mod bench;
pub mod completions;
pub mod datagen;
pub mod eval;
pub mod evolve;
pub mod exercises;
pub mod explain;
pub mod field;
pub mod man;
pub mod matches;
pub mod motifs;
pub mod perft;
pub mod play;
pub mod quantum;
pub mod replay;
pub mod reproduce;
pub mod samples;
pub mod serve;
pub mod spsa;
pub mod suite;
pub mod tune;
pub mod worker;
