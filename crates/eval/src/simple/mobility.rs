//! How many moves each side has.
//!
//! The side to move has its legal moves. The other side is counted as if it had the move: the same board, the
//! turn passed on, nothing to capture en passant. When the side to move is in check the turn cannot be passed
//! (the other side could take the king), so there the other side's pseudo-legal moves are counted instead: every
//! square its pieces can go to, whether or not that exposes its king, castling left out. A promotion counts once
//! for each piece it can make, as move lists do.
//!
//! Moves are counted, not listed: the squares that the pieces reach, within what pins and checks leave open. That
//! is several times quicker than listing them twice, and a property test holds it equal to shakmaty's lists.

use shakmaty::{Bitboard, Board, ByColor, CastlingSide, Color, File, Rank, Square, attacks};

use crate::view::View;

/// Ways to promote one pawn by one step: queen, rook, bishop, knight.
const PROMOTIONS: usize = 4;

/// Moves of White and of Black.
pub fn of(view: View<'_>) -> ByColor<usize> {
    let (board, turn) = (view.board, view.turn);
    let kings = ByColor::new_with(|color| board.king_of(color));
    let (Some(king), Some(other_king)) = (*kings.get(turn), *kings.get(!turn)) else {
        return ByColor::new_with(|color| reached(board, color, &Bounds::NONE).moves);
    };

    let checkers = board.attacks_to(king, !turn, board.occupied());
    let other_bounds = if checkers.any() { Bounds::NONE } else { Bounds::of(board, !turn, other_king) };
    let own = reached(board, turn, &Bounds::of(board, turn, king).answering(checkers));
    let other = reached(board, !turn, &other_bounds);

    let mut moves = ByColor::new_with(|color| if color == turn { own.moves } else { other.moves });
    *moves.get_mut(turn) +=
        king_moves(board, turn, king, other.attacked | behind_king(board, king, checkers));
    if let Some(to) = view.en_passant {
        *moves.get_mut(turn) += en_passant_moves(board, turn, king, to);
    }
    if checkers.is_empty() {
        *moves.get_mut(turn) += castling_moves(view, turn, king, other.attacked);
        *moves.get_mut(!turn) += king_moves(board, !turn, other_king, own.attacked);
        *moves.get_mut(!turn) += castling_moves(view, !turn, other_king, own.attacked);
    } else {
        *moves.get_mut(!turn) += king_moves(board, !turn, other_king, Bitboard::EMPTY);
    }
    moves
}

/// What keeps a side's pieces, the king aside, from going wherever they reach.
struct Bounds {
    /// Pieces that must stay on a line with their king.
    pinned: Bitboard,
    /// The king they guard.
    king: Square,
    /// Where a move must end: anywhere, or where it answers a check.
    targets: Bitboard,
}

impl Bounds {
    /// Without restrictions by pins and checks.
    const NONE: Bounds = Bounds { pinned: Bitboard::EMPTY, king: Square::A1, targets: Bitboard::FULL };

    /// Pieces that alone stand between the king and an enemy that would reach it are pinned.
    fn of(board: &Board, color: Color, king: Square) -> Bounds {
        let snipers = board.by_color(!color)
            & ((attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens())
                | (attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens()));
        let mut pinned = Bitboard::EMPTY;
        for sniper in snipers {
            let between = attacks::between(king, sniper) & board.occupied();
            if !between.more_than_one() {
                pinned |= between & board.by_color(color);
            }
        }
        Bounds { pinned, king, targets: Bitboard::FULL }
    }

    /// One checker must be taken or stopped; two leave the king alone to move.
    fn answering(self, checkers: Bitboard) -> Bounds {
        let targets = match checkers.single_square() {
            Some(checker) => attacks::between(self.king, checker).with(checker),
            None if checkers.is_empty() => Bitboard::FULL,
            None => Bitboard::EMPTY,
        };
        Bounds { targets, ..self }
    }

