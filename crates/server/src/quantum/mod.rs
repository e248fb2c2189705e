//! Quantum chess games: their state. Sessions, streams and engine slots are those of chess
//! ([`GameKind`](crate::sessions::kind::GameKind)).

pub mod error;
pub mod state;
