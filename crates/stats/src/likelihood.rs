//! The generalised likelihood ratio of two hypotheses about strength.
//!
//! A strength fixes only the mean of the results (logistic Elo) or the mean in standard deviations (normalised Elo).
//! Each hypothesis is therefore represented by the maximum-likelihood distribution among all with its strength (M. Van den
//! Bergh, "MLE for multinomial distributions" and "Normalized Elo", the theory behind fishtest and fastchess). The
//! logarithm of the ratio of the two likelihoods is the LLR.
//!
//! For a fixed mean `s` that distribution is `p = q / (1 + x (a − s))`, where `q` are the observed frequencies, `a` the
//! scores and `x` the one tilt at which it sums to one. A mean `t` standard deviations above one half is not a linear
//! condition. With `b = a − ½` and a known deviation `d`, Lagrange's conditions give the same form,
//! `p = q / (1 + x (b − t d / 2 − t b² / (2 (1 + t²) d)))`; the right `d` is the one whose `p` has the second moment
//! `(1 + t²) d²` about one half. The moment is too large at the smallest `d` for which some `p` exists and too small at
//! the largest, so bisection finds it.
//!
//! Where nearly all results are equal, several distributions may be local maxima; the one next to an even score is taken.
//! Ratios there are far beyond any bound.
//!
//! A result that never occurred counts [`UNSEEN`] times: it is rare, not impossible.

use serde::{Deserialize, Serialize};

use super::elo::{EloModel, NELO_PER_DEVIATION, expected_score};

/// Count of a result that never occurred.
const UNSEEN: f64 = 1e-3;
/// Most iterations of a search.
const ROUNDS: usize = 200;
/// Relative tolerance of deviations.
const STILL: f64 = 1e-13;

/// How the likelihood ratio is computed.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Method {
    /// Exactly, with the maximum-likelihood distributions.
    #[default]
    Exact,
    /// With a normal distribution of the observed variance: good for many results and close hypotheses.
    Approximate,
}

/// Largest tested strength; beyond 695 normalised Elo the equations change their form.
pub(super) const MAX_ELO: f64 = 500.0;

/// LLR of `elo1` against `elo0`, both within 500, from pairs `[LL, LD, DD+WL, WD, WW]` of the player whose strength is tested.
///
/// ```
/// use tabia_stats::{EloModel, Method, llr_of_pairs};
///
/// // Stockfish's pull request 6020, as fishtest showed it.
/// let pairs = [320, 12431, 27275, 12858, 316];
/// let llr = llr_of_pairs(pairs, [0.0, 2.0], EloModel::Normalized, Method::Exact);
/// assert!((llr - 2.95).abs() < 0.005);
/// ```
pub fn llr_of_pairs(pentanomial: [u64; 5], elo: [f64; 2], model: EloModel, method: Method) -> f64 {
    llr(pentanomial, elo, model, method)
}

/// LLR of `elo1` against `elo0`, both within 500, from single games `[losses, draws, wins]`.
pub fn llr_of_games(trinomial: [u64; 3], elo: [f64; 2], model: EloModel, method: Method) -> f64 {
    llr(trinomial, elo, model, method)
}

fn llr<const N: usize>(counts: [u64; N], elo: [f64; 2], model: EloModel, method: Method) -> f64 {
    if counts.iter().all(|&count| count == 0) {
        return 0.0;
    }
    let (trials, seen) = regularised(counts);
    // A pair is two games, with half the variance per game, so the same lead is more deviations of a pair.
    let games_a_trial: f64 = if N == 3 { 1.0 } else { 2.0 };
    let deviations = elo.map(|elo| elo / NELO_PER_DEVIATION * games_a_trial.sqrt());
    let ratio_a_trial = match (model, method) {
        (EloModel::Logistic, Method::Exact) => {
            let [under0, under1] = elo.map(|elo| seen.likeliest_with_mean(expected_score(elo)));
            seen.log_ratio(&under0, &under1)
        }
        (EloModel::Normalized, Method::Exact) => {
            let [under0, under1] = deviations.map(|t| seen.likeliest_with_lead(t));
            seen.log_ratio(&under0, &under1)
        }
        (EloModel::Logistic, Method::Approximate) => {
            let (mean, variance) = seen.mean_and_variance();
            let [s0, s1] = elo.map(expected_score);
            (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance)
        }
        (EloModel::Normalized, Method::Approximate) => {
            let (mean, variance) = seen.mean_and_variance();
            let lead = (mean - 0.5) / variance.sqrt();
            let [off0, off1] = deviations.map(|t| (lead - t).powi(2).ln_1p());
            (off0 - off1) / 2.0
        }
    };
    trials * ratio_a_trial
}

