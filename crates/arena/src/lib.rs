//! The measuring bench: games between agents, what they say about strength, and the files they are kept in.
//!
//! Everything here speaks of games through one type, [`GameRecord`]: matches make records, game files and replays
//! are other spellings of them, statistics count them. Nothing here prints; whoever runs a match is told of its
//! progress and shows it.

pub mod analysis;
pub mod driver;
pub mod report;
pub mod suite;
pub mod tournament;
