//! Elo scales and the normal distribution.

use libm::erfc;
use serde::{Deserialize, Serialize};

/// The Elo scale of a test.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum EloModel {
    /// Logistic Elo, determined by the score rate.
    #[default]
    Logistic,
    /// Normalised Elo: the lead in standard deviations of the results, so that the length of a test hardly depends on the
    /// opening book and the time control.
    Normalized,
}

/// Standard deviations on each side of the mean that contain 95% of a normal distribution.
pub const Z_95: f64 = 1.959_963_984_540_054;

/// Elo per unit of the logistic scale: a difference of 400 is odds of ten to one.
pub(super) const ELO_PER_UNIT: f64 = 400.0 / std::f64::consts::LN_10;

/// Normalised Elo per standard deviation of a game's score, chosen so that it equals logistic Elo where no game is drawn
/// and the players are nearly equal.
pub(super) const NELO_PER_DEVIATION: f64 = 800.0 / std::f64::consts::LN_10;

/// Expected score of a player this much stronger: 0 to 1.
///
/// ```
/// use tabia_stats::expected_score;
///
/// assert_eq!(expected_score(0.0), 0.5);
/// assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
/// ```
pub fn expected_score(elo: f64) -> f64 {
    logistic(elo / ELO_PER_UNIT)
}

/// Elo difference of a score rate; infinite at 0 and 1.
///
/// ```
/// use tabia_stats::elo_from_score;
///
/// assert!((elo_from_score(0.75) - 190.85).abs() < 0.01);
/// assert_eq!(elo_from_score(1.0), f64::INFINITY);
/// ```
pub fn elo_from_score(share: f64) -> f64 {
    // Adding zero makes negative zero plain zero.
    ELO_PER_UNIT * (share / (1.0 - share)).ln() + 0.0
}

/// Cumulative distribution function of the standard normal distribution.
///
/// ```
/// use tabia_stats::{Z_95, normal_cdf};
///
/// assert!((normal_cdf(Z_95) - 0.975).abs() < 1e-10);
/// ```
pub fn normal_cdf(x: f64) -> f64 {
    0.5 * erfc(-x / std::f64::consts::SQRT_2)
}

pub(super) fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "zeros, halves and infinities are exact")]

    use super::*;

    #[test]
    fn scores_and_elo_convert_both_ways() {
        assert!((expected_score(400.0) - 10.0 / 11.0).abs() < 1e-12);
        for elo in [-731.0, -5.0, 0.0, 12.5, 400.0] {
            assert!((elo_from_score(expected_score(elo)) - elo).abs() < 1e-9);
        }
        assert_eq!(elo_from_score(1.0), f64::INFINITY);
        assert_eq!(elo_from_score(0.0), f64::NEG_INFINITY);
    }

    #[test]
    fn the_normal_distribution_has_its_known_quantiles() {
        assert!((normal_cdf(0.0) - 0.5).abs() < 1e-15);
        assert!((normal_cdf(Z_95) - 0.975).abs() < 1e-10);
        assert!((normal_cdf(-Z_95) - 0.025).abs() < 1e-10);
        assert_eq!([normal_cdf(f64::INFINITY), normal_cdf(f64::NEG_INFINITY)], [1.0, 0.0]);
    }
}
