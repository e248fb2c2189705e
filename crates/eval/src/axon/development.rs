//! The opening plan (seed 002 §III.D): centre pawns, minor pieces, castling, rooks on files that matter, and the
//! queen last.
//!
//! What is a matter of the opening fades as pieces leave the board. Castling is counted with the king's safety
//! ([`super::king`]); rooks look for open files at any stage.

use shakmaty::{Bitboard, Rank};

use super::outlook::{Outlook, files};
use super::share;
use super::tally::Tally;
use super::weights::Weight;

/// A queen on her first two ranks is not out yet.
const HOME: Bitboard = Bitboard::from_rank(Rank::First).with_const(Bitboard::from_rank(Rank::Second));

/// Counts one side's development.
#[inline]
pub(super) fn count(side: &Outlook, tally: &mut Tally) {
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
