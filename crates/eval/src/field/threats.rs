//! Threats, possible threats, and restriction of the enemy's pieces; both sides' attack maps must be complete.

use shakmaty::{Bitboard, Rank, attacks};

use super::board::{beside, forward, pawn_attacks, rank_of};
use super::groups;
use super::side::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Side};
use super::sink::Sink;

/// Number of distinguished counts of safely reachable squares.
const MAX_REACH: usize = 27;

#[inline(always)]
pub(super) fn count<const WHITE: bool, S: Sink>(side: &Side, enemy: &Side, occupied: Bitboard, sink: &mut S) {
    attacked::<WHITE, S>(side, enemy, sink);
    to_come::<WHITE, S>(side, enemy, occupied, sink);
    chase::<WHITE, S>(side, enemy, occupied, sink);
    restriction::<WHITE, S>(side, enemy, sink);
    if side.pinned.any() {
        for role in PAWN..=QUEEN {
            sink.add_each::<WHITE>(groups::PINNED + role, side.pinned & side.of[role]);
        }
    }
    if enemy.discoverers.any() {
        sink.add_each::<WHITE>(groups::DISCOVERY, enemy.discoverers);
    }
}

/// Attacked enemy pieces and pawns.
#[inline(always)]
fn attacked<const WHITE: bool, S: Sink>(side: &Side, enemy: &Side, sink: &mut S) {
    for victim in PAWN..=QUEEN {
        let attacked = enemy.of[victim] & side.all;
        if attacked.is_empty() {
            continue;
        }
        for attacker in PAWN..=KING {
            for square in attacked & side.attacks[attacker] {
                let defended = usize::from(enemy.all.contains(square));
                sink.add::<WHITE>(groups::THREAT + (attacker * 5 + victim) * 2 + defended, 1, square);
            }
        }
        let twice = attacked & side.twice & !enemy.twice;
        if twice.any() {
            sink.add_each::<WHITE>(groups::TWICE + victim, twice);
        }
    }
    let safe = side.of[PAWN] & (side.all | !enemy.all);
    let by_pawns = pawn_attacks::<WHITE>(safe) & enemy.pieces();
    if by_pawns.any() {
        sink.add_each::<WHITE>(groups::SAFE_PAWN_THREAT, by_pawns);
    }
    let by_queen = enemy.occupied & side.all & enemy.attacks[QUEEN] & !enemy.twice;
    if by_queen.any() {
        sink.add_each::<WHITE>(groups::GUARDED_BY_QUEEN, by_queen);
    }
}

/// Pieces that a safe pawn push would attack.
#[inline(always)]
fn to_come<const WHITE: bool, S: Sink>(side: &Side, enemy: &Side, occupied: Bitboard, sink: &mut S) {
    let free = !occupied & !enemy.attacks[PAWN];
    let one = forward::<WHITE>(side.of[PAWN]) & !occupied;
    let two = forward::<WHITE>(one & rank_of::<WHITE>(Rank::Third)) & free;
    let safe = ((one & free) | two) & (side.all | !enemy.all);
    let hit = forward::<WHITE>(beside(safe)) & enemy.pieces() & !side.attacks[PAWN];
    if hit.any() {
        sink.add_each::<WHITE>(groups::PUSH_THREAT, hit);
    }
}

/// Squares strongly protected by the enemy: by a pawn, or twice where this side attacks only once.
#[inline(always)]
fn held_well(side: &Side, enemy: &Side) -> Bitboard {
    enemy.attacks[PAWN] | (enemy.twice & !side.twice)
}

/// Safe squares from which the enemy queen could be attacked.
#[inline(always)]
fn chase<const WHITE: bool, S: Sink>(side: &Side, enemy: &Side, occupied: Bitboard, sink: &mut S) {
    let safe = !side.occupied & !held_well(side, enemy) & (!enemy.all | side.twice);
    for queen in enemy.of[QUEEN] {
        let from = [
            attacks::knight_attacks(queen) & side.attacks[KNIGHT],
            attacks::bishop_attacks(queen, occupied) & side.attacks[BISHOP],
            attacks::rook_attacks(queen, occupied) & side.attacks[ROOK],
        ];
        for (number, squares) in from.into_iter().enumerate() {
            if (squares & safe).any() {
                sink.add_each::<WHITE>(groups::QUEEN_CHASE + number, squares & safe);
            }
        }
    }
}

/// Restriction of the enemy's pieces, and the safe mobility of rooks and queen.
#[inline(always)]
fn restriction<const WHITE: bool, S: Sink>(side: &Side, enemy: &Side, sink: &mut S) {
    let contested = enemy.all & side.all & !held_well(side, enemy) & !side.occupied;
    sink.add_each::<WHITE>(groups::RESTRICTION, contested);
    sink.add_each::<WHITE>(groups::RESTRICTION + 1, side.twice & !enemy.twice & !enemy.attacks[PAWN]);
    let minors = enemy.attacks[PAWN] | enemy.attacks[KNIGHT] | enemy.attacks[BISHOP];
    let lesser = [minors, minors | enemy.attacks[ROOK]];
    for (number, role) in [ROOK, QUEEN].into_iter().enumerate() {
        if let Some(at) = side.of[role].first() {
            let squares = (side.attacks[role] & !side.occupied & !lesser[number]).count().min(MAX_REACH);
            sink.add::<WHITE>(groups::SAFE_REACH + number * (MAX_REACH + 1) + squares, 1, at);
        }
    }
}
