//! The Adam optimiser (Kingma and Ba, 2015).

use serde::{Deserialize, Serialize};

/// The usual constants.
const BETA1: f64 = 0.9;
const BETA2: f64 = 0.999;
const EPSILON: f64 = 1e-8;

/// The optimiser's state.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(super) struct Adam {
    mean: Vec<f64>,
    square: Vec<f64>,
    steps: i32,
}

impl Adam {
    pub fn new(parameters: usize) -> Adam {
        Adam { mean: vec![0.0; parameters], square: vec![0.0; parameters], steps: 0 }
    }

    pub fn len(&self) -> usize {
        self.mean.len()
    }

    /// The step of every parameter for a gradient.
    pub fn step<'a>(&'a mut self, gradient: &'a [f64], rate: f64) -> impl Iterator<Item = f64> + 'a {
        self.steps += 1;
        let (mean_bias, square_bias) = (1.0 - BETA1.powi(self.steps), 1.0 - BETA2.powi(self.steps));
        self.mean.iter_mut().zip(&mut self.square).zip(gradient).map(move |((mean, square), gradient)| {
            *mean = BETA1 * *mean + (1.0 - BETA1) * gradient;
            *square = BETA2 * *square + (1.0 - BETA2) * gradient * gradient;
            -rate * (*mean / mean_bias) / ((*square / square_bias).sqrt() + EPSILON)
        })
    }
}
