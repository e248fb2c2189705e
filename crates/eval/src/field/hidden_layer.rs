//! What features are worth because of one another: a layer of a few units on top of all others.
//!
//! A sum cannot know that a knight near the king is worth more when the king's pawns are gone. So every feature but
//! control, and men's squares by where kings stand, also weights something to eight units of its own side and to eight of
//! the other side. A unit is cut off at zero and at full, squared, and has a weight at either end of the game; Black's
//! units count against White's.
//!
//! It stays explainable: a unit's square is its sum times a number, so that every feature's share of it is that number
//! times what the feature gave, and the shares add up to the whole ([`Accumulator::shares`]).
//!
//! All is whole numbers of sixteen bits that wrap around: sums do not depend on their order, and a legal position
//! stays far from the bounds.

use std::ops::AddAssign;

use super::groups;
use super::weights::{MgEg, quantise};
use crate::tuning::hidden_layer::{HiddenLayer, UNITS, WEIGHTS_PER_INPUT};
use crate::weights_file::List;

/// How many numbers there are to learn: sixteen a feature, then where units begin and what they are worth at either
/// end of the game.
pub const COUNT: usize = HiddenLayer::coefficients(groups::INPUTS);
/// Where the numbers of the units themselves begin.
const OF_UNITS: usize = groups::INPUTS * WEIGHTS_PER_INPUT;
/// Where the units' weights begin.
const WORTH: usize = OF_UNITS + UNITS;
/// A feature weights no more than this to a unit, in points.
const MOST: f64 = 32.0;
/// A full unit is worth no more than this, in centipawns.
const MOST_WORTH: f64 = 2_000.0;
/// A unit that has come to this is full, in grains.
const SATURATED: i16 = 256;
/// Squares are kept to so many bits fewer than they have, so that products fit.
const DROPPED_BITS: u32 = 4;
/// What is left of a full unit's square, as a power of two.
const SQUARE_BITS: u32 = 16 - DROPPED_BITS;

/// Where learning begins: every feature weights each unit a little by chance, so that no two units are alike, and units
/// are worth nothing yet.
pub(super) fn initial() -> Vec<f64> {
    const INITIAL_BIAS: f64 = 4.0;
    let by_chance = |index| (tabia_core::seed::derive(0, index) % 2_001) as f64 / 1_000.0 - 1.0;
    let mut numbers: Vec<f64> = (0..OF_UNITS as u64).map(by_chance).collect();
    numbers.extend([INITIAL_BIAS; UNITS]);
    numbers.resize(COUNT, 0.0);
    numbers
}

/// How the numbers are listed in a file.
pub(super) fn lists() -> impl Iterator<Item = List> {
    let list = |name, size| List { part: "interplay", name, size };
    let inputs = groups::ALL.iter().filter(|group| group.start < groups::INPUTS);
    inputs
        .map(move |group| list(group.name, group.size * WEIGHTS_PER_INPUT))
        .chain(["beginning", "middlegame", "endgame"].map(|name| list(name, UNITS)))
}

/// Between what a number must lie.
pub(super) const fn range(index: usize) -> [f64; 2] {
    if index < WORTH { [-MOST, MOST] } else { [-MOST_WORTH, MOST_WORTH] }
}

/// What a step of learning changes: a number that goes into a square is moved more gently than one in centipawns.
pub(super) const fn step(index: usize) -> f64 {
    if index < WORTH { 0.05 } else { 1.0 }
}

/// A feature: what it is worth by itself, and what it weights to units.
#[derive(Copy, Clone, Debug, Default)]
pub struct Row {
    pub worth: MgEg,
    /// To the units of its own side, then to the other side's.
    weights: [i16; WEIGHTS_PER_INPUT],
}

impl AddAssign for Row {
    fn add_assign(&mut self, other: Row) {
        self.worth += other.worth;
        for (sum, grains) in self.weights.iter_mut().zip(other.weights) {
            *sum = sum.wrapping_add(grains);
        }
    }
}

/// The units themselves.
#[derive(Copy, Clone, Debug)]
pub struct Units {
    bias: [i16; UNITS],
    middlegame: [i32; UNITS],
    endgame: [i32; UNITS],
}

/// Rounds numbers to grains.
pub(super) fn compiled(linear: &[MgEg], numbers: &[f64]) -> (Box<[Row; groups::INPUTS]>, Units) {
    let units = |at: usize| -> [i32; UNITS] { std::array::from_fn(|unit| quantise(numbers[at + unit])) };
    let small = |at: usize| units(at).map(|grains| grains as i16);
    let row = |feature: usize| Row {
        worth: linear[feature],
        weights: std::array::from_fn(|at| quantise(numbers[feature * WEIGHTS_PER_INPUT + at]) as i16),
    };
    let units = Units { bias: small(OF_UNITS), middlegame: units(WORTH), endgame: units(WORTH + UNITS) };
    (all(row), units)
}

/// A row for each of so many numbers.
#[allow(clippy::unnecessary_box_returns, reason = "they are too many for the stack")]
pub(super) fn all<const COUNT: usize>(row: impl Fn(usize) -> Row) -> Box<[Row; COUNT]> {
    let rows: Vec<Row> = (0..COUNT).map(row).collect();
    rows.into_boxed_slice().try_into().expect("there are as many rows as were asked for")
}

/// What White's features have accumulator, in grains, and what Black's have: to the units of their own side, then to the
/// other side's.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Accumulator([[i16; WEIGHTS_PER_INPUT]; 2]);

impl Accumulator {
    /// Takes what a feature of White's or Black's weights, so many times.
    #[inline(always)]
    pub fn add(&mut self, black: bool, row: &Row, count: i32) {
        let count = count as i16;
        for (sum, grains) in self.0[usize::from(black)].iter_mut().zip(row.weights) {
            *sum = sum.wrapping_add(grains.wrapping_mul(count));
        }
    }

