//! Pawn structure: seed 000 §3.5.1.
//!
//! Black's pawns are flipped, so that there is one set of rules: forward is up the board.

use shakmaty::{Bitboard, Board, Color, Rank};

use super::options::PassedPawns;

/// Pawn structure features of a side.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Pawns {
    /// Pawns beyond the first on their file.
    pub doubled: i32,
    /// Files with pawns, and none on the files beside them.
    pub isolated: i32,
    /// Ranks that passed pawns have advanced beyond the second, summed.
    pub passed: i32,
}

impl Pawns {
    #[inline]
    pub fn of(board: &Board, color: Color, definition: PassedPawns) -> Pawns {
        let pawns_of = |side: Color| {
            let pawns = board.pawns() & board.by_color(side);
            color.fold_wb(pawns, pawns.flip_vertical())
        };
        let (own, enemy) = (pawns_of(color), pawns_of(!color));
        let files = files_of(own);
        let beside = files << 1 | files >> 1;
        let stopped = match definition {
            PassedPawns::NoneAhead => behind_on_three_files(enemy),
            PassedPawns::NoneBeside => behind_on_three_files(enemy) | neighbours(enemy),
        };
        Pawns {
            doubled: own.count() as i32 - files.count_ones() as i32,
            isolated: (files & !beside).count_ones() as i32,
            passed: (own & !stopped).into_iter().map(|p| advanced(p.rank())).sum(),
        }
    }
}

/// One bit a file that has any of the squares.
fn files_of(squares: Bitboard) -> u8 {
    let mut files = squares.0;
    files |= files >> 32;
    files |= files >> 16;
    files |= files >> 8;
    files as u8
}

/// All squares strictly below any of the squares, on its own file and those beside it.
fn behind_on_three_files(squares: Bitboard) -> Bitboard {
    let mut behind = squares.0 >> 8;
    behind |= behind >> 8;
    behind |= behind >> 16;
    behind |= behind >> 32;
    let behind = Bitboard(behind);
    behind | neighbours(behind)
}

/// The squares to the left and right of any of the squares.
fn neighbours(squares: Bitboard) -> Bitboard {
    let not_a = !Bitboard::from_file(shakmaty::File::A).0;
    let not_h = !Bitboard::from_file(shakmaty::File::H).0;
    Bitboard((squares.0 & not_h) << 1 | (squares.0 & not_a) >> 1)
}

/// The seed's 6 − row.
fn advanced(rank: Rank) -> i32 {
    rank as i32 - Rank::Second as i32
}
