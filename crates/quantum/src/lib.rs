//! Quantum chess: a superposition of classical boards.
//!
//! A state is a set of weighted [branches](Branch). A classical move is made in every branch where it is possible; a
//! split move is made in one half of each branch and not in the other, which doubles the branches it applies to. Only an
//! uncertain capture is measured, and whether the captured piece was the king. [`QuantumGame`] implements
//! [`tabia_core::Game`]: measurements are chance turns with exact probabilities.
//!
//! | module | what |
//! | --- | --- |
//! | [`action`], [`index`] | moves, their text and their policy indices |
//! | [`branch`], [`castling`] | one classical board, and a move on it |
//! | [`superposition`], `generate` | the branches in normal form, the union of their moves |
//! | [`game`] | turns, measurements, wins and draws |
//! | [`rules`] | versions of the rules, for records of older games |
//! | [`marginals`], [`odds`], [`planes`] | probabilities of pieces and moves; the network's input |
//! | [`position`], [`record`], [`replay`] | states and games as text; a recorded game played through |
//! | [`phrases`] | why a move is illegal, what a measurement showed |
//! | [`endings`] | endings against a bare king, for searches with a network |
//! | [`analysis`] | a state analysed by search |
//! | [`evaluate`], [`agents`] | a handcrafted evaluation; agents |
//! | [`perft`] | leaf counts |
//!
//! The rules are in `docs/quantum.md`. Weights are integers: nothing is rounded except for display.

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
pub mod replay;
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
