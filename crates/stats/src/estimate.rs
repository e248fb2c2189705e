//! Elo estimates with confidence intervals.
//!
//! The score rate is a mean of independent pairs (or of games, if unpaired), so it is approximately normal with their
//! observed variance. Its 95% interval, converted to Elo, is the interval of Elo; the error is half its width. Where the
//! interval reaches 0 or 1 there is no finite error, and none is given.
//!
//! If all pairs ended alike, no variance was observed, and the error is unknown rather than zero. The likelihood of
//! superiority is then that of a coin with a uniform prior: after `n` heads and no tails, heads is the likelier side with
//! probability `1 - 2^-(n+1)`.

use serde::Serialize;

use super::elo::{NELO_PER_DEVIATION, Z_95, elo_from_score, normal_cdf};

/// The trials whose variance is used.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Basis {
    /// Colour-swapped pairs of games: five results.
    Pentanomial,
    /// Single games: three results. Ignores the correlation of games from one opening.
    Trinomial,
}

/// The strength of one player against its opponents, from that player's view.
#[derive(Copy, Clone, Debug, PartialEq, Serialize)]
pub struct Estimate {
    pub basis: Basis,
    /// Logistic Elo; infinite for a perfect score, `None` without games.
    pub elo: Option<f64>,
    /// Half the width of the 95% interval; `None` without variance or with an infinite end.
    pub elo_error_95: Option<f64>,
    /// The 95% interval, which is not symmetric; an end may be infinite.
    pub elo_interval_95: Option<[f64; 2]>,
    /// Normalised Elo: the lead in standard deviations of a game, comparable between books and time controls.
    pub nelo: Option<f64>,
    /// Half the width of its 95% interval.
    pub nelo_error_95: Option<f64>,
    /// Likelihood of superiority: the probability that this player is the stronger one.
    pub los: Option<f64>,
}

impl Estimate {
    /// From pairs `[LL, LD, DD+WL, WD, WW]`.
    ///
    /// ```
    /// use tabia_stats::Estimate;
    ///
    /// let estimate = Estimate::of_pairs([1, 10, 78, 48, 13]);
    /// let (elo, error) = (estimate.elo.unwrap(), estimate.elo_error_95.unwrap());
    /// assert_eq!(format!("{elo:.2} ± {error:.2}"), "72.85 ± 22.33");
    /// ```
    pub fn of_pairs(pentanomial: [u64; 5]) -> Estimate {
        Estimate::of(&pentanomial, Basis::Pentanomial)
    }

    /// From single games `[losses, draws, wins]`.
    ///
    /// ```
    /// use tabia_stats::Estimate;
    ///
    /// let estimate = Estimate::of_games([96, 111, 136]);
    /// assert!((estimate.los.unwrap() - 0.996).abs() < 1e-3);
    /// ```
    pub fn of_games(trinomial: [u64; 3]) -> Estimate {
        Estimate::of(&trinomial, Basis::Trinomial)
    }

    fn of(counts: &[u64], basis: Basis) -> Estimate {
        let trials = counts.iter().sum::<u64>();
        if trials == 0 {
            return Estimate {
                basis,
                elo: None,
                elo_error_95: None,
                elo_interval_95: None,
                nelo: None,
                nelo_error_95: None,
                los: None,
            };
        }
        let games_a_trial = match basis {
            Basis::Pentanomial => 2.0,
            Basis::Trinomial => 1.0,
        };
        let (mean, variance) = mean_and_variance(counts);
        let elo = Some(elo_from_score(mean));
        let all_the_same = counts.contains(&trials);
        if all_the_same {
            return Estimate {
                basis,
                elo,
                elo_error_95: None,
                elo_interval_95: None,
                nelo: Some(sided(mean, [f64::NEG_INFINITY, 0.0, f64::INFINITY])),
                nelo_error_95: None,
                los: Some(superiority_without_variance(mean, trials)),
            };
        }
        let deviation = (variance / trials as f64).sqrt();
        let interval = [-Z_95, Z_95].map(|z| elo_from_score((mean + z * deviation).clamp(0.0, 1.0)));
        let error = (interval[1] - interval[0]) / 2.0;
        Estimate {
            basis,
            elo,
            elo_error_95: Some(error).filter(|error| error.is_finite()),
            elo_interval_95: Some(interval),
            nelo: Some(NELO_PER_DEVIATION * (mean - 0.5) / (games_a_trial * variance).sqrt()),
            nelo_error_95: Some(Z_95 * NELO_PER_DEVIATION / (games_a_trial * trials as f64).sqrt()),
            los: Some(normal_cdf((mean - 0.5) / deviation)),
        }
    }
}

/// Of the score rate of a trial with equally spaced results from 0 to 1.
fn mean_and_variance(counts: &[u64]) -> (f64, f64) {
    let trials = counts.iter().sum::<u64>() as f64;
    let share = |bucket: usize| bucket as f64 / (counts.len() - 1) as f64;
    let sum = |f: &dyn Fn(f64) -> f64| {
        counts.iter().enumerate().map(|(bucket, &count)| count as f64 * f(share(bucket))).sum::<f64>()
            / trials
    };
    let mean = sum(&|share| share);
    (mean, sum(&|share| (share - mean).powi(2)))
}

