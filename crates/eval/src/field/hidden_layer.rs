//! A small hidden layer over `field`'s features: 8 units per side with squared clipped ReLU (SCReLU), so that features
//! can interact. A linear sum cannot express that a knight near the king is worth more when the king's shelter is gone.
//!
//! Every feature except control and the piece-square tables by king zone has weights to the units of its own side and
//! to those of the opponent. The output has a middlegame and an endgame weight per unit; Black's units count negatively.
//!
//! The layer is exactly explainable. With SCReLU, `output = activation * pre_activation` below saturation, so each
//! feature's share of a unit is `activation * weight`, and the shares sum to the output (`Accumulator::shares`).
//!
//! Arithmetic is wrapping `i16`: sums do not depend on order, and legal positions stay far from overflow.

use std::ops::AddAssign;

use super::groups;
use super::weights::{MgEg, quantise};
use crate::tuning::hidden_layer::{HiddenLayer, UNITS, WEIGHTS_PER_INPUT};
use crate::weights_file::List;

/// Number of parameters: 16 weights per feature, then biases, middlegame and endgame output weights of the units.
pub const COUNT: usize = HiddenLayer::coefficients(groups::INPUTS);
/// Index of the first bias.
const OF_UNITS: usize = groups::INPUTS * WEIGHTS_PER_INPUT;
/// Index of the first output weight.
const WORTH: usize = OF_UNITS + UNITS;
/// Largest weight of a feature to a unit, in points.
const MAX: f64 = 32.0;
/// Largest output of a saturated unit, in centipawns.
const MAX_WORTH: f64 = 2_000.0;
/// Activation at which a unit saturates, in quantisation units.
const SATURATED: i16 = 256;
/// Low bits of a squared activation that are dropped so that products fit.
const DROPPED_BITS: u32 = 4;
/// Bits of a saturated unit's square after dropping.
const SQUARE_BITS: u32 = 16 - DROPPED_BITS;

/// Initial parameters: small random weights, so that no two units are alike, and zero output weights.
pub(super) fn initial() -> Vec<f64> {
    const INITIAL_BIAS: f64 = 4.0;
    let by_chance = |index| (tabia_core::seed::derive(0, index) % 2_001) as f64 / 1_000.0 - 1.0;
    let mut numbers: Vec<f64> = (0..OF_UNITS as u64).map(by_chance).collect();
    numbers.extend([INITIAL_BIAS; UNITS]);
    numbers.resize(COUNT, 0.0);
    numbers
}

/// The lists of the weight file, in the order of the parameters.
pub(super) fn lists() -> impl Iterator<Item = List> {
    let list = |name, size| List { part: "interplay", name, size };
    let inputs = groups::ALL.iter().filter(|group| group.start < groups::INPUTS);
    inputs
        .map(move |group| list(group.name, group.size * WEIGHTS_PER_INPUT))
        .chain(["beginning", "middlegame", "endgame"].map(|name| list(name, UNITS)))
}

/// Allowed range of a parameter.
pub(super) const fn range(index: usize) -> [f64; 2] {
    if index < WORTH { [-MAX, MAX] } else { [-MAX_WORTH, MAX_WORTH] }
}

/// Scale of a training step: a weight that is squared moves less than one in centipawns.
pub(super) const fn step(index: usize) -> f64 {
    if index < WORTH { 0.05 } else { 1.0 }
}

/// The weights of one feature: its linear value, and its weights to the hidden units.
#[derive(Copy, Clone, Debug, Default)]
pub struct Row {
    pub value: MgEg,
    /// To the units of its own side, then to the opponent's.
    weights: [i16; WEIGHTS_PER_INPUT],
}

impl AddAssign for Row {
    fn add_assign(&mut self, other: Row) {
        self.value += other.value;
        for (sum, weight) in self.weights.iter_mut().zip(other.weights) {
            *sum = sum.wrapping_add(weight);
        }
    }
}

/// Biases and output weights.
#[derive(Copy, Clone, Debug)]
pub struct Units {
    bias: [i16; UNITS],
    middlegame: [i32; UNITS],
    endgame: [i32; UNITS],
}

/// Quantises parameters.
pub(super) fn compiled(linear: &[MgEg], numbers: &[f64]) -> (Box<[Row; groups::INPUTS]>, Units) {
    let units = |at: usize| -> [i32; UNITS] { std::array::from_fn(|unit| quantise(numbers[at + unit])) };
    let small = |at: usize| units(at).map(|weight| weight as i16);
    let row = |feature: usize| Row {
        value: linear[feature],
        weights: std::array::from_fn(|at| quantise(numbers[feature * WEIGHTS_PER_INPUT + at]) as i16),
    };
    let units = Units { bias: small(OF_UNITS), middlegame: units(WORTH), endgame: units(WORTH + UNITS) };
    (all(row), units)
}

