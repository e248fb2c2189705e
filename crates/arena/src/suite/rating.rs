//! A rating from solved and failed puzzles.
//!
//! The usual model of ratings: a player of rating R solves a puzzle of rating r with probability
//! `1 / (1 + 10^((r - R) / 400))`. The rating that makes what happened most likely is the one at which the expected
//! number of solutions is the number there was.

/// A rating with its error.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Rating {
    /// The most likely rating.
    pub elo: f64,
    /// Half-width of the 95% confidence interval.
    pub error_95: f64,
}

/// Elo difference for odds of ten to one.
const SCALE: f64 = 400.0;
/// Bounds of the search for the rating.
const BOUNDS: (f64, f64) = (-2_000.0, 6_000.0);
const STEPS: u32 = 60;
const NINETEEN_IN_TWENTY: f64 = 1.96;

/// The rating that fits: of each puzzle, its rating and whether it was solved. None when all or none were: any
/// higher, or lower, rating would fit better still.
pub fn rating(puzzles: impl IntoIterator<Item = (u32, bool)>) -> Option<Rating> {
    let puzzles: Vec<(f64, bool)> =
        puzzles.into_iter().map(|(rating, solved)| (f64::from(rating), solved)).collect();
    let solved = puzzles.iter().filter(|(_, solved)| *solved).count();
    if solved == 0 || solved == puzzles.len() {
        return None;
    }
    let expected = |elo: f64| puzzles.iter().map(|(rating, _)| chance(elo, *rating)).sum::<f64>();
    let (mut low, mut high) = BOUNDS;
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if expected(middle) < solved as f64 { low = middle } else { high = middle }
    }
    let elo = f64::midpoint(low, high);
    let information: f64 = puzzles
        .iter()
        .map(|(rating, _)| chance(elo, *rating))
        .map(|chance| chance * (1.0 - chance))
        .sum::<f64>()
        * (std::f64::consts::LN_10 / SCALE).powi(2);
    Some(Rating { elo, error_95: NINETEEN_IN_TWENTY / information.sqrt() })
}

fn chance(elo: f64, rating: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf((rating - elo) / SCALE))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn half_of_equal_puzzles_is_their_rating() {
        let found = rating((0..200).map(|index| (1500, index % 2 == 0))).unwrap();
        assert!((found.elo - 1500.0).abs() < 0.01, "{found:?}");
        // 1.96 * 400 / ln 10 / sqrt(200 / 4).
        assert!((found.error_95 - 48.15).abs() < 0.05, "{found:?}");
    }

    #[test]
    fn ten_to_one_is_four_hundred_points() {
        let found = rating((0..110).map(|index| (1500, index % 11 != 0))).unwrap();
        assert!((found.elo - 1900.0).abs() < 0.01, "{found:?}");
    }

    #[test]
    fn all_or_nothing_has_no_rating() {
        assert_eq!(rating([(1500, true), (2000, true)]), None);
        assert_eq!(rating([(1500, false)]), None);
        assert_eq!(rating([]), None);
    }
}
