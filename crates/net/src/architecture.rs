//! The shape of a network: a list of named parameters, on which counting, files, training and export are based.
//!
//! A residual tower (seed 004 §4): a 3×3 convolution of the 28 input planes, then residual blocks of two convolutions, each with
//! batch normalisation; then a policy head and a value head. The seed's policy head is fully connected and has six of seven of its
//! 22 million parameters; ours is a convolution to 146 move types per square. The seed's value head has one output; ours has win,
//! draw and loss probabilities (WDL).

use std::fmt;

use serde::{Deserialize, Serialize};
use tabia_quantum::ACTIONS;
use tabia_quantum::planes::PLANES;

use crate::error::NetError;
use crate::kernels::{LANES, SQUARES};

/// Move types per origin square in the policy.
pub const MOVES_PER_SQUARE: usize = ACTIONS / SQUARES;
/// Outputs of a value head that predicts win, draw and loss probabilities.
pub const WDL: usize = 3;

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyHead {
    /// A 1×1 convolution to [`MOVES_PER_SQUARE`] channels.
    Convolution,
    /// A 1×1 convolution to this many channels, then a fully connected layer.
    Dense(usize),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueHead {
    /// Win, draw and loss probabilities.
    #[serde(rename = "chances")]
    Wdl,
    /// One number from -1 to 1.
    Scalar,
}

/// The shape of a network.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Architecture {
    /// Channels of the tower.
    pub channels: usize,
    /// Residual blocks.
    pub blocks: usize,
    pub policy: PolicyHead,
    /// Channels of the value head.
    pub value_channels: usize,
    /// Hidden units of the value head.
    pub value_hidden: usize,
    pub value: ValueHead,
}

/// What a parameter is for, which decides how it is initialised and updated.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Weights of a convolution or dense layer with this fan-in: initialised at random, with weight decay.
    Weight(usize),
    /// Initialised with zeros.
    Bias,
    /// Batch normalisation's scale (γ): initialised with ones.
    Scale,
    /// Batch normalisation's running mean: measured, not trained; initialised with zeros.
    Mean,
    /// Batch normalisation's running variance: measured, not trained; initialised with ones.
    Variance,
}

/// A named tensor of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parameter {
    /// Its name in files.
    pub name: String,
    pub shape: Vec<usize>,
    pub role: Role,
}

impl Parameter {
    /// Number of elements.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether the optimiser updates it; running means and variances are measured instead.
    pub fn is_trainable(&self) -> bool {
        !matches!(self.role, Role::Mean | Role::Variance)
    }
}

/// Indices of the parameters of a convolution with batch normalisation.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Convolution {
    /// Input channels.
    pub inputs: usize,
    /// Output channels.
    pub outputs: usize,
    /// Index of the weights; scale, bias, mean and variance follow.
    pub weight: usize,
}

/// Indices of all layers' parameters in [`Architecture::parameters`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The tower's convolutions: the input layer's, then two per block.
    pub tower: Vec<Convolution>,
    /// The dense policy's convolution.
    pub policy_convolution: Option<Convolution>,
    /// Index of the policy's output weights; its bias follows.
    pub policy: usize,
    pub value_convolution: Convolution,
    /// Index of the value head's hidden weights; their bias, the output weights and their bias follow.
    pub value: usize,
}

impl Architecture {
    /// Seed 004's network.
    pub const SEED: Architecture = Architecture {
        channels: 128,
        blocks: 10,
        policy: PolicyHead::Dense(32),
        value_channels: 1,
        value_hidden: 256,
        value: ValueHead::Scalar,
    };

    /// Tabia's architecture with this many channels and blocks.
    pub const fn new(channels: usize, blocks: usize) -> Architecture {
        Architecture {
            channels,
            blocks,
            policy: PolicyHead::Convolution,
            value_channels: 8,
            value_hidden: 64,
            value: ValueHead::Wdl,
        }
    }

    /// Outputs of the value head.
    pub const fn value_outputs(&self) -> usize {
        match self.value {
            ValueHead::Wdl => WDL,
            ValueHead::Scalar => 1,
        }
    }

    /// Refuses sizes that the kernels do not support.
    pub fn check(&self) -> Result<(), NetError> {
        let within = |what: &str, value: usize, min: usize, max: usize| {
            if (min..=max).contains(&value) {
                Ok(())
            } else {
                Err(NetError::Settings(format!("{what} is {value}, expected {min} to {max}")))
            }
        };
        within("channels", self.channels, LANES, 1024)?;
        within("blocks", self.blocks, 1, 100)?;
        within("value_channels", self.value_channels, 1, 256)?;
        within("value_hidden", self.value_hidden, 1, 4096)?;
        if !self.channels.is_multiple_of(LANES) {
            return Err(NetError::Settings(format!(
                "channels is {}, expected a multiple of {LANES}",
                self.channels
            )));
        }
        Ok(())
    }

    /// All parameters, in the order in which files and gradients hold them.
    pub fn parameters(&self) -> Vec<Parameter> {
        self.build().0
    }

    /// Indices of all layers' parameters in [`Architecture::parameters`].
    pub fn layout(&self) -> Layout {
        self.build().1
    }

