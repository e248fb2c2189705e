//! Creates the player that an agent spec names: a built-in agent in this process, an engine in a process of its own.

use std::time::Duration;

use tabia_core::{AgentSpec, Catalogue, CatalogueError, ChessGame};

use super::builtin::BuiltinPlayer;
use super::entries::{self, UCI, XBOARD};
use super::launch::Launcher;
use super::uci::UciEngine;
use super::xboard::XboardEngine;
use super::{Fault, FaultKind, Player};

/// Creates players from agent specs.
pub struct PlayerFactory {
    catalogue: Catalogue<ChessGame>,
    launcher: Launcher,
    ponder: bool,
    timeout: Duration,
}

impl PlayerFactory {
    /// Creates the agents of a catalogue; `uci` and `xboard` engines are started through `launcher` and have `timeout` for
    /// their handshake and to get ready. With `ponder`, engines that can do so ponder.
    pub fn new(
        catalogue: Catalogue<ChessGame>,
        launcher: Launcher,
        ponder: bool,
        timeout: Duration,
    ) -> PlayerFactory {
        PlayerFactory { catalogue, launcher, ponder, timeout }
    }

    /// Whether a spec names an agent, without starting it.
    pub fn check(&self, spec: &AgentSpec) -> Result<(), CatalogueError> {
        self.catalogue.check(spec).map(|_| ())
    }

    /// Creates a player.
    pub fn create(&self, spec: &AgentSpec) -> Result<Box<dyn Player>, Fault> {
        let refused = |error: CatalogueError| Fault::new(FaultKind::Start, error.to_string());
        let (entry, options) = self.catalogue.check(spec).map_err(refused)?;
        let setup = || {
            entries::setup(&options, &self.launcher, self.timeout, self.ponder)
                .map_err(|error| refused(options.refuse(error)))
        };
        match entry.name {
            UCI => Ok(Box::new(UciEngine::start(&setup()?)?)),
            XBOARD => Ok(Box::new(XboardEngine::start(&setup()?)?)),
            _ => Ok(Box::new(BuiltinPlayer::new((entry.build)(&options).map_err(refused)?))),
        }
    }
}
