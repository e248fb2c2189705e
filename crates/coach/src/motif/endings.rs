//! Kinds of endings, by the pieces that are left beside kings and pawns.

use shakmaty::{Board, Position, Role};

use super::{Motif, Theme};
use crate::line::Line;

/// The kind of ending, if the position is one before and after the player's first move.
pub(super) fn ending(line: &Line) -> Option<Motif> {
    let (index, first) = line.player_plies().next()?;
    let kind = kind(first.before.board())?;
    (self::kind(first.after.board()) == Some(kind)).then(|| Motif::new(kind, index, first.to(), []))
}

/// The kind of ending on a board.
pub fn kind(board: &Board) -> Option<Theme> {
    const ALONE: [(Role, Theme); 4] = [
        (Role::Queen, Theme::QueenEndgame),
        (Role::Rook, Theme::RookEndgame),
        (Role::Bishop, Theme::BishopEndgame),
        (Role::Knight, Theme::KnightEndgame),
    ];
    let pieces = board.occupied() & !board.kings() & !board.pawns();
    if pieces.is_empty() {
        return board.pawns().any().then_some(Theme::PawnEndgame);
    }
    if let Some((_, kind)) = ALONE.into_iter().find(|(role, _)| pieces.is_subset(board.by_role(*role))) {
        return Some(kind);
    }
    let only_heavy = pieces.is_subset(board.rooks_and_queens());
    (only_heavy && board.queens().count() == 1 && board.rooks().any()).then_some(Theme::QueenRookEndgame)
}
