//! What pawns are worth among themselves. It depends on pawns alone, and is remembered.

use shakmaty::Bitboard;

use super::board::{ahead, behind, beside, files, forward, from_edge, pawn_attacks, rank};
use super::groups;
use super::sink::Sink;

/// What the rest of the evaluation needs to know of a side's pawns.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Structure {
    /// Pawns that no enemy pawn can stop.
    pub passed: Bitboard,
    /// Squares its pawns attack or may come to attack.
    pub span: Bitboard,
    /// Files they stand on.
    pub files: Bitboard,
}

/// Counts one side's pawns.
#[inline(always)]
pub(super) fn count<const WHITE: bool, S: Sink>(pawns: Bitboard, enemy: Bitboard, sink: &mut S) -> Structure {
    let attacks = pawn_attacks::<WHITE>(pawns);
    let enemy_attacks = if WHITE { pawn_attacks::<false>(enemy) } else { pawn_attacks::<true>(enemy) };
    // Where an enemy pawn stands in the way, or may come to.
    let enemy_front =
        if WHITE { ahead::<false>(forward::<false>(enemy)) } else { ahead::<true>(forward::<true>(enemy)) };
    let enemy_span = beside(enemy_front);
    let behind_own = behind::<WHITE>(if WHITE { Bitboard(pawns.0 >> 8) } else { Bitboard(pawns.0 << 8) });
    let mut structure =
        Structure { passed: Bitboard::EMPTY, span: ahead::<WHITE>(attacks), files: files(pawns) };
    let enemy_files = files(enemy);
    sink.add_set::<WHITE>(groups::CONTROL, attacks);

    for square in pawns {
        let bit = Bitboard::from_square(square);
        let rank = rank::<WHITE>(square);
        let neighbours = pawns & files(beside(bit));
        let open = usize::from((enemy_files & bit).is_empty());
        let supported = (attacks & bit).any();
        let beside_it = (pawns & beside(bit)).any();
        if neighbours.is_empty() {
            sink.add::<WHITE>(groups::ISOLATED + open * 4 + from_edge(square), 1, square);
        } else if (neighbours & behind::<WHITE>(beside(bit))).is_empty()
            && (enemy_attacks & forward::<WHITE>(bit)).any()
        {
            sink.add::<WHITE>(groups::BACKWARD + open, 1, square);
        }
        let doubled = (behind_own & bit).any();
        if doubled {
            sink.add::<WHITE>(groups::DOUBLED + from_edge(square), 1, square);
        }
        if beside_it {
            sink.add::<WHITE>(groups::PHALANX + rank, 1, square);
        }
        if supported {
            sink.add::<WHITE>(groups::SUPPORTED + rank, 1, square);
        }
        if ((enemy_front | enemy_span) & bit).is_empty() {
            if !doubled {
                structure.passed |= bit;
            }
        } else if (enemy_front & bit).is_empty() {
            // Enemy pawns beside its way, and own pawns that can answer them.
            let sentries = enemy & ahead::<WHITE>(forward::<WHITE>(beside(bit)));
            let helpers = neighbours & behind::<WHITE>(beside(bit));
            if helpers.count() >= sentries.count() {
                sink.add::<WHITE>(groups::CANDIDATE + rank, 1, square);
            }
        }
    }
    for square in structure.passed {
        let bit = Bitboard::from_square(square);
        let rank = rank::<WHITE>(square);
        sink.add::<WHITE>(groups::PASSED + rank, 1, square);
        let near = beside(bit);
        let linked = near | forward::<true>(near) | forward::<false>(near);
        if (structure.passed & linked).any() {
            sink.add::<WHITE>(groups::PASSED_LINKED + rank, 1, square);
        }
    }
    structure
}
