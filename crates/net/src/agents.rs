//! The agent `net`: Monte Carlo tree search with the network as evaluator.

use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use tabia_core::{AgentEntry, Catalogue, CatalogueError, OptionEntry, OptionKind, Options};
use tabia_mcts::Mcts;
use tabia_quantum::QuantumGame;
use tabia_quantum::agents::{search_options, search_settings};
use tabia_quantum::endings::WithEndings;

use crate::device::Evaluator;
use crate::network::Network;
use crate::shipped;
use crate::weights::Weights;

/// The option that names an external evaluator.
pub const EVALUATOR: &str = "evaluator";

/// Connects to the evaluator at an address, with a time limit for each of its answers, or says why it cannot.
///
/// This crate knows no network protocol. And it is the caller who decides whether specs may make this process connect
/// anywhere: those typed in a terminal may, those sent to a server may not.
pub type Connect = Box<dyn Fn(&str, Duration) -> Result<Evaluator, String> + Send + Sync>;

/// Loads a network where it is computed, or says why it cannot.
pub type Load = Box<dyn Fn(&Weights) -> Result<Evaluator, String> + Send + Sync>;

/// Networks on the CPU.
pub fn on_cpu() -> Load {
    Box::new(|weights| Ok(Arc::new(Network::new(weights))))
}

/// All quantum chess agents, including `net`, which refuses to ask an external evaluator and computes on the CPU.
pub fn catalogue() -> Catalogue<QuantumGame> {
    let refuse: Connect = Box::new(|address, _| {
        Err(format!("{EVALUATOR}={address}: only commands in a terminal ask an external evaluator"))
    });
    catalogue_with(refuse, on_cpu())
}

/// All quantum chess agents, including `net`, which reaches external evaluators through `connect`, and computes networks of its own
/// where `load` puts them.
pub fn catalogue_with(connect: Connect, load: Load) -> Catalogue<QuantumGame> {
    let mut catalogue = tabia_quantum::agents::catalogue();
    catalogue.add([net(connect, load)]);
    catalogue
}

/// The evaluator that the options name.
fn evaluator(options: &Options, connect: &Connect, load: &Load) -> Result<Evaluator, CatalogueError> {
    let text = |key: &str| options.text(key).filter(|text| !text.is_empty());
    let evaluator: Evaluator = match (text("weights"), text(EVALUATOR)) {
        (Some(_), Some(_)) => {
            return Err(
                options.refuse("weights and evaluator exclude each other: the evaluator has its own network")
            );
        }
        (None, Some(address)) => {
            let timeout = Duration::from_secs_f64(options.real("timeout").unwrap_or(DEFAULT_TIMEOUT_S));
            connect(address, timeout).map_err(|error| options.refuse(error))?
        }
        (path, None) => {
            let weights = path.map_or_else(shipped::weights, |path| Weights::read(Path::new(path)));
            let weights = weights.map_err(|error| options.refuse(error))?;
            load(&weights).map_err(|error| options.refuse(error))?
        }
    };
    Ok(if options.switch("endings") { Arc::new(WithEndings(evaluator)) } else { evaluator })
}

/// Time limit for an answer of an external evaluator. The first answer of a compiled network takes long.
pub const DEFAULT_TIMEOUT_S: f64 = 30.0;

fn net(connect: Connect, load: Load) -> AgentEntry<QuantumGame> {
    let mut options = vec![
        OptionEntry {
            key: "weights",
            kind: OptionKind::Text,
            default: "",
            help: "the network's file, as `tabia quantum train` writes it; without one, the network that comes with the program",
        },
        OptionEntry {
            key: EVALUATOR,
            kind: OptionKind::Text,
            default: "",
            help: "ask an external evaluator over gRPC instead: http://127.0.0.1:50051; in the terminal only",
        },
        OptionEntry {
            key: "timeout",
            kind: OptionKind::Real { min: 0.001, max: 86_400.0 },
            default: "30",
            help: "seconds that an external evaluator has for each answer",
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
    options.extend(search_options(true));
    AgentEntry {
        name: "net",
        summary: "Monte Carlo tree search with a network that learned from games",
        options,
        build: Box::new(move |options| {
            let evaluator = evaluator(options, &connect, &load)?;
            let simulations = options.integer("simulations").filter(|n| *n > 0).map(|n| n as u64);
            let seed = options.integer("seed").unwrap_or(0) as u64;
            Ok(Box::new(Mcts::new(evaluator, search_settings(options), simulations, seed, QuantumGame::ply)))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_external_evaluator_is_refused_where_nobody_may_connect() {
        let error = |spec: &str| catalogue().build_from_text(spec).err().unwrap().to_string();
        let text = error("net(evaluator=http://127.0.0.1:50051)");
        assert!(text.contains("only commands in a terminal ask an external evaluator"), "{text}");
        let text = error("net(evaluator=http://127.0.0.1:50051,weights=a.safetensors)");
        assert!(text.contains("weights and evaluator exclude each other"), "{text}");
    }

    #[test]
    fn the_address_and_the_time_limit_reach_the_connection() {
        let connect: Connect = Box::new(|address, timeout| Err(format!("{address} within {timeout:?}")));
        let catalogue = catalogue_with(connect, on_cpu());
        let error = |spec: &str| catalogue.build_from_text(spec).err().unwrap().to_string();
        assert!(error("net(evaluator=http://a:1)").contains("http://a:1 within 30s"));
        assert!(error("net(evaluator=http://a:1,timeout=0.5)").contains("within 500ms"));
    }
}
