//! A score as a differentiable function of its parameters: what gradient descent needs to know about an evaluation.
//!
//! Most of an evaluation is a sum of counts times weights, with a middlegame and an endgame weight each. What is not
//! linear takes one of a few forms with exact derivatives: [`SquaredRelu`] (a rectified sum, counted squared and
//! linearly), [`WeightedRelu`] (a rectified sum with a weight of its own), [`Clamp`] (a sum within bounds), [`Attention`]
//! (a soft maximum) and [`HiddenLayer`].
//!
//! Traces refer to *coefficients*. For many evaluations these are the parameters themselves. Where parameters are
//! multiplied with one another before they meet the board (a decay with itself at every step, a kernel with the weight
//! of a square), [`Tunable::coefficients`] computes the products once for all positions, and
//! [`Tunable::backpropagate`] maps gradients back by the chain rule.

pub mod hidden_layer;
mod nonlinear;

pub use hidden_layer::HiddenLayer;
pub use nonlinear::{Attention, Clamp, SquaredRelu, WeightedRelu};

use crate::evaluate::Evaluate;
use crate::explain::Field;
use crate::view::View;
use crate::weights_file::FileError;

/// An evaluation with trainable parameters.
///
/// ```
/// use shakmaty::Chess;
/// use tabia_eval::tuning::Tunable;
/// use tabia_eval::{Evaluate, View, axon::Axon};
///
/// // The trace gives the score as a function of the parameters.
/// let (mut axon, start) = (Axon::default(), Chess::default());
/// let view = View::from(&start);
/// let parameters: Vec<f64> = axon.parameters().iter().map(|parameter| parameter.value).collect();
/// let trace = axon.trace(view).expect("the score of the start depends on the parameters");
/// let score = trace.score(&axon.coefficients(&parameters));
/// assert!((score - f64::from(axon.evaluate(view).raw())).abs() < 1.0);
/// ```
pub trait Tunable: Evaluate {
    fn parameters(&self) -> Vec<Parameter>;

    /// The same evaluation with other parameters; `None` if their number is wrong.
    fn with_parameters(&self, parameters: &[f64]) -> Option<Self>
    where
        Self: Sized;

    /// The score of a position as a function of the coefficients, White's view; `None` for a position whose score does not
    /// depend on them.
    fn trace(&self, view: View<'_>) -> Option<EvalTrace>;

    /// Computes coefficients from parameters.
    fn coefficients(&self, parameters: &[f64]) -> Vec<f64> {
        parameters.to_vec()
    }

    /// Gradients of the parameters from those of the coefficients.
    fn backpropagate(&self, _parameters: &[f64], gradients: Vec<f64>) -> Vec<f64> {
        gradients
    }

    /// Its kernels and tables as fields that can be drawn.
    fn pictures(&self) -> Vec<Field>;

    /// The same evaluation with the weights of a file.
    fn with_file(&self, text: &str) -> Result<Self, FileError>
    where
        Self: Sized;

    /// Its weights as a file, with a note on their origin.
    fn file(&self, note: &str) -> String;
}

#[derive(Clone, Debug, PartialEq)]
pub struct Parameter {
    pub name: String,
    /// In the evaluation's own unit.
    pub value: f64,
    pub min: f64,
    pub max: f64,
    /// Scale of a training step: the change that matters about as much as a centipawn.
    pub step: f64,
}

/// A score as a function of coefficients.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct EvalTrace {
    /// The part that no coefficient changes.
    pub constant: f32,
    /// Weights of the middlegame and the endgame coefficient of a pair.
    pub taper: [f32; 2],
    /// Pairs of coefficients `2n` and `2n + 1`, each with its count.
    pub pairs: Vec<(u16, i16)>,
    /// Single coefficients, each with its count.
    pub singles: Vec<(u16, f32)>,
    /// Rectified sums that count squared and linearly.
    pub squared: Vec<SquaredRelu>,
    /// Rectified sums with a weight.
    pub relus: Vec<WeightedRelu>,
    /// Sums within bounds.
    pub clamps: Vec<Clamp>,
    pub attentions: Vec<Attention>,
    pub layer: Option<Box<HiddenLayer>>,
}

impl EvalTrace {
    /// The score in centipawns.
    pub fn score(&self, coefficients: &[f64]) -> f64 {
        let taper = self.taper.map(f64::from);
        let [mut first, mut second] = [0.0, 0.0];
        for (pair, count) in &self.pairs {
            let at = 2 * usize::from(*pair);
            first += coefficients[at] * f64::from(*count);
            second += coefficients[at + 1] * f64::from(*count);
        }
        let singles: f64 = self
            .singles
            .iter()
            .map(|(index, count)| coefficients[usize::from(*index)] * f64::from(*count))
            .sum();
        let units: f64 = self.squared.iter().map(|unit| unit.value(coefficients)).sum();
        let relus: f64 = self.relus.iter().map(|relu| relu.value(taper, coefficients)).sum();
        let clamps: f64 = self.clamps.iter().map(|clamp| clamp.value(coefficients)).sum();
        let attentions: f64 = self.attentions.iter().map(|one| one.value(taper, coefficients)).sum();
        f64::from(self.constant)
            + taper[0] * first
            + taper[1] * second
            + singles
            + units
            + relus
            + clamps
            + attentions
            + self.layer.as_ref().map_or(0.0, |layer| layer.value(taper, coefficients))
    }

    /// Adds `by` times the derivative of the score to a gradient over the coefficients.
    pub fn add_gradient(&self, coefficients: &[f64], by: f64, gradient: &mut [f64]) {
        let taper = self.taper.map(f64::from);
        let [first, second] = taper.map(|taper| taper * by);
        for (pair, count) in &self.pairs {
            let (at, count) = (2 * usize::from(*pair), f64::from(*count));
            gradient[at] += first * count;
            gradient[at + 1] += second * count;
        }
        for (index, count) in &self.singles {
            gradient[usize::from(*index)] += by * f64::from(*count);
        }
        for unit in &self.squared {
            unit.add_gradient(coefficients, by, gradient);
        }
        for relu in &self.relus {
            relu.add_gradient(taper, coefficients, by, gradient);
        }
        for clamp in &self.clamps {
            clamp.add_gradient(coefficients, by, gradient);
        }
        for attention in &self.attentions {
            attention.add_gradient(taper, coefficients, by, gradient);
        }
        if let Some(layer) = &self.layer {
            layer.add_gradient(taper, coefficients, by, gradient);
        }
    }
}

/// Sums the counts of the same feature; those that cancel are left out.
pub(crate) fn merge_counts(mut counts: Vec<(u16, i16)>) -> Vec<(u16, i16)> {
    counts.sort_unstable_by_key(|(feature, _)| *feature);
    let mut pairs: Vec<(u16, i16)> = Vec::with_capacity(counts.len());
    for (feature, count) in counts {
        match pairs.last_mut() {
            Some(last) if last.0 == feature => last.1 += count,
            _ => pairs.push((feature, count)),
        }
    }
    pairs.retain(|(_, count)| *count != 0);
    pairs.shrink_to_fit();
    pairs
}

#[cfg(test)]
mod tests;
