//! Matches of quantum chess. The tournament is that of chess: schedule, journal, run directory, statistics. What differs is here:
//! [`settings`], what decides what is played; [`game_runner`], one game; [`writer`], what is written beside the journal.

pub mod game_runner;
pub mod settings;
pub mod writer;

pub use game_runner::QuantumGameRunner;
pub use settings::Settings;
pub use writer::{MatchWriter, Report};

/// What kind of run it is, in its manifest.
pub const KIND: &str = "quantum match";
