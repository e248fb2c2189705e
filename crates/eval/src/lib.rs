//! Evaluations: static scores of positions, and their explanation.
//!
//! One module per family. Scores are in White's view: positive is good for White. The side to move's view is taken in
//! one place, by the search ([`Evaluate::relative`]). [`Evaluate::explain`] breaks a score down into terms that sum to
//! it exactly.
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
