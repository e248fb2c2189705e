//! Agents: what chooses moves. The interface between players and everything that lets them play.

use std::any::Any;
use std::time::Duration;

use crate::game::Game;
use crate::limits::Limits;
use crate::outcome::Reason;
use crate::score::Score;
use crate::stop::Stop;

/// Chances of the side to move in thousandths; they sum to 1000.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Wdl {
    /// Wins in a thousand.
    pub win: u16,
    /// Draws in a thousand.
    pub draw: u16,
    /// Losses in a thousand.
    pub loss: u16,
}

/// Whether a score is exact or only a bound.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Bound {
    #[default]
    Exact,
    /// Lower bound.
    Lower,
    /// Upper bound.
    Upper,
}

/// Search information: one principal variation and how it was found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchInfo<A> {
    /// Nominal depth in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub selective_depth: u32,
    /// Rank of this line among several, from 1.
    pub rank: u32,
    /// Score of the line for the side to move.
    pub score: Score,
    /// Whether the score is exact.
    pub bound: Bound,
    /// Estimated chances, if the agent has a model of them.
    pub wdl: Option<Wdl>,
    /// Positions visited so far.
    pub nodes: u64,
    /// Tablebase hits so far.
    pub table_hits: u64,
    /// How full the transposition table is, in thousandths.
    pub hash_full: u32,
    /// Time since the search began.
    pub elapsed: Duration,
    /// The line, best move first.
    pub line: Vec<A>,
}

impl<A> SearchInfo<A> {
    /// Nodes per second so far.
    pub fn nodes_per_second(&self) -> u64 {
        (self.nodes as f64 / self.elapsed.as_secs_f64().max(1e-6)) as u64
    }
}

/// Why an agent returned no move.
#[derive(Debug, thiserror::Error)]
pub enum AgentError {
    #[error("the game is over: there is no move to choose")]
    GameOver,
    /// None of the moves it was restricted to is legal.
    #[error("none of the moves to search is legal here")]
    NoSearchMoves,
    #[error("the agent resigned")]
    Resigned,
    /// Something outside the search failed: a child process, a network, a file.
    #[error("{0}")]
    Failed(String),
}

impl AgentError {
    /// Why an agent that returned no move has lost its game.
    pub const fn reason(&self) -> Reason {
        match self {
            AgentError::Resigned => Reason::Resignation,
            _ => Reason::Fault,
        }
    }

    /// Converts a panic of an agent into an error with its message.
    pub fn of_panic(panic: &(dyn Any + Send)) -> AgentError {
        let text = panic.downcast_ref::<&str>().copied();
        let text =
            text.or(panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason is known");
        AgentError::Failed(format!("it crashed while searching: {text}"))
    }
}

/// A player of one game.
///
/// An agent may learn within a game (tables, histories); [`Agent::new_game`] makes it forget. It returns soon
/// after `stop` is raised, with the best move it has.
pub trait Agent<G: Game>: Send {
    /// Chooses an action for the side to move, reporting lines as they are found.
    fn choose(
        &mut self,
        game: &G,
        limits: &Limits<G::Action>,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<G::Action>),
    ) -> Result<G::Action, AgentError>;

    /// Forgets everything learned from earlier moves.
    fn new_game(&mut self) {}

    /// Derives all randomness of the agent from this seed and its own, so that games between the same agents differ. A
    /// deterministic agent ignores it.
    fn reseed(&mut self, _seed: u64) {}
}