/// Number of trials and frequency of each result, symmetric to the last digit.
fn regularised<const N: usize>(counts: [u64; N]) -> (f64, Distribution<N>) {
    let unseen = counts.iter().filter(|&&count| count == 0).count();
    let trials = counts.iter().sum::<u64>() as f64 + unseen as f64 * UNSEEN;
    (trials, Distribution(counts.map(|count| if count == 0 { UNSEEN } else { count as f64 } / trials)))
}

/// Probabilities of results with equally spaced scores from 0 to 1.
struct Distribution<const N: usize>([f64; N]);

impl<const N: usize> Distribution<N> {
    fn shares() -> [f64; N] {
        std::array::from_fn(|index| index as f64 / (N - 1) as f64)
    }

    fn mean_and_variance(&self) -> (f64, f64) {
        let sum =
            |f: &dyn Fn(f64) -> f64| self.0.iter().zip(Self::shares()).map(|(p, a)| p * f(a)).sum::<f64>();
        let mean = sum(&|a| a);
        (mean, sum(&|a| (a - mean).powi(2)))
    }

    /// Expected log-likelihood ratio per trial.
    fn log_ratio(&self, under0: &Self, under1: &Self) -> f64 {
        self.0.iter().zip(&under0.0).zip(&under1.0).map(|((q, p0), p1)| q * (p1 / p0).ln()).sum()
    }

    fn likeliest_with_mean(&self, mean: f64) -> Self {
        self.tilted(Self::shares().map(|share| share - mean))
    }

    /// The maximum-likelihood distribution whose mean is `lead` of its own deviations above one half.
    fn likeliest_with_lead(&self, lead: f64) -> Self {
        if lead < 0.0 {
            return self.mirrored().likeliest_with_lead(-lead).mirrored();
        }
        let even = self.likeliest_with_mean(0.5);
        if lead == 0.0 {
            return even;
        }
        // Its second moment about one half is the squared deviation times this.
        let moment = 1.0 + lead * lead;
        let cosine = moment.sqrt().recip();
        let above_half = Self::shares().map(|share| share - 0.5);
        let [nearest, farthest] = [above_half[N / 2 + 1], above_half[N - 1]];
        let mut low = nearest * (1.0 - cosine) / lead;
        let mut high = farthest.min(farthest * (1.0 + cosine) / lead);
        let mut found = even;
        let mut before = f64::INFINITY;
        for round in 0..ROUNDS {
            let next = (found.moment_about_half() / moment).sqrt();
            // Newton's method is enough unless nearly all results are equal; there bisection is slow but safe.
            let inside = next > low && next < high && round < ROUNDS / 4;
            let deviation = if inside { next } else { f64::midpoint(low, high) };
            if (deviation - before).abs() <= STILL * deviation {
                break;
            }
            before = deviation;
            found = self.tilted(above_half.map(|above| {
                above - lead * deviation / 2.0 - lead * above * above / (2.0 * moment * deviation)
            }));
            if found.moment_about_half() > moment * deviation * deviation {
                low = deviation;
            } else {
                high = deviation;
            }
        }
        found
    }

    fn moment_about_half(&self) -> f64 {
        self.0.iter().zip(Self::shares()).map(|(chance, share)| chance * (share - 0.5).powi(2)).sum()
    }

    /// From the opponent's view.
    fn mirrored(&self) -> Self {
        let mut chances = self.0;
        chances.reverse();
        Distribution(chances)
    }

    /// The maximum-likelihood distribution under which the mean of `offsets` is zero.
    fn tilted(&self, offsets: [f64; N]) -> Self {
        let tilt = root(&self.0, &offsets);
        Distribution(std::array::from_fn(|index| self.0[index] / (1.0 + tilt * offsets[index])))
    }
}

