//! Kings in danger: without pawns before them, or under attack on their wing.

use shakmaty::{Bitboard, File, Position, Rank, Role, Square, attacks};

use super::{Motif, Theme};
use crate::line::Line;

/// Captures within this many king steps of the corner belong to an attack on that wing.
const NEAR_CORNER: u32 = 3;
/// Moves this far from the corner speak against it.
const FAR_FROM_CORNER: u32 = 5;
/// Checks and captures near the corner that make an attack.
const ATTACK: i32 = 2;

/// The enemy king stands on its first three ranks without a pawn beside or before it, and is checked between the first
/// and the last move of the line.
pub(super) fn exposed_king(line: &Line) -> Option<Motif> {
    let (_, first) = line.player_plies().next()?;
    let (board, enemy) = (first.before.board(), line.player().other());
    let king = board.king_of(enemy)?;
    let own_rank = enemy.fold_wb(king.rank().to_u32(), 7 - king.rank().to_u32());
    if own_rank > 2 {
        return None;
    }
    let behind = enemy.fold_wb(-1, 1);
    let behind = king.rank().offset(behind).map_or(Bitboard::EMPTY, Bitboard::from_rank);
    let shelter = attacks::king_attacks(king) & !behind;
    if (shelter & board.by_piece(Role::Pawn.of(enemy))).any() {
        return None;
    }
    let inner: Vec<_> = line.player_plies().skip(1).collect();
    let (_, inner) = inner.split_last()?;
    let (index, check) = inner.iter().find(|(_, ply)| ply.is_check())?;
    Some(Motif::new(Theme::ExposedKing, *index, check.to(), [king]))
}

/// A capture on f2 or f7 while the king is on its first square.
pub(super) fn attacking_f2_f7(line: &Line) -> Option<Motif> {
    let weak = |square| matches!(square, Square::F2 | Square::F7);
    let (index, ply) =
        line.player_plies().find(|(_, ply)| ply.taken_on_destination().is_some() && weak(ply.to()))?;
    let home = if ply.to() == Square::F7 { Square::E8 } else { Square::E1 };
    (ply.after.board().piece_at(home) == Some(Role::King.of(line.player().other())))
        .then(|| Motif::new(Theme::AttackingF2F7, index, ply.to(), [home]))
}

/// Checks and captures near the corner where the king stands, with enough pieces on the board.
pub(super) fn wing_attack(line: &Line) -> Option<Motif> {
    wing(line, Theme::KingsideAttack, File::H, &[File::G, File::H], 20)
        .or_else(|| wing(line, Theme::QueensideAttack, File::A, &[File::A, File::B, File::C], 18))
}

fn wing(line: &Line, theme: Theme, corner: File, files: &[File], pieces: usize) -> Option<Motif> {
    let back = line.player().fold_wb(Rank::Eighth, Rank::First);
    let (index, first) = line.player_plies().next()?;
    let board = first.before.board();
    let king = board.king_of(line.player().other())?;
    let checked = line.player_plies().any(|(_, ply)| ply.is_check());
    if king.rank() != back || !files.contains(&king.file()) || board.occupied().count() < pieces || !checked {
        return None;
    }
    let corner = Square::from_coords(corner, back);
    let score: i32 = line
        .player_plies()
        .map(|(_, ply)| {
            let distance = corner.distance(ply.to());
            let near = match () {
                () if ply.is_capture() && distance <= NEAR_CORNER => 1,
                () if distance >= FAR_FROM_CORNER => -1,
                () => 0,
            };
            i32::from(ply.is_check()) + near
        })
        .sum();
    (score >= ATTACK).then(|| Motif::new(theme, index, first.to(), [king]))
}
