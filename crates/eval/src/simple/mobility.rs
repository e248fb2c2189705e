//! How many moves each side has.
//!
//! The side to move has its legal moves. The other side is counted as if it had the move: the same board, the
//! turn passed on, nothing to capture en passant. When the side to move is in check the turn cannot be passed
//! (the other side could take the king), so there the other side's pseudo-legal moves are counted instead: every
//! square its pieces can go to, whether or not that exposes its king, castling left out. A promotion counts once
//! for each piece it can make, as move lists do.

use shakmaty::{
    Bitboard, Board, ByColor, CastlingMode, Chess, Color, FromSetup, Position, PositionError, Rank, Setup,
    attacks,
};

use crate::view::View;

/// Ways to promote one pawn by one step: queen, rook, bishop, knight.
const PROMOTIONS: usize = 4;

/// Moves of White and of Black.
pub fn of(view: View<'_>) -> ByColor<usize> {
    ByColor::new_with(|color| {
        legal_moves(view, color).unwrap_or_else(|| pseudo_legal_moves(view.board, color))
    })
}

/// Legal moves of a side if it may have the turn.
fn legal_moves(view: View<'_>, color: Color) -> Option<usize> {
    let setup = Setup {
        board: view.board.clone(),
        turn: color,
        castling_rights: view.castling,
        ep_square: view.en_passant.filter(|_| view.turn == color),
        ..Setup::empty()
    };
    // Chess960 reads castling rights as rook squares, and so reads the standard ones too.
    Chess::from_setup(setup, CastlingMode::Chess960)
        .or_else(PositionError::ignore_too_much_material)
        .or_else(PositionError::ignore_impossible_check)
        .ok()
        .map(|position| position.legal_moves().len())
}

/// Where the pieces of a side can go if nobody looks after its king.
fn pseudo_legal_moves(board: &Board, color: Color) -> usize {
    let own = board.by_color(color);
    let pieces = (own & !board.pawns()).into_iter().map(|from| (board.attacks_from(from) & !own).count());
    let pawns = (own & board.pawns()).into_iter().map(|from| {
        let captures = attacks::pawn_attacks(color, from) & board.by_color(!color);
        let targets = captures | pushes(board, color, Bitboard::from_square(from));
        let last_rank = color.fold_wb(Rank::Eighth, Rank::First);
        if targets.any() && targets.is_subset(Bitboard::from(last_rank)) {
            targets.count() * PROMOTIONS
        } else {
            targets.count()
        }
    });
    pieces.sum::<usize>() + pawns.sum::<usize>()
}

fn pushes(board: &Board, color: Color, pawn: Bitboard) -> Bitboard {
    let empty = !board.occupied();
    let step = |squares: Bitboard| color.fold_wb(squares.shift(8), squares.shift(-8)) & empty;
    let single = step(pawn);
    let double_rank = color.fold_wb(Rank::Fourth, Rank::Fifth);
    single | (step(single) & Bitboard::from(double_rank))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;

    fn moves(fen: &str) -> (usize, usize) {
        let position = testing::position(fen);
        let count = of(View::from(&position));
        (count.white, count.black)
    }

    #[test]
    fn both_sides_are_counted_whoever_moves() {
        assert_eq!(moves("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"), (20, 20));
        assert_eq!(moves("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"), (30, 20));
    }

    #[test]
    fn en_passant_counts_for_the_side_to_move_only() {
        // White's king has 5 moves, its pawn the push and the capture; Black's king 5, its pawn the push.
        assert_eq!(moves("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), (7, 6));
    }

    #[test]
    fn castling_counts_for_both() {
        // Rook: 2 along the rank, 7 up the file; king: 5, and castling.
        assert_eq!(moves("4k3/8/8/8/8/8/8/4K2R b K - 0 1"), (2 + 7 + 5 + 1, 5));
    }

    #[test]
    fn the_checking_side_has_its_pseudo_legal_moves() {
        // Black's king has 4 squares off the e-file. White's rook has 7 up the file, the king's square included,
        // and 6 along the rank; White's king 3.
        assert_eq!(moves("4k3/8/8/8/8/8/8/K3R3 b - - 0 1"), (7 + 6 + 3, 4));
    }

    #[test]
    fn a_promotion_counts_four_times() {
        // The same white pawn, counted by legal moves and, while Black is in check, by pseudo-legal ones.
        assert_eq!(moves("8/4P3/8/8/k7/8/8/K7 w - - 0 1").0, 4 + 3);
        assert_eq!(moves("8/4P3/8/8/k7/8/8/K6R w - - 0 1").0, 4 + 3 + 13);
        assert_eq!(moves("7k/4P3/8/8/8/8/8/K6R b - - 0 1").0, 4 + 3 + 13);
    }

    proptest! {
        #[test]
        fn the_side_to_move_has_its_legal_moves(seed: u64) {
            let position = testing::random_position(seed);
            prop_assert_eq!(*of(View::from(&position)).get(position.turn()), position.legal_moves().len());
        }

        #[test]
        fn pseudo_legal_moves_are_at_least_the_legal_ones(seed: u64) {
            let position = testing::without_castling(&testing::random_position(seed));
            let legal = position.legal_moves();
            let without_en_passant = legal.iter().filter(|m| !m.is_en_passant()).count();
            prop_assert!(pseudo_legal_moves(position.board(), position.turn()) >= without_en_passant);
        }
    }
}
