//! Chess games as records, and the files they are kept in.
//!
//! [`GameRecord`] is one game: players, moves with their times and scores, result. [`GameTree`] is a game with all its
//! variations and comments. [`pgn`] and [`replay`] read and write records, [`epd`] positions with operations, [`openings`]
//! the start positions of matches.

pub mod epd;
pub mod error;
pub mod openings;
pub mod pgn;
pub mod record;
pub mod replay;
pub mod tree;

pub use error::{FileError, LineError};
pub use openings::{Opening, Openings};
pub use record::{GameRecord, Ply};
pub use tree::GameTree;
