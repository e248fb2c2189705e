//! Losses and their gradients with respect to the network's outputs.

use crate::architecture::ValueHead;
use crate::forward::softmax;

/// A training sample: input and targets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The padded input ([`crate::encoding`]).
    pub input: Vec<f32>,
    /// Policy target: policy indices of the legal moves and their probabilities. Empty where only the value is trained.
    pub moves: Vec<(usize, f32)>,
    /// Value target: win, draw and loss probabilities.
    pub wdl: [f32; 3],
}

/// Losses summed over samples.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross-entropy of the policy.
    pub policy: f64,
    /// Cross-entropy of the WDL outputs, or squared error of the scalar value.
    pub value: f64,
    /// Number of samples with a policy target.
    pub policies: f64,
    pub samples: f64,
    /// Samples whose most probable target move was the network's (top-1).
    pub hits: f64,
    /// Entropy of the policy targets, a lower bound of the policy loss.
    pub entropy: f64,
}

impl Losses {
    /// Adds another sum.
    pub fn add(&mut self, other: &Losses) {
        self.policy += other.policy;
        self.value += other.value;
        self.policies += other.policies;
        self.samples += other.samples;
        self.hits += other.hits;
        self.entropy += other.entropy;
    }

    /// Mean policy loss.
    pub fn policy_mean(&self) -> f64 {
        self.policy / self.policies.max(1.0)
    }

    /// Mean value loss.
    pub fn value_mean(&self) -> f64 {
        self.value / self.samples.max(1.0)
    }
}

/// Gradient of the policy loss with respect to the logits.
pub(super) fn policy_gradient(
    sample: &Sample,
    mut logits: Vec<f32>,
    loss_weight: f32,
    losses: &mut Losses,
) -> Vec<f32> {
    softmax(&mut logits);
    let best = |numbers: &mut dyn Iterator<Item = f32>| {
        numbers
            .enumerate()
            .fold(
                (0, f32::NEG_INFINITY),
                |best, (at, number)| if number > best.1 { (at, number) } else { best },
            )
            .0
    };
    let hit = best(&mut logits.iter().copied()) == best(&mut sample.moves.iter().map(|(_, share)| *share));
    losses.hits += f64::from(u8::from(hit));
    losses.policies += 1.0;
    for (logit, (_, target)) in logits.iter_mut().zip(&sample.moves) {
        if *target > 0.0 {
            losses.policy -= f64::from(*target) * f64::from(logit.max(f32::MIN_POSITIVE)).ln();
            losses.entropy -= f64::from(*target) * f64::from(*target).ln();
        }
        *logit = loss_weight * (*logit - target);
    }
    logits
}

/// Gradient of the value loss with respect to the value head's outputs, before their activation.
pub(super) fn value_gradient(
    head: ValueHead,
    sample: &Sample,
    outputs: &mut [f32],
    loss_weight: f32,
    losses: &mut Losses,
) -> Vec<f32> {
    match head {
        ValueHead::Wdl => {
            softmax(outputs);
            for (output, target) in outputs.iter().zip(&sample.wdl) {
                losses.value -= f64::from(*target) * f64::from(output.max(f32::MIN_POSITIVE)).ln();
            }
            outputs.iter().zip(&sample.wdl).map(|(output, target)| loss_weight * (output - target)).collect()
        }
        ValueHead::Scalar => {
            let (value, target) = (outputs[0].tanh(), sample.wdl[0] - sample.wdl[2]);
            losses.value += f64::from(value - target).powi(2);
            vec![loss_weight * 2.0 * (value - target) * (1.0 - value * value)]
        }
    }
}
