//! The agent `net`: Monte Carlo tree search with the network as evaluator.

use std::path::Path;
use std::sync::Arc;

use tabia_core::{AgentEntry, Catalogue, OptionEntry, OptionKind};
use tabia_mcts::Mcts;
use tabia_quantum::QuantumGame;
use tabia_quantum::agents::{search_options, search_settings};
use tabia_quantum::endings::WithEndings;

use crate::device::Evaluator;
use crate::network::Network;
use crate::shipped;

/// Every agent of this crate.
pub fn entries() -> Vec<AgentEntry<QuantumGame>> {
    vec![net()]
}

/// All quantum chess agents, including `net`.
pub fn catalogue() -> Catalogue<QuantumGame> {
    let mut catalogue = tabia_quantum::agents::catalogue();
    catalogue.add(entries());
    catalogue
}

fn net() -> AgentEntry<QuantumGame> {
    let mut options = vec![
        OptionEntry {
            key: "weights",
            kind: OptionKind::Text,
            default: "",
            help: "the network's file, as `tabia quantum train` writes it; without one, the network that comes with the program",
        },
        OptionEntry {
            key: "simulations",
            kind: OptionKind::Integer { min: 0, max: 100_000_000 },
            default: "200",
            help: "simulations for a move; 0 is as many as the limits allow",
        },
    ];
    options.push(OptionEntry {
        key: "endings",
        kind: OptionKind::Switch,
        default: "on",
        help: "value endings against a bare king by rule: the network has seen too few of them",
    });
    options.extend(search_options());
    AgentEntry {
        name: "net",
        summary: "Monte Carlo tree search with a network that learned from games",
        options,
        build: Box::new(|options| {
            let network = match options.text("weights").filter(|path| !path.is_empty()) {
                Some(path) => Network::read(Path::new(path)).map_err(|error| options.refuse(error))?,
                None => Network::new(&shipped::weights().map_err(|error| options.refuse(error))?),
            };
            let simulations = options.integer("simulations").filter(|n| *n > 0).map(|n| n as u64);
            let seed = options.integer("seed").unwrap_or(0) as u64;
            let evaluator: Evaluator =
                if options.switch("endings") { Arc::new(WithEndings(network)) } else { Arc::new(network) };
            Ok(Box::new(Mcts::new(evaluator, search_settings(options), simulations, seed, QuantumGame::ply)))
        }),
    }
}
