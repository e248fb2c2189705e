//! The interface to endgame tablebases, implemented by `crate::syzygy`.

use shakmaty::{Chess, Move};
use tabia_core::ChessGame;

/// The game-theoretic result for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TablebaseResult {
    Loss,
    /// A draw, including cursed wins and blessed losses (decided only without the fifty-move rule).
    Draw,
    Win,
}

/// A root move ranked by the tablebases.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RankedMove {
    pub mv: Move,
    /// Higher is better; moves of the highest rank keep the result and make progress.
    pub rank: i32,
    /// The result after the move, for the side that plays it.
    pub result: TablebaseResult,
}

pub trait Tablebases: Send + Sync {
    /// The largest number of pieces covered, kings included.
    fn max_pieces(&self) -> usize;

    /// The result of a position whose fifty-move counter is zero; `None` if no table covers it.
    fn result(&self, position: &Chess) -> Option<TablebaseResult>;

    /// All legal moves with their ranks, taking repetitions and the fifty-move counter into account; `None` if a table
    /// is missing.
    fn rank_moves(&self, game: &ChessGame) -> Option<Vec<RankedMove>>;
}
