//! What the principles look at: each side's pieces and what they attack, found once for all of them.

use shakmaty::{Bitboard, Board, ByColor, Color, File, Square, attacks};

use super::king;
use super::tally::Tally;
use crate::view::View;

/// One side's army.
#[derive(Copy, Clone, Debug)]
pub(super) struct Side {
    pub pieces: Bitboard,
    pub pawns: Bitboard,
    /// Its knights, bishops, rooks and queens: the pieces that go where they attack, and nowhere else.
    pub officers: Bitboard,
    pub king: Option<Square>,
    /// How many of its pieces attack each square; a piece that stands there counts for nothing, its friends
    /// who guard it do.
    pub attackers: Tally,
    /// The same for its officers alone: how many of their moves end on each square.
    pub officers_attackers: Tally,
    /// Squares it attacks at all.
    pub attacked: Bitboard,
    /// Its officers that have friends on every square they could go to.
    pub stuck: Bitboard,
}

impl Side {
    fn of(board: &Board, color: Color) -> Side {
        let pieces = board.by_color(color);
        let pawns = pieces & board.pawns();
        let king = board.king_of(color);
        let officers = pieces & !pawns & !board.kings();
        let (mut attackers, mut stuck) = (Tally::default(), Bitboard::EMPTY);
        each_attack(board, officers, |from, squares| {
            attackers.add(squares);
            if squares.is_subset(pieces) {
                stuck |= from;
            }
        });
        let officers_attackers = attackers;
        for squares in pawn_attacks(color, pawns) {
            attackers.add(squares);
        }
        if let Some(king) = king {
            attackers.add(attacks::king_attacks(king));
        }
        let attacked = attackers.any();
        Side { pieces, pawns, officers, king, attackers, officers_attackers, attacked, stuck }
    }
}

/// A position, and both armies in it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Facts<'a> {
    pub view: View<'a>,
    /// Algorithm 15 for each side's king, which two principles ask for.
    pub pressure: ByColor<i32>,
    sides: ByColor<Side>,
}

impl<'a> Facts<'a> {
    pub fn of(view: View<'a>) -> Facts<'a> {
        let sides = ByColor::new_with(|color| Side::of(view.board, color));
        let pressure = ByColor::new_with(|color| {
            king::pressure_on(view.board, sides.get(color).king, sides.get(!color), !color)
        });
        Facts { view, pressure, sides }
    }

    pub fn side(&self, color: Color) -> &Side {
        self.sides.get(color)
    }

    pub fn board(&self) -> &'a Board {
        self.view.board
    }
}

/// Every one of these knights, bishops, rooks and queens, with the squares it attacks.
#[inline]
pub(super) fn each_attack(board: &Board, officers: Bitboard, mut visit: impl FnMut(Square, Bitboard)) {
    let occupied = board.occupied();
    for from in officers & board.knights() {
        visit(from, attacks::knight_attacks(from));
    }
    for from in officers & board.bishops() {
        visit(from, attacks::bishop_attacks(from, occupied));
    }
    for from in officers & board.rooks() {
        visit(from, attacks::rook_attacks(from, occupied));
    }
    for from in officers & board.queens() {
        visit(from, attacks::queen_attacks(from, occupied));
    }
}

/// One step towards the other side's home.
#[inline]
pub(super) fn forward(color: Color, squares: Bitboard) -> Bitboard {
    color.fold_wb(squares.shift(8), squares.shift(-8))
}

/// One file towards h.
#[inline]
pub(super) fn east(squares: Bitboard) -> Bitboard {
    (squares & !Bitboard::from_file(File::H)).shift(1)
}

/// One file towards a.
#[inline]
pub(super) fn west(squares: Bitboard) -> Bitboard {
    (squares & !Bitboard::from_file(File::A)).shift(-1)
}

/// What pawns attack, towards file a and towards file h: two sets, since two pawns may attack one square.
#[inline]
pub(super) fn pawn_attacks(color: Color, pawns: Bitboard) -> [Bitboard; 2] {
    let ahead = forward(color, pawns);
    [west(ahead), east(ahead)]
}