fn superiority_without_variance(mean: f64, trials: u64) -> f64 {
    let doubt = 0.5f64.powi(i32::try_from(trials).unwrap_or(i32::MAX).saturating_add(1));
    sided(mean, [doubt, 0.5, 1.0 - doubt])
}

/// The first for less than half the points, the second for half, the third for more.
fn sided(mean: f64, [below, half, above]: [f64; 3]) -> f64 {
    match mean {
        _ if mean > 0.5 => above,
        _ if mean < 0.5 => below,
        _ => half,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "zeros, halves and infinities are exact")]

    use super::*;

    fn near(found: Option<f64>, expected: f64, within: f64) {
        let found = found.expect("a number");
        assert!((found - expected).abs() <= within, "{found} is not {expected}");
    }

    /// The numbers that fastchess's own tests expect (Disservin/fastchess, app/tests/elo_test.cpp), there with
    /// drawn pairs counted as WL and DD apart.
    #[test]
    fn estimates_agree_with_fastchess() {
        for (pairs, elo, error, nelo, nelo_error) in [
            ([34, 54, 31 + 32, 64, 75], 55.58, 27.65, 57.94, 28.28),
            ([332, 433, 457 + 41, 333, 334], -8.64, 10.33, -9.17, 10.96),
            ([7895, 8757, 5485 + 200, 568, 9999], -21.04, 2.95, -19.01, 2.65),
        ] {
            let estimate = Estimate::of_pairs(pairs);
            near(estimate.elo, elo, 0.01);
            near(estimate.elo_error_95, error, 0.01);
            near(estimate.nelo, nelo, 0.01);
            near(estimate.nelo_error_95, nelo_error, 0.01);
        }
        let games = Estimate::of_games([96, 111, 136]);
        near(games.nelo, 49.77, 0.01);
        near(games.nelo_error_95, 36.77, 0.01);
        near(games.los, 0.9960, 5e-5);
        near(Estimate::of_games([89, 123, 76]).los, 0.1553, 5e-5);
        near(Estimate::of_games([89, 123, 76]).nelo, -20.76, 0.01);
        near(Estimate::of_games([356, 0, 34]).nelo, -508.44, 0.01);
        near(Estimate::of_pairs([332, 433, 498, 333, 334]).los, 0.0505, 5e-5);
    }

    /// Results as fastchess printed them at the end of two published matches.
    #[test]
    fn estimates_agree_with_published_matches() {
        let match_of_300 = Estimate::of_pairs([1, 10, 78, 48, 13]);
        near(match_of_300.elo, 72.85, 0.005);
        near(match_of_300.elo_error_95, 22.33, 0.005);
        near(match_of_300.nelo, 132.30, 0.005);
        near(match_of_300.nelo_error_95, 39.32, 0.005);
        let match_of_6804 = Estimate::of_pairs([352, 579, 1264, 743, 464]);
        near(match_of_6804.elo, 19.83, 0.005);
        near(match_of_6804.elo_error_95, 6.77, 0.005);
        near(match_of_6804.nelo, 24.25, 0.005);
        near(match_of_6804.nelo_error_95, 8.26, 0.005);
    }

    #[test]
    fn nothing_is_said_of_no_games() {
        let nothing = Estimate::of_pairs([0; 5]);
        assert_eq!((nothing.elo, nothing.nelo, nothing.los), (None, None, None));
    }

    #[test]
    fn winning_everything_is_infinitely_strong_and_of_unknown_error() {
        let all = Estimate::of_pairs([0, 0, 0, 0, 7]);
        assert_eq!((all.elo, all.nelo), (Some(f64::INFINITY), Some(f64::INFINITY)));
        assert_eq!((all.elo_error_95, all.elo_interval_95), (None, None));
        assert_eq!(all.los, Some(1.0 - 1.0 / 256.0));
        let none = Estimate::of_pairs([7, 0, 0, 0, 0]);
        assert_eq!((none.elo, none.los), (Some(f64::NEG_INFINITY), Some(1.0 / 256.0)));
    }

    #[test]
    fn one_pair_gives_a_value_and_no_error() {
        let one = Estimate::of_pairs([0, 0, 0, 1, 0]);
        near(one.elo, elo_from_score(0.75), 1e-9);
        assert_eq!((one.elo_error_95, one.los), (None, Some(0.75)));
        let even = Estimate::of_pairs([0, 0, 1, 0, 0]);
        assert_eq!((even.elo, even.nelo, even.los), (Some(0.0), Some(0.0), Some(0.5)));
    }

    #[test]
    fn an_interval_that_reaches_certainty_has_no_finite_error() {
        let few = Estimate::of_pairs([0, 0, 1, 0, 1]);
        assert_eq!(few.elo_error_95, None);
        assert_eq!(few.elo_interval_95.expect("something varied")[1], f64::INFINITY);
    }

    #[test]
    fn numbers_that_are_not_finite_are_null_in_json() {
        let text = serde_json::to_string(&Estimate::of_pairs([0, 0, 0, 0, 7])).unwrap();
        assert!(text.contains(r#""elo":null"#) && text.contains(r#""elo_error_95":null"#), "{text}");
    }
}
