//! One side's pieces, and the squares they attack.

use shakmaty::{Bitboard, Board, Square, attacks};

use super::board::{forward, pawn_attacks};
use super::sink::color;

/// Roles by number: pawn, knight, bishop, rook, queen, king.
pub(super) const PAWN: usize = 0;
pub(super) const KNIGHT: usize = 1;
pub(super) const BISHOP: usize = 2;
pub(super) const ROOK: usize = 3;
pub(super) const QUEEN: usize = 4;
pub(super) const KING: usize = 5;

#[derive(Copy, Clone, Debug)]
pub(super) struct Side {
    pub occupied: Bitboard,
    pub of: [Bitboard; 6],
    /// The king's square; a1 on a board without a king, which occurs in no game.
    pub king: Square,
    /// Squares attacked, by role; filled while pieces are counted.
    pub attacks: [Bitboard; 6],
    /// All attacked squares.
    pub all: Bitboard,
    /// Squares attacked at least twice.
    pub twice: Bitboard,
    /// The king ring: the king's neighbours, with one more rank or file at the edge.
    pub ring: Bitboard,
    /// Own pieces pinned to the king.
    pub pinned: Bitboard,
    /// Enemy pieces that alone block an enemy slider's attack on the king (they can discover a check).
    pub discoverers: Bitboard,
    /// How many of its knights, bishops, rooks and queens attack the enemy king ring.
    pub attackers: [i32; 4],
    /// Attacks of its pieces on squares adjacent to the enemy king.
    pub ring_attacks: i32,
}

impl Side {
    /// The pieces of a side, with the attacks of its pawns and king.
    #[inline(always)]
    pub fn of<const WHITE: bool>(board: &Board) -> Side {
        let occupied = board.by_color(color::<WHITE>());
        let of = [
            board.pawns() & occupied,
            board.knights() & occupied,
            board.bishops() & occupied,
            board.rooks() & occupied,
            board.queens() & occupied,
            board.kings() & occupied,
        ];
        let king = of[KING].first().unwrap_or(Square::A1);
        let pawns = pawn_attacks::<WHITE>(of[PAWN]);
        let beside_king = attacks::king_attacks(king);
        let mut attacks = [Bitboard::EMPTY; 6];
        attacks[PAWN] = pawns;
        attacks[KING] = beside_king;
        Side {
            occupied,
            of,
            king,
            attacks,
            all: pawns | beside_king,
            twice: (pawns & beside_king) | doubly_attacked::<WHITE>(of[PAWN]),
            ring: ring(king),
            pinned: Bitboard::EMPTY,
            discoverers: Bitboard::EMPTY,
            attackers: [0; 4],
            ring_attacks: 0,
        }
    }

    /// Knights, bishops, rooks and queens.
    #[inline(always)]
    pub fn pieces(&self) -> Bitboard {
        self.occupied & !self.of[PAWN] & !self.of[KING]
    }

    /// Records the attacks of a piece.
    #[inline(always)]
    pub fn note(&mut self, role: usize, squares: Bitboard) {
        self.twice |= self.all & squares;
        self.all |= squares;
        self.attacks[role] |= squares;
    }

    /// Finds the pieces and pawns that shield the king from a slider.
    #[inline(always)]
    pub fn find_pins(&mut self, enemy: &Side, occupied: Bitboard) {
        let straight = attacks::rook_attacks(self.king, Bitboard::EMPTY) & (enemy.of[ROOK] | enemy.of[QUEEN]);
        let slanted =
            attacks::bishop_attacks(self.king, Bitboard::EMPTY) & (enemy.of[BISHOP] | enemy.of[QUEEN]);
        for from in straight | slanted {
            let between = attacks::between(from, self.king) & occupied;
            if between.any() && !between.more_than_one() {
                self.pinned |= between & self.occupied;
                self.discoverers |= between & enemy.occupied;
            }
        }
    }
}

#[inline(always)]
fn doubly_attacked<const WHITE: bool>(pawns: Bitboard) -> Bitboard {
    use shakmaty::File;
    let east = Bitboard((pawns.0 & !Bitboard::from_file(File::H).0) << 1);
    let west = Bitboard((pawns.0 & !Bitboard::from_file(File::A).0) >> 1);
    forward::<WHITE>(east & west)
}

/// The 3×3 block around the king, shifted inwards at the edge.
#[inline(always)]
fn ring(king: Square) -> Bitboard {
    let (file, rank) = ((king as u32 % 8).clamp(1, 6), (king as u32 / 8).clamp(1, 6));
    let centre = Square::new(rank * 8 + file);
    attacks::king_attacks(centre) | Bitboard::from_square(centre)
}
