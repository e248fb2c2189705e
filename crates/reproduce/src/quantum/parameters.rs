//! How many parameters the network has, part by part (Table 2): by arithmetic from the layers the seed names.

use tabia_quantum::{ACTIONS, planes};

use crate::figure::Figure;
use crate::step::Findings;
use crate::work::{Done, Work};

const FILTERS: usize = 128;
const BLOCKS: usize = 10;
const SQUARES: usize = 64;
/// Inputs of the policy's last layer, as Table 2 notes them: "FC: 2048×9344".
const POLICY_CHANNELS: usize = 32;
/// Hidden units of the value head, and its channels: "FC: 64×256 + 256×1".
const VALUE_HIDDEN: usize = 256;
const VALUE_CHANNELS: usize = 1;

/// A convolution without a bias, and the two numbers a channel of its normalisation.
const fn convolution(from: usize, to: usize, size: usize) -> usize {
    from * to * size * size + 2 * to
}

/// A dense layer with a bias.
const fn dense(from: usize, to: usize) -> usize {
    from * to + to
}

/// Input, blocks, policy and value.
const fn parts() -> [usize; 4] {
    let input = convolution(planes::PLANES, FILTERS, 3);
    let blocks = BLOCKS * 2 * convolution(FILTERS, FILTERS, 3);
    let policy = convolution(FILTERS, POLICY_CHANNELS, 1) + dense(POLICY_CHANNELS * SQUARES, ACTIONS);
    let value = convolution(FILTERS, VALUE_CHANNELS, 1)
        + dense(VALUE_CHANNELS * SQUARES, VALUE_HIDDEN)
        + dense(VALUE_HIDDEN, 1);
    [input, blocks, policy, value]
}

/// Adds up the layers.
#[expect(clippy::unnecessary_wraps, reason = "a step may fail; this one cannot")]
pub fn run(_work: &mut Work<'_>) -> Done<Findings> {
    let [input, blocks, policy, value] = parts();
    let figure = |what: &str, seed: f64, text: &str, ours: usize| {
        Figure::new(what, "").seed(seed, text).ours(ours as f64).compared()
    };
    Ok(Some(Findings {
        how: format!(
            "Counted from the layers that the seed names: {FILTERS} filters, {BLOCKS} blocks of two 3×3 convolutions, a policy head of {POLICY_CHANNELS} channels \
             into {ACTIONS} actions, a value head of one channel, {VALUE_HIDDEN} hidden units. Convolutions have no bias, normalisations two numbers a channel."
        ),
        figures: vec![
            figure("input convolution", 32_000.0, "about 32,000", input),
            figure("ten residual blocks", 2_950_000.0, "about 2,950,000", blocks),
            figure("policy head", 19_200_000.0, "about 19.2 M", policy),
            figure("value head", 17_000.0, "about 17,000", value),
            figure("all", 22_200_000.0, "about 22.2 M", input + blocks + policy + value),
        ],
        ..Findings::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_counted_as_everybody_counts_them() {
        // 28·128·9 + 256, 20·(128·128·9 + 256), 128·32 + 64 + 2048·9344 + 9344, 128 + 2 + 64·256 + 256 + 256 + 1.
        assert_eq!(parts(), [32_512, 2_954_240, 19_150_016, 17_027]);
    }
}
