//! The sequential probability ratio test (SPRT): play until the results favour one of two hypotheses about strength.
//!
//! Wald's test on the generalised likelihood ratio (the `likelihood` module), as in fishtest, OpenBench and fastchess:
//! stop as soon as the LLR leaves `(ln(β / (1 − α)), ln((1 − β) / α))`. A player as weak as `elo0` is then accepted with
//! probability at most α, one as strong as `elo1` rejected with probability at most β, up to the overshoot of the last
//! pair.
//!
//! The verdict is a function of the sequence of pairs, and final: pairs in progress when the test ends change nothing.
//! Use a [`ReorderBuffer`](super::ReorderBuffer) where pairs finish out of order.

use serde::{Deserialize, Serialize};

use super::curve::{Curve, CurvePoint};
use super::elo::EloModel;
use super::error::StatsError;
use super::likelihood::{MAX_ELO, Method, llr_of_pairs};
use super::result::PairResult;

/// The decision of a test.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum Verdict {
    /// Undecided: continue.
    #[default]
    #[serde(rename = "continue")]
    Continue,
    /// Strength at or below `elo0`.
    H0,
    /// Strength at or above `elo1`.
    H1,
}

impl Verdict {
    /// Whether the test is over.
    pub const fn is_final(self) -> bool {
        !matches!(self, Verdict::Continue)
    }
}

/// A test of one named player's strength against its opponent; pairs are from that player's view.
///
/// ```
/// use tabia_stats::GameResult::{Draw, Win};
/// use tabia_stats::{EloModel, PairResult, Sprt, Verdict};
///
/// let mut test = Sprt::new(0.0, 10.0, 0.05, 0.05, EloModel::Normalized)?;
/// while !test.add(PairResult::new(Win, Draw)).is_final() {}
/// assert_eq!(test.verdict(), Verdict::H1);
/// # Ok::<(), tabia_stats::StatsError>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Sprt {
    elo: [f64; 2],
    alpha: f64,
    beta: f64,
    model: EloModel,
    method: Method,
    pentanomial: [u64; 5],
    llr: f64,
    verdict: Verdict,
    curve: Curve,
}

impl Sprt {
    /// A test of `elo0` against `elo1` with error rates `alpha` (accepting a player no better than `elo0`) and `beta`
    /// (rejecting one as good as `elo1`).
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: EloModel) -> Result<Sprt, StatsError> {
        if !(elo0.is_finite() && elo1.is_finite() && elo0 < elo1) {
            return Err(StatsError::Hypotheses { elo0, elo1 });
        }
        for elo in [elo0, elo1] {
            if elo.abs() > MAX_ELO {
                return Err(StatsError::TooFar { elo, farthest: MAX_ELO });
            }
        }
        for (name, value) in [("alpha", alpha), ("beta", beta)] {
            if !(value > 0.0 && value < 0.5) {
                return Err(StatsError::ErrorRate { name, value });
            }
        }
        Ok(Sprt {
            elo: [elo0, elo1],
            alpha,
            beta,
            model,
            method: Method::default(),
            pentanomial: [0; 5],
            llr: 0.0,
            verdict: Verdict::Continue,
            curve: Curve::new(),
        })
    }

    /// Selects how the likelihood ratio is computed.
    #[must_use]
    pub fn with_method(mut self, method: Method) -> Sprt {
        self.method = method;
        self
    }

    /// Adds the next pair. After the final verdict, nothing is counted any more.
    pub fn add(&mut self, pair: PairResult) -> Verdict {
        if self.verdict.is_final() {
            return self.verdict;
        }
        self.pentanomial[pair.bucket()] += 1;
        self.llr = llr_of_pairs(self.pentanomial, self.elo, self.model, self.method);
        self.curve.add(CurvePoint { pairs: self.pairs(), llr: self.llr });
        let (lower, upper) = self.bounds();
        self.verdict = match self.llr {
            llr if llr >= upper => Verdict::H1,
            llr if llr <= lower => Verdict::H0,
            _ => Verdict::Continue,
        };
        self.verdict
    }

    /// The decision so far.
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// Log-likelihood ratio of `elo1` against `elo0`.
    pub const fn llr(&self) -> f64 {
        self.llr
    }

    /// The bounds of the LLR: below the first H0 is accepted, above the second H1.
    pub fn bounds(&self) -> (f64, f64) {
        ((self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln())
    }

    pub fn pairs(&self) -> u64 {
        self.pentanomial.iter().sum()
    }

    /// The counted pairs by half points.
    pub const fn pentanomial(&self) -> [u64; 5] {
        self.pentanomial
    }

    /// The LLR by pairs, thinned out for plotting.
    pub fn curve(&self) -> Vec<CurvePoint> {
        self.curve.points()
    }

    /// The state of the test, for JSON.
    pub fn report(&self) -> SprtReport {
        let (lower, upper) = self.bounds();
        SprtReport {
            elo0: self.elo[0],
            elo1: self.elo[1],
            alpha: self.alpha,
            beta: self.beta,
            model: self.model,
            llr: self.llr,
            lower,
            upper,
            verdict: self.verdict,
            pairs: self.pairs(),
        }
    }
}

