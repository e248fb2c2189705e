//! The catalogue of all agents.

use std::any::TypeId;
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs, io};

use tabia_arena::driver::Launcher;
use tabia_core::{AgentEntry, AgentSpec, Catalogue, CatalogueError, ChessGame, Game, Options};
use tabia_net::agents::{Connect, Load};
use tabia_net::device::Evaluator;
use tabia_quantum::QuantumGame;
use tabia_rpc::{EvaluatorClient, EvaluatorError};
use tabia_search::agents::{self, AgentFiles};

use crate::failure::Usage;

/// All agents that play chess.
pub fn chess() -> Catalogue<ChessGame> {
    chess_through(&Launcher::supervised_by_this_program())
}

/// All agents that play chess; `launcher` starts external engines.
pub fn chess_through(launcher: &Launcher) -> Catalogue<ChessGame> {
    chess_with(files(), launcher)
}

/// All agents that play chess, with access to files; `launcher` starts external engines.
pub fn chess_with(files: AgentFiles, launcher: &Launcher) -> Catalogue<ChessGame> {
    let mut catalogue = Catalogue::default();
    catalogue.add(agents::entries_with(files));
    catalogue.add(tabia_arena::driver::entries::entries(launcher));
    catalogue
}

/// The files of this machine.
pub fn files() -> AgentFiles {
    AgentFiles::new(|path| {
        // A pipe or a device could be read for ever.
        if fs::metadata(path)?.is_file() {
            fs::read_to_string(path)
        } else {
            Err(io::Error::other("it is not a regular file"))
        }
    })
}

/// The token that external evaluators of quantum chess ask for. Not an option of the agent: specs are kept with games.
pub const EVALUATOR_TOKEN: &str = "TABIA_EVALUATOR_TOKEN";

/// All agents that play quantum chess. They may ask external evaluators; the server has a catalogue that may not.
pub fn quantum() -> Catalogue<QuantumGame> {
    quantum_on(tabia_net::agents::on_cpu())
}

/// All agents that play quantum chess, with networks where `load` puts them.
pub fn quantum_on(load: Load) -> Catalogue<QuantumGame> {
    let connect: Connect = Box::new(|address, timeout| {
        connect(address, timeout)
            .map(|client| Arc::new(client) as Evaluator)
            .map_err(|error| error.to_string())
    });
    tabia_net::agents::catalogue_with(connect, load)
}

/// Connects to an external evaluator of quantum chess.
pub fn connect(address: &str, timeout: Duration) -> Result<EvaluatorClient, EvaluatorError> {
    let token = env::var(EVALUATOR_TOKEN).ok().filter(|token| !token.is_empty());
    EvaluatorClient::connect(address, timeout, token.as_deref())
}

/// The default agent for analysis, hints and UCI.
pub fn strongest() -> AgentSpec {
    AgentSpec::named("engine")
}

/// The default opponent of a person.
pub fn opponent() -> AgentSpec {
    AgentSpec::named("axiomx")
}

/// Validates a spec; an invalid one is a usage error.
pub fn check<'a, G: Game + 'static>(
    catalogue: &'a Catalogue<G>,
    spec: &AgentSpec,
) -> Result<(&'a AgentEntry<G>, Options), Usage> {
    catalogue.check(spec).map_err(|error| refused::<G>(&error))
}

/// A usage error for an agent of this game that cannot be built. The list of agents helps where a name or an option is
/// wrong; a missing file or an engine that does not start is another matter.
pub fn refused<G: Game + 'static>(error: &CatalogueError) -> Usage {
    let is_in_the_list = match error {
        CatalogueError::Unknown { .. }
        | CatalogueError::UnknownOption { .. }
        | CatalogueError::BadValue { .. } => true,
        CatalogueError::Spec(_) | CatalogueError::Build { .. } => false,
    };
    if !is_in_the_list {
        return Usage(error.to_string());
    }
    let of_quantum = if TypeId::of::<G>() == TypeId::of::<QuantumGame>() { " --variant quantum" } else { "" };
    let error = error.to_string();
    let separator = if error.ends_with('?') { "" } else { ";" };
    Usage(format!("{error}{separator} `tabia agents{of_quantum}` lists the agents and their options"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_of_agents_is_named_where_it_helps_and_the_right_one() {
        let chess = |spec: &str| check(&chess(), &spec.parse().unwrap()).err().unwrap().to_string();
        assert!(chess("foo").ends_with("; `tabia agents` lists the agents and their options"));
        assert!(
            chess("engine(eval=nnuee)")
                .ends_with("did you mean \"nnue\"? `tabia agents` lists the agents and their options")
        );
        let quantum = |spec: &str| check(&quantum(), &spec.parse().unwrap()).err().unwrap().to_string();
        assert!(
            quantum("foo").ends_with("; `tabia agents --variant quantum` lists the agents and their options")
        );
        let built = CatalogueError::Build { agent: "engine".to_owned(), why: "no file".to_owned() };
        assert_eq!(refused::<ChessGame>(&built).to_string(), "\"engine\" cannot be built: no file");
    }

    #[test]
    fn the_agents_used_by_default_exist() {
        for spec in [strongest(), opponent()] {
            assert!(chess().build(&spec).is_ok(), "{spec}");
        }
    }
}
