//! Ranking of root moves by tablebases.
//!
//! Knowing that a position is won does not win it: among moves that all keep the win, an engine can shuffle until the
//! fifty-move rule applies. DTZ measures progress, so moves are ranked by it, as in Stockfish: wins in time, then cursed
//! wins by how late they are, draws, blessed losses, plain losses. The engine searches the moves of the [`best_class`],
//! which all keep the result.
//!
//! Wins in time are one class, so that the search may choose the natural one. After a repetition only the fastest win is
//! left, because the engine has been walking in circles. Losses are one class too, unless a draw by the fifty-move rule
//! is near; then the longest resistance is best.

use std::cmp::Reverse;

use shakmaty::{Chess, Move, Position};
use shakmaty_syzygy::{AmbiguousWdl, Dtz, Tablebase};
use tabia_core::{ChessGame, Game};

use super::{TableWdl, Tables};

/// Rank of mate, far beyond any DTZ; the other ranks are below it.
const CERTAIN: i32 = 1 << 18;
/// Rank of a cursed win, before the delay is subtracted.
const DOUBTFUL: i32 = CERTAIN / 2;
/// Half-moves without progress that draw the game.
const FIFTY_MOVES: i32 = 100;

/// A legal move with its tablebase result.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct RootMove {
    pub m: Move,
    /// The result for the side that makes the move, with the game's half-move clock; where rounding leaves two, the worse
    /// one. Without DTZ tables the clock is ignored.
    pub wdl: TableWdl,
    /// Plies to the next capture, pawn move or mate, this move included, negative when losing (see
    /// [`Tables::probe_dtz`]); `None` without DTZ tables.
    pub dtz: Option<i32>,
    /// Higher is better, faster wins before slower ones; only the order matters.
    pub rank: i32,
    /// Moves of one class are equally good by the tables; a better class is higher (see [`best_class`]).
    pub class: i32,
}

/// The moves of the best class, among which the engine may choose freely.
pub fn best_class(ranked: &[RootMove]) -> &[RootMove] {
    let class = ranked.first().map(|best| best.class);
    let end = ranked.partition_point(|root_move| Some(root_move.class) == class);
    &ranked[..end]
}

impl Tables {
    /// The legal moves of a game's position, best first: by DTZ, or by WDL alone where a required DTZ table is missing (no
    /// move then has a `dtz`, and the search must find the progress). `None` if the tables lack the position or one after a
    /// move.
    ///
    /// It takes the game because tables do not know its history: a third repetition is a draw, and a second occurrence
    /// means that the engine makes no progress.
    pub fn rank_root_moves(&self, game: &ChessGame) -> Option<Vec<RootMove>> {
        if !self.covers(game.position()) {
            return None;
        }
        let mut ranked = self.rank_by_dtz(game).or_else(|| self.rank_by_wdl(game))?;
        ranked.sort_by_key(|root_move| Reverse(root_move.rank));
        Some(ranked)
    }

    fn rank_by_dtz(&self, game: &ChessGame) -> Option<Vec<RootMove>> {
        let clock = i32::try_from(game.position().halfmoves()).unwrap_or(i32::MAX).min(FIFTY_MOVES);
        let repeated = has_repeated(game);
        each_move(game, |m, after| {
            let (wdl, dtz) = match decided(after) {
                Some(wdl @ TableWdl::Win) => {
                    return Some(RootMove { m, wdl, dtz: Some(1), rank: CERTAIN, class: CERTAIN });
                }
                Some(wdl) => (wdl, 0),
                None => self.progress(after.position())?,
            };
            let (class, rank) = rank(wdl, dtz, clock, repeated);
            Some(RootMove { m, wdl, dtz: Some(dtz), rank, class })
        })
    }

    /// Result and DTZ of a move for the side that made it, from the position it led to.
    fn progress(&self, after: &Chess) -> Option<(TableWdl, i32)> {
        if after.halfmoves() == 0 {
            let wdl = -self.ask(after, Tablebase::probe_wdl_after_zeroing)?;
            return Some((wdl.into(), Dtz::before_zeroing(wdl).into()));
        }
        let dtz = self.ask(after, Tablebase::probe_dtz)?;
        let wdl = match -AmbiguousWdl::from_dtz_and_halfmoves(dtz, after.halfmoves()) {
            AmbiguousWdl::MaybeWin => TableWdl::CursedWin,
            certain_or_loss => certain_or_loss.after_zeroing().into(),
        };
        Some((wdl, -dtz.ignore_rounding().add_plies_saturating(1).0))
    }

