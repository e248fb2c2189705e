//! Algorithm 8 of seed 003: legal moves to squares that the enemy attacks no more often than the own side defends them.
//!
//! The seed counts the legal moves of the side to move only; here both sides are counted, the other one as if
//! it had the move (its en passant capture aside). A move list is never made: legality is worked out on sets
//! of squares, and a property test holds the count against shakmaty's move list. As in a move list, a
//! promotion counts once for each piece it can make.
//!
//! Attackers and defenders are those of the board as it stands, before the move, the moving piece among them:
//! what a move would uncover is not seen. A king's legal move always counts, since nobody attacks its square.

use shakmaty::{Bitboard, Board, Color, File, Rank, Square, attacks};

use super::facts::{Facts, Side, each_attack, forward, pawn_attacks};

/// Ways to promote beside the first: four pieces to choose from.
const FURTHER_PROMOTIONS: usize = 3;

/// Moves of a side that Algorithm 8 counts.
pub(super) fn safe_moves(facts: &Facts<'_>, color: Color) -> i32 {
    let (side, enemy) = (facts.side(color), facts.side(!color));
    count_moves(facts, color, enemy.attackers.at_most(&side.attackers)) as i32
}

/// Legal moves of a side to given squares. Kings go wherever it is legal.
fn count_moves(facts: &Facts<'_>, color: Color, allowed: Bitboard) -> usize {
    let (board, side, enemy) = (facts.board(), facts.side(color), facts.side(!color));
    let restraint = Restraint::of(board, color, side, enemy);
    let king_moves = king_moves(board, side, enemy, restraint.checkers);
    if restraint.checkers.more_than_one() {
        return king_moves;
    }
    let no_king = Bitboard::from_iter(enemy.king);
    let targets = allowed & restraint.answers & !side.pieces & !no_king;
    let mut moves =
        king_moves + en_passants(facts, color, allowed) + castlings(facts, color, restraint.checkers);
    moves += side.minor_and_major_attackers.sum_on(targets);
    each_attack(board, side.minors_and_majors & restraint.pinned, |from, attacked| {
        moves -= (attacked & targets & !restraint.line(from)).count();
    });
    let captures = targets & enemy.pieces;
    let pushes = allowed & restraint.answers;
    moves += pawn_moves(board, color, side.pawns & !restraint.pinned, captures, pushes);
    for pawn in side.pawns & restraint.pinned {
        let line = restraint.line(pawn);
        moves += pawn_moves(board, color, Bitboard::from_square(pawn), captures & line, pushes & line);
    }
    moves
}

/// What restricts a side's moves.
struct Restraint {
    king: Option<Square>,
    /// Enemy pieces that give check.
    checkers: Bitboard,
    /// Squares that answer the check; all squares without a check.
    answers: Bitboard,
    /// Pinned pieces.
    pinned: Bitboard,
}

impl Restraint {
    fn of(board: &Board, color: Color, side: &Side, enemy: &Side) -> Restraint {
        let (mut checkers, mut answers, mut pinned) = (Bitboard::EMPTY, Bitboard::FULL, Bitboard::EMPTY);
        if let Some(king) = side.king {
            if enemy.attacked.contains(king) {
                checkers = board.attacks_to(king, !color, board.occupied());
                answers =
                    checkers.into_iter().fold(checkers, |squares, by| squares | attacks::between(king, by));
            }
            let straight = attacks::rook_attacks(king, enemy.pieces) & board.rooks_and_queens();
            let diagonal = attacks::bishop_attacks(king, enemy.pieces) & board.bishops_and_queens();
            for sniper in (straight | diagonal) & enemy.pieces {
                let between = attacks::between(king, sniper) & side.pieces;
                if !between.more_than_one() {
                    pinned |= between;
                }
            }
        }
        Restraint { king: side.king, checkers, answers, pinned }
    }

    /// Squares a pinned piece may go to.
    #[inline]
    fn line(&self, from: Square) -> Bitboard {
        match self.king {
            Some(king) if self.pinned.contains(from) => attacks::ray(king, from),
            _ => Bitboard::FULL,
        }
    }
}

fn king_moves(board: &Board, side: &Side, enemy: &Side, checkers: Bitboard) -> usize {
    let Some(king) = side.king else { return 0 };
    let mut targets = attacks::king_attacks(king) & !side.pieces & !enemy.attacked;
    // A king does not escape along the line it is attacked on: x-ray through the king.
    for checker in checkers & board.sliders() {
        targets &= !attacks::ray(king, checker) | checker;
    }
    targets.count()
}