    /// Where a piece may go of all it reaches.
    #[inline]
    fn open(&self, from: Square, reached: Bitboard) -> Bitboard {
        let open = reached & self.targets;
        if self.pinned.contains(from) { open & attacks::ray(self.king, from) } else { open }
    }
}

/// What a side's pieces make of the board.
struct Reached {
    /// Moves of all but the king, en passant left out.
    moves: usize,
    /// Squares where an enemy king would be in check, the king's neighbours among them.
    attacked: Bitboard,
}

fn reached(board: &Board, color: Color, bounds: &Bounds) -> Reached {
    let (own, occupied) = (board.by_color(color), board.occupied());
    let pawns = own & board.pawns();
    let mut moves = pawn_moves(board, color, pawns & !bounds.pinned, bounds.targets);
    for from in pawns & bounds.pinned {
        moves += pawn_moves(board, color, Bitboard::from_square(from), bounds.open(from, Bitboard::FULL));
    }
    let (left, right) = pawn_attacks(color, pawns);
    let mut attacked = left | right;
    for from in own & board.kings() {
        attacked |= attacks::king_attacks(from);
    }
    let mut piece = |from: Square, reached: Bitboard| {
        attacked |= reached;
        moves += bounds.open(from, reached & !own).count();
    };
    for from in own & board.knights() {
        piece(from, attacks::knight_attacks(from));
    }
    for from in own & board.bishops_and_queens() {
        piece(from, attacks::bishop_attacks(from, occupied));
    }
    for from in own & board.rooks_and_queens() {
        piece(from, attacks::rook_attacks(from, occupied));
    }
    Reached { moves, attacked }
}

/// Pushes and captures of some pawns that end on the targets.
fn pawn_moves(board: &Board, color: Color, pawns: Bitboard, targets: Bitboard) -> usize {
    let empty = !board.occupied();
    let step = |squares: Bitboard| squares.shift(color.fold_wb(8, -8)) & empty;
    let single = step(pawns);
    let double = step(single) & Bitboard::from_rank(color.fold_wb(Rank::Fourth, Rank::Fifth));
    let (left, right) = pawn_attacks(color, pawns);
    let enemy = board.by_color(!color);
    // No two moves of one of these sets end on the same square, so squares are moves.
    let steps = [single & targets, left & enemy & targets, right & enemy & targets];
    let moves: usize = steps.into_iter().map(Bitboard::count).sum();
    let promoting: usize = steps.into_iter().map(|to| (to & Bitboard::BACKRANKS).count()).sum();
    moves + promoting * (PROMOTIONS - 1) + (double & targets).count()
}

/// Squares attacked towards the a-file and towards the h-file.
fn pawn_attacks(color: Color, pawns: Bitboard) -> (Bitboard, Bitboard) {
    let ahead = pawns.shift(color.fold_wb(8, -8));
    let (a_file, h_file) = (Bitboard::from_file(File::A), Bitboard::from_file(File::H));
    ((ahead & !a_file).shift(-1), (ahead & !h_file).shift(1))
}

fn king_moves(board: &Board, color: Color, king: Square, attacked: Bitboard) -> usize {
    (attacks::king_attacks(king) & !board.by_color(color) & !attacked).count()
}

/// Squares that a king in check hides from the pieces that attack it along a line; going there is no escape.
fn behind_king(board: &Board, king: Square, checkers: Bitboard) -> Bitboard {
    let lines =
        (checkers & board.sliders()).into_iter().map(|checker| attacks::ray(checker, king).without(checker));
    lines.fold(Bitboard::EMPTY, |all, line| all | line)
}

/// Pawns that may capture en passant: two leave the fifth rank at once, so each is tried on the board it makes.
fn en_passant_moves(board: &Board, color: Color, king: Square, to: Square) -> usize {
    let captured = Square::from_coords(to.file(), color.fold_wb(Rank::Fifth, Rank::Fourth));
    let pawns = attacks::pawn_attacks(!color, to) & board.pawns() & board.by_color(color);
    let is_safe = |from: &Square| {
        let occupied = board.occupied().without(*from).without(captured).with(to);
        board.attacks_to(king, !color, occupied).without(captured).is_empty()
    };
    pawns.into_iter().filter(is_safe).count()
}

