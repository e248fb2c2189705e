//! Limits of a search. Every field is independent; the first limit reached ends the search.

use std::time::Duration;

use shakmaty::{Color, Move};

/// Both clocks at the start of the search.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Clock {
    pub white: Duration,
    pub black: Duration,
    /// Added to White's clock after each of its moves.
    pub white_increment: Duration,
    /// Added to Black's clock after each of its moves.
    pub black_increment: Duration,
    /// Moves until the next time control; `None` for the rest of the game.
    pub moves_to_go: Option<u32>,
}

impl Clock {
    /// Remaining time of one side.
    pub fn remaining(&self, color: Color) -> Duration {
        color.fold_wb(self.white, self.black)
    }

    /// Increment of one side.
    pub fn increment(&self, color: Color) -> Duration {
        color.fold_wb(self.white_increment, self.black_increment)
    }
}

/// Limits of one search of a game with moves of type `M`. The default has no limit: the search runs until stopped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Limits<M = Move> {
    /// Plies of nominal depth.
    pub depth: Option<u32>,
    /// Nodes, over all threads.
    pub nodes: Option<u64>,
    /// Wall-clock time for this move.
    pub movetime: Option<Duration>,
    /// A game clock to be shared among the remaining moves.
    pub clock: Option<Clock>,
    /// Look for a mate in this many full moves and stop when it is found.
    pub mate: Option<u32>,
    /// Only these moves at the root; empty means all.
    pub search_moves: Vec<M>,
}

impl<M> Default for Limits<M> {
    fn default() -> Limits<M> {
        Limits { depth: None, nodes: None, movetime: None, clock: None, mate: None, search_moves: Vec::new() }
    }
}

impl<M> Limits<M> {
    /// A fixed nominal depth.
    pub fn depth(plies: u32) -> Limits<M> {
        Limits { depth: Some(plies), ..Limits::default() }
    }

    /// A fixed number of nodes.
    ///
    /// ```
    /// use tabia_core::Limits;
    ///
    /// let limits: Limits = Limits::nodes(10_000);
    /// assert_eq!(limits.nodes, Some(10_000));
    /// assert!(!limits.is_infinite());
    /// ```
    pub fn nodes(nodes: u64) -> Limits<M> {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    pub fn movetime(time: Duration) -> Limits<M> {
        Limits { movetime: Some(time), ..Limits::default() }
    }

    pub fn clock(clock: Clock) -> Limits<M> {
        Limits { clock: Some(clock), ..Limits::default() }
    }

    /// Whether nothing but a stop flag ends this search.
    pub fn is_infinite(&self) -> bool {
        self.depth.is_none()
            && self.nodes.is_none()
            && self.movetime.is_none()
            && self.clock.is_none()
            && self.mate.is_none()
    }
}
