//! What results say about strength: Elo with its error, sequential tests, ratings of many players.
//!
//! Pure functions of results: nothing here reads a file, a clock or a random number, and nothing knows who plays. A
//! result is always from *one named player's view*, and every type says whose. The unit is the [`PairResult`]: two
//! games from one opening with colours swapped. They are not independent, so the variance is taken over pairs (the
//! pentanomial model), and an unbalanced opening costs no certainty.
//!
//! | question | answer |
//! | --- | --- |
//! | how did it go? | [`Tally`], [`Summary`] |
//! | how much stronger, and how sure is that? | [`Estimate`] |
//! | may the match stop? | [`Sprt`], with [`ReorderBuffer`] where pairs end out of turn |
//! | where does everybody stand? | [`ratings::fit`] |
//!
//! What cannot be said is not said: a number is absent where the results do not determine it and infinite where
//! everything was won or lost. Neither is ever NaN, and JSON writes both as `null`.

mod curve;
mod elo;
mod error;
mod estimate;
mod likelihood;
pub mod ratings;
mod reorder;
mod result;
mod sprt;
mod tally;

pub use curve::{Curve, CurvePoint};
pub use elo::{Z_95, elo_from_score, expected_score, normal_cdf};
pub use error::StatsError;
pub use estimate::{Basis, Estimate};
pub use likelihood::{Method, llr_of_games, llr_of_pairs};
pub use ratings::{Anchor, EncounterScore, Rating, Ratings};
pub use reorder::ReorderBuffer;
pub use result::{GameResult, PairResult};
pub use sprt::{EloModel, Sprt, SprtReport, Verdict};
pub use tally::{Summary, Tally};
