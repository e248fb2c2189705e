//! Board geometry relative to a side, resolved at compile time: with `WHITE = false` ranks are flipped.

use shakmaty::{Bitboard, File, Rank, Square};

/// The square relative to the side: rank 1 is its own back rank.
#[inline(always)]
pub(super) const fn own<const WHITE: bool>(square: Square) -> Square {
    if WHITE { square } else { square.flip_vertical() }
}

/// The rank relative to the side, from zero.
#[inline(always)]
pub(super) const fn rank<const WHITE: bool>(square: Square) -> usize {
    own::<WHITE>(square) as usize / 8
}

/// The bitboard of a rank relative to the side.
#[inline(always)]
pub(super) const fn rank_of<const WHITE: bool>(rank: Rank) -> Bitboard {
    Bitboard::from_rank(if WHITE { rank } else { rank.flip_vertical() })
}

/// Chebyshev distance (king moves) between two squares. A table, because shakmaty's function is not inlined and took
/// 6% of a search's instructions.
#[inline(always)]
pub(super) fn distance(one: Square, other: Square) -> usize {
    DISTANCES[one as usize][other as usize] as usize
}

static DISTANCES: [[u8; 64]; 64] = distances();

const fn distances() -> [[u8; 64]; 64] {
    let mut table = [[0; 64]; 64];
    let mut at = 0_usize;
    while at < 64 * 64 {
        let (one, other) = (at / 64, at % 64);
        let (files, ranks) = ((one % 8).abs_diff(other % 8), (one / 8).abs_diff(other / 8));
        table[one][other] = if files > ranks { files } else { ranks } as u8;
        at += 1;
    }
    table
}

/// Shifts a bitboard one rank forward.
#[inline(always)]
pub(super) const fn forward<const WHITE: bool>(squares: Bitboard) -> Bitboard {
    Bitboard(if WHITE { squares.0 << 8 } else { squares.0 >> 8 })
}

/// The adjacent files: a bitboard shifted one file to each side.
#[inline(always)]
pub(super) const fn beside(squares: Bitboard) -> Bitboard {
    let east = (squares.0 & !Bitboard::from_file(File::H).0) << 1;
    let west = (squares.0 & !Bitboard::from_file(File::A).0) >> 1;
    Bitboard(east | west)
}

/// Fills forward: these squares and all squares in front of them.
#[inline(always)]
pub(super) const fn ahead<const WHITE: bool>(squares: Bitboard) -> Bitboard {
    let mut fill = squares.0;
    if WHITE {
        fill |= fill << 8;
        fill |= fill << 16;
        fill |= fill << 32;
    } else {
        fill |= fill >> 8;
        fill |= fill >> 16;
        fill |= fill >> 32;
    }
    Bitboard(fill)
}

/// Fills backward: these squares and all squares behind them.
#[inline(always)]
pub(super) const fn behind<const WHITE: bool>(squares: Bitboard) -> Bitboard {
    if WHITE { ahead::<false>(squares) } else { ahead::<true>(squares) }
}

/// Fills whole files.
#[inline(always)]
pub(super) const fn files(squares: Bitboard) -> Bitboard {
    Bitboard(ahead::<true>(squares).0 | ahead::<false>(squares).0)
}

#[inline(always)]
pub(super) const fn pawn_attacks<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    forward::<WHITE>(beside(pawns))
}

/// Distance of a file from the nearer edge, 0 to 3.
#[inline(always)]
pub(super) const fn from_edge(square: Square) -> usize {
    let file = square as usize % 8;
    if file < 4 { file } else { 7 - file }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_those_of_a_king() {
        for one in Square::ALL {
            for other in Square::ALL {
                assert_eq!(distance(one, other), one.distance(other) as usize, "{one} {other}");
            }
        }
    }
}