fn pawn_moves(board: &Board, color: Color, pawns: Bitboard, captures: Bitboard, pushes: Bitboard) -> usize {
    let (empty, last_rank) = (!board.occupied(), Bitboard::from((!color).backrank()));
    let with_promotions = |to: Bitboard| to.count() + FURTHER_PROMOTIONS * (to & last_rank).count();
    let single = forward(color, pawns) & empty;
    let third_rank = color.fold_wb(Rank::Third, Rank::Sixth);
    let double = forward(color, single & third_rank) & empty;
    let [left, right] = pawn_attacks(color, pawns);
    with_promotions(single & pushes)
        + (double & pushes).count()
        + with_promotions(left & captures)
        + with_promotions(right & captures)
}

/// Captures en passant: two pawns leave one rank at once, so each is tried on the board it would leave.
fn en_passants(facts: &Facts<'_>, color: Color, allowed: Bitboard) -> usize {
    let Some(target) = facts.view.en_passant.filter(|_| facts.view.turn == color) else { return 0 };
    if !allowed.contains(target) {
        return 0;
    }
    let (board, side) = (facts.board(), facts.side(color));
    let captured = forward(!color, Bitboard::from_square(target));
    let keeps_the_king = |from: &Square| {
        let occupied = (board.occupied() & !captured & !Bitboard::from_square(*from)) | target;
        side.king.is_none_or(|king| (board.attacks_to(king, !color, occupied) & !captured).is_empty())
    };
    let capturers = attacks::pawn_attacks(!color, target) & side.pawns;
    capturers.into_iter().filter(keeps_the_king).count()
}

fn castlings(facts: &Facts<'_>, color: Color, checkers: Bitboard) -> usize {
    let side = facts.side(color);
    let rooks = facts.view.castling & side.pieces;
    match side.king {
        Some(king) if checkers.is_empty() => {
            rooks.into_iter().filter(|&rook| may_castle(facts, color, king, rook)).count()
        }
        _ => 0,
    }
}

/// Whether king and rook may change places, wherever they started (Chess960 included).
fn may_castle(facts: &Facts<'_>, color: Color, king: Square, rook: Square) -> bool {
    let (board, home) = (facts.board(), color.backrank());
    let (king_file, rook_file) = if rook > king { (File::G, File::F) } else { (File::C, File::D) };
    let (king_to, rook_to) = (Square::from_coords(king_file, home), Square::from_coords(rook_file, home));
    let others = board.occupied() & !Bitboard::from_iter([king, rook]);
    let kings_way = attacks::between(king, king_to) | king_to;
    let rooks_way = attacks::between(rook, rook_to) | rook_to;
    ((kings_way | rooks_way) & others).is_empty()
        && (kings_way & facts.side(!color).attacked).is_empty()
        && board.attacks_to(king_to, !color, others | king_to | rook_to).is_empty()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use crate::view::View;
    use proptest::prelude::*;
    use shakmaty::{Chess, Position};

    fn legal_moves(position: &Chess, color: Color) -> usize {
        count_moves(&Facts::of(View::from(position)), color, Bitboard::FULL)
    }

    #[test]
    fn castling_in_chess960_is_counted_as_the_rules_have_it() {
        for fen in [
            // The rook shields its king from the rook in the corner: no castling to that side.
            "4k3/8/8/8/8/8/8/rRK4R w HB - 0 1",
            "4k3/8/8/8/8/8/8/1RK4R w HB - 0 1",
            "4k3/8/8/8/8/8/8/RK5R w HA - 0 1",
            "4k3/8/8/8/8/8/8/1R4KR w HB - 0 1",
            "4k3/8/8/8/4r3/8/8/1R3K1R w HB - 0 1",
        ] {
            let position = testing::position(fen);
            assert_eq!(legal_moves(&position, Color::White), position.legal_moves().len(), "{fen}");
        }
    }

    #[test]
    fn an_en_passant_capture_that_bares_the_king_is_none() {
        for fen in [
            "8/8/8/K2Pp2r/8/8/8/4k3 w - e6 0 1",
            "8/8/8/K2PpP1r/8/8/8/4k3 w - e6 0 1",
            "8/8/2b5/3Pp3/4K3/8/8/4k3 w - e6 0 1",
            "4k3/8/8/3PpP2/5K2/8/8/8 w - e6 0 1",
        ] {
            let position = testing::position(fen);
            assert_eq!(legal_moves(&position, Color::White), position.legal_moves().len(), "{fen}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn all_moves_counted_are_the_legal_moves(seed: u64) {
            let position = testing::random_position(seed);
            prop_assert_eq!(legal_moves(&position, position.turn()), position.legal_moves().len());
            if let Ok(passed) = position.clone().swap_turn() {
                prop_assert_eq!(legal_moves(&position, passed.turn()), passed.legal_moves().len());
            }
        }
    }
}
