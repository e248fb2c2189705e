//! Static exchange evaluation (SEE): the material result of a capture sequence on one square, with both sides capturing
//! with their least valuable piece.

use shakmaty::{Bitboard, Color, Role, attacks};

use super::super::moves::Move;
use super::Position;

/// Exchange values in centipawns, pawn to king. A king is never exchanged.
const SEE_VALUES: [i32; 6] = [100, 320, 330, 500, 950, 0];

/// The exchange value of a piece, in centipawns.
#[inline]
pub const fn see_value(role: Role) -> i32 {
    SEE_VALUES[role as usize - 1]
}

impl Position {
    /// Whether a move wins at least `threshold` centipawns in the exchange it starts.
    pub fn see_at_least(&self, mv: Move, threshold: i32) -> bool {
        if mv.is_castle() {
            return threshold <= 0;
        }
        let (from, to) = (mv.from(), mv.to());
        let promotion = mv.promotion_role();
        let gain = self.captured(mv).map_or(0, see_value)
            + promotion.map_or(0, |role| see_value(role) - see_value(Role::Pawn));
        let mut balance = gain - threshold;
        if balance < 0 {
            return false;
        }
        // The worst that can happen: the moved piece is lost for nothing.
        let at_stake = promotion.or(self.at(from).role()).map_or(0, see_value);
        balance -= at_stake;
        if balance >= 0 {
            return true;
        }
        let mut occupied = self.board.occupied().without(from).with(to);
        if mv.is_en_passant()
            && let Some(captured) = to.offset(self.turn.fold_wb(-8, 8))
        {
            occupied.discard(captured);
        }
        let board = &self.board;
        let diagonal = board.bishops_and_queens();
        let straight = board.rooks_and_queens();
        let mut attackers = (board.attacks_to(to, Color::White, occupied)
            | board.attacks_to(to, Color::Black, occupied))
            & occupied;
        let mut side = self.turn.other();
        // `balance` is the moving side's balance if `side` captures for nothing; they alternate.
        loop {
            let ours = attackers & board.by_color(side);
            if ours.is_empty() {
                break;
            }
            let Some(role) = Role::ALL.into_iter().find(|role| (ours & board.by_role(*role)).any()) else {
                break;
            };
            if role == Role::King && (attackers & board.by_color(side.other())).any() {
                // A king may not capture into an attack.
                break;
            }
            occupied ^= (ours & board.by_role(role)).isolate_first();
            if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
                attackers |= attacks::bishop_attacks(to, occupied) & diagonal;
            }
            if matches!(role, Role::Rook | Role::Queen) {
                attackers |= attacks::rook_attacks(to, occupied) & straight;
            }
            attackers &= occupied;
            side = side.other();
            balance = -balance - 1 - see_value(role);
            if balance >= 0 {
                break;
            }
        }
        side != self.turn
    }

    /// For each kind of piece, the squares that the opponent attacks with a less valuable piece.
    pub fn attacked_by_lesser(&self) -> [Bitboard; 6] {
        let them = self.turn.other();
        let board = &self.board;
        let side = board.by_color(them);
        let occupied = board.occupied();
        let pawns = super::pawn_attacks(them, board.pawns() & side);
        let mut minors = pawns;
        for square in board.knights() & side {
            minors |= attacks::knight_attacks(square);
        }
        for square in board.bishops() & side {
            minors |= attacks::bishop_attacks(square, occupied);
        }
        let mut rooks = minors;
        for square in board.rooks() & side {
            rooks |= attacks::rook_attacks(square, occupied);
        }
        [Bitboard::EMPTY, pawns, pawns, minors, rooks, Bitboard::EMPTY]
    }

    /// Squares from which each kind of piece would check the other king.
    pub fn check_squares(&self) -> CheckSquares {
        let them = self.turn.other();
        let king = self.king_of(them);
        let occupied = self.board.occupied();
        let bishop = attacks::bishop_attacks(king, occupied);
        let rook = attacks::rook_attacks(king, occupied);
        CheckSquares {
            by_role: [
                attacks::pawn_attacks(them, king),
                attacks::knight_attacks(king),
                bishop,
                rook,
                bishop | rook,
                Bitboard::EMPTY,
            ],
        }
    }
}

/// Where a piece gives check directly. Discovered checks are found when the move is made.
#[derive(Copy, Clone, Debug)]
pub struct CheckSquares {
    by_role: [Bitboard; 6],
}

impl CheckSquares {
    /// Squares from which a piece of this kind (pawn 0 to king 5) gives check.
    #[inline]
    pub const fn of_kind(&self, kind: usize) -> Bitboard {
        self.by_role[kind]
    }

    /// Whether a piece of this kind on `mv`'s target gives check.
    #[inline]
    pub fn direct_check(&self, position: &Position, mv: Move) -> bool {
        let role = mv.promotion_role().or(position.at(mv.from()).role());
        !mv.is_castle() && role.is_some_and(|role| self.by_role[role as usize - 1].contains(mv.to()))
    }
}
