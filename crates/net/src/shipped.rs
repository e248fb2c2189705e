//! The bundled network. How it was trained and how strong it is: docs/training.md.

use std::path::Path;

use crate::error::NetError;
use crate::weights::Weights;

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
    use tabia_core::{Limits, Stop, seed};
    use tabia_quantum::{Action, QuantumGame};

    #[test]
    fn it_can_be_read_and_plays_the_same_legal_moves_twice() {
        assert!(weights().unwrap().architecture.parameter_count() > 10_000);
        let play = || {
            let mut agent = agents::catalogue().build_from_text("net(simulations=20)").unwrap();
            let (mut game, mut moves) = (QuantumGame::default(), Vec::new());
            for _ in 0..6 {
                let chosen = agent.choose(&game, &Limits::default(), &Stop::new(), &mut |_| {}).unwrap();
                let Action::Move(m) = chosen else { panic!("{chosen:?} is no move") };
                assert!(game.is_legal(m), "{m}");
                game.play(m, &mut seed::random(1)).unwrap();
                moves.push(m);
            }
            moves
        };
        assert_eq!(play(), play());
    }

    #[test]
    fn a_file_that_is_not_there_or_no_network_is_refused() {
        let error = |spec: &str| agents::catalogue().build_from_text(spec).err().unwrap().to_string();
        assert!(error("net(weights=nowhere.safetensors)").contains("cannot read nowhere.safetensors"));
        let text = error(&format!("net(weights={}/Cargo.toml)", env!("CARGO_MANIFEST_DIR")));
        assert!(text.contains("is not valid"), "{text}");
    }
}