/// Ways to castle for a side that is not in check.
fn castling_moves(view: View<'_>, color: Color, king: Square, attacked: Bitboard) -> usize {
    let may = |rook: &Square| {
        let side = CastlingSide::from_king_side(rook.file() > king.file());
        let (king_to, rook_to) = (side.king_to(color), side.rook_to(color));
        let occupied = view.board.occupied().without(king).without(*rook);
        let king_path = attacks::between(king, king_to).with(king_to);
        let path = king_path | attacks::between(*rook, rook_to).with(rook_to);
        (path & occupied).is_empty()
            && (attacks::between(king, king_to) & attacked).is_empty()
            && view.board.attacks_to(king_to, !color, occupied.with(rook_to)).is_empty()
    };
    (view.castling & view.board.by_color(color)).into_iter().filter(may).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use proptest::prelude::*;
    use shakmaty::{CastlingMode, Chess, FromSetup, Position, PositionError, Setup};

    /// The same by shakmaty's lists: legal moves if the side may have the turn, else where its pieces can go.
    fn listed(view: View<'_>, color: Color) -> usize {
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
            .map_or_else(|_| pseudo_legal_moves(view.board, color), |position| position.legal_moves().len())
    }

    fn pseudo_legal_moves(board: &Board, color: Color) -> usize {
        let own = board.by_color(color);
        let pieces = (own & !board.pawns()).into_iter().map(|from| (board.attacks_from(from) & !own).count());
        let pawns = (own & board.pawns()).into_iter().map(|from| {
            let step =
                |from: Square| from.offset(color.fold_wb(8, -8)).filter(|to| board.piece_at(*to).is_none());
            let mut targets = attacks::pawn_attacks(color, from) & board.by_color(!color);
            targets.extend(step(from));
            if from.rank() == color.fold_wb(Rank::Second, Rank::Seventh) {
                targets.extend(step(from).and_then(step));
            }
            let promotes = from.rank() == color.fold_wb(Rank::Seventh, Rank::Second);
            targets.count() * if promotes { PROMOTIONS } else { 1 }
        });
        pieces.sum::<usize>() + pawns.sum::<usize>()
    }

    fn check(position: &Chess) -> Result<(), TestCaseError> {
        let view = View::from(position);
        let counted = of(view);
        for color in Color::ALL {
            prop_assert_eq!(
                *counted.get(color),
                listed(view, color),
                "{:?} in {}",
                color,
                tabia_core::chess::fen_of(position)
            );
        }
        Ok(())
    }

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

    #[test]
    fn a_pinned_piece_moves_along_its_pin() {
        // The rook has e2, e4 to e7, and the capture on e8; the knight on d2 nothing; the king four squares.
        assert_eq!(moves("4r1k1/8/8/b7/8/4R3/3N4/4K3 w - - 0 1").0, 6 + 4);
    }

    #[test]
    fn en_passant_may_expose_the_king_along_the_rank() {
        let (white, _) = moves("8/8/8/K2pP2q/8/8/8/7k w - d6 0 1");
        assert_eq!(white, 1 + 5, "the push and the king, not the capture");
    }

    #[test]
    fn castling_in_chess960_may_uncover_a_rook() {
        let position = testing::position("4k3/8/8/8/8/8/8/qR2K3 w B - 0 1");
        check(&position).unwrap();
    }

    proptest! {
        #[test]
        fn the_count_is_the_length_of_the_lists(seed: u64) {
            let position = testing::random_position(seed);
            check(&position)?;
            for m in position.legal_moves() {
                let mut next = position.clone();
                next.play_unchecked(m);
                check(&next)?;
            }
        }

        #[test]
        fn the_side_to_move_has_its_legal_moves(seed: u64) {
            let position = testing::random_position(seed);
            prop_assert_eq!(*of(View::from(&position)).get(position.turn()), position.legal_moves().len());
        }
    }
}