    /// Takes what others were accumulator.
    #[inline(always)]
    pub fn add_all(&mut self, others: &Accumulator) {
        for (sum, other) in self.0.as_flattened_mut().iter_mut().zip(others.0.as_flattened()) {
            *sum = sum.wrapping_add(*other);
        }
    }

    /// What a side's units have come to.
    #[inline(always)]
    fn sums(&self, black: bool, units: &Units) -> [i16; UNITS] {
        let (own, other) = (&self.0[usize::from(black)], &self.0[usize::from(!black)]);
        std::array::from_fn(|unit| own[unit].wrapping_add(other[UNITS + unit]).wrapping_add(units.bias[unit]))
    }

    /// What a side's units are worth, in grains.
    #[inline(always)]
    pub fn worth(&self, black: bool, units: &Units) -> MgEg {
        let [mut middlegame, mut endgame] = [0, 0];
        for (unit, sum) in self.sums(black, units).into_iter().enumerate() {
            let sum = i32::from(sum.clamp(0, SATURATED));
            let square = (sum * sum) >> DROPPED_BITS;
            middlegame += square * units.middlegame[unit];
            endgame += square * units.endgame[unit];
        }
        MgEg::new(middlegame >> SQUARE_BITS, endgame >> SQUARE_BITS)
    }

    /// What each grain that a side's units are accumulator is worth, in grains at either end of the game.
    fn output_per_input(&self, black: bool, units: &Units) -> [[f64; 2]; UNITS] {
        let sums = self.sums(black, units);
        std::array::from_fn(|unit| {
            let sum = f64::from(sums[unit]);
            let part = sum.clamp(0.0, f64::from(SATURATED)) / f64::from(SATURATED);
            // The square of the part, shared out among what made the sum.
            let share = if sum > 0.0 { part * part / sum } else { 0.0 };
            [units.middlegame[unit], units.endgame[unit]].map(|worth| share * f64::from(worth))
        })
    }

    /// How the worth of all units is made up.
    pub fn shares(&self, units: &Units) -> Shares {
        Shares { grains: [false, true].map(|black| self.output_per_input(black, units)), bias: units.bias }
    }
}

/// The worth of the units of a position, shared out among what made it. All shares are grains at either end of the
/// game, White's view.
pub(super) struct Shares {
    grains: [[[f64; 2]; UNITS]; 2],
    bias: [i16; UNITS],
}

impl Shares {
    /// The share of a feature of White's or Black's, found so many times.
    pub fn of(&self, black: bool, row: &Row, count: i32) -> [f64; 2] {
        let (own, other) = (usize::from(black), usize::from(!black));
        let (to_own, to_other) = row.weights.split_at(UNITS);
        let [own, other] = [self.accumulated(own, to_own), self.accumulated(other, to_other)];
        std::array::from_fn(|end| f64::from(count) * (own[end] + other[end]))
    }

    /// The share of what a side's units begin with.
    pub fn of_bias(&self, black: bool) -> [f64; 2] {
        self.accumulated(usize::from(black), &self.bias)
    }

    fn accumulated(&self, side: usize, accumulator: &[i16]) -> [f64; 2] {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        std::array::from_fn(|end| {
            let worth = self.grains[side].iter().zip(accumulator);
            sign * worth.map(|(worth, accumulator)| worth[end] * f64::from(*accumulator)).sum::<f64>()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tuning::hidden_layer::SATURATION;

    #[test]
    fn numbers_are_laid_out_as_they_are_listed() {
        assert_eq!(lists().map(|list| list.size).sum::<usize>(), COUNT);
        assert_eq!(initial().len(), COUNT);
        assert!(
            (SATURATION - f64::from(SATURATED) / f64::from(super::super::weights::QUANTISATION)).abs() < 1e-9
        );
    }

    #[test]
    fn what_is_worth_nothing_yet_changes_no_score() {
        let (rows, units) = compiled(&[MgEg::default(); groups::INPUTS], &initial());
        let mut accumulator = Accumulator::default();
        for row in rows.iter().step_by(9) {
            accumulator.add(false, row, 1);
        }
        assert_eq!(accumulator.worth(false, &units), MgEg::default());
        assert!(accumulator.sums(false, &units).iter().any(|sum| *sum != units.bias[0]));
    }

    #[test]
    fn shares_add_up_to_the_worth() {
        let mut numbers = initial();
        for (index, worth) in numbers[WORTH..].iter_mut().enumerate() {
            *worth = 40.0 * index as f64 - 300.0;
        }
        let (rows, units) = compiled(&[MgEg::default(); groups::INPUTS], &numbers);
        let mut accumulator = Accumulator::default();
        let found: Vec<(bool, &Row, i32)> = rows
            .iter()
            .enumerate()
            .step_by(23)
            .map(|(at, row)| (at % 2 == 0, row, 1 + at as i32 % 3))
            .collect();
        for (black, row, count) in &found {
            accumulator.add(*black, row, *count);
        }
        let shares = accumulator.shares(&units);
        for end in 0..2 {
            let shared: f64 =
                found.iter().map(|(black, row, count)| shares.of(*black, row, *count)[end]).sum();
            let biases = shares.of_bias(false)[end] + shares.of_bias(true)[end];
            let worth = |black| {
                let worth = accumulator.worth(black, &units);
                f64::from([worth.middlegame(), worth.endgame()][end])
            };
            let worth = worth(false) - worth(true);
            assert!((shared + biases - worth).abs() < 20.0 && worth != 0.0, "{shared} {biases} {worth}");
        }
    }
}
