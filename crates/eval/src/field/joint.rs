//! Rows of features that are always found together, added up beforehand: one addition does for two or three.

use super::army::KING;
use super::groups;
use super::interplay::{Row, all};

/// Kinds of men, times squares.
const MEN: usize = 6 * 64;
/// Knight, bishop, rook, queen, times the distances to two kings.
const NEAR: usize = 4 * 8 * 8;

/// Joint rows.
#[derive(Clone, Debug)]
pub struct Joint {
    /// A man's material and its square as either king sees it: both kings on the same side of the board, or not.
    men: [Box<[Row; MEN]>; 2],
    near: Box<[Row; NEAR]>,
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
            let (piece, own_king, enemy_king) = (index / 64, index / 8 % 8, index % 8);
            let mut row = rows[groups::NEAR_OWN_KING + piece * 8 + own_king];
            row += rows[groups::NEAR_ENEMY_KING + piece * 8 + enemy_king];
            row
        };
        Joint { men: [0, 7].map(|mirror| all(|index| man(index, mirror))), near: all(near) }
    }

    /// A man on a square as either king sees it; the two views are the same or mirrored.
    #[inline(always)]
    pub(super) fn man(&self, role: usize, own_view: usize, enemy_view: usize) -> &Row {
        &self.men[usize::from(own_view != enemy_view)][role * 64 + own_view]
    }

    /// A knight, bishop, rook or queen (0 to 3) so far from either king.
    #[inline(always)]
    pub(super) fn near(&self, piece: usize, own_king: usize, enemy_king: usize) -> &Row {
        &self.near[piece * 64 + own_king * 8 + enemy_king]
    }
}
