//! Players of a match: built-in agents, and engines as child processes.
//!
//! A match asks a player for a move in time, and gets a move or a fault. A child process can do anything, so everything
//! about it is bounded: waiting times, the length of a line, the amount of output. Nothing of it is left afterwards.
//!
//! [`process`] is the child process; [`launch`] starts it under a supervisor and, on request, within [`sandbox_limits`].
//! [`uci`] and [`xboard`] are the protocols, [`builtin`] is an agent of this program, [`entries`] are the catalogue entries
//! of engines, and [`player_factory`] creates the player that an agent spec names.

pub mod builtin;
pub mod command;
pub mod entries;
pub mod launch;
pub mod player_factory;
pub mod process;
#[cfg(target_os = "linux")]
mod process_tree;
mod response_timer;
#[cfg(target_os = "linux")]
mod sandbox;
pub mod sandbox_limits;
#[cfg(target_os = "linux")]
mod supervise;
mod tail;
pub mod uci;
mod watchdog;
pub mod xboard;

use std::fmt;
use std::time::Duration;

use shakmaty::Move;
use tabia_core::{AgentError, ChessGame, Limits, Score, Stop};

pub use command::{CommandError, CommandLine};
pub use launch::Launcher;
pub use player_factory::PlayerFactory;
pub use sandbox_limits::SandboxLimits;

/// The move of a player, with the last line it reported.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayerMove {
    /// The move.
    pub choice: Move,
    /// Time from the request to the move, by our clock.
    pub elapsed: Duration,
    /// Its score, from its own side.
    pub score: Option<Score>,
    /// Depth it reports.
    pub depth: Option<u32>,
    /// Nodes it reports.
    pub nodes: Option<u64>,
}

/// A failure of a player, which loses the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// The kind of failure.
    pub kind: FaultKind,
    /// Details: the move, the signal, the last lines of standard error.
    pub detail: String,
}

/// The kinds of fault.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It could not be started, or did not complete the handshake.
    Start,
    /// Its process ended.
    Crash,
    /// It did not answer.
    Timeout,
    /// It wrote more than the output limit.
    Flood,
    /// It violated the protocol.
    Protocol,
    /// It played a move that is not legal.
    IllegalMove,
}

/// Why a player returned no move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoMove {
    /// The player failed.
    Fault(Fault),
    /// The player resigned.
    Resigned,
    /// The match was stopped.
    Interrupted,
}

/// How long to wait for a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// After this time the player is told to stop; none is no limit.
    pub answer: Option<Duration>,
    /// Time to answer after being told to stop; zero makes being late a fault at once.
    pub grace: Duration,
    /// Without a clock: this long without output is a fault.
    pub silence: Option<Duration>,
}

/// A player in a match.
pub trait Player: Send {
    /// Prepares for a game from this position and forgets the game before; `seed` decides everything random in the
    /// player.
    fn new_game(&mut self, game: &ChessGame, seed: u64) -> Result<(), Fault>;

    /// Chooses a move.
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        timeouts: &Timeouts,
        stop: &Stop,
    ) -> Result<PlayerMove, NoMove>;

    /// Ponders: thinks on the opponent's time. The player's own move is on the board; `limits` has the current
    /// clock.
    fn ponder(&mut self, _game: &ChessGame, _limits: &Limits) -> Result<(), Fault> {
        Ok(())
    }

    /// Ends the game; a player that ponders stops.
    fn end_game(&mut self, _game: &ChessGame) -> Result<(), Fault> {
        Ok(())
    }

    /// Pins the player, and every process it starts, to one processor.
    fn pin(&mut self, _processor: usize) {}
}

impl Fault {
    /// A fault of a kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}

impl From<Fault> for NoMove {
    fn from(fault: Fault) -> NoMove {
        NoMove::Fault(fault)
    }
}

impl From<NoMove> for AgentError {
    fn from(none: NoMove) -> AgentError {
        match none {
            NoMove::Fault(fault) => AgentError::Failed(fault.detail),
            NoMove::Resigned => AgentError::Resigned,
            NoMove::Interrupted => AgentError::Failed("the engine was interrupted".to_owned()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}
