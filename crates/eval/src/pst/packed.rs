//! Two numbers in one: a middlegame and an endgame value that are added in a single instruction.

use std::ops::{Add, AddAssign, Neg, Sub, SubAssign};

/// How far the endgame value is shifted above the middlegame value.
const SHIFT: u32 = 16;

/// Half of what the lower number can hold: added before the shift, it takes back the borrow of a negative
/// middlegame value.
const HALF: i32 = 1 << (SHIFT - 1);

/// A middlegame and an endgame value in centipawns. Each must stay within 16 bits; the whole material of a
/// board does, many times over.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Packed(i32);

impl Packed {
    pub const fn new(middlegame: i32, endgame: i32) -> Packed {
        Packed((endgame << SHIFT) + middlegame)
    }

    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    pub const fn endgame(self) -> i32 {
        (self.0 + HALF) >> SHIFT
    }
}

impl Add for Packed {
    type Output = Packed;
    fn add(self, other: Packed) -> Packed {
        Packed(self.0 + other.0)
    }
}

impl Sub for Packed {
    type Output = Packed;
    fn sub(self, other: Packed) -> Packed {
        Packed(self.0 - other.0)
    }
}

impl Neg for Packed {
    type Output = Packed;
    fn neg(self) -> Packed {
        Packed(-self.0)
    }
}

impl AddAssign for Packed {
    fn add_assign(&mut self, other: Packed) {
        self.0 += other.0;
    }
}

impl SubAssign for Packed {
    fn sub_assign(&mut self, other: Packed) {
        self.0 -= other.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_of_pairs_are_pairs_of_sums(
            a in -8000i32..8000, b in -8000i32..8000, c in -8000i32..8000, d in -8000i32..8000,
        ) {
            let sum = Packed::new(a, b) + Packed::new(c, d);
            prop_assert_eq!((sum.middlegame(), sum.endgame()), (a + c, b + d));
            let difference = Packed::new(a, b) - Packed::new(c, d);
            prop_assert_eq!((difference.middlegame(), difference.endgame()), (a - c, b - d));
            prop_assert_eq!(-sum, Packed::new(-a - c, -b - d));
        }
    }
}
