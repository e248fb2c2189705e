//! Analysis of a game, move by move.
//!
//! Every position of the game is searched once. A move is judged by the chances of winning before it (with the best
//! move) and after it, both as the mover sees them. The model is lichess's, and so are its numbers:
//!
//! - chances of winning in per cent, from centipawns held within ±1000, a mate counting as 1000:
//!   `50 + 50 · (2 / (1 + exp(-0.00368208 · cp)) - 1)` (<https://lichess.org/page/accuracy>);
//! - a move that loses 5 points of these or more is an inaccuracy (`?!`), 10 a mistake (`?`), 15 a blunder (`??`):
//!   lichess's 0.1, 0.2 and 0.3 on its scale from -1 to 1 (lila, `modules/tree`, `Advice`); the move that the
//!   search itself would play has no mark;
//! - accuracy of a move: `103.1668 · exp(-0.04354 · loss) - 3.1669 + 1`, within 0 and 100; of a player: the mean of two
//!   means over the player's moves, one weighted by how much the game swayed around each move, one harmonic (lila,
//!   `modules/analyse`, `AccuracyPercent`).
//!
//! Centipawn loss is averaged over all moves, each side's score held within ±1000.

mod accuracy;
mod annotate;
pub mod document;
mod review;
mod search;

pub use accuracy::accuracy;
pub use annotate::annotate;
pub use review::{ReviewProgress, Reviewed, analyse_and_review};
pub use search::{AnalysisError, analyse};
pub use tabia_core::chances::{Mark, win_percent};

use shakmaty::{ByColor, Color, Move};
use tabia_book::OpeningName;
use tabia_core::Score;
use tabia_core::chances::bounded_cp;

/// Default nodes per position.
pub const NODES: u64 = 200_000;

/// A move with the scores before and after it, from the mover's side.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveAnalysis {
    pub played: Move,
    /// The side that played it.
    pub mover: Color,
    /// Score of the best move.
    pub before: Score,
    /// Score after the move, with mate distances counted from before it.
    pub after: Score,
    /// The best line, its first move the best move; empty where the game was over by the rules.
    pub line: Vec<Move>,
    /// Depth of the search before the move.
    pub depth: u32,
    pub nodes: u64,
}

impl MoveAnalysis {
    /// Chances of winning in per cent, before and after.
    pub fn chances(&self) -> (f64, f64) {
        (win_percent(self.before), win_percent(self.after))
    }

    /// Loss of winning chances, in percentage points.
    pub fn chances_lost(&self) -> f64 {
        let (before, after) = self.chances();
        (before - after).max(0.0)
    }

    pub fn cp_lost(&self) -> i32 {
        (bounded_cp(self.before) - bounded_cp(self.after)).max(0)
    }

    /// Whether it is the move that the search would play.
    pub fn is_best(&self) -> bool {
        self.line.first().is_none_or(|best| *best == self.played)
    }

    /// What the position after the move is worth, in White's view.
    pub fn white(&self) -> Score {
        self.mover.fold_wb(self.after, -self.after)
    }

    /// Moves to mate after the move, positive when White gives it; 0 is mate on the board.
    pub fn moves_to_mate(&self) -> Option<i32> {
        // One half-move has been made since the score was right.
        let left = self.after.plies_to_mate()?.abs() / 2;
        Some(if self.white() > Score::DRAW { left } else { -left })
    }

    /// White's chances of winning after the move, in per cent.
    pub fn white_chances(&self) -> f64 {
        let (_, after) = self.chances();
        self.mover.fold_wb(after, 100.0 - after)
    }

    pub fn mark(&self) -> Option<Mark> {
        if self.is_best() { None } else { Mark::of_loss(self.chances_lost()) }
    }
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameAnalysis {
    /// Its moves, as far as they were analysed.
    pub moves: Vec<MoveAnalysis>,
    /// The opening, and the ply at which it was reached.
    pub opening: Option<(usize, OpeningName)>,
    /// Whether the analysis was stopped before the end of the game.
    pub interrupted: bool,
}

impl GameAnalysis {
    /// White's chances of winning in per cent: before the first move, and after each.
    pub fn white_chances(&self) -> Vec<f64> {
        let first = self.moves.first().map(|judged| {
            let (before, _) = judged.chances();
            judged.mover.fold_wb(before, 100.0 - before)
        });
        first.into_iter().chain(self.moves.iter().map(MoveAnalysis::white_chances)).collect()
    }

    /// Accuracy of both players in per cent; none for one who has not moved.
    pub fn accuracy(&self) -> ByColor<Option<f64>> {
        let first = self.moves.first().map_or(Color::White, |judged| judged.mover);
        accuracy(&self.white_chances(), first)
    }

    /// Average centipawn loss of both players; none for one who has not moved.
    pub fn average_cp_loss(&self) -> ByColor<Option<f64>> {
        ByColor::new_with(|color| {
            let losses: Vec<i32> = self.of(color).map(MoveAnalysis::cp_lost).collect();
            let count = losses.len();
            (count > 0).then(|| f64::from(losses.iter().sum::<i32>()) / count as f64)
        })
    }

    /// How many marks of a kind a player has.
    pub fn count(&self, color: Color, mark: Mark) -> usize {
        self.of(color).filter(|judged| judged.mark() == Some(mark)).count()
    }

    fn of(&self, color: Color) -> impl Iterator<Item = &MoveAnalysis> {
        self.moves.iter().filter(move |judged| judged.mover == color)
    }
}

#[cfg(test)]
mod tests;
