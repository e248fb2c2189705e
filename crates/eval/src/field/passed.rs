//! Passed pawns on their way: what stands on it, who bears on it, and how far the kings are.

use shakmaty::{Bitboard, Square, attacks};

use super::board::{ahead, distance, forward, rank};
use super::groups;
use super::side::{ROOK, Side};
use super::sink::Sink;

/// From this rank on (the fourth) the kings' distances count.
const ON_ITS_WAY: usize = 3;
/// From this rank on (the sixth) they count as much as they ever do.
const NEARLY_THERE: usize = 5;

/// Counts one side's passed pawns; both sides' attacks are known by now.
#[inline(always)]
pub(super) fn count<const WHITE: bool, S: Sink>(
    passed: Bitboard,
    side: &Side,
    enemy: &Side,
    occupied: Bitboard,
    to_move: bool,
    sink: &mut S,
) {
    let alone = enemy.pieces().is_empty();
    for square in passed {
        let bit = Bitboard::from_square(square);
        let rank = rank::<WHITE>(square);
        let next = forward::<WHITE>(bit);
        let Some(stop) = next.first() else { continue };
        let way = ahead::<WHITE>(next);
        let held = way & (occupied | enemy.all);
        let late = usize::from(rank >= NEARLY_THERE) * 8;
        if (enemy.occupied & next).any() {
            sink.add::<WHITE>(groups::PASSED_BLOCKED + rank, 1, square);
        } else if (next & held).is_empty() {
            sink.add::<WHITE>(groups::PASSED_SAFE + rank, 1, square);
        }
        if held.is_empty() {
            sink.add::<WHITE>(groups::PASSED_CLEAR + rank, 1, square);
        }
        if (side.all & next).any() {
            sink.add::<WHITE>(groups::PASSED_GUARDED + rank, 1, square);
        }
        sink.add::<WHITE>(groups::PASSED_WAY + late + held.count(), 1, square);
        if alone && (way & occupied).is_empty() && outruns::<WHITE>(square, rank, enemy.king, to_move) {
            sink.add::<WHITE>(groups::UNSTOPPABLE + rank, 1, square);
        }
        if rank >= ON_ITS_WAY {
            let own_king = groups::PASSED_OWN_KING + late + distance(stop, side.king);
            let enemy_king = groups::PASSED_ENEMY_KING + late + distance(stop, enemy.king);
            sink.add::<WHITE>(own_king, 1, square);
            sink.add::<WHITE>(enemy_king, 1, square);
        }
        let rooks = side.of[ROOK] | enemy.of[ROOK];
        if rooks.any() {
            let below = if WHITE { ahead::<false>(bit) } else { ahead::<true>(bit) };
            let behind = attacks::rook_attacks(square, occupied) & below & rooks;
            if (behind & side.of[ROOK]).any() {
                sink.add::<WHITE>(groups::PASSED_ROOK, 1, square);
            } else if behind.any() {
                sink.add::<WHITE>(groups::PASSED_ROOK + 1, 1, square);
            }
        }
    }
}

/// Whether a king cannot catch a pawn whose way is clear: it is outside the pawn's square.
#[inline(always)]
fn outruns<const WHITE: bool>(pawn: Square, rank: usize, king: Square, to_move: bool) -> bool {
    let last = Square::new(pawn as u32 % 8 + if WHITE { 56 } else { 0 });
    // From its home it goes two ranks at once.
    let steps = 7 - rank - usize::from(rank == 1);
    distance(king, last) > steps + usize::from(!to_move)
}
