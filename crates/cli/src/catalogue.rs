//! The catalogue of all agents.

use std::sync::Arc;
use std::time::Duration;
use std::{env, fs, io};

use tabia_arena::driver::Launcher;
use tabia_core::{AgentEntry, AgentSpec, Catalogue, CatalogueError, ChessGame, Game, Options};
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
    tabia_net::agents::catalogue_with(Box::new(|address, timeout| {
        connect(address, timeout)
            .map(|client| Arc::new(client) as Evaluator)
            .map_err(|error| error.to_string())
    }))
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
pub fn check<'a, G: Game>(
    catalogue: &'a Catalogue<G>,
    spec: &AgentSpec,
) -> Result<(&'a AgentEntry<G>, Options), Usage> {
    catalogue.check(spec).map_err(|error| refused(&error))
}

/// A usage error for an invalid spec.
pub fn refused(error: &CatalogueError) -> Usage {
    Usage(format!("{error}; `tabia agents` lists them with their options"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_agents_used_by_default_exist() {
        for spec in [strongest(), opponent()] {
            assert!(chess().build(&spec).is_ok(), "{spec}");
        }
    }
}
