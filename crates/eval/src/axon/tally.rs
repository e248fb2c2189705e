//! Feature counts: the amount of every feature for each side.
//!
//! Features are only counted here; [`super::weights`] has their values, and they are multiplied in one place. So the
//! score, its explanation and the tuner's features are the same numbers.

use std::ops::Range;

use shakmaty::Color;

use super::weights::{COUNT, Weight};

/// Amounts of White and of Black.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally([[i32; COUNT]; 2]);

impl Tally {
    pub(super) const EMPTY: Tally = Tally([[0; COUNT]; 2]);

    /// Adds to the amount of a feature.
    #[inline]
    pub(super) fn add(&mut self, color: Color, weight: Weight, amount: i32) {
        self.0[index(color)][weight as usize] += amount;
    }

    /// One side's amount of a feature, in the weight's [`super::weights::Unit`].
    #[inline]
    pub fn amount(&self, color: Color, weight: Weight) -> i32 {
        self.0[index(color)][weight as usize]
    }

    /// White's amounts minus Black's, each times its value, over a range of weights.
    #[inline]
    pub(super) fn value(&self, values: &[i32; COUNT], among: Range<usize>) -> i32 {
        let mut sum = 0;
        for weight in among {
            sum += (self.0[0][weight] - self.0[1][weight]) * values[weight];
        }
        sum
    }
}

const fn index(color: Color) -> usize {
    match color {
        Color::White => 0,
        Color::Black => 1,
    }
}
