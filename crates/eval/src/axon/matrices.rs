//! Centralisation matrices: a number for every kind of piece on every square (seed 002 §III.C).
//!
//! The knight's is Table III to the letter: best on d5 and e5, worst in the corners of its own half, higher on the
//! whole in the opponent's half, "forcing the program to strive for an active game". The others are ours, made by
//! the same rules and to the same scale of about ±64.
//!
//! As centipawns that is too much: a knight from a1 to e5 would be worth more than a pawn. "These local values in
//! the matrix can be normalized": each matrix has a weight in percent ([`super::weights`]), a tenth to a half, so
//! that a knight's best square is worth some twenty centipawns and the positional part keeps within its two pawns.
//!
//! Matrices are printed as White sees the board, rank 8 first. For Black they are "vertically symmetric".

use shakmaty::{Role, Square};

use super::perspective::Perspective;
use super::tally::Tally;
use super::weights::Weight;

/// A number for each square, rank 8 first, file a first.
pub type Matrix = [[i8; 8]; 8];

/// Pawns: the centre forward, not the wings; how far a passed pawn has come counts apart.
pub const PAWN: Matrix = [
    [0, 0, 0, 0, 0, 0, 0, 0],
    [40, 44, 48, 52, 52, 48, 44, 40],
    [24, 28, 36, 44, 44, 36, 28, 24],
    [4, 12, 24, 40, 40, 24, 12, 4],
    [-8, 0, 12, 32, 32, 12, 0, -8],
    [-8, 0, 0, 12, 12, 0, 0, -8],
    [-8, 0, -4, -24, -24, -4, 0, -8],
    [0, 0, 0, 0, 0, 0, 0, 0],
];

/// Table III.
pub const KNIGHT: Matrix = [
    [-16, -8, -4, 0, 0, -4, -8, -16],
    [8, 16, 32, 32, 32, 32, 16, 8],
    [24, 40, 56, 62, 62, 56, 40, 24],
    [32, 48, 60, 64, 64, 60, 48, 32],
    [16, 32, 56, 60, 60, 56, 32, 16],
    [-8, 8, 24, 20, 20, 24, 8, -8],
    [-20, -16, -8, 16, 16, -8, -16, -20],
    [-48, -32, -24, -16, -16, -24, -32, -48],
];

/// Bishops: off the edge, on long diagonals.
pub const BISHOP: Matrix = [
    [-16, -12, -8, -8, -8, -8, -12, -16],
    [-4, 8, 12, 16, 16, 12, 8, -4],
    [8, 24, 36, 40, 40, 36, 24, 8],
    [12, 36, 44, 52, 52, 44, 36, 12],
    [8, 28, 48, 48, 48, 48, 28, 8],
    [4, 28, 24, 32, 32, 24, 28, 4],
    [-4, 32, 16, 20, 20, 16, 32, -4],
    [-40, -24, -28, -16, -16, -28, -24, -40],
];

/// Rooks: the seventh rank; at home, the middle files.
pub const ROOK: Matrix = [
    [24, 28, 32, 36, 36, 32, 28, 24],
    [44, 48, 52, 56, 56, 52, 48, 44],
    [12, 20, 28, 32, 32, 28, 20, 12],
    [0, 8, 12, 16, 16, 12, 8, 0],
    [-12, -4, 0, 8, 8, 0, -4, -12],
    [-24, -12, -8, 0, 0, -8, -12, -24],
    [-32, -20, -8, -4, -4, -8, -20, -32],
    [-16, -8, 4, 16, 16, 4, -8, -16],
];

/// Queens: anywhere but the corners, rather forward.
pub const QUEEN: Matrix = [
    [-8, 0, 8, 12, 12, 8, 0, -8],
    [0, 16, 28, 36, 36, 28, 16, 0],
    [8, 24, 40, 52, 52, 40, 24, 8],
    [12, 32, 48, 60, 60, 48, 32, 12],
    [4, 20, 36, 48, 48, 36, 20, 4],
    [-8, 8, 20, 20, 20, 20, 8, -8],
    [-20, -4, 8, 8, 8, 8, -4, -20],
    [-36, -28, -16, -4, -4, -16, -28, -36],
];

/// Kings, once the pieces are gone.
pub const KING: Matrix = [
    [-40, -24, -12, -4, -4, -12, -24, -40],
    [-16, 8, 24, 32, 32, 24, 8, -16],
    [-4, 24, 44, 56, 56, 44, 24, -4],
    [0, 28, 52, 64, 64, 52, 28, 0],
    [-8, 20, 44, 60, 60, 44, 20, -8],
    [-20, 4, 24, 36, 36, 24, 4, -20],
    [-36, -16, 0, 8, 8, 0, -16, -36],
    [-64, -44, -32, -24, -24, -32, -44, -64],
];

pub const fn matrix(role: Role) -> &'static Matrix {
    match role {
        Role::Pawn => &PAWN,
        Role::Knight => &KNIGHT,
        Role::Bishop => &BISHOP,
        Role::Rook => &ROOK,
        Role::Queen => &QUEEN,
        Role::King => &KING,
    }
}

/// The matrix entry of a piece that plays up the board; flip Black's squares first.
#[inline]
pub const fn of(role: Role, square: Square) -> i32 {
    matrix(role)[7 - square.rank() as usize][square.file() as usize] as i32
}

/// The weight of a kind's matrix; the king's counts by the stage of the game.
pub const fn weight(role: Role) -> Weight {
    match role {
        Role::Pawn => Weight::PawnMatrix,
        Role::Knight => Weight::KnightMatrix,
        Role::Bishop => Weight::BishopMatrix,
        Role::Rook => Weight::RookMatrix,
        Role::Queen => Weight::QueenMatrix,
        Role::King => Weight::KingCentralization,
    }
}

/// Counts the piece-square values of one side's pieces, without its king.
#[inline]
pub(super) fn count(side: &Perspective, tally: &mut Tally) {
    let own = &side.own;
    for (role, pieces) in [
        (Role::Pawn, own.pawns),
        (Role::Knight, own.knights),
        (Role::Bishop, own.bishops),
        (Role::Rook, own.rooks),
        (Role::Queen, own.queens),
    ] {
        let points = pieces.into_iter().map(|square| of(role, square)).sum();
        tally.add(side.color, weight(role), points);
    }
}
