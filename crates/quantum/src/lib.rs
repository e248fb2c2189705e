//! Quantum chess: many classical boards at once.
//!
//! A state is a set of weighted [branches](Branch). A classical move is made in every branch where it can be; a split is
//! made and not made, and doubles what it touches. Only a capture that may or may not happen is measured, and so is a king
//! that may or may not have been what was captured. [`QuantumGame`] is the game, in the terms of [`tabia_core::Game`]:
//! measurements are chance turns with exact probabilities.
//!
//! | module | what |
//! | --- | --- |
//! | [`action`], [`index`] | moves, their text and their numbers |
//! | [`branch`], [`castling`] | one classical board, and a move on it |
//! | [`superposition`], `generate` | the branches in normal form, the union of their moves |
//! | [`game`] | whose turn it is, measuring, winning and drawing |
//! | [`rules`] | versions of the rules, for records of older games |
//! | [`marginals`], [`odds`], [`planes`] | what is likely where; what a move may come to; what a network sees |
//! | [`position`], [`record`] | states and games as text |
//! | [`phrases`] | why a move is illegal, what a measurement showed |
//! | [`endings`] | endings against a bare king, for searches with a network |
//! | [`analysis`] | a state analysed by search |
//! | [`evaluate`], [`agents`] | what a state is worth by hand; who plays |
//! | [`perft`] | leaves counted, by which rules are compared |
//!
//! The rules are told for people in `docs/quantum.md`. Weights are whole numbers, so that nothing here is ever rounded but
//! what is shown.

pub mod action;
pub mod agents;
pub mod analysis;
pub mod branch;
pub mod castling;
pub mod endings;
pub mod evaluate;
pub mod game;
mod generate;
pub mod index;
pub mod marginals;
pub mod odds;
pub mod perft;
pub mod phrases;
pub mod planes;
pub mod position;
pub mod record;
pub mod rules;
pub mod superposition;

pub use action::{Action, Kind, Move, MoveError};
pub use branch::Branch;
pub use game::{DEFAULT_PLY_LIMIT, Measurement, QuantumGame};
pub use index::ACTIONS;
pub use marginals::Marginals;
pub use odds::Odds;
pub use position::PositionError;
pub use record::PlayError;
pub use rules::Rules;
