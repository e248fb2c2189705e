//! Pawn structure. It depends on pawns alone and is cached.

use shakmaty::{Bitboard, Square};

use super::board::{ahead, behind, beside, files, forward, from_edge, pawn_attacks, rank};
use super::groups;
use super::sink::Sink;

/// What other terms need to know about a side's pawns.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Structure {
    /// Pawns that no enemy pawn can stop.
    pub passed: Bitboard,
    /// Squares its pawns attack, now or after advancing.
    pub span: Bitboard,
    /// Files they stand on.
    pub files: Bitboard,
}

/// Files c to f, ranks 2 to 4, for White and for Black.
const HOME: [Bitboard; 2] = [Bitboard(0x0000_0000_3c3c_3c00), Bitboard(0x003c_3c3c_0000_0000)];
/// Files a to d, and e to h.
const WINGS: [Bitboard; 2] = [Bitboard(0x0f0f_0f0f_0f0f_0f0f), Bitboard(0xf0f0_f0f0_f0f0_f0f0)];

/// Counts the features of one side's pawns.
#[inline(always)]
pub(super) fn count<const WHITE: bool, S: Sink>(pawns: Bitboard, enemy: Bitboard, sink: &mut S) -> Structure {
    let attacks = pawn_attacks::<WHITE>(pawns);
    let enemy_attacks = if WHITE { pawn_attacks::<false>(enemy) } else { pawn_attacks::<true>(enemy) };
    // Pawns with an enemy pawn on their file in front of them, or one that may attack their way.
    let enemy_front =
        if WHITE { ahead::<false>(forward::<false>(enemy)) } else { ahead::<true>(forward::<true>(enemy)) };
    let enemy_span = beside(enemy_front);
    let behind_own = behind::<WHITE>(if WHITE { Bitboard(pawns.0 >> 8) } else { Bitboard(pawns.0 << 8) });
    let mut structure =
        Structure { passed: Bitboard::EMPTY, span: ahead::<WHITE>(attacks), files: files(pawns) };
    let enemy_files = files(enemy);
    sink.add_set::<WHITE>(groups::CONTROL, attacks);
    let space = HOME[usize::from(!WHITE)] & !pawns & !enemy_attacks;
    sink.add::<WHITE>(groups::SPACE + space.count(), 1, if WHITE { Square::D2 } else { Square::D7 });

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
            // Enemy pawns on adjacent files in front, and own pawns that can support the advance.
            let sentries = enemy & ahead::<WHITE>(forward::<WHITE>(beside(bit)));
            let helpers = neighbours & behind::<WHITE>(beside(bit));
            if helpers.count() >= sentries.count() {
                sink.add::<WHITE>(groups::CANDIDATE + rank, 1, square);
            }
        }
    }
    let blocked = pawns & if WHITE { Bitboard(enemy.0 >> 8) } else { Bitboard(enemy.0 << 8) };
    for square in blocked {
        sink.add::<WHITE>(groups::PAWNS_BLOCKED + rank::<WHITE>(square), 1, square);
    }
    if let Some(first) = pawns.first() {
        let taken = (structure.files.0 & 0xff) as u8;
        let islands = (taken & !(taken << 1)).count_ones() as usize;
        let width = 8 - (taken.leading_zeros() + taken.trailing_zeros()) as usize;
        sink.add::<WHITE>(groups::PAWN_ISLANDS + islands.min(4), 1, first);
        sink.add::<WHITE>(groups::PAWN_WIDTH + width, 1, first);
        for wing in WINGS {
            let (own, theirs) = ((pawns & wing).count(), (enemy & wing).count());
            sink.add::<WHITE>(groups::PAWN_MAJORITY + (own + 2).saturating_sub(theirs).min(4), 1, first);
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
