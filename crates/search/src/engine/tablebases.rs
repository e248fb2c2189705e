//! What the search asks of endgame tables. Who reads the files is not its business.

use shakmaty::{Chess, Move};
use tabia_core::ChessGame;

/// The theoretical result for the side to move.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TablebaseResult {
    /// Lost.
    Loss,
    /// Drawn, or won or lost only without the fifty-move rule.
    Draw,
    /// Won.
    Win,
}

/// A root move with its standing by the tables: the higher, the better it keeps the result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// Moves of the best rank keep the best result and make progress.
    pub rank: i32,
    /// The result it leads to, for the side that plays it.
    pub result: TablebaseResult,
}

/// Endgame tables.
pub trait Tablebases: Send + Sync {
    /// Most pieces any table covers, kings included.
    fn most_pieces(&self) -> usize;

    /// The result of a position whose fifty-move count is zero; `None` when no table has it.
    fn result(&self, position: &Chess) -> Option<TablebaseResult>;

    /// All legal moves with their standing, repetitions and the fifty-move count considered; `None` when some
    /// table is missing.
    fn rank_moves(&self, game: &ChessGame) -> Option<Vec<RankedMove>>;
}
