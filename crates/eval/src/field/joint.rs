//! Rows of features that are always found together, added up beforehand: one addition does for two or three.

use super::army::KING;
use super::groups;
use super::interplay::{Row, all};

/// Kinds of men, times squares.
const MEN: usize = 6 * 64;
/// Free or guarded by a pawn, times knight, bishop, rook, queen, times the distances to two kings.
const NEAR: usize = 2 * 4 * 8 * 8;
/// The most squares a piece can go to, and none.
const REACH: usize = 28;
/// Knight, bishop, rook, queen, times the number of own pawns, times squares.
const MOBILITY: usize = 4 * 9 * REACH;

/// Joint rows.
#[derive(Clone, Debug)]
pub struct Joint {
    /// A man's material and its square as either king sees it: both kings on the same side of the board, or not.
    men: [Box<[Row; MEN]>; 2],
    near: Box<[Row; NEAR]>,
    mobility: Box<[Row; MOBILITY]>,
}

impl Joint {
    /// Adds rows up.
    pub fn new(rows: &[Row; groups::INPUTS]) -> Joint {
        let man = |index: usize, mirror: usize| {
            let role = index / 64;
            let mut row = rows[groups::PLACEMENT + index];
            if role != KING {
                row += rows[groups::MATERIAL + role];
                row += rows[groups::APPROACH + (index ^ mirror)];
            }
            row
        };
        let near = |index: usize| {
            let (guarded, piece, own_king, enemy_king) =
                (index / 256, index / 64 % 4, index / 8 % 8, index % 8);
            let mut row = rows[groups::NEAR_OWN_KING + piece * 8 + own_king];
            row += rows[groups::NEAR_ENEMY_KING + piece * 8 + enemy_king];
            if guarded > 0 {
                row += rows[groups::GUARDED + piece];
            }
            row
        };
        let mobility = |index: usize| {
            let (piece, pawns, squares) = (index / REACH / 9, index / REACH % 9, index % REACH);
            // No knight goes to nine squares; the row is never asked for.
            let mut row = rows[groups::MOBILITY[piece] + squares];
            row += rows[groups::WITH_PAWNS + piece * 9 + pawns];
            row
        };
        Joint {
            men: [0, 7].map(|mirror| all(|index| man(index, mirror))),
            near: all(near),
            mobility: all(mobility),
        }
    }

    /// A man on a square as either king sees it; the two views are the same or mirrored.
    #[inline(always)]
    pub(super) fn man(&self, role: usize, own_view: usize, enemy_view: usize) -> &Row {
        &self.men[usize::from(own_view != enemy_view)][role * 64 + own_view]
    }

    /// A knight, bishop, rook or queen (0 to 3) so far from either king, perhaps guarded by a pawn.
    #[inline(always)]
    pub(super) fn near(&self, piece: usize, own_king: usize, enemy_king: usize, guarded: bool) -> &Row {
        &self.near[usize::from(guarded) * 256 + piece * 64 + own_king * 8 + enemy_king]
    }

    /// A knight, bishop, rook or queen (0 to 3) that can go to so many squares and has so many pawns beside it.
    #[inline(always)]
    pub(super) fn mobility(&self, piece: usize, squares: usize, pawns: usize) -> &Row {
        &self.mobility[(piece * 9 + pawns) * REACH + squares]
    }
}
