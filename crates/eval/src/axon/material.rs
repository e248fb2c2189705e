//! Material, and what to trade (seed 002 §II.A).
//!
//! Material is Table I: 100, 300, 300, 500, 900. To it the seed adds "an evaluation of advantages": who is ahead
//! should exchange pieces and keep pawns, who is behind should exchange pawns and keep pieces, because with only
//! pawns left an advantage is realised most simply and without any it may not be realised at all.
//!
//! So the side ahead is paid a part of its advantage that grows as pieces leave the board (of either side: they
//! leave in pairs) and as its own pawns stay: four are neutral. A side that is ahead by a minor piece at most and
//! has no pawn left keeps only a fraction: a rook against a bishop is no win. Everything is proportional to the
//! advantage, so equality stays equal.

use shakmaty::{Color, Role};

use super::outlook::{Army, Outlook};
use super::share;
use super::tally::Tally;
use super::weights::Weight;

/// Table I, the column of Axon 2024, in centipawns. Each side has one king, so it is not counted.
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// So many pawns of the side ahead neither help nor harm its advantage.
const NEUTRAL_PAWNS: i32 = 4;

/// The largest advantage that comes to little without pawns: a minor piece.
const PAWNLESS_ADVANTAGE: i32 = value(Role::Knight);

/// What the pieces of a side are worth, pawns aside.
#[inline]
pub(super) fn pieces(army: &Army) -> i32 {
    army.minors().count() as i32 * value(Role::Knight)
        + army.rooks.count() as i32 * value(Role::Rook)
        + army.queens.count() as i32 * value(Role::Queen)
}

/// What all men of a side are worth.
#[inline]
pub(super) fn of(army: &Army) -> i32 {
    army.pieces + army.pawns.count() as i32 * value(Role::Pawn)
}

/// Counts what the material balance gains by what was traded.
#[inline]
pub(super) fn count(white: &Outlook, tally: &mut Tally) {
    let balance = of(&white.own) - of(&white.enemy);
    let (ahead, army) = if balance >= 0 { (Color::White, &white.own) } else { (Color::Black, &white.enemy) };
    let (advantage, pawns) = (balance.abs(), army.pawns.count() as i32);
    tally.add(ahead, Weight::TradePieces, advantage * share::gone(white.all_pieces()));
    tally.add(ahead, Weight::TradePawns, advantage * (pawns - NEUTRAL_PAWNS));
    if pawns == 0 && advantage <= PAWNLESS_ADVANTAGE {
        tally.add(ahead, Weight::TradePawnless, advantage);
    }
}
