//! The principles of the king: Algorithms 9, 15, 19 and 23 of seed 003.

use shakmaty::{Bitboard, Color, File, Square, attacks};

use super::facts::{Facts, east, forward, west};

/// Algorithm 9: one while the right to castle is kept, two when castled.
///
/// The seed asks whether the *last move* castled. A view has no history, and a king should not lose its
/// castle after one move; so the board is asked. A king has castled when it can do so no more, stands on its
/// first rank on one of the three files of a wing, and has no rook of its own shut in between itself and the
/// corner. A king that walked there is as good as one that castled, and both wings are treated alike.
pub(super) fn castling(facts: &Facts<'_>, color: Color) -> i32 {
    const RIGHTS: i32 = 1;
    const CASTLED: i32 = 2;
    if (facts.view.castling & facts.side(color).pieces).any() {
        RIGHTS
    } else if has_castled(facts, color) {
        CASTLED
    } else {
        0
    }
}

fn has_castled(facts: &Facts<'_>, color: Color) -> bool {
    let side = facts.side(color);
    let home = color.backrank();
    let Some(king) = side.king.filter(|king| king.rank() == home) else {
        return false;
    };
    let corner = match king.file() {
        File::A | File::B | File::C => Square::from_coords(File::A, home),
        File::D | File::E => return false,
        File::F | File::G | File::H => Square::from_coords(File::H, home),
    };
    let beyond = attacks::between(king, corner) | corner;
    (beyond & side.pieces & facts.board().rooks()).is_empty()
}

/// Algorithm 15 for the enemy's king. This principle and the next one count the same from two sides, so only the
/// difference of their weights matters to the score.
pub(super) fn enemy_pressure(facts: &Facts<'_>, color: Color) -> i32 {
    *facts.pressure.get(!color)
}

/// Algorithm 15 for one's own king. The count is positive: the weight is what makes it a penalty.
pub(super) fn pressure(facts: &Facts<'_>, color: Color) -> i32 {
    *facts.pressure.get(color)
}

/// Algorithm 19, in quarters: minus the king's steps to the nearest of d4, e4, d5 and e5, minus a quarter for
/// each rank that separates it from the far side.
pub(super) fn centralisation(facts: &Facts<'_>, color: Color) -> i32 {
    facts.side(color).king.map_or(0, |king| {
        let (file, rank) = (king.file() as i32, color.relative_rank(king.rank()) as i32);
        // To the fourth or fifth of eight lines, whichever is nearer.
        let steps = |line: i32| (3 - line).max(line - 4);
        -4 * steps(file).max(steps(rank)) - (7 - rank)
    })
}

/// Algorithm 23: on the three squares in front of the king, one for a pawn of its own and two for a piece.
pub(super) fn shield(facts: &Facts<'_>, color: Color) -> i32 {
    let side = facts.side(color);
    side.king.map_or(0, |king| {
        let front = forward(color, Bitboard::from_square(king));
        let shield = side.pieces & (front | west(front) | east(front));
        2 * shield.count() as i32 - (shield & side.pawns).count() as i32
    })
}
