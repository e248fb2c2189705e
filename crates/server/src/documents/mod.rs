//! JSON documents of games, for clients and for the database. The games themselves do not know their encoding.

pub mod chess;
pub mod outcome;
pub mod players;
pub mod quantum;
pub mod quantum_analysis;
