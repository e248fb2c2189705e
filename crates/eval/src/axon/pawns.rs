//! Pawn structure (seed 002 §IV): passed pawns, and doubled, tripled and isolated ones, and islands.
//!
//! The seed's "promotional" pawn is the passed pawn: no enemy pawn before it on its own file or beside it, and no
//! pawn of its own before it. Its "power grows exponentially as the distance decreases": it counts 1 on the second
//! rank, 2 on the third, and so on to 32 on the seventh. Beside another passed pawn within a rank of it, it is
//! connected and counts once more; behind an enemy piece it is blocked and counts less; and as pieces leave the
//! board it counts more still, and so does how near the kings are: "the importance of the pawn structure
//! increases as the number of pieces decreases".
//!
//! This is the positional side of it, held within the positional limit. A pawn that is as good as a queen is no
//! positional matter any more: [`super::promotion`].

use shakmaty::{Bitboard, Square};

use super::perspective::{Perspective, beside, down, downward, files, up, upward};
use super::share;
use super::tally::Tally;
use super::weights::Weight;

/// Power of a passed pawn by rank: doubles with each rank, 1 on the second.
#[inline]
const fn growth(square: Square) -> i32 {
    1 << (square.rank() as i32 - 1)
}

/// A side's passed pawns.
#[inline]
pub(super) fn passed(side: &Perspective) -> Bitboard {
    let (own, enemy) = (side.own.pawns, side.enemy.pawns);
    let stopped = downward(down(enemy | beside(enemy))) | downward(down(own));
    own & !stopped
}

/// Passed pawns with a passed pawn on a file beside them, at most a rank away.
#[inline]
pub(super) fn connected(passed: Bitboard) -> Bitboard {
    passed & beside(passed | up(passed) | down(passed))
}

/// Counts the features of one side's pawns; `passed` are its passed pawns.
#[inline]
pub(super) fn count(side: &Perspective, passed: Bitboard, tally: &mut Tally) {
    let gone = share::gone(side.all_pieces());
    count_passed(side, passed, gone, tally);
    count_weak(side, gone, tally);
}

#[inline]
fn count_passed(side: &Perspective, passed: Bitboard, gone: i32, tally: &mut Tally) {
    let color = side.color;
    let connected = connected(passed);
    let blocked = passed & down(side.enemy.occupied);
    let (mut all, mut together, mut held, mut nearer) = (0, 0, 0, 0);
    for pawn in passed {
        let growth = growth(pawn);
        all += growth;
        together += growth * i32::from(connected.contains(pawn));
        held += growth * i32::from(blocked.contains(pawn));
        nearer += growth * lead(side, pawn);
    }
    tally.add(color, Weight::PassedPawn, all);
    tally.add(color, Weight::PassedEndgame, all * gone);
    tally.add(color, Weight::PassedConnected, together);
    tally.add(color, Weight::PassedBlocked, held);
    tally.add(color, Weight::PassedKings, nearer * gone);
}

/// How many steps nearer the own king is to the square in front of a pawn than the enemy king.
#[inline]
fn lead(side: &Perspective, pawn: Square) -> i32 {
    let (Some(own), Some(enemy), Some(next)) =
        (side.own.king_square(), side.enemy.king_square(), pawn.offset(8))
    else {
        return 0;
    };
    enemy.distance(next) as i32 - own.distance(next) as i32
}

#[inline]
fn count_weak(side: &Perspective, gone: i32, tally: &mut Tally) {
    let (color, pawns) = (side.color, side.own.pawns);
    let behind_one = pawns & downward(down(pawns));
    let behind_two = behind_one & downward(down(behind_one));
    let tripled = behind_two.count() as i32;
    let doubled = behind_one.count() as i32 - tripled;
    let isolated = (pawns & !beside(files(pawns))).count() as i32;
    tally.add(color, Weight::Doubled, doubled);
    tally.add(color, Weight::Tripled, tripled);
    tally.add(color, Weight::Isolated, isolated);
    tally.add(color, Weight::Islands, islands(pawns));
    tally.add(color, Weight::WeakEndgame, (doubled + tripled + isolated) * gone);
}

/// Groups of neighbouring files that have pawns.
#[inline]
fn islands(pawns: Bitboard) -> i32 {
    let taken = upward(pawns).0 >> 56;
    (taken & !(taken << 1)).count_ones() as i32
}
