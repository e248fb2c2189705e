//! Matches and tournaments between agents and engines, their reports, test suites and game analysis.
//!
//! Every game is a [`GameRecord`](tabia_games::GameRecord): matches produce records, game files and replays store them,
//! statistics count them. Nothing here prints; the caller of a match receives its progress and shows it.

pub mod analysis;
pub mod driver;
pub mod parallel;
pub mod perft;
pub mod quantum;
pub mod report;
pub mod suite;
pub mod tournament;