/// Builds `COUNT` rows on the heap.
#[allow(clippy::unnecessary_box_returns, reason = "they are too many for the stack")]
pub(super) fn all<const COUNT: usize>(row: impl Fn(usize) -> Row) -> Box<[Row; COUNT]> {
    let rows: Vec<Row> = (0..COUNT).map(row).collect();
    rows.into_boxed_slice().try_into().expect("there are as many rows as were asked for")
}

/// Accumulated inputs of White's features and of Black's, in quantisation units: to the units of their own side, then
/// to the opponent's.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Accumulator([[i16; WEIGHTS_PER_INPUT]; 2]);

impl Accumulator {
    /// Adds the weights of a feature of one side, `count` times.
    #[inline(always)]
    pub fn add(&mut self, black: bool, row: &Row, count: i32) {
        let count = count as i16;
        for (sum, weight) in self.0[usize::from(black)].iter_mut().zip(row.weights) {
            *sum = sum.wrapping_add(weight.wrapping_mul(count));
        }
    }

    /// Adds another accumulator.
    #[inline(always)]
    pub fn add_all(&mut self, others: &Accumulator) {
        for (sum, other) in self.0.as_flattened_mut().iter_mut().zip(others.0.as_flattened()) {
            *sum = sum.wrapping_add(*other);
        }
    }

    /// Pre-activations of a side's units.
    #[inline(always)]
    fn sums(&self, black: bool, units: &Units) -> [i16; UNITS] {
        let (own, other) = (&self.0[usize::from(black)], &self.0[usize::from(!black)]);
        std::array::from_fn(|unit| own[unit].wrapping_add(other[UNITS + unit]).wrapping_add(units.bias[unit]))
    }

    /// Output of a side's units, in quantisation units.
    #[inline(always)]
    pub fn output(&self, black: bool, units: &Units) -> MgEg {
        let [mut middlegame, mut endgame] = [0, 0];
        for (unit, sum) in self.sums(black, units).into_iter().enumerate() {
            let sum = i32::from(sum.clamp(0, SATURATED));
            let square = (sum * sum) >> DROPPED_BITS;
            middlegame += square * units.middlegame[unit];
            endgame += square * units.endgame[unit];
        }
        MgEg::new(middlegame >> SQUARE_BITS, endgame >> SQUARE_BITS)
    }

    /// Output per unit of input for each of a side's units, middlegame and endgame.
    fn output_per_input(&self, black: bool, units: &Units) -> [[f64; 2]; UNITS] {
        let sums = self.sums(black, units);
        std::array::from_fn(|unit| {
            let sum = f64::from(sums[unit]);
            let part = sum.clamp(0.0, f64::from(SATURATED)) / f64::from(SATURATED);
            // SCReLU: the square of the activation divided by the pre-activation.
            let share = if sum > 0.0 { part * part / sum } else { 0.0 };
            [units.middlegame[unit], units.endgame[unit]].map(|worth| share * f64::from(worth))
        })
    }

    /// Attributes the output to the inputs.
    pub fn shares(&self, units: &Units) -> Shares {
        Shares { per_input: [false, true].map(|black| self.output_per_input(black, units)), bias: units.bias }
    }
}

/// Attribution of the layer's output to its inputs, in quantisation units for the middlegame and the endgame, White's
/// view.
pub(super) struct Shares {
    per_input: [[[f64; 2]; UNITS]; 2],
    bias: [i16; UNITS],
}

impl Shares {
    /// The share of a feature of one side that occurs `count` times.
    pub fn of(&self, black: bool, row: &Row, count: i32) -> [f64; 2] {
        let (own, other) = (usize::from(black), usize::from(!black));
        let (to_own, to_other) = row.weights.split_at(UNITS);
        let [own, other] = [self.share(own, to_own), self.share(other, to_other)];
        std::array::from_fn(|end| f64::from(count) * (own[end] + other[end]))
    }

    /// The share of the biases of a side's units.
    pub fn of_bias(&self, black: bool) -> [f64; 2] {
        self.share(usize::from(black), &self.bias)
    }

    fn share(&self, side: usize, weights: &[i16]) -> [f64; 2] {
        let sign = if side == 0 { 1.0 } else { -1.0 };
        std::array::from_fn(|end| {
            let rates = self.per_input[side].iter().zip(weights);
            sign * rates.map(|(rate, weight)| rate[end] * f64::from(*weight)).sum::<f64>()
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
        assert_eq!(accumulator.output(false, &units), MgEg::default());
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
                let worth = accumulator.output(black, &units);
                f64::from([worth.middlegame(), worth.endgame()][end])
            };
            let worth = worth(false) - worth(true);
            assert!((shared + biases - worth).abs() < 20.0 && worth != 0.0, "{shared} {biases} {worth}");
        }
    }
}
