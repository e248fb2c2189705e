//! Which numbers a network has: a list of named tensors, from which counting, files, training and export all work.
//!
//! A residual tower (seed 004 §4): a 3×3 convolution of the 28 planes, blocks of two with a shortcut, each followed by batch normalisation; then a head
//! for the policy and one for the value. The seed's policy head is fully connected and has six of seven of its 22 million numbers; ours is a
//! convolution to 146 ways of moving from every square. The seed's value is one number; ours is the chances to win, draw and lose.

use std::fmt;

use serde::{Deserialize, Serialize};
use tabia_quantum::ACTIONS;
use tabia_quantum::planes::PLANES;

use crate::error::NetError;
use crate::kernels::{LANES, SQUARES};

/// Ways to move from a square.
pub const MOVES: usize = ACTIONS / SQUARES;
/// Chances to win, to draw and to lose.
pub const CHANCES: usize = 3;

/// How the policy is read off the tower.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum PolicyHead {
    /// A 1×1 convolution to all ways of moving from a square.
    Convolution,
    /// A 1×1 convolution to so many channels, and everything with everything.
    Dense(usize),
}

/// How the value is read off the tower.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ValueHead {
    /// Chances to win, draw and lose.
    Chances,
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
    /// The policy head.
    pub policy: PolicyHead,
    /// Channels of the value head.
    pub value_channels: usize,
    /// Neurons of the value head.
    pub value_hidden: usize,
    /// The value head.
    pub value: ValueHead,
}

/// What a tensor is for, which decides how it begins and how it is learned.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Role {
    /// Weights of a convolution or a dense layer that sees so many numbers: begins at random, decays.
    Weight(usize),
    /// Begins with zeros.
    Bias,
    /// Normalisation's factor: begins with ones.
    Scale,
    /// Normalisation's running mean: not learned but measured, begins with zeros.
    Mean,
    /// Normalisation's running variance: not learned but measured, begins with ones.
    Variance,
}

/// One tensor.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Slot {
    /// Its name in files.
    pub name: String,
    /// Its shape.
    pub shape: Vec<usize>,
    /// What it is for.
    pub role: Role,
}

impl Slot {
    /// How many numbers it has.
    pub fn len(&self) -> usize {
        self.shape.iter().product()
    }

    /// Whether it has none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether descent changes it.
    pub fn is_learned(&self) -> bool {
        !matches!(self.role, Role::Mean | Role::Variance)
    }
}

/// Where the tensors of a normalised convolution are among the slots.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Convolution {
    /// Channels that go in.
    pub inputs: usize,
    /// Channels that come out.
    pub outputs: usize,
    /// The weights' slot; scale, bias, mean and variance follow.
    pub weight: usize,
}

/// Where everything is among the slots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// The tower's convolutions: the first, then two a block.
    pub tower: Vec<Convolution>,
    /// The dense policy's convolution.
    pub policy_convolution: Option<Convolution>,
    /// The policy's last weights; its bias follows.
    pub policy: usize,
    /// The value's convolution.
    pub value_convolution: Convolution,
    /// The value's hidden layer; its bias, the last weights and their bias follow.
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

    /// Ours, of a size.
    pub const fn ours(channels: usize, blocks: usize) -> Architecture {
        Architecture {
            channels,
            blocks,
            policy: PolicyHead::Convolution,
            value_channels: 8,
            value_hidden: 64,
            value: ValueHead::Chances,
        }
    }

    /// Numbers that the value head says.
    pub const fn value_outputs(&self) -> usize {
        match self.value {
            ValueHead::Chances => CHANCES,
            ValueHead::Scalar => 1,
        }
    }

    /// Refuses what cannot be computed.
    pub fn check(&self) -> Result<(), NetError> {
        let within = |what: &str, value: usize, least: usize, most: usize| {
            if (least..=most).contains(&value) {
                Ok(())
            } else {
                Err(NetError::Settings(format!("{what} is {value}, expected {least} to {most}")))
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

    /// Every tensor, in the order of files.
    pub fn slots(&self) -> Vec<Slot> {
        self.build().0
    }

    /// Where everything is among the slots.
    pub fn layout(&self) -> Layout {
        self.build().1
    }

    /// Numbers that are learned.
    pub fn parameters(&self) -> usize {
        self.slots().iter().filter(|slot| slot.is_learned()).map(Slot::len).sum()
    }

    /// Multiplications and additions for one position, with the policy of legal moves left out.
    pub fn operations(&self) -> usize {
        let layout = self.layout();
        let windows: usize = layout.tower.iter().map(|layer| layer.inputs * layer.outputs * 9).sum();
        let heads = self.channels * self.value_channels
            + layout.policy_convolution.map_or(0, |layer| layer.inputs * layer.outputs);
        2 * (SQUARES * (windows + heads) + self.value_hidden * (SQUARES * self.value_channels + CHANCES))
    }

    fn build(&self) -> (Vec<Slot>, Layout) {
        let mut slots = Vec::new();
        let mut add = |name: String, shape: &[usize], role: Role| {
            slots.push(Slot { name, shape: shape.to_vec(), role });
            slots.len() - 1
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
            PolicyHead::Convolution => dense("policy.moves", self.channels, &[MOVES, self.channels, 1, 1]),
            PolicyHead::Dense(channels) => {
                dense("policy.dense", SQUARES * channels, &[ACTIONS, SQUARES * channels])
            }
        };
        let inputs = SQUARES * self.value_channels;
        let value = dense("value.hidden", inputs, &[self.value_hidden, inputs]);
        dense("value.out", self.value_hidden, &[self.value_outputs(), self.value_hidden]);
        (slots, Layout { tower, policy_convolution, policy, value_convolution, value })
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
            self.parameters()
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_seeds_network_has_the_seeds_parameters() {
        assert_eq!(Architecture::SEED.parameters(), 22_153_795);
        // 28 planes to 128 channels with normalisation, ten blocks, and a policy from 2,048 numbers to 9,344.
        let slots = Architecture::SEED.slots();
        let count = |part: &str| {
            slots
                .iter()
                .filter(|slot| slot.is_learned() && slot.name.starts_with(part))
                .map(Slot::len)
                .sum::<usize>()
        };
        assert_eq!(count("input"), 32_256 + 256);
        assert_eq!(count("block"), 2_954_240);
        assert_eq!(count("policy"), 4_096 + 64 + 2_048 * 9_344 + 9_344);
        assert_eq!(count("value"), 128 + 2 + 64 * 256 + 256 + 256 + 1);
    }

    #[test]
    fn names_are_different_and_the_layout_finds_them() {
        for architecture in [Architecture::SEED, Architecture::ours(32, 2)] {
            let (slots, layout) = (architecture.slots(), architecture.layout());
            let names: std::collections::HashSet<&str> =
                slots.iter().map(|slot| slot.name.as_str()).collect();
            assert_eq!(names.len(), slots.len());
            assert_eq!(layout.tower.len(), 2 * architecture.blocks + 1);
            assert_eq!(slots[layout.tower[2].weight].name, "block0.second.conv.weight");
            assert_eq!(slots[layout.value_convolution.weight + 4].name, "value.norm.variance");
            assert!(slots[layout.policy].name.starts_with("policy"));
            assert_eq!(slots[layout.value + 3].name, "value.out.bias");
        }
    }

    #[test]
    fn what_cannot_be_computed_is_refused() {
        let error = Architecture::ours(40, 2).check().unwrap_err().to_string();
        assert_eq!(error, "channels is 40, expected a multiple of 16");
        assert!(Architecture::ours(16, 0).check().is_err());
    }
}
