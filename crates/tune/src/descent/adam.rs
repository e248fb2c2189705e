//! Adam: steps of about the same size in every direction, whatever the slope (Kingma and Ba, 2015).

/// The usual constants of the method.
const MOMENTUM: f32 = 0.9;
const MEMORY: f32 = 0.999;
const LEAST: f32 = 1e-8;

/// The optimiser's memory.
#[derive(Clone, Debug)]
pub(super) struct Adam {
    mean: Vec<f32>,
    square: Vec<f32>,
    steps: i32,
}

impl Adam {
    /// For so many parameters.
    pub fn new(parameters: usize) -> Adam {
        Adam { mean: vec![0.0; parameters], square: vec![0.0; parameters], steps: 0 }
    }

    /// Takes a step down the gradient.
    pub fn step(&mut self, parameters: &mut [f32], gradient: &[f32], rate: f32) {
        self.steps += 1;
        let (mean_bias, square_bias) = (1.0 - MOMENTUM.powi(self.steps), 1.0 - MEMORY.powi(self.steps));
        for (index, slope) in gradient.iter().enumerate() {
            let (mean, square) = (&mut self.mean[index], &mut self.square[index]);
            *mean = MOMENTUM * *mean + (1.0 - MOMENTUM) * slope;
            *square = MEMORY * *square + (1.0 - MEMORY) * slope * slope;
            parameters[index] -= rate * (*mean / mean_bias) / ((*square / square_bias).sqrt() + LEAST);
        }
    }
}
