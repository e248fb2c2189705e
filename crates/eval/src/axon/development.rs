//! Development (seed 002 §III.D): centre pawns, minor pieces, castling, rooks on open files, and the queen last.
//!
//! Opening features fade as pieces leave the board. Castling is counted with king safety ([`super::king`]); rooks on
//! open files count at any stage.

use shakmaty::{Bitboard, Rank};

use super::perspective::{Perspective, files};
use super::share;
use super::tally::Tally;
use super::weights::Weight;

/// A queen on its first two ranks is not developed.
const HOME: Bitboard = Bitboard::from_rank(Rank::First).with_const(Bitboard::from_rank(Rank::Second));

#[inline]
pub(super) fn count(side: &Perspective, tally: &mut Tally) {
    let (color, own) = (side.color, &side.own);
    let opening = share::opening(side.all_pieces());
    if opening > 0 {
        let in_center = (own.pawns & Bitboard::CENTER).count() as i32;
        let at_home = (own.minors() & Bitboard::from_rank(Rank::First)).count() as i32;
        tally.add(color, Weight::CenterPawns, in_center * opening);
        tally.add(color, Weight::MinorsAtHome, at_home * opening);
        if (own.queens & !HOME).any() {
            tally.add(color, Weight::EarlyQueen, at_home * opening);
        }
    }
    let without_own_pawns = own.rooks & !files(own.pawns);
    let open = without_own_pawns & !files(side.enemy.pawns);
    tally.add(color, Weight::RookOpenFile, open.count() as i32);
    tally.add(color, Weight::RookHalfOpenFile, (without_own_pawns & !open).count() as i32);
}
