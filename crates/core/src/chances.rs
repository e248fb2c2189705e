//! Win probabilities, and annotation marks of moves that lose some of it. The model and its numbers are lichess's:
//!
//! - win probability in percent, from centipawns clamped to ±1000, a mate counting as 1000:
//!   `50 + 50 · (2 / (1 + exp(-0.00368208 · cp)) - 1)` (<https://lichess.org/page/accuracy>);
//! - a move that loses 5 points of it or more is an inaccuracy (`?!`), 10 a mistake (`?`), 15 a blunder (`??`):
//!   lichess's 0.1, 0.2 and 0.3 on its scale from -1 to 1 (lila, `modules/tree`, `Advice`).

use crate::score::Score;

/// Steepness of the logistic function, per centipawn.
const STEEPNESS: f64 = 0.003_682_08;
/// Losses in percentage points that make a mark.
const INACCURACY: f64 = 5.0;
const MISTAKE: f64 = 10.0;
const BLUNDER: f64 = 15.0;
/// Scores are clamped to this.
const MAX_CP: i32 = 1000;

/// The mark of a move that lost win probability.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Mark {
    /// `?!`
    Inaccuracy,
    /// `?`
    Mistake,
    /// `??`
    Blunder,
}

impl Mark {
    /// All, the least first.
    pub const ALL: [Mark; 3] = [Mark::Inaccuracy, Mark::Mistake, Mark::Blunder];

    /// The mark of a loss in percentage points.
    pub fn of_loss(points: f64) -> Option<Mark> {
        match points {
            _ if points >= BLUNDER => Some(Mark::Blunder),
            _ if points >= MISTAKE => Some(Mark::Mistake),
            _ if points >= INACCURACY => Some(Mark::Inaccuracy),
            _ => None,
        }
    }

    /// The annotation symbol.
    pub const fn symbol(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "?!",
            Mark::Mistake => "?",
            Mark::Blunder => "??",
        }
    }

    /// The numeric annotation glyph (NAG) of PGN.
    pub const fn nag(self) -> u8 {
        match self {
            Mark::Inaccuracy => 6,
            Mark::Mistake => 2,
            Mark::Blunder => 4,
        }
    }

    /// `inaccuracy`, `mistake` or `blunder`.
    pub const fn name(self) -> &'static str {
        match self {
            Mark::Inaccuracy => "inaccuracy",
            Mark::Mistake => "mistake",
            Mark::Blunder => "blunder",
        }
    }
}

/// Win probability of the side whose score this is.
///
/// ```
/// use tabia_core::Score;
/// use tabia_core::chances::win_percent;
///
/// assert_eq!(win_percent(Score::DRAW), 50.0);
/// assert!(win_percent(Score::cp(100)) > 59.0);
/// ```
pub fn win_percent(score: Score) -> f64 {
    let cp = f64::from(bounded_cp(score));
    50.0 + 50.0 * (2.0 / (1.0 + (-STEEPNESS * cp).exp()) - 1.0)
}

/// A score in centipawns clamped to ±1000; mates are at the ends.
pub fn bounded_cp(score: Score) -> i32 {
    match score.plies_to_mate() {
        Some(plies) if plies > 0 => MAX_CP,
        Some(_) => -MAX_CP,
        None => score.raw().clamp(-MAX_CP, MAX_CP),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_are_those_of_the_formula() {
        for (score, expected) in [
            (Score::DRAW, 50.0),
            (Score::cp(100), 59.101),
            (Score::cp(-300), 24.887),
            (Score::cp(5_000), 97.545),
            (Score::mate_in_plies(9), 97.545),
            (Score::mated_in_plies(2), 2.455),
        ] {
            assert!((win_percent(score) - expected).abs() < 0.01, "{score}: {}", win_percent(score));
        }
    }
}