/// The tilt `x` at which `Σ q a / (1 + x a)` vanishes. The sum falls from +∞ to −∞ between its two poles, so there is
/// exactly one; Newton steps find it, and bisection keeps them inside.
fn root(chances: &[f64], offsets: &[f64]) -> f64 {
    let (lowest, highest) =
        offsets.iter().fold((0.0, 0.0), |(low, high): (f64, f64), &a| (low.min(a), high.max(a)));
    debug_assert!(lowest < 0.0 && highest > 0.0, "a strength that no results could have: {offsets:?}");
    let (mut low, mut high) = (-1.0 / highest, -1.0 / lowest);
    let mut x = 0.0;
    for _ in 0..ROUNDS {
        let (mut value, mut derivative) = (0.0, 0.0);
        for (q, a) in chances.iter().zip(offsets) {
            let tilted = a / (1.0 + x * a);
            value += q * tilted;
            derivative -= q * tilted * tilted;
        }
        if value > 0.0 {
            low = x;
        } else {
            high = x;
        }
        let step = x - value / derivative;
        let next = if step > low && step < high { step } else { f64::midpoint(low, high) };
        if (next - x).abs() <= f64::EPSILON * (high.abs() + low.abs()) {
            return next;
        }
        x = next;
    }
    x
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "zeros, halves and infinities are exact")]

    use super::*;
    use EloModel::{Logistic, Normalized};
    use Method::{Approximate, Exact};
    use proptest::prelude::*;

    /// What fastchess's tests expect (Disservin/fastchess, app/tests/sprt_test.cpp); there drawn pairs are counted
    /// as WL and DD apart. Those tests allow one part in a hundred; where nothing varied fastchess stops its rounds
    /// early, and differs from the limit in the fourth digit.
    #[test]
    fn ratios_agree_with_fastchess() {
        for (pairs, elo, model, expected) in [
            ([365, 16618, 36029 + 200, 16974, 390], [0.0, 2.0], Normalized, 2.25),
            ([127, 4883, 10311 + 401, 5150, 104], [-1.75, 0.25], Normalized, 3.01),
            ([0, 0, 0, 0, 5550], [0.0, 5.0], Normalized, 111.82),
            ([223, 9863, 20279 + 1000, 10037, 246], [0.5, 2.5], Logistic, -3.07),
            ([871, 26175, 55003 + 980, 26678, 821], [0.0, 2.0], Logistic, -4.98),
        ] {
            let found = llr_of_pairs(pairs, elo, model, Exact);
            assert!(
                (found - expected).abs() < 0.005_f64.max(3e-4 * expected),
                "{pairs:?}: {found}, not {expected}"
            );
        }
        for ([wins, losses, draws], elo, model, expected) in [
            ([36433, 36027, 68692], [0.0, 2.0], Normalized, 0.92),
            ([10871, 10650, 20431], [-1.75, 0.25], Normalized, 2.30),
            ([4250, 0, 0], [0.0, 10.0], Normalized, 120.56),
            ([21404, 21184, 40708], [0.5, 2.5], Logistic, -1.57),
            ([57433, 57030, 106_593], [0.0, 2.0], Logistic, -2.59),
        ] {
            let found = llr_of_games([losses, draws, wins], elo, model, Exact);
            assert!(
                (found - expected).abs() < 0.005_f64.max(3e-4 * expected),
                "{wins} {losses} {draws}: {found}, not {expected}"
            );
        }
    }

    /// What fishtest showed for tests of Stockfish, as quoted in the pull requests numbered here
    /// (github.com/official-stockfish/Stockfish/pull/…). Bounds were logistic in 2020 and are normalised now.
    #[test]
    fn ratios_agree_with_fishtest() {
        for (request, pairs, elo, model, expected) in [
            (6020, [320, 12431, 27275, 12858, 316], [0.0, 2.0], Normalized, 2.95),
            (6020, [197, 45541, 117_722, 46579, 228], [0.5, 2.5], Normalized, 2.96),
            (6036, [1, 1098, 3954, 1346, 1], [0.5, 2.5], Normalized, 2.94),
            (6036, [0, 1236, 4490, 1474, 1], [0.0, 2.0], Normalized, 2.94),
            (6036, [4, 2290, 7932, 2562, 4], [0.5, 2.5], Normalized, 2.95),
            (6633, [677, 25001, 61196, 24940, 714], [-1.75, 0.25], Normalized, 2.95),
            (6285, [289, 26459, 62934, 26379, 331], [-1.75, 0.25], Normalized, 2.94),
            (2920, [665, 4806, 9333, 4893, 747], [-0.5, 1.5], Logistic, 2.95),
            (2920, [328, 4564, 15580, 4789, 371], [0.25, 1.75], Logistic, 2.98),
            (3209, [253, 4282, 17604, 4431, 286], [-0.25, 1.25], Logistic, 2.94),
            (3209, [58, 3302, 33130, 3518, 84], [0.25, 1.25], Logistic, 2.97),
            (3098, [491, 7345, 29693, 7670, 465], [-0.25, 1.25], Logistic, 2.96),
            (2950, [149, 4748, 32785, 5063, 159], [0.25, 1.75], Logistic, 2.95),
        ] {
            let found = llr_of_pairs(pairs, elo, model, Exact);
            assert!((found - expected).abs() < 0.0051, "#{request} {pairs:?}: {found}, not {expected}");
        }
    }

    fn counts() -> impl Strategy<Value = [u64; 5]> {
        prop::array::uniform5(prop_oneof![3 => Just(0u64), 5 => 0u64..20, 5 => 0u64..5000])
            .prop_filter("some result", |counts| counts.iter().any(|&count| count > 0))
    }

    proptest! {
        #[test]
        fn the_likeliest_distribution_is_one_and_has_the_strength(counts in counts(), elo in -500.0..500.0f64) {
            let by_mean = regularised(counts).1.likeliest_with_mean(expected_score(elo));
            prop_assert!((by_mean.0.iter().sum::<f64>() - 1.0).abs() < 1e-7);
            prop_assert!((by_mean.mean_and_variance().0 - expected_score(elo)).abs() < 1e-7);
            let lead = elo / NELO_PER_DEVIATION;
            let by_lead = regularised(counts).1.likeliest_with_lead(lead);
            prop_assert!((by_lead.0.iter().sum::<f64>() - 1.0).abs() < 1e-7);
            let (mean, variance) = by_lead.mean_and_variance();
            prop_assert!(((mean - 0.5) / variance.sqrt() - lead).abs() < 1e-6, "{} {lead}", (mean - 0.5) / variance.sqrt());
        }

        #[test]
        fn no_other_distribution_of_the_strength_is_likelier(
            counts in prop::array::uniform5(1u64..3000),
            other in prop::array::uniform5(1u64..3000),
            elo in -50.0..50.0f64,
        ) {
            let [(_, seen), (_, other)] = [counts, other].map(regularised);
            let lead = elo / NELO_PER_DEVIATION;
            // How much likelier what was seen is under the second than under the first.
            let by_mean = [&other, &seen].map(|of| of.likeliest_with_mean(expected_score(elo)));
            prop_assert!(seen.log_ratio(&by_mean[0], &by_mean[1]) > -1e-9);
            let by_lead = [&other, &seen].map(|of| of.likeliest_with_lead(lead));
            prop_assert!(seen.log_ratio(&by_lead[0], &by_lead[1]) > -1e-9);
        }

        #[test]
        fn the_opponents_view_turns_the_ratio_round(counts in counts(), elo0 in -500.0..400.0f64, gap in 0.5..100.0f64) {
            let mut flipped = counts;
            flipped.reverse();
            for model in [Logistic, Normalized] {
                for method in [Exact, Approximate] {
                    let mine = llr_of_pairs(counts, [elo0, elo0 + gap], model, method);
                    let theirs = llr_of_pairs(flipped, [-elo0 - gap, -elo0], model, method);
                    prop_assert!(mine.is_finite());
                    prop_assert!((mine + theirs).abs() < 1e-6 * (1.0 + mine.abs()), "{model:?} {method:?}: {mine} {theirs}");
                }
            }
        }
    }

    #[test]
    fn many_varied_results_make_the_approximation_good() {
        let pairs = [320, 12431, 27275, 12858, 316];
        for model in [Logistic, Normalized] {
            let [exact, approximate] =
                [Exact, Approximate].map(|method| llr_of_pairs(pairs, [0.0, 2.0], model, method));
            assert!((exact - approximate).abs() < 0.01, "{model:?}: {exact} {approximate}");
        }
    }

    #[test]
    fn no_results_favour_nobody() {
        for model in [Logistic, Normalized] {
            assert_eq!(llr_of_pairs([0; 5], [0.0, 5.0], model, Exact), 0.0);
        }
    }
}
