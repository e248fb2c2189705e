//! The network that comes with the program. How it was trained and how well it plays: docs/training.md.

use std::path::Path;

use crate::error::NetError;
use crate::weights::Weights;

/// Its weights.
pub fn weights() -> Result<Weights, NetError> {
    Weights::from_bytes(
        include_bytes!("../weights/shipped.safetensors"),
        Path::new("the network that comes with the program"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents;
    use tabia_core::{Limits, Stop};
    use tabia_quantum::QuantumGame;

    #[test]
    fn it_can_be_read_and_takes_a_king_that_can_be_taken() {
        assert!(weights().unwrap().architecture.parameters() > 10_000);
        let mut agent = agents::catalogue().build_from_text("net(simulations=100)").unwrap();
        let game: QuantumGame = "4k3/8/8/8/q6b/8/8/4QK2 w - - 0 1".parse().unwrap();
        let chosen = agent.choose(&game, &Limits::default(), &Stop::new(), &mut |_| {}).unwrap();
        assert_eq!(chosen.to_string(), "e1e8");
    }

    #[test]
    fn a_file_that_is_not_there_or_no_network_is_refused() {
        let error = |spec: &str| agents::catalogue().build_from_text(spec).err().unwrap().to_string();
        assert!(error("net(weights=nowhere.safetensors)").contains("cannot read nowhere.safetensors"));
        let text = error(&format!("net(weights={}/Cargo.toml)", env!("CARGO_MANIFEST_DIR")));
        assert!(text.contains("is broken"), "{text}");
    }
}
