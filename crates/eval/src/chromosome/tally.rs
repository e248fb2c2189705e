//! Attack counts for all 64 squares at once.
//!
//! Counts are bit-sliced, one bitboard per binary digit: adding a set of squares is a ripple of carries, comparing two
//! tallies is a pass over the digits, and neither loops over squares.

use shakmaty::{Bitboard, Square};

/// Digits needed: no square has more than 16 attackers of one colour (eight lines and eight knight's jumps).
const DIGITS: usize = 5;

/// A small number on every square.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Tally([Bitboard; DIGITS]);

impl Tally {
    /// Adds one on every square of a set.
    #[inline]
    pub fn add(&mut self, squares: Bitboard) {
        let mut carry = squares;
        for digit in &mut self.0 {
            let both = *digit & carry;
            *digit ^= carry;
            carry = both;
        }
        debug_assert!(carry.is_empty(), "a square has more attackers than the board has lines");
    }

    /// Squares with a number above zero.
    #[inline]
    pub fn any(&self) -> Bitboard {
        self.0.iter().fold(Bitboard::EMPTY, |any, &digit| any | digit)
    }

    /// Squares where this number is below the other's.
    #[inline]
    pub fn below(&self, other: &Tally) -> Bitboard {
        // From the lowest digit up: a higher digit that differs overrules all lower ones.
        self.0
            .iter()
            .zip(&other.0)
            .fold(Bitboard::EMPTY, |below, (&mine, &theirs)| (!mine & theirs) | (below & !(mine ^ theirs)))
    }

    /// Squares where this number is not above the other's.
    #[inline]
    pub fn at_most(&self, other: &Tally) -> Bitboard {
        !other.below(self)
    }

    /// The sum of the numbers on a set of squares.
    #[inline]
    pub fn sum_on(&self, squares: Bitboard) -> usize {
        let digits = self.0.iter().enumerate();
        digits.map(|(power, &digit)| (digit & squares).count() << power).sum()
    }

    /// The number on one square.
    pub fn at(&self, square: Square) -> u32 {
        let digits = self.0.iter().enumerate();
        digits.map(|(power, digit)| u32::from(digit.contains(square)) << power).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tally(sets: &[u64]) -> Tally {
        let mut tally = Tally::default();
        for &set in sets {
            tally.add(Bitboard(set));
        }
        tally
    }

    proptest! {
        #[test]
        fn digits_count_and_compare_as_numbers_do(
            mine in prop::collection::vec(any::<u64>(), 0..=16),
            theirs in prop::collection::vec(any::<u64>(), 0..=16),
            squares: u64,
        ) {
            let (left, right) = (tally(&mine), tally(&theirs));
            let sum: usize = mine.iter().map(|&set| Bitboard(set & squares).count()).sum();
            prop_assert_eq!(left.sum_on(Bitboard(squares)), sum);
            for square in Square::ALL {
                let count = |sets: &[u64]| sets.iter().filter(|&&set| Bitboard(set).contains(square)).count();
                let (m, t) = (count(&mine), count(&theirs));
                prop_assert_eq!(left.at(square) as usize, m);
                prop_assert_eq!(left.any().contains(square), m > 0);
                prop_assert_eq!(left.below(&right).contains(square), m < t);
                prop_assert_eq!(left.at_most(&right).contains(square), m <= t);
            }
        }
    }
}