    /// Number of trainable scalars.
    pub fn parameter_count(&self) -> usize {
        self.parameters().iter().filter(|parameter| parameter.is_trainable()).map(Parameter::len).sum()
    }

    /// Floating-point operations per position, without the policy's output layer.
    pub fn operations(&self) -> usize {
        let layout = self.layout();
        let tower: usize = layout.tower.iter().map(|layer| layer.inputs * layer.outputs * 9).sum();
        let heads = self.channels * self.value_channels
            + layout.policy_convolution.map_or(0, |layer| layer.inputs * layer.outputs);
        2 * (SQUARES * (tower + heads) + self.value_hidden * (SQUARES * self.value_channels + WDL))
    }

    fn build(&self) -> (Vec<Parameter>, Layout) {
        let mut parameters = Vec::new();
        let mut add = |name: String, shape: &[usize], role: Role| {
            parameters.push(Parameter { name, shape: shape.to_vec(), role });
            parameters.len() - 1
        };
        let mut convolution = |name: &str, inputs: usize, outputs: usize, window: usize| {
            let role = Role::Weight(inputs * window * window);
            let weight = add(format!("{name}.conv.weight"), &[outputs, inputs, window, window], role);
            add(format!("{name}.norm.scale"), &[outputs], Role::Scale);
            add(format!("{name}.norm.bias"), &[outputs], Role::Bias);
            add(format!("{name}.norm.mean"), &[outputs], Role::Mean);
            add(format!("{name}.norm.variance"), &[outputs], Role::Variance);
            Convolution { inputs, outputs, weight }
        };
        let mut tower = vec![convolution("input", PLANES, self.channels, 3)];
        for block in 0..self.blocks {
            for half in ["first", "second"] {
                tower.push(convolution(&format!("block{block}.{half}"), self.channels, self.channels, 3));
            }
        }
        let value_convolution = convolution("value", self.channels, self.value_channels, 1);
        let policy_convolution = match self.policy {
            PolicyHead::Convolution => None,
            PolicyHead::Dense(channels) => Some(convolution("policy", self.channels, channels, 1)),
        };
        let mut dense = |name: &str, inputs: usize, shape: &[usize]| {
            let weight = add(format!("{name}.weight"), shape, Role::Weight(inputs));
            add(format!("{name}.bias"), &shape[..1], Role::Bias);
            weight
        };
        let policy = match self.policy {
            PolicyHead::Convolution => {
                dense("policy.moves", self.channels, &[MOVES_PER_SQUARE, self.channels, 1, 1])
            }
            PolicyHead::Dense(channels) => {
                dense("policy.dense", SQUARES * channels, &[ACTIONS, SQUARES * channels])
            }
        };
        let inputs = SQUARES * self.value_channels;
        let value = dense("value.hidden", inputs, &[self.value_hidden, inputs]);
        dense("value.out", self.value_hidden, &[self.value_outputs(), self.value_hidden]);
        (parameters, Layout { tower, policy_convolution, policy, value_convolution, value })
    }
}

impl fmt::Display for Architecture {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let policy = match self.policy {
            PolicyHead::Convolution => "a convolutional",
            PolicyHead::Dense(_) => "a fully connected",
        };
        write!(
            f,
            "{} blocks of {} channels, {policy} policy, {} parameters",
            self.blocks,
            self.channels,
            self.parameter_count()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_network_has_the_seeds_parameters() {
        assert_eq!(Architecture::SEED.parameter_count(), 22_153_795);
        // 28 planes to 128 channels with normalisation, ten blocks, and a policy from 2,048 numbers to 9,344.
        let parameters = Architecture::SEED.parameters();
        let count = |part: &str| {
            parameters
                .iter()
                .filter(|parameter| parameter.is_trainable() && parameter.name.starts_with(part))
                .map(Parameter::len)
                .sum::<usize>()
        };
        assert_eq!(count("input"), 32_256 + 256);
        assert_eq!(count("block"), 2_954_240);
        assert_eq!(count("policy"), 4_096 + 64 + 2_048 * 9_344 + 9_344);
        assert_eq!(count("value"), 128 + 2 + 64 * 256 + 256 + 256 + 1);
    }

    #[test]
    fn names_are_different_and_the_layout_finds_them() {
        for architecture in [Architecture::SEED, Architecture::new(32, 2)] {
            let (parameters, layout) = (architecture.parameters(), architecture.layout());
            let names: std::collections::HashSet<&str> =
                parameters.iter().map(|parameter| parameter.name.as_str()).collect();
            assert_eq!(names.len(), parameters.len());
            assert_eq!(layout.tower.len(), 2 * architecture.blocks + 1);
            assert_eq!(parameters[layout.tower[2].weight].name, "block0.second.conv.weight");
            assert_eq!(parameters[layout.value_convolution.weight + 4].name, "value.norm.variance");
            assert!(parameters[layout.policy].name.starts_with("policy"));
            assert_eq!(parameters[layout.value + 3].name, "value.out.bias");
        }
    }

    #[test]
    fn unsupported_sizes_are_refused() {
        let error = Architecture::new(40, 2).check().unwrap_err().to_string();
        assert_eq!(error, "channels is 40, expected a multiple of 16");
        assert!(Architecture::new(16, 0).check().is_err());
    }
}
