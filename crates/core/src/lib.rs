//! Types and traits that every part of Tabia shares.
//!
//! This crate sits in the middle: games and agents are defined here, implemented around it, and used by the
//! arena, the server and the command line without knowing one another. It does no I/O, starts no thread and
//! reads no clock but the one a search is measured by ([`limits`]).
//!
//! The rules of chess are shakmaty's; [`chess`] adds what a *game* has and a position has not: the moves that
//! led here, and the draws that depend on them.

pub mod agent;
pub mod catalogue;
pub mod chances;
pub mod chess;
pub mod fen;
pub mod game;
pub mod limits;
pub mod outcome;
pub mod play;
pub mod printable;
pub mod score;
pub mod seed;
pub mod spec;
pub mod spelling;
pub mod stop;
pub mod testkit;
pub mod wording;

pub use agent::{Agent, AgentError, Bound, SearchInfo, Wdl};
pub use catalogue::{AgentEntry, Catalogue, CatalogueError, OptionEntry, OptionKind, Options};
pub use chess::ChessGame;
pub use fen::FenError;
pub use game::{Game, Turn};
pub use limits::{Clock, Limits};
pub use outcome::{Outcome, Reason};
pub use printable::{printable, printable_lines};
pub use score::Score;
pub use spec::{AgentSpec, SpecError};
pub use stop::Stop;
