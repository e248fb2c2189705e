//! Mates: their length, and the patterns that have names.

use shakmaty::{Bitboard, Board, File, Position, Rank, Role, Square, attacks};

use super::{Motif, Theme};
use crate::board::attackers;
use crate::line::{Line, Ply};

/// The mate at the end of the line: that it is one, its length, and its pattern if it has a name.
pub(super) fn mates(line: &Line) -> Vec<Motif> {
    let Some(last) = line.last().filter(|_| line.is_mate()) else { return Vec::new() };
    let Some(king) = last.after.board().king_of(line.player().other()) else { return Vec::new() };
    let length = match line.player_indices().count() {
        1 => Theme::MateIn1,
        2 => Theme::MateIn2,
        3 => Theme::MateIn3,
        4 => Theme::MateIn4,
        _ => Theme::MateIn5,
    };
    [Some(Theme::Mate), Some(length), pattern(last, king)]
        .into_iter()
        .flatten()
        .map(|theme| Motif::new(theme, line.plies().len() - 1, last.to(), [king]))
        .collect()
}

/// The named pattern of a mate by its last move; the first that fits.
pub(crate) fn pattern(last: &Ply, king: Square) -> Option<Theme> {
    type Fits = fn(&Ply, Square) -> bool;
    const PATTERNS: [(Theme, Fits); 7] = [
        (Theme::SmotheredMate, is_smothered),
        (Theme::BackRankMate, is_back_rank),
        (Theme::AnastasiaMate, is_anastasia),
        (Theme::HookMate, is_hook),
        (Theme::ArabianMate, is_arabian),
        (Theme::BodenMate, is_boden),
        (Theme::DoubleBishopMate, is_two_bishops),
    ];
    PATTERNS
        .into_iter()
        .find_map(|(theme, fits)| fits(last, king).then_some(theme))
        .or_else(|| is_dovetail(last, king).then_some(Theme::DovetailMate))
}

fn is_corner(square: Square) -> bool {
    matches!(square.file(), File::A | File::H) && matches!(square.rank(), Rank::First | Rank::Eighth)
}

fn holds(board: &Board, square: Option<Square>, fits: impl Fn(shakmaty::Piece) -> bool) -> bool {
    square.and_then(|square| board.piece_at(square)).is_some_and(fits)
}

/// A knight mates a king that its own pieces surround.
fn is_smothered(last: &Ply, king: Square) -> bool {
    let board = last.after.board();
    (last.after.checkers() & board.knights()).any()
        && attacks::king_attacks(king).is_subset(board.by_color(last.mover().other()))
}

/// Mate along the back rank; the king's own pieces block every square in front of it, and none of these is attacked.
fn is_back_rank(last: &Ply, king: Square) -> bool {
    let (board, player) = (last.after.board(), last.mover());
    let back = player.fold_wb(Rank::Eighth, Rank::First);
    if king.rank() != back {
        return false;
    }
    let in_front = attacks::king_attacks(king) & !Bitboard::from_rank(back);
    let blocked = |square| {
        board.color_at(square) == Some(player.other()) && attackers(board, player, square).is_empty()
    };
    in_front.into_iter().all(blocked) && last.after.checkers().into_iter().any(|square| square.rank() == back)
}

/// Queen or rook mates along the edge file; a blocker stands beside the king and a knight two squares beyond it covers
/// the other squares.
fn is_anastasia(last: &Ply, king: Square) -> bool {
    let (board, player) = (last.after.board(), last.mover());
    let towards_centre = match king.file() {
        File::A => 1,
        File::H => -1,
        _ => return false,
    };
    if matches!(king.rank(), Rank::First | Rank::Eighth)
        || last.to().file() != king.file()
        || !matches!(last.role(), Role::Queen | Role::Rook)
    {
        return false;
    }
    let beside =
        |steps: i32| Some(Square::from_coords(king.file().offset(steps * towards_centre)?, king.rank()));
    holds(board, beside(1), |piece| piece.color != player)
        && holds(board, beside(3), |piece| piece == Role::Knight.of(player))
}

/// A rook mates beside the king, guarded by a knight beside the king, which a pawn guards.
fn is_hook(last: &Ply, king: Square) -> bool {
    let (board, player) = (last.after.board(), last.mover());
    last.role() == Role::Rook
        && last.to().distance(king) == 1
        && (attackers(board, player, last.to()) & board.knights()).into_iter().any(|knight| {
            knight.distance(king) == 1 && (attackers(board, player, knight) & board.pawns()).any()
        })
}

/// A rook mates a king in the corner, guarded by a knight two squares away on both axes.
fn is_arabian(last: &Ply, king: Square) -> bool {
    let (board, player) = (last.after.board(), last.mover());
    is_corner(king)
        && last.role() == Role::Rook
        && last.to().distance(king) == 1
        && (attackers(board, player, last.to()) & board.knights()).into_iter().any(|knight| {
            knight.file().distance(king.file()) == 2 && knight.rank().distance(king.rank()) == 2
        })
}

/// Bishops alone cover the king and the squares around it; the squares of the first two.
fn mating_bishops(last: &Ply, king: Square) -> Option<(Square, Square)> {
    let (board, player) = (last.after.board(), last.mover());
    let mut bishops = board.by_piece(Role::Bishop.of(player)).into_iter();
    let pair = (bishops.next()?, bishops.next()?);
    let mut around = attacks::king_attacks(king);
    around.add(king);
    around
        .into_iter()
        .all(|square| attackers(board, player, square).is_subset(board.bishops()))
        .then_some(pair)
}

/// Two bishops mate on crossing diagonals, from both sides of the king.
fn is_boden(last: &Ply, king: Square) -> bool {
    mating_bishops(last, king)
        .is_some_and(|(one, other)| (one.file() < king.file()) == (other.file() > king.file()))
}

/// Two bishops mate from the same side.
fn is_two_bishops(last: &Ply, king: Square) -> bool {
    mating_bishops(last, king).is_some() && !is_boden(last, king)
}

/// A queen mates diagonally from beside a king away from the edge; it alone covers the free squares around, and no other
/// piece is needed.
fn is_dovetail(last: &Ply, king: Square) -> bool {
    let (board, player, queen) = (last.after.board(), last.mover(), last.to());
    let on_edge =
        matches!(king.file(), File::A | File::H) || matches!(king.rank(), Rank::First | Rank::Eighth);
    if on_edge
        || last.role() != Role::Queen
        || queen.file() == king.file()
        || queen.rank() == king.rank()
        || queen.distance(king) > 1
    {
        return false;
    }
    attacks::king_attacks(king).into_iter().filter(|square| *square != queen).all(|square| {
        let by = attackers(board, player, square);
        by.is_empty() || by == Bitboard::from_square(queen) && board.piece_at(square).is_none()
    })
}
