//! An opening explorer: which moves were played in a position, how they scored, and in which games.
//!
//! [`build`] reads PGN files into an SQLite index, once; it commits every few thousand games together with the place it
//! has come to, so that it goes on from there after an interruption. [`Lookup`] answers while the index is being built,
//! from what is in it already. Games stay in their files: the index knows where each one lies.
//!
//! A [`Filter`] says which games count: by rating, date, result and player.
//!
//! A position is known by its Zobrist key, so transpositions meet. Main lines only; variations are no games.

mod build;
mod error;
mod filter;
mod lookup;
mod move_code;
mod schema;

pub use build::{Progress, build};
pub use error::ExplorerError;
pub use filter::{Date, DateError, Filter};
pub use lookup::{GameHead, Lookup, MoveCount, PositionCount, Results, Span};
