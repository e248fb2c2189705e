//! A curve of bounded size.

use serde::{Deserialize, Serialize};

/// A point of a test's curve.
#[derive(Copy, Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct CurvePoint {
    pub pairs: u64,
    /// Log-likelihood ratio after them.
    pub llr: f64,
}

/// Largest number of stored points.
const MAX: usize = 512;

/// The log-likelihood ratio by pairs, thinned out: when there are too many points, every second one is dropped, and from
/// then on only every second is added. The result depends on the number of pairs only, not on timing.
///
/// ```
/// use tabia_stats::{Curve, CurvePoint};
///
/// let mut curve = Curve::new();
/// curve.add(CurvePoint { pairs: 1, llr: 0.1 });
/// assert_eq!(curve.points().len(), 1);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    kept: Vec<CurvePoint>,
    stride: u64,
    last: Option<CurvePoint>,
}

impl Curve {
    pub const fn new() -> Curve {
        Curve { kept: Vec::new(), stride: 1, last: None }
    }

    /// Adds the next point, one pair after the previous one.
    pub fn add(&mut self, point: CurvePoint) {
        self.last = Some(point);
        if point.pairs.is_multiple_of(self.stride) {
            self.kept.push(point);
        }
        if self.kept.len() > MAX {
            self.stride *= 2;
            self.kept.retain(|point| point.pairs.is_multiple_of(self.stride));
        }
    }

    /// The stored points in order, always with the newest one.
    pub fn points(&self) -> Vec<CurvePoint> {
        let newest = self.last.filter(|last| self.kept.last() != Some(last));
        self.kept.iter().copied().chain(newest).collect()
    }
}

impl Default for Curve {
    fn default() -> Curve {
        Curve::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_curve_is_thin_even_and_ends_at_its_end() {
        let mut curve = Curve::new();
        for pairs in 1..=100_001 {
            curve.add(CurvePoint { pairs, llr: pairs as f64 });
        }
        let points = curve.points();
        assert!((MAX / 2..=MAX + 1).contains(&points.len()), "{}", points.len());
        assert_eq!(points.last().unwrap().pairs, 100_001);
        let gap = points[1].pairs - points[0].pairs;
        assert!(points.windows(2).rev().skip(1).all(|two| two[1].pairs - two[0].pairs == gap));
    }

    #[test]
    fn a_short_curve_is_whole() {
        let mut curve = Curve::new();
        for pairs in 1..=100 {
            curve.add(CurvePoint { pairs, llr: 0.0 });
        }
        assert_eq!(curve.points().len(), 100);
    }
}
