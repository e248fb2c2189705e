//! Tournaments: many games between some players, each counted exactly once, whatever is interrupted.
//!
//! A tournament does not know which game is played. A [`GameRunner`] plays one game between two players and returns a
//! [`GameRecord`](tabia_games::GameRecord); the schedule, worker threads, the journal on disk, resuming after a power cut
//! and the statistics are the same for every game. [`chess`] has the runner for chess.
//!
//! ```text
//! Schedule ─ Pairing ─► worker: GameRunner::play ─ GameRecord ─► Journal (one line a game, in the order they end)
//!                                                              │  put back into the order of the schedule
//!                                                              ▼
//!                              Scoreboard: tallies, faults, the sequential test ─► games.pgn, result.json, report.html
//! ```
//!
//! **Reproducibility.** Results are counted in the order of the schedule: only the longest unbroken sequence of finished
//! games from the first one counts. So with fixed nodes or depth the same seed gives the same bytes, with any number of
//! workers and after any number of interruptions. Games that finished out of order when a tournament was decided are in
//! the journal only.

pub mod chess;
pub mod error;
pub mod game_runner;
pub mod journal;
pub mod live;
pub mod names;
pub mod runner;
pub mod schedule;
pub mod scoreboard;
pub mod task;

pub use error::TournamentError;
pub use game_runner::GameRunner;
pub use journal::Journal;
pub use live::GameInProgress;
pub use names::make_names_printable;
pub use runner::{Ending, Observer, Progress, Tournament};
pub use schedule::{Format, Pairing, Schedule};
pub use scoreboard::Scoreboard;
pub use task::{GameTask, PlayedGame};
