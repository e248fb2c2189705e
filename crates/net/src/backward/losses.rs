//! What a network should have said, and how wrong it was.

use crate::architecture::ValueHead;
use crate::forward::softmax;

/// One thing to learn from.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Lesson {
    /// The bordered input.
    pub input: Vec<f32>,
    /// The moves that are legal, by their numbers, and their shares; empty where only the value is learned.
    pub moves: Vec<(usize, f32)>,
    /// Chances to win, draw and lose.
    pub chances: [f32; 3],
}

/// How wrong answers were, summed over lessons.
#[derive(Copy, Clone, Debug, Default, PartialEq)]
pub struct Losses {
    /// Cross-entropy of the policies.
    pub policy: f64,
    /// Cross-entropy of the chances, or squared error of the value.
    pub value: f64,
    /// Lessons with a policy.
    pub policies: f64,
    /// Lessons.
    pub lessons: f64,
    /// Policies whose best move was the network's.
    pub hits: f64,
    /// Entropy of the policies to be learned, which no policy's loss can go below.
    pub entropy: f64,
}

impl Losses {
    /// Adds others.
    pub fn add(&mut self, other: &Losses) {
        self.policy += other.policy;
        self.value += other.value;
        self.policies += other.policies;
        self.lessons += other.lessons;
        self.hits += other.hits;
        self.entropy += other.entropy;
    }

    /// The loss of a policy on average.
    pub fn policy_mean(&self) -> f64 {
        self.policy / self.policies.max(1.0)
    }

    /// The loss of a value on average.
    pub fn value_mean(&self) -> f64 {
        self.value / self.lessons.max(1.0)
    }
}

/// Errors of a policy's logits.
pub(super) fn policy_errors(
    lesson: &Lesson,
    mut logits: Vec<f32>,
    share: f32,
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
    let hit = best(&mut logits.iter().copied()) == best(&mut lesson.moves.iter().map(|(_, share)| *share));
    losses.hits += f64::from(u8::from(hit));
    losses.policies += 1.0;
    for (logit, (_, wanted)) in logits.iter_mut().zip(&lesson.moves) {
        if *wanted > 0.0 {
            losses.policy -= f64::from(*wanted) * f64::from(logit.max(f32::MIN_POSITIVE)).ln();
            losses.entropy -= f64::from(*wanted) * f64::from(*wanted).ln();
        }
        *logit = share * (*logit - wanted);
    }
    logits
}

/// Errors of what the value head said.
pub(super) fn value_errors(
    head: ValueHead,
    lesson: &Lesson,
    said: &mut [f32],
    share: f32,
    losses: &mut Losses,
) -> Vec<f32> {
    match head {
        ValueHead::Chances => {
            softmax(said);
            for (said, wanted) in said.iter().zip(&lesson.chances) {
                losses.value -= f64::from(*wanted) * f64::from(said.max(f32::MIN_POSITIVE)).ln();
            }
            said.iter().zip(&lesson.chances).map(|(said, wanted)| share * (said - wanted)).collect()
        }
        ValueHead::Scalar => {
            let (value, wanted) = (said[0].tanh(), lesson.chances[0] - lesson.chances[2]);
            losses.value += f64::from(value - wanted).powi(2);
            vec![share * 2.0 * (value - wanted) * (1.0 - value * value)]
        }
    }
}
