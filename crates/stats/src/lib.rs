//! Statistics of game results: Elo with confidence intervals, sequential tests, ratings of many players.
//!
//! Pure functions of results: no files, clocks or random numbers, and no knowledge of the players. A result is always
//! from *one named player's view*, and every type says whose. The unit is the [`PairResult`]: two games from one opening
//! with colours swapped. They are not independent, so the variance is computed over pairs (the pentanomial model), and
//! unbalanced openings do not widen the interval.
//!
//! | question | answer |
//! | --- | --- |
//! | what is the score? | [`Tally`], [`Summary`] |
//! | how much stronger, with which error? | [`Estimate`] |
//! | may the match stop? | [`Sprt`], with [`ReorderBuffer`] where pairs finish out of order |
//! | what are the ratings? | [`ratings::fit`] |
//!
//! A number is `None` where the results do not determine it, and infinite where everything was won or lost. No number is
//! ever NaN, and JSON writes both as `null`.

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
pub use elo::{EloModel, Z_95, elo_from_score, expected_score, normal_cdf};
pub use error::StatsError;
pub use estimate::{Basis, Estimate};
pub use likelihood::{Method, llr_of_games, llr_of_pairs};
pub use ratings::{Anchor, EncounterScore, Rating, Ratings};
pub use reorder::ReorderBuffer;
pub use result::{GameResult, PairResult};
pub use sprt::{Sprt, SprtReport, Verdict};
pub use tally::{Summary, Tally};
