//! Rows of features that are always found together, added up beforehand: one addition does for two or three.
//!
//! They stand behind the rows of the features themselves, so that all are found from one place.

use super::army::KING;
use super::groups;
use super::interplay::{Row, all};

/// A man's material and its square as either king sees it: both kings on the same side of the board, then not; kinds
/// of men, times squares.
const MEN: usize = groups::INPUTS;
const MEN_EACH: usize = 6 * 64;
/// Free or guarded by a pawn, times knight, bishop, rook, queen, times the distances to two kings.
const NEAR: usize = MEN + 2 * MEN_EACH;
const NEAR_EACH: usize = 4 * 8 * 8;
/// Knight, bishop, rook, queen, times the number of own pawns, times the squares it can go to.
const MOBILITY: usize = NEAR + 2 * NEAR_EACH;
/// The most squares a piece can go to, and none.
const REACH: usize = 28;

/// How many rows there are in all.
pub const ROWS: usize = MOBILITY + 4 * 9 * REACH;

/// Rows of features, and behind them those that were added up.
#[allow(clippy::unnecessary_box_returns, reason = "they are too many for the stack")]
pub(super) fn rows(features: &[Row; groups::INPUTS]) -> Box<[Row; ROWS]> {
    let sum = |parts: &[usize]| {
        let mut sum = Row::default();
        for feature in parts {
            sum += features[*feature];
        }
        sum
    };
    let man_row = |index: usize| {
        let (mirror, man) = (if index < MEN_EACH { 0 } else { 7 }, index % MEN_EACH);
        let (placement, role) = (groups::PLACEMENT + man, man / 64);
        if role == KING {
            sum(&[placement])
        } else {
            sum(&[placement, groups::MATERIAL + role, groups::APPROACH + (man ^ mirror)])
        }
    };
    let near_row = |index: usize| {
        let (piece, own_king, enemy_king) = (index / 64 % 4, index / 8 % 8, index % 8);
        let own = groups::NEAR_OWN_KING + piece * 8 + own_king;
        let enemy = groups::NEAR_ENEMY_KING + piece * 8 + enemy_king;
        let guarded = groups::GUARDED + piece;
        if index < NEAR_EACH { sum(&[own, enemy]) } else { sum(&[own, enemy, guarded]) }
    };
    let mobility_row = |index: usize| {
        let (piece, pawns, squares) = (index / REACH / 9, index / REACH % 9, index % REACH);
        // No knight goes to nine squares; that row is never asked for.
        sum(&[groups::MOBILITY[piece] + squares, groups::WITH_PAWNS + piece * 9 + pawns])
    };
    all(|index| match index {
        MOBILITY.. => mobility_row(index - MOBILITY),
        NEAR.. => near_row(index - NEAR),
        MEN.. => man_row(index - MEN),
        feature => features[feature],
    })
}

/// A man on a square as either king sees it; the two views are the same or mirrored.
#[inline(always)]
pub(super) const fn man(role: usize, own_view: usize, enemy_view: usize) -> usize {
    MEN + (own_view != enemy_view) as usize * MEN_EACH + role * 64 + own_view
}

/// A knight, bishop, rook or queen (0 to 3) so far from either king, perhaps guarded by a pawn.
#[inline(always)]
pub(super) const fn near(piece: usize, own_king: usize, enemy_king: usize, guarded: bool) -> usize {
    NEAR + guarded as usize * NEAR_EACH + piece * 64 + own_king * 8 + enemy_king
}

/// A knight, bishop, rook or queen (0 to 3) that can go to so many squares and has so many pawns beside it.
#[inline(always)]
pub(super) const fn mobility(piece: usize, squares: usize, pawns: usize) -> usize {
    MOBILITY + (piece * 9 + pawns) * REACH + squares
}
