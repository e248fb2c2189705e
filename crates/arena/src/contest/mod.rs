//! Contests: many games between some players, each accounted for, whatever happens meanwhile.
//!
//! What is played is not known here. A [`Table`] plays one game between two players and gives back a
//! [`GameRecord`](tabia_games::GameRecord); who plays whom, how games are spread over threads, what is kept on disk, how a
//! contest is taken up again after a power cut, and what the results add up to is the same for every game.
//! [`chess`] has the table at which chess is played.
//!
//! ```text
//! Schedule ─ Fixture ─► worker: Table::play ─ GameRecord ─► Journal (one line a game, in the order they end)
//!                                                              │  put back into the order of the schedule
//!                                                              ▼
//!                              Standing: tallies, faults, the sequential test ─► games.pgn, result.json, report.html
//! ```
//!
//! **What repeats.** Results are judged in the order of the schedule: at every moment they are those of the
//! longest unbroken row of games from the first. So at fixed nodes or depth the same seed gives the same bytes, with
//! any number of workers and after any number of interruptions; games that ended out of turn when a contest was
//! decided are in the journal, and nowhere else.

pub mod chess;
pub mod error;
pub mod journal;
pub mod live;
pub mod runner;
pub mod schedule;
pub mod standing;
pub mod table;
pub mod task;

pub use error::ContestError;
pub use journal::Journal;
pub use live::InFlight;
pub use runner::{Contest, Ending, Observer, Progress};
pub use schedule::{Fixture, Format, Schedule};
pub use standing::Standing;
pub use table::Table;
pub use task::{GameTask, PlayedGame};