    fn rank_by_wdl(&self, game: &ChessGame) -> Option<Vec<RootMove>> {
        each_move(game, |m, after| {
            let wdl = match decided(after) {
                Some(wdl) => wdl,
                None => -self.probe_wdl_after_zeroing(after.position())?,
            };
            let rank = match wdl {
                TableWdl::Loss => -CERTAIN,
                TableWdl::BlessedLoss => -DOUBTFUL,
                TableWdl::Draw => 0,
                TableWdl::CursedWin => DOUBTFUL,
                TableWdl::Win => CERTAIN,
            };
            Some(RootMove { m, wdl, dtz: None, rank, class: rank })
        })
    }
}

/// Probes every legal move; `None` as soon as one has no result.
fn each_move(
    game: &ChessGame,
    mut ask: impl FnMut(Move, &ChessGame) -> Option<RootMove>,
) -> Option<Vec<RootMove>> {
    let legal = game.position().legal_moves();
    legal
        .into_iter()
        .map(|m| {
            let mut after = game.clone();
            after.apply(m);
            ask(m, &after)
        })
        .collect()
}

/// The result for the side that just moved, where its move ended the game: tables know neither repetitions nor that mate
/// takes precedence over the fifty-move rule.
fn decided(after: &ChessGame) -> Option<TableWdl> {
    let outcome = after.outcome()?;
    Some(if outcome.winner.is_some() { TableWdl::Win } else { TableWdl::Draw })
}

/// Whether any position occurred twice since the last capture or pawn move.
fn has_repeated(game: &ChessGame) -> bool {
    let reversible = game.position().halfmoves() as usize + 1;
    let keys = game.keys();
    let keys = &keys[keys.len().saturating_sub(reversible)..];
    keys.iter().enumerate().any(|(index, key)| keys[..index].contains(key))
}

/// The class of a move and its rank among all moves. `clock` is the half-move clock before it.
fn rank(wdl: TableWdl, dtz: i32, clock: i32, repeated: bool) -> (i32, i32) {
    let both = |rank| (rank, rank);
    match dtz.signum() {
        1 if wdl == TableWdl::Win && !repeated => (CERTAIN, CERTAIN - dtz),
        1 => both(DOUBTFUL - dtz - clock),
        // Stockfish's rule of thumb for when no draw by the fifty-move rule is in sight.
        -1 if -2 * dtz + clock < FIFTY_MOVES => (-CERTAIN, -CERTAIN - dtz),
        -1 => both(-DOUBTFUL - dtz + clock),
        _ => both(0),
    }
}

#[cfg(test)]
mod tests {
    use super::TableWdl::{BlessedLoss, CursedWin, Draw, Loss, Win};
    use super::*;

    /// The DTZs of the moves, best first, and how many are of the best class.
    fn order(moves: &[(TableWdl, i32)], clock: i32, repeated: bool) -> (Vec<i32>, usize) {
        let m = Chess::default().legal_moves()[0];
        let root_move = |&(wdl, dtz): &(TableWdl, i32)| {
            let (class, rank) = rank(wdl, dtz, clock, repeated);
            RootMove { m, wdl, dtz: Some(dtz), rank, class }
        };
        let mut ranked: Vec<RootMove> = moves.iter().map(root_move).collect();
        ranked.sort_by_key(|root_move| Reverse(root_move.rank));
        (ranked.iter().filter_map(|root_move| root_move.dtz).collect(), best_class(&ranked).len())
    }

    #[test]
    fn wins_in_time_come_first_and_the_fastest_of_them_before_the_others() {
        let moves = [(Draw, 0), (CursedWin, 70), (Win, 12), (Loss, -3), (Win, 5), (BlessedLoss, -80)];
        assert_eq!(order(&moves, 40, false), (vec![5, 12, 70, 0, -80, -3], 2));
    }

    #[test]
    fn a_repeated_position_leaves_only_the_fastest_win() {
        assert_eq!(order(&[(Win, 12), (Win, 5), (Draw, 0)], 40, true), (vec![5, 12, 0], 1));
    }

    #[test]
    fn the_loser_resists_longest_when_the_fifty_move_rule_is_in_sight() {
        assert_eq!(order(&[(Loss, -4), (Loss, -40), (BlessedLoss, -60)], 50, false), (vec![-60, -40, -4], 1));
        assert_eq!(order(&[(Loss, -4), (Loss, -40)], 0, false), (vec![-40, -4], 2));
    }

    #[test]
    fn positions_repeat_only_since_the_last_pawn_move() {
        let mut game = ChessGame::default();
        for (text, expected) in
            [("Nf3", false), ("Nf6", false), ("Ng1", false), ("Ng8", true), ("Nf3", true), ("e5", false)]
        {
            let m = game.read_move(text).unwrap();
            game.apply(m);
            assert_eq!(has_repeated(&game), expected, "after {text}");
        }
    }
}
