//! Chess matches: time controls, adjudication, and one game from start to end.
//!
//! [`referee`] plays one game between two players. [`game_runner`] is the [`GameRunner`](super::GameRunner) that creates
//! agents and engines for it. [`settings`] holds everything that decides what is played, and [`chess_match`] is a whole
//! match: settings, game runner, run directory and the files written at the end.

pub mod adjudication;
mod check;
pub mod chess_match;
pub mod clock;
mod document;
pub mod executor;
pub mod game_runner;
pub mod live;
pub mod openings;
pub mod referee;
pub mod result;
pub mod settings;
pub mod tablebases;
pub mod time_control;

pub use adjudication::{Adjudication, DrawRule, ResignRule};
pub use chess_match::{ChessMatch, Concurrency, Origin};
pub use executor::MatchExecutor;
pub use game_runner::ChessGameRunner;
pub use openings::Order;
pub use referee::Rules;
pub use result::{MatchResult, PlayerInfo};
pub use settings::{Entrant, OpeningSettings, Settings, SprtSettings};
pub use time_control::{ClockSettings, TimeControl};
