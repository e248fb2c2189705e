//! King safety: shelter, pawn storm and danger.
//!
//! Attackers strengthen one another: one more counts for little alone and for much among others. So the inputs of
//! danger are summed first, and the sum is squared.

use shakmaty::{Bitboard, Color, File, Rank, Square, attacks};

use super::board::{ahead, distance, rank, rank_of};
use super::groups::{self, danger};
use super::pieces::{Mirrors, place};
use super::side::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Side};
use super::sink::{Sink, color};

/// Counts the features of one side's king; both sides' attack maps must be complete.
#[inline(always)]
pub(super) fn count<const WHITE: bool, S: Sink>(
    side: &Side,
    enemy: &Side,
    occupied: Bitboard,
    castling: Bitboard,
    sink: &mut S,
) {
    let rights = (castling & side.occupied).count();
    if rights > 0 {
        sink.add::<WHITE>(groups::CASTLING + rights.min(2) - 1, 1, side.king);
    }
    let free = side.attacks[KING] & !side.occupied & !enemy.all;
    sink.add::<WHITE>(groups::KING_MOBILITY + free.count(), 1, side.king);
    sink.add_danger::<WHITE>(danger::MOBILITY + free.count(), 1);
    threaten::<WHITE, S>(side, enemy, occupied, sink);
}

/// Counts king placement, shelter and storm. They depend on kings and pawns alone and are cached.
#[inline(always)]
pub(super) fn shelter<const WHITE: bool, S: Sink>(
    king: Square,
    pawns: Bitboard,
    enemy_pawns: Bitboard,
    mirrors: Mirrors,
    sink: &mut S,
) {
    place::<WHITE, S>(KING, king, mirrors, sink);
    let nearest_pawn = pawns.into_iter().map(|pawn| distance(king, pawn)).min().unwrap_or(0);
    sink.add::<WHITE>(groups::KING_PAWN + nearest_pawn, 1, king);
    if ((pawns | enemy_pawns) & flank(king)).is_empty() {
        sink.add::<WHITE>(groups::PAWNLESS_FLANK, 1, king);
    }
    let king_file = king.file() as u32;
    let centre = king_file.clamp(1, 6);
    let from_king = ahead::<WHITE>(Bitboard::from_rank(king.rank()));
    for file in centre - 1..=centre + 1 {
        let beside = usize::from(file != king_file);
        let on_file = Bitboard::from_file(File::new(file)) & from_king;
        let (shield, storm) = (pawns & on_file, enemy_pawns & on_file);
        let (shield_at, storm_at) = (nearest::<WHITE>(shield), nearest::<WHITE>(storm));
        let shield_rank = shield_at.map_or(0, rank::<WHITE>);
        let storm_rank = storm_at.map_or(0, rank::<WHITE>);
        let blocked = usize::from(storm_rank != 0 && shield_rank + 1 == storm_rank);
        sink.add::<WHITE>(groups::SHELTER + beside * 8 + shield_rank, 1, shield_at.unwrap_or(king));
        let storm_feature = groups::STORM + (beside * 2 + blocked) * 8 + storm_rank;
        sink.add::<WHITE>(storm_feature, 1, storm_at.unwrap_or(king));
        sink.add_danger::<WHITE>(danger::SHELTER + beside * 8 + shield_rank, 1);
        sink.add_danger::<WHITE>(danger::STORM + beside * 8 + storm_rank, 1);
        let whole_file = Bitboard::from_file(File::new(file));
        if (pawns & whole_file).is_empty() {
            let open = usize::from((enemy_pawns & whole_file).is_empty());
            sink.add::<WHITE>(groups::KING_FILES + open, 1, king);
        }
    }
}

/// The pawn closest to the side's own back rank on a file.
#[inline(always)]
fn nearest<const WHITE: bool>(pawns: Bitboard) -> Option<Square> {
    match color::<WHITE>() {
        Color::White => pawns.first(),
        Color::Black => pawns.last(),
    }
}

/// The files of the king's wing.
const fn flank(king: Square) -> Bitboard {
    const FILE: u64 = Bitboard::from_file(File::A).0;
    let four = FILE | FILE << 1 | FILE << 2 | FILE << 3;
    Bitboard(match king as usize % 8 {
        0..=2 => four,
        3 | 4 => four << 2,
        _ => four << 4,
    })
}

#[inline(always)]
fn threaten<const WHITE: bool, S: Sink>(side: &Side, enemy: &Side, occupied: Bitboard, sink: &mut S) {
    sink.add_danger::<WHITE>(danger::ALWAYS, 1);
    for (role, count) in enemy.attackers.into_iter().enumerate() {
        sink.add_danger::<WHITE>(danger::ATTACKERS + role, count);
    }
    sink.add_danger::<WHITE>(danger::RING_ATTACKS, enemy.ring_attacks);

    let weak = enemy.all & !side.twice & (!side.all | side.attacks[KING] | side.attacks[QUEEN]);
    sink.add_danger::<WHITE>(danger::RING_WEAK, (weak & side.ring).count() as i32);

    let safe = !enemy.occupied & (!side.all | (weak & enemy.twice));
    let through = occupied ^ side.of[QUEEN];
    let straight = attacks::rook_attacks(side.king, through);
    let slanted = attacks::bishop_attacks(side.king, through);
    let checks = [
        attacks::knight_attacks(side.king) & enemy.attacks[KNIGHT],
        slanted & enemy.attacks[BISHOP],
        straight & enemy.attacks[ROOK],
        (straight | slanted) & enemy.attacks[QUEEN],
    ];
    let mut answered = 0;
    for (role, squares) in checks.into_iter().enumerate() {
        let squares = squares & !enemy.occupied;
        sink.add_danger::<WHITE>(danger::SAFE_CHECK + role, (squares & safe).count().min(2) as i32);
        answered += (squares & !safe).count() as i32;
    }
    sink.add_danger::<WHITE>(danger::CHECK, answered);
    sink.add_danger::<WHITE>(danger::NO_QUEEN, i32::from(enemy.of[QUEEN].is_empty()));

    let far =
        rank_of::<WHITE>(Rank::Sixth) | rank_of::<WHITE>(Rank::Seventh) | rank_of::<WHITE>(Rank::Eighth);
    let camp = flank(side.king) & !far;
    sink.add_danger::<WHITE>(danger::FLANK_ATTACKS, (enemy.all & camp).count() as i32);
    sink.add_danger::<WHITE>(danger::FLANK_DOUBLE, (enemy.twice & camp).count() as i32);
    sink.add_danger::<WHITE>(danger::FLANK_DEFENCE, (side.all & camp).count() as i32);
    let knight = (side.of[KNIGHT] & side.ring).any();
    sink.add_danger::<WHITE>(danger::KNIGHT_DEFENDER, i32::from(knight));
    sink.add_danger::<WHITE>(danger::PINNED, side.pinned.count() as i32);
    sink.add_danger::<WHITE>(danger::RING_TWICE, (enemy.twice & !side.twice & side.ring).count() as i32);
    sink.add_danger::<WHITE>(danger::RING_PAWNS, (enemy.attacks[PAWN] & side.ring).count() as i32);
    let contact = side.attacks[KING] & enemy.attacks[QUEEN] & enemy.twice & !side.twice & !enemy.occupied;
    sink.add_danger::<WHITE>(danger::CONTACT, contact.count() as i32);
    sink.add_danger::<WHITE>(danger::DISCOVERY, side.discoverers.count() as i32);
}
