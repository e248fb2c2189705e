//! What the principles share: each side's pieces and attacks, computed once.

use shakmaty::{Bitboard, Board, ByColor, Color, File, Square, attacks};

use super::tally::Tally;
use crate::view::View;

/// One side's pieces.
#[derive(Copy, Clone, Debug)]
pub(super) struct Side {
    pub pieces: Bitboard,
    pub pawns: Bitboard,
    /// Knights, bishops, rooks and queens: the pieces that move where they attack.
    pub minors_and_majors: Bitboard,
    pub king: Option<Square>,
    /// How many of its pieces attack each square.
    pub attackers: Tally,
    /// The same for knights, bishops, rooks and queens alone: how many of their moves end on each square.
    pub minor_and_major_attackers: Tally,
    /// All attacked squares.
    pub attacked: Bitboard,
    /// Knights, bishops, rooks and queens with own pieces on every square they could go to.
    pub stuck: Bitboard,
}

impl Side {
    fn of(board: &Board, color: Color) -> Side {
        let pieces = board.by_color(color);
        let pawns = pieces & board.pawns();
        let king = board.king_of(color);
        let minors_and_majors = pieces & !pawns & !board.kings();
        let (mut attackers, mut stuck) = (Tally::default(), Bitboard::EMPTY);
        each_attack(board, minors_and_majors, |from, squares| {
            attackers.add(squares);
            if squares.is_subset(pieces) {
                stuck |= from;
            }
        });
        let minor_and_major_attackers = attackers;
        for squares in pawn_attacks(color, pawns) {
            attackers.add(squares);
        }
        if let Some(king) = king {
            attackers.add(attacks::king_attacks(king));
        }
        let attacked = attackers.any();
        Side { pieces, pawns, minors_and_majors, king, attackers, minor_and_major_attackers, attacked, stuck }
    }
}

/// A position with both sides' pieces.
#[derive(Copy, Clone, Debug)]
pub(super) struct Facts<'a> {
    pub view: View<'a>,
    /// Algorithm 15 for each side's king, used by two principles.
    pub pressure: ByColor<i32>,
    sides: ByColor<Side>,
}

impl<'a> Facts<'a> {
    pub fn of(view: View<'a>) -> Facts<'a> {
        let sides = ByColor::new_with(|color| Side::of(view.board, color));
        let pressure = ByColor::new_with(|color| {
            pressure_on(view.board, sides.get(color).king, sides.get(!color), !color)
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

/// Algorithm 15: squares next to the king that the enemy attacks, and enemy pieces that would attack the king
/// itself if its own army were gone.
fn pressure_on(board: &Board, king: Option<Square>, enemy: &Side, by: Color) -> i32 {
    king.map_or(0, |king| {
        let around = attacks::king_attacks(king) & enemy.attacked;
        let alone = enemy.pieces | king;
        let aimed = board.attacks_to(king, by, alone);
        (around.count() + aimed.count()) as i32
    })
}

/// Calls `visit` with each of these knights, bishops, rooks and queens and the squares it attacks.
#[inline]
pub(super) fn each_attack(
    board: &Board,
    minors_and_majors: Bitboard,
    mut visit: impl FnMut(Square, Bitboard),
) {
    let occupied = board.occupied();
    for from in minors_and_majors & board.knights() {
        visit(from, attacks::knight_attacks(from));
    }
    for from in minors_and_majors & board.bishops() {
        visit(from, attacks::bishop_attacks(from, occupied));
    }
    for from in minors_and_majors & board.rooks() {
        visit(from, attacks::rook_attacks(from, occupied));
    }
    for from in minors_and_majors & board.queens() {
        visit(from, attacks::queen_attacks(from, occupied));
    }
}

/// Shifts one rank forward.
#[inline]
pub(super) fn forward(color: Color, squares: Bitboard) -> Bitboard {
    color.fold_wb(squares.shift(8), squares.shift(-8))
}

/// Shifts one file towards h.
#[inline]
pub(super) fn east(squares: Bitboard) -> Bitboard {
    (squares & !Bitboard::from_file(File::H)).shift(1)
}

/// Shifts one file towards a.
#[inline]
pub(super) fn west(squares: Bitboard) -> Bitboard {
    (squares & !Bitboard::from_file(File::A)).shift(-1)
}

/// Pawn attacks towards file a and towards file h: two sets, since two pawns may attack the same square.
#[inline]
pub(super) fn pawn_attacks(color: Color, pawns: Bitboard) -> [Bitboard; 2] {
    let ahead = forward(color, pawns);
    [west(ahead), east(ahead)]
}
