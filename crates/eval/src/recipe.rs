//! A score as a function of its parameters: what learning needs to know of an evaluation on a position.
//!
//! Most of an evaluation is a sum of counts times weights, with a weight for either end of the game. What is more
//! than a sum is a *unit*: inputs are added up, cut off at nought, and count squared and simply. That is enough for
//! the evaluations there are, and its derivatives are exact.

use crate::evaluate::Evaluate;
use crate::view::View;

/// An evaluation that can learn.
pub trait Tunable: Evaluate {
    /// Its parameters as they are, each with a name.
    fn parameters(&self) -> Vec<Parameter>;

    /// The same evaluation with other parameters; none if there are too few or too many.
    fn with_parameters(&self, parameters: &[f64]) -> Option<Self>
    where
        Self: Sized;

    /// How the score of a position depends on the parameters, White's view; none for a position whose score does
    /// not depend on them.
    fn recipe(&self, view: View<'_>) -> Option<Recipe>;
}

/// One number that can be learned.
#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    /// What it is.
    pub name: String,
    /// What it is worth, in centipawns unless the evaluation says otherwise.
    pub value: f64,
}

/// A score as a function of parameters.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Recipe {
    /// What no parameter changes.
    pub constant: f32,
    /// How much the first and the second of a pair of parameters count.
    pub taper: [f32; 2],
    /// Pairs: parameters `2n` and `2n + 1`, so many times.
    pub pairs: Vec<(u16, i16)>,
    /// Single parameters, so many times.
    pub singles: Vec<(u16, f32)>,
    /// What is more than a sum.
    pub units: Vec<Unit>,
}

/// Inputs added up, cut off at nought, and counted squared and simply.
#[derive(Clone, Debug, PartialEq)]
pub struct Unit {
    /// Single parameters, so many times.
    pub inputs: Vec<(u16, i16)>,
    /// What the square of the sum counts.
    pub square: f32,
    /// What the sum counts.
    pub line: f32,
}

impl Unit {
    fn sum(&self, parameters: &[f32]) -> f32 {
        let sum: f32 = self
            .inputs
            .iter()
            .map(|(index, count)| parameters[usize::from(*index)] * f32::from(*count))
            .sum();
        sum.max(0.0)
    }
}

impl Recipe {
    /// The score in centipawns.
    pub fn score(&self, parameters: &[f32]) -> f32 {
        let [mut first, mut second] = [0.0, 0.0];
        for (pair, count) in &self.pairs {
            let at = 2 * usize::from(*pair);
            first += parameters[at] * f32::from(*count);
            second += parameters[at + 1] * f32::from(*count);
        }
        let singles: f32 =
            self.singles.iter().map(|(index, count)| parameters[usize::from(*index)] * count).sum();
        let units: f32 = self
            .units
            .iter()
            .map(|unit| {
                let sum = unit.sum(parameters);
                unit.square * sum * sum + unit.line * sum
            })
            .sum();
        self.constant + self.taper[0] * first + self.taper[1] * second + singles + units
    }

    /// Adds `by` times the derivative of the score to a gradient.
    pub fn add_gradient(&self, parameters: &[f32], by: f32, gradient: &mut [f32]) {
        let [first, second] = self.taper.map(|taper| taper * by);
        for (pair, count) in &self.pairs {
            let (at, count) = (2 * usize::from(*pair), f32::from(*count));
            gradient[at] += first * count;
            gradient[at + 1] += second * count;
        }
        for (index, count) in &self.singles {
            gradient[usize::from(*index)] += by * count;
        }
        for unit in &self.units {
            let sum = unit.sum(parameters);
            if sum > 0.0 {
                let slope = by * (2.0 * unit.square * sum + unit.line);
                for (index, count) in &unit.inputs {
                    gradient[usize::from(*index)] += slope * f32::from(*count);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn recipe() -> Recipe {
        Recipe {
            constant: 3.0,
            taper: [0.25, 0.75],
            pairs: vec![(0, 2), (1, -1)],
            singles: vec![(4, 1.5)],
            units: vec![
                Unit { inputs: vec![(5, 1), (4, 2)], square: -0.1, line: -0.5 },
                Unit { inputs: vec![(5, -3)], square: 0.2, line: 0.1 },
            ],
        }
    }

    proptest! {
        #[test]
        fn derivatives_match_finite_differences(parameters in prop::collection::vec(-5.0f32..5.0, 6)) {
            let recipe = recipe();
            // At the kink there is no derivative to match.
            prop_assume!(recipe.units.iter().all(|unit| {
                let sum: f32 =
                    unit.inputs.iter().map(|(i, n)| parameters[usize::from(*i)] * f32::from(*n)).sum();
                sum.abs() > 0.1
            }));
            let mut gradient = vec![0.0; 6];
            recipe.add_gradient(&parameters, 1.0, &mut gradient);
            for index in 0..6 {
                let shifted = |by: f32| {
                    let mut parameters = parameters.clone();
                    parameters[index] += by;
                    f64::from(recipe.score(&parameters))
                };
                let difference = (shifted(0.01) - shifted(-0.01)) / 0.02;
                prop_assert!((difference - f64::from(gradient[index])).abs() < 0.02, "{index}");
            }
        }
    }
}
