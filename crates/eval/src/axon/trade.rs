//! What to trade (seed 002 §II.A).
//!
//! To [`material`](super::material) the seed adds "an evaluation of advantages": who is ahead
//! should exchange pieces and keep pawns, who is behind should exchange pawns and keep pieces, because with only
//! pawns left an advantage is realised most simply and without any it may not be realised at all.
//!
//! So the side ahead gets a part of its advantage that grows as pieces (of either side: they leave in pairs) are traded
//! and as its own pawns stay: four are neutral. A side that is ahead by a minor piece at most and has no pawn left keeps
//! only a fraction: a rook does not beat a bishop. Everything is proportional to the advantage, so equality stays equal.

use shakmaty::{Color, Role};

use super::material::value;
use super::perspective::Perspective;
use super::share;
use super::tally::Tally;
use super::weights::Weight;

/// Number of pawns of the side ahead that leaves its advantage unchanged.
const NEUTRAL_PAWNS: i32 = 4;

/// Largest advantage that is hard to win without pawns: a minor piece.
const PAWNLESS_ADVANTAGE: i32 = value(Role::Knight);

/// Counts the trade terms.
#[inline]
pub(super) fn count(white: &Perspective, tally: &mut Tally) {
    let balance = white.own.material() - white.enemy.material();
    let (ahead, side) = if balance >= 0 { (Color::White, &white.own) } else { (Color::Black, &white.enemy) };
    let (advantage, pawns) = (balance.abs(), side.pawns.count() as i32);
    tally.add(ahead, Weight::TradePieces, advantage * share::gone(white.all_pieces()));
    tally.add(ahead, Weight::TradePawns, advantage * (pawns - NEUTRAL_PAWNS));
    if pawns == 0 && advantage <= PAWNLESS_ADVANTAGE {
        tally.add(ahead, Weight::TradePawnless, advantage);
    }
}