/// The state of a test of one named player's strength.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtReport {
    /// Strength under H0.
    pub elo0: f64,
    /// Strength under H1.
    pub elo1: f64,
    /// Probability of accepting a player no better than `elo0`.
    pub alpha: f64,
    /// Probability of rejecting a player as good as `elo1`.
    pub beta: f64,
    pub model: EloModel,
    /// Log-likelihood ratio of `elo1` against `elo0`.
    pub llr: f64,
    /// H0 at or below it.
    pub lower: f64,
    /// H1 at or above it.
    pub upper: f64,
    pub verdict: Verdict,
    /// Pairs counted.
    pub pairs: u64,
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "zeros, halves and infinities are exact")]

    use super::*;
    use crate::GameResult::{Draw, Loss, Win};

    fn sprt() -> Sprt {
        Sprt::new(0.0, 20.0, 0.05, 0.05, EloModel::Logistic).unwrap()
    }

    #[test]
    fn bounds_are_those_of_wald() {
        let (lower, upper) = sprt().bounds();
        assert!((upper - 2.944_438_979_166_44).abs() < 1e-12);
        assert!((lower + upper).abs() < 1e-12);
        let (lower, upper) = Sprt::new(0.0, 5.0, 0.05, 0.1, EloModel::Logistic).unwrap().bounds();
        assert!((lower - (0.1f64 / 0.95).ln()).abs() < 1e-12 && (upper - (0.9f64 / 0.05).ln()).abs() < 1e-12);
    }

    #[test]
    fn a_verdict_stands_whatever_comes_after() {
        let mut test = sprt();
        while !test.add(PairResult::new(Win, Draw)).is_final() {}
        assert_eq!(test.verdict(), Verdict::H1);
        let ended = test.clone();
        for _ in 0..1000 {
            assert_eq!(test.add(PairResult::new(Loss, Loss)), Verdict::H1);
        }
        assert_eq!(test, ended);
        assert_eq!(test.curve().last().unwrap().llr, test.llr());
    }

    #[test]
    fn losing_is_refused() {
        let mut test = sprt();
        while !test.add(PairResult::new(Loss, Draw)).is_final() {}
        assert_eq!(test.verdict(), Verdict::H0);
    }

    #[test]
    fn tests_that_cannot_be_are_refused_with_a_reason() {
        let refused = |elo0, elo1, alpha| {
            Sprt::new(elo0, elo1, alpha, 0.05, EloModel::Logistic).unwrap_err().to_string()
        };
        assert!(refused(5.0, 0.0, 0.05).contains("elo0 is 5 and elo1 is 0"));
        assert!(refused(f64::NAN, 0.0, 0.05).contains("elo0"));
        assert!(refused(0.0, 501.0, 0.05).contains("501 Elo"));
        assert!(refused(0.0, 5.0, 0.5).contains("alpha is 0.5"));
        assert!(refused(0.0, 5.0, f64::NAN).contains("alpha"));
    }

    #[test]
    fn json_has_the_names_of_the_match_command() {
        let mut test = sprt();
        test.add(PairResult::new(Win, Draw));
        let json = serde_json::to_value(test.report()).unwrap();
        for name in ["elo0", "elo1", "llr", "lower", "upper"] {
            assert!(json[name].is_f64(), "{name} in {json}");
        }
        assert_eq!((&json["verdict"], &json["model"]), (&"continue".into(), &"logistic".into()));
    }
}
