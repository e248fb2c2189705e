//! Who sits at the board: agents of this program, and other engines as child processes.
//!
//! A match asks one thing of a player: a move, in time, or word of what went wrong. An agent of ours cannot die
//! without us; a child process can do anything at all, so everything about it is bounded: how long it is waited
//! for, how long a line may be, how much it may write, and what is left of it afterwards, which is nothing.
//!
//! [`process`] is the child, [`launch`] starts it under a supervisor and, where asked, within the limits of a
//! [`sandbox_limits`]; [`uci`] and [`xboard`] are the two languages it may speak, [`builtin`] is an agent of ours,
//! [`entries`] makes engines agents that any spec can name, and [`player_factory`] seats whoever a spec names.

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

/// What a player answered.
#[derive(Clone, Debug, PartialEq)]
pub struct Answer {
    /// Its move.
    pub choice: Move,
    /// From the question to the answer, by our clock.
    pub elapsed: Duration,
    /// What it thinks the move is worth, from its own side.
    pub score: Option<Score>,
    /// Depth it reports.
    pub depth: Option<u32>,
    /// Nodes it reports.
    pub nodes: Option<u64>,
}

/// What a player did that loses a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// The particulars: the move, the signal, the last words.
    pub detail: String,
}

/// The kinds of fault.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum FaultKind {
    /// It could not be started or never introduced itself.
    Start,
    /// Its process ended.
    Crash,
    /// It did not answer.
    Timeout,
    /// It wrote without end.
    Flood,
    /// It broke the rules of the protocol.
    Protocol,
    /// It played a move that is not legal.
    IllegalMove,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoAnswer {
    /// The player is to blame.
    Fault(Fault),
    /// The player gives up.
    Resigned,
    /// Whoever runs the match wants it to end.
    Interrupted,
}

/// How long a player is waited for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Timeouts {
    /// After this it is told to stop; none waits for as long as it lives.
    pub answer: Option<Duration>,
    /// After being told to stop, it has this long; zero means that being late is fault enough.
    pub grace: Duration,
    /// Without a clock, this long without a word is a fault.
    pub silence: Option<Duration>,
}

/// Whoever chooses moves in a match.
pub trait Player: Send {
    /// Makes ready for a game from the position on the board and forgets the game before; what is random in the
    /// player follows from `seed`.
    fn new_game(&mut self, game: &ChessGame, seed: u64) -> Result<(), Fault>;

    /// Chooses a move.
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        timeouts: &Timeouts,
        stop: &Stop,
    ) -> Result<Answer, NoAnswer>;

    /// Thinks on while the other side does. The player's own move is on the board; `limits` has the clock as it
    /// stands now.
    fn ponder(&mut self, _game: &ChessGame, _limits: &Limits) -> Result<(), Fault> {
        Ok(())
    }

    /// The game is over, and a player that ponders can stop.
    fn end_game(&mut self, _game: &ChessGame) -> Result<(), Fault> {
        Ok(())
    }

    /// Keeps the player, and whatever it starts, on one processor.
    fn pin(&mut self, _processor: usize) {}
}

impl Fault {
    /// A fault of a kind.
    pub fn new(kind: FaultKind, detail: impl Into<String>) -> Fault {
        Fault { kind, detail: detail.into() }
    }
}

impl From<Fault> for NoAnswer {
    fn from(fault: Fault) -> NoAnswer {
        NoAnswer::Fault(fault)
    }
}

impl From<NoAnswer> for AgentError {
    fn from(none: NoAnswer) -> AgentError {
        match none {
            NoAnswer::Fault(fault) => AgentError::Failed(fault.detail),
            NoAnswer::Resigned => AgentError::Resigned,
            NoAnswer::Interrupted => AgentError::Failed("the engine was interrupted".to_owned()),
        }
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.detail)
    }
}
