//! Seats whoever a spec names: an agent of ours in this process, any other engine in its own.

use std::time::Duration;

use tabia_core::{AgentSpec, Catalogue, CatalogueError, ChessGame};

use super::builtin::BuiltinPlayer;
use super::entries::{self, UCI, XBOARD};
use super::launch::Launcher;
use super::uci::UciEngine;
use super::xboard::XboardEngine;
use super::{Fault, FaultKind, Player};

/// Who can be seated, and how.
pub struct PlayerFactory {
    catalogue: Catalogue<ChessGame>,
    launcher: Launcher,
    ponder: bool,
    timeout: Duration,
}

impl PlayerFactory {
    /// Seats the agents of a catalogue; those called `uci` and `xboard` are started through `launcher`, and have
    /// `timeout` to make ready for a game. With `ponder`, those that can think on the opponent's time.
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

    /// Seats a player.
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
