//! Evaluations: what a position is worth, and why.
//!
//! One module a family. Every evaluation is White's view, positive is good for White; the side to move's view
//! is taken once, by whoever searches ([`Evaluate::relative`]). Every evaluation can take itself apart:
//! [`Evaluate::explain`] gives terms that sum exactly to its score.
//!
//! An evaluation sees a [`View`], never a game: no history, no clock, no search.

pub mod axiomx;
pub mod axiomx_speed;
pub mod axon;
pub mod chromosome;
pub mod evaluate;
pub mod explain;
pub mod field;
pub mod nnue;
pub mod phrases;
pub mod pst;
pub mod registry;
pub mod simple;
#[cfg(any(test, feature = "testkit"))]
pub mod testing;
pub mod tuning;
pub mod view;
pub mod weights_file;

pub use evaluate::Evaluate;
pub use explain::{Explanation, Field, Part, Term};
pub use registry::AnyEvaluation;
pub use view::View;
