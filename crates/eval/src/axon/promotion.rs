//! Pawns that will certainly promote (seed 002 §IV and its Fig. 2).
//!
//! In Fig. 2 Black is a rook for two pawns ahead, three pawns of material, and lost: the pawns are connected, on
//! the sixth rank, and Black's king is far. "The difference between material and dynamic evaluation amounts to 7
//! pawns", which no positional part limited to two can show. So this is a part of its own beside the positional
//! one: material that is still to come, counted in full.
//!
//! Two cases are certain enough without a search. Both suppose that the defender is to move, so that whose move
//! it is does not matter to the evaluation:
//!
//! - **a pair on the sixth**: connected passed pawns on the sixth or seventh rank, and the enemy king cannot come
//!   before either of them queens. They beat a rook, and whatever is less; against more pieces the certainty
//!   fades, and a queen stops them.
//! - **an unstoppable pawn**: the opponent has no piece, nothing stands in the pawn's way, and the enemy king is
//!   outside its square.

use shakmaty::{Bitboard, Rank, Role, Square};

use super::material::value;
use super::pawns;
use super::perspective::{Perspective, upward};
use super::share;
use super::tally::Tally;
use super::weights::Weight;

/// First rank on which a connected pair beats a rook.
const SIXTH_AND_SEVENTH: Bitboard =
    Bitboard::from_rank(Rank::Sixth).with_const(Bitboard::from_rank(Rank::Seventh));

/// Pieces worth this much do not stop a pair: a rook.
const BEATEN: i32 = value(Role::Rook);

/// Pieces worth this much do: a queen.
const ENOUGH: i32 = value(Role::Queen);

/// Counts one side's decisive passed pawns.
#[inline]
pub(super) fn count(side: &Perspective, passed: Bitboard, tally: &mut Tally) {
    if side.enemy.pieces >= ENOUGH || passed.is_empty() {
        return;
    }
    let pair = pawns::connected(passed & SIXTH_AND_SEVENTH);
    if pair.any() && pair.into_iter().all(|pawn| outruns_the_king(side, pawn)) {
        let certainty = share::between(-side.enemy.pieces, -ENOUGH, -BEATEN);
        tally.add(side.color, Weight::PairOnSixth, certainty);
    } else if side.enemy.pieces == 0 && passed.into_iter().any(|pawn| is_unstoppable(side, pawn)) {
        tally.add(side.color, Weight::Unstoppable, 1);
    }
}

fn is_unstoppable(side: &Perspective, pawn: Square) -> bool {
    let ahead = upward(Bitboard::from_square(pawn)).without(pawn);
    (ahead & (side.own.occupied | side.enemy.occupied)).is_empty() && outruns_the_king(side, pawn)
}

/// Whether the enemy king, moving first, is too late to catch a pawn that runs.
#[inline]
fn outruns_the_king(side: &Perspective, pawn: Square) -> bool {
    let Some(king) = side.enemy.king_square() else { return false };
    let queens_on = Square::from_coords(pawn.file(), Rank::Eighth);
    king.distance(queens_on) > steps(pawn) + 1
}

/// Moves a pawn needs to promote; from the second rank it starts with two squares at once.
#[inline]
fn steps(pawn: Square) -> u32 {
    let from = pawn.rank().max(Rank::Third);
    Rank::Eighth as u32 - from as u32
}
