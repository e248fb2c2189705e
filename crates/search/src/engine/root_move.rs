//! A move at the root, with what the search knows about it.

use arrayvec::ArrayVec;
use tabia_core::Bound;

use super::moves::Move;
use super::value::{INFINITE, MAX_PLY, Value};

pub type Line = ArrayVec<Move, MAX_PLY>;

/// A move at the root, and what the search thinks of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    pub mv: Move,
    /// Its value in this iteration; minus infinity if it did not raise alpha.
    pub value: Value,
    /// Its value in the previous iteration.
    pub previous: Value,
    pub bound: Bound,
    /// The principal variation, starting with `mv`.
    pub line: Line,
    /// Deepest ply reached below it.
    pub selective_depth: usize,
    /// Nodes spent on it, over all iterations.
    pub nodes: u64,
    /// Rank by endgame tablebases; higher is better.
    pub tb_rank: i32,
    /// The tablebases' value, when they know it.
    pub tb_value: Option<Value>,
}

impl RootMove {
    /// A root move that has not been searched.
    pub fn new(mv: Move) -> RootMove {
        let mut line = Line::new();
        line.push(mv);
        RootMove {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Exact,
            line,
            selective_depth: 0,
            nodes: 0,
            tb_rank: 0,
            tb_value: None,
        }
    }

    /// Replaces the principal variation by `mv` and what follows it.
    pub fn set_line(&mut self, below: &[Move]) {
        self.line.truncate(1);
        self.line.extend(below.iter().copied().take(MAX_PLY - 1));
    }
}
