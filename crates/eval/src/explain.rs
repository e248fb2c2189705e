//! An evaluation broken down into terms that can be checked and fields that can be drawn.

use shakmaty::Square;
use tabia_core::Score;

/// One term: the amounts of White and Black, and the weight of a unit.
#[derive(Clone, Debug, PartialEq)]
pub struct Term {
    pub name: String,
    pub white: f64,
    pub black: f64,
    /// Centipawns per unit.
    pub weight: f64,
    /// Its contribution to the score in centipawns, White's view.
    pub centipawns: i32,
}

/// A value for each of the 64 squares.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub name: String,
    pub unit: String,
    /// Rank 8 first, file a first.
    pub values: [[f64; 8]; 8],
}

/// A term before rounding: `(white - black) * weight` centipawns.
#[derive(Clone, Debug)]
pub struct Part {
    pub name: &'static str,
    pub white: f64,
    pub black: f64,
    /// Centipawns per unit.
    pub weight: f64,
}

/// A score broken down: terms that sum to it, and the fields behind them.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Explanation {
    /// White's view.
    pub score: Score,
    pub terms: Vec<Term>,
    pub fields: Vec<Field>,
}

impl Explanation {
    /// Rounds parts to whole centipawns so that they still sum exactly to `score`.
    ///
    /// Each term gets the difference between rounded running totals: no term is off by a centipawn or more, and
    /// swapping colours negates every term. The remainder (clamping, or a score that is not a plain sum) becomes a
    /// term of its own called "rounding", so that nothing is hidden.
    ///
    /// ```
    /// use tabia_core::Score;
    /// use tabia_eval::{Explanation, Part};
    ///
    /// let parts = [Part { name: "pawns", white: 8.0, black: 7.0, weight: 100.0 }];
    /// let explanation = Explanation::from_parts(&parts, Score::cp(100));
    /// assert_eq!(explanation.terms[0].centipawns, 100);
    /// ```
    pub fn from_parts(parts: &[Part], score: Score) -> Explanation {
        let (mut exact, mut rounded) = (0.0, 0);
        let mut terms: Vec<Term> = parts
            .iter()
            .map(|part| {
                exact += (part.white - part.black) * part.weight;
                let total = round(exact);
                let centipawns = total - rounded;
                rounded = total;
                Term {
                    name: part.name.to_owned(),
                    white: part.white,
                    black: part.black,
                    weight: part.weight,
                    centipawns,
                }
            })
            .collect();
        let rest = score.raw() - rounded;
        if rest != 0 {
            terms.push(Term {
                name: "rounding".to_owned(),
                white: rest.max(0).into(),
                black: (-rest).max(0).into(),
                weight: 1.0,
                centipawns: rest,
            });
        }
        Explanation { score, terms, fields: Vec::new() }
    }

    /// The sum of the terms, in centipawns.
    pub fn sum(&self) -> i32 {
        self.terms.iter().map(|term| term.centipawns).sum()
    }
}

/// The values of a field, square by square.
pub(crate) fn board_of(value: impl Fn(Square) -> f64) -> [[f64; 8]; 8] {
    std::array::from_fn(|row| {
        std::array::from_fn(|column| value(Square::new(((7 - row) * 8 + column) as u32)))
    })
}

/// Rounds to the nearest integer, halves away from zero: the same for a position and its mirror image. A tiny
/// tolerance absorbs the error of sums of floats that should be exactly a half.
///
/// ```
/// use tabia_eval::explain::round;
///
/// assert_eq!([round(0.5), round(-0.5), round(1.4)], [1, -1, 1]);
/// ```
pub fn round(centipawns: f64) -> i32 {
    const HAIR: f64 = 1e-9;
    (centipawns + HAIR.copysign(centipawns)).round() as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    fn part(white: f64, black: f64, weight: f64) -> Part {
        Part { name: "part", white, black, weight }
    }

    #[test]
    fn rounded_terms_sum_to_the_score() {
        let parts = [part(1.0, 0.0, 2.5), part(0.0, 3.0, 2.5), part(7.0, 1.0, 0.3)];
        let exact: f64 = 2.5 - 7.5 + 1.8;
        let explanation = Explanation::from_parts(&parts, Score::cp(round(exact)));
        assert_eq!(explanation.sum(), explanation.score.raw());
        assert_eq!(explanation.terms.len(), 3, "no rounding term is needed");
    }

    #[test]
    fn what_was_clamped_away_is_shown() {
        let explanation = Explanation::from_parts(&[part(9.0, 0.0, 100.0)], Score::cp(200));
        assert_eq!(explanation.terms[1].centipawns, -700);
        assert_eq!(explanation.sum(), 200);
    }
}
