//! What was counted: an amount of every element for either side.
//!
//! Themes only count; what an amount is worth, [`super::weights`] says, and nobody multiplies but the sum at the
//! end. So the score, its explanation and a tuner's features are the same numbers.

use std::ops::Range;

use shakmaty::Color;

use super::weights::{COUNT, Weight};

/// Amounts of White and of Black.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tally([[i32; COUNT]; 2]);

impl Tally {
    pub(super) const EMPTY: Tally = Tally([[0; COUNT]; 2]);

    /// Counts more of an element.
    #[inline]
    pub(super) fn add(&mut self, color: Color, weight: Weight, amount: i32) {
        self.0[index(color)][weight as usize] += amount;
    }

    /// What one side has of an element, in the terms of the weight's [`super::weights::Unit`].
    #[inline]
    pub fn amount(&self, color: Color, weight: Weight) -> i32 {
        self.0[index(color)][weight as usize]
    }

    /// White's amounts minus Black's, each times its worth, over some of the weights.
    #[inline]
    pub(super) fn worth(&self, worth: &[i32; COUNT], among: Range<usize>) -> i32 {
        let mut sum = 0;
        for weight in among {
            sum += (self.0[0][weight] - self.0[1][weight]) * worth[weight];
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
