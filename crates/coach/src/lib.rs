//! The coach: why a move is good or bad, with proof on the board.
//!
//! Three layers, each usable without the next:
//!
//! - [`mod@line`] and [`motif`]: tactical motifs of a position and a line alone, without any search. The definitions are
//!   those of lichess's puzzle tagger, so that they can be measured against its labels ([`tagging`]).
//! - [`mod@review`] (a move played, beside the best one): verdict, lines, and reasons with the evidence for each.
//! - [`exercise`]: a mistake as a puzzle, with every move that would have been good enough.
//! - [`text`] and [`messages`]: every sentence that is said to a player, in one place.
//!
//! The crate does no I/O. Its input is positions and lines, so that the lines of any engine can be explained.

pub mod board;
pub mod document;
pub mod exchange;
pub mod exercise;
pub mod explain;
pub mod game;
pub mod heading;
pub mod line;
pub mod messages;
pub mod motif;
pub mod outcome;
pub mod perpetual;
pub mod proof;
pub mod prover;
pub mod puzzle;
pub mod review;
pub mod structure;
pub mod tagging;
pub mod text;
pub mod theory;
pub mod verdict;

pub use document::ReviewDocument;
pub use exercise::{Exercise, ExerciseDocument};
pub use explain::{ExplainError, explain};
pub use line::{Line, LineError, Ply};
pub use messages::Locale;
pub use motif::{Motif, Theme};
pub use prover::{AgentProver, Prover, Searched};
pub use review::{Review, ReviewError, Subject, review};
pub use verdict::Verdict;
