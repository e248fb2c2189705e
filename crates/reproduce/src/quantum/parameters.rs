//! How many parameters the network has, part by part (Table 2): those of the network that can be trained here.

use tabia_net::architecture::Parameter;
use tabia_net::{Architecture, shipped};

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::step::Findings;

/// What Table 2 says: the part, how its tensors' names begin, and how many parameters.
const TABLE: [(&str, &str, f64, &str); 5] = [
    ("input convolution", "input", 32_000.0, "about 32,000"),
    ("ten residual blocks", "block", 2_950_000.0, "about 2,950,000"),
    ("policy head", "policy", 19_200_000.0, "about 19.2 M"),
    ("value head", "value", 17_000.0, "about 17,000"),
    ("all", "", 22_200_000.0, "about 22.2 M"),
];

/// Parameters of the tensors whose names begin so.
fn parameters(network: &Architecture, start: &str) -> usize {
    let parameters = network.parameters();
    parameters
        .iter()
        .filter(|parameter| parameter.is_trainable() && parameter.name.starts_with(start))
        .map(Parameter::len)
        .sum()
}

/// Adds up the tensors.
pub fn run(_work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let network = Architecture::SEED;
    let mut figures: Vec<Figure> = TABLE
        .iter()
        .map(|(what, start, seed, text)| {
            Figure::new(*what, "").seed(*seed, text).ours(parameters(&network, start) as f64).compared()
        })
        .collect();
    let own = shipped::weights().map_err(|error| ReproduceError::Settings(error.to_string()))?.architecture;
    figures.push(
        Figure::new("the network that comes with Tabia", "").ours(own.parameter_count() as f64).compared(),
    );
    Ok(Some(Findings {
        how: format!(
            "The tensors of `Architecture::SEED`, which `tabia quantum train` can learn: {network}. Convolutions have no bias, normalisations two numbers a channel that are \
             learned. The network that comes with Tabia has {own}."
        ),
        figures,
        ..Findings::default()
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layers_are_counted_as_everybody_counts_them() {
        // 28·128·9 + 256, 20·(128·128·9 + 256), 128·32 + 64 + 2048·9344 + 9344, 128 + 2 + 64·256 + 256 + 256 + 1.
        let counted = TABLE.map(|(_, start, _, _)| parameters(&Architecture::SEED, start));
        assert_eq!(counted, [32_512, 2_954_240, 19_150_016, 17_027, 22_153_795]);
    }
}
