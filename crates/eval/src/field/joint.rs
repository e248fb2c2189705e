//! Precomputed sums of rows that always occur together, so that one addition replaces two or three.
//!
//! They are stored behind the rows of single features, in one array.

use super::groups;
use super::hidden_layer::{Row, all};
use super::side::KING;
use super::sink::PlacedPiece;
use super::weights::MgEg;

/// A piece's material and piece-square values: own king zones × enemy king zones × kings on the same wing or not ×
/// kinds of pieces × squares.
const PIECES: usize = groups::INPUTS;
const PIECES_EACH: usize = 6 * 64;
const ZONES: usize = 4;
/// Unguarded or guarded by a pawn × knight, bishop, rook, queen × distances to both kings.
const NEAR: usize = PIECES + ZONES * ZONES * 2 * PIECES_EACH;
const NEAR_EACH: usize = 4 * 8 * 8;
/// Knight, bishop, rook, queen × number of own pawns × reachable squares.
const MOBILITY: usize = NEAR + 2 * NEAR_EACH;
/// Largest mobility of a piece, plus one for zero.
const REACH: usize = 28;

pub const ROWS: usize = MOBILITY + 4 * 9 * REACH;

/// The rows of the features, followed by the precomputed sums.
#[allow(clippy::unnecessary_box_returns, reason = "they are too many for the stack")]
pub(super) fn rows(features: &[Row; groups::INPUTS], linear: &[MgEg]) -> Box<[Row; ROWS]> {
    let sum = |parts: &[usize]| {
        let mut sum = Row::default();
        for feature in parts {
            sum += features[*feature];
        }
        sum
    };
    let piece_row = |index: usize| {
        let (piece, views) = (index % PIECES_EACH, index / PIECES_EACH);
        let (mirror, enemy_zone, own_zone) = (7 * (views % 2), views / 2 % ZONES, views / 2 / ZONES);
        let (placement, role) = (groups::OWN_KING_PST + piece, piece / 64);
        if role == KING {
            return sum(&[placement]);
        }
        let mut row = sum(&[placement, groups::MATERIAL + role, groups::ENEMY_KING_PST + (piece ^ mirror)]);
        row.value += linear[groups::OWN_KING_PST_BY_ZONE + own_zone * 5 * 64 + piece];
        row.value += linear[groups::ENEMY_KING_PST_BY_ZONE + enemy_zone * 5 * 64 + (piece ^ mirror)];
        row
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
        // No knight reaches nine squares; that row is never used.
        sum(&[groups::MOBILITY[piece] + squares, groups::WITH_PAWNS + piece * 9 + pawns])
    };
    all(|index| match index {
        MOBILITY.. => mobility_row(index - MOBILITY),
        NEAR.. => near_row(index - NEAR),
        PIECES.. => piece_row(index - PIECES),
        feature => features[feature],
    })
}

/// Index of a piece on a square relative to both kings; the two views are equal or mirrored.
#[inline(always)]
pub(super) const fn piece(piece: PlacedPiece) -> usize {
    let views =
        (piece.own_zone * ZONES + piece.enemy_zone) * 2 + (piece.own_view != piece.enemy_view) as usize;
    PIECES + views * PIECES_EACH + piece.role * 64 + piece.own_view
}

/// Index of a knight, bishop, rook or queen (0 to 3) at these distances from both kings, guarded by a pawn or not.
#[inline(always)]
pub(super) const fn near(piece: usize, own_king: usize, enemy_king: usize, guarded: bool) -> usize {
    NEAR + guarded as usize * NEAR_EACH + piece * 64 + own_king * 8 + enemy_king
}

/// Index of a knight, bishop, rook or queen (0 to 3) with this number of reachable squares and of own pawns.
#[inline(always)]
pub(super) const fn mobility(piece: usize, squares: usize, pawns: usize) -> usize {
    MOBILITY + (piece * 9 + pawns) * REACH + squares
}
