//! One entry of a book, and its 16-bit move encoding.
//!
//! From the low bits up: the target square (6 bits), the origin (6), the promotion piece (3), one bit unused.
//! Castling is the king taking its own rook, which is how Chess960 writes it; some books write `e1g1`, and
//! shakmaty reads that too. The unused bit is ignored, as other readers do.

use shakmaty::{Chess, Move, Role, Square, uci::UciMove};

/// Bytes of one entry in a file.
pub(super) const ENTRY_BYTES: usize = 16;

const SQUARE_BITS: u16 = 6;
const SQUARE_MASK: u16 = (1 << SQUARE_BITS) - 1;
const PROMOTION_MASK: u16 = 0b111;

/// Promotion pieces from code 1 on; code 0 is no promotion.
const PROMOTIONS: [Role; 4] = [Role::Knight, Role::Bishop, Role::Rook, Role::Queen];

#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// Key of the position.
    pub(super) key: u64,
    /// The move, see [`decode`].
    pub(super) code: u16,
    /// Weight relative to the other moves of the position.
    pub(super) weight: u16,
    /// Learning data of other programs.
    pub(super) learn: u32,
}

impl Entry {
    /// Reads the four big-endian fields.
    pub(super) fn from_bytes(bytes: [u8; ENTRY_BYTES]) -> Entry {
        let bits = u128::from_be_bytes(bytes);
        Entry {
            key: (bits >> 64) as u64,
            code: (bits >> 48) as u16,
            weight: (bits >> 32) as u16,
            learn: bits as u32,
        }
    }

    /// Writes the four big-endian fields.
    pub(super) fn to_bytes(self) -> [u8; ENTRY_BYTES] {
        let (key, code, weight) = (u128::from(self.key), u128::from(self.code), u128::from(self.weight));
        (key << 64 | code << 48 | weight << 32 | u128::from(self.learn)).to_be_bytes()
    }
}

/// The legal move that a code stands for in a position.
pub(super) fn decode(code: u16, position: &Chess) -> Option<Move> {
    let square = |bits: u16| Square::new(u32::from(bits & SQUARE_MASK));
    let promotion = match usize::from(code >> (2 * SQUARE_BITS) & PROMOTION_MASK) {
        0 => None,
        piece => Some(*PROMOTIONS.get(piece - 1)?),
    };
    let uci = UciMove::Normal { from: square(code >> SQUARE_BITS), to: square(code), promotion };
    uci.to_move(position).ok()
}

/// The code of a move; `None` for a move that is not of chess.
pub(super) fn encode(m: Move) -> Option<u16> {
    let UciMove::Normal { from, to, promotion } = UciMove::from_chess960(m) else {
        return None;
    };
    let piece = match promotion {
        None => 0,
        Some(role) => PROMOTIONS.iter().position(|piece| *piece == role)? as u16 + 1,
    };
    Some(piece << (2 * SQUARE_BITS) | (from as u16) << SQUARE_BITS | to as u16)
}

#[cfg(test)]
mod tests {
    use super::*;
    use shakmaty::Position;
    use tabia_core::ChessGame;

    fn position(fen: &str) -> Chess {
        ChessGame::from_fen(fen).unwrap().position().clone()
    }

    fn code(text: &str) -> u16 {
        let UciMove::Normal { from, to, promotion } = text.parse().unwrap() else { panic!("{text}") };
        encode(Move::Normal { role: Role::Pawn, from, capture: None, to, promotion }).unwrap()
    }

    #[test]
    fn bytes_are_those_of_a_real_book() {
        // The first entry of GNU Chess's book.
        let bytes = [0x00, 0x00, 0x29, 0x13, 0x39, 0x5f, 0x74, 0x7c, 0x06, 0xe3, 0x00, 0x11, 0, 0, 0, 0];
        let entry = Entry { key: 0x0000_2913_395f_747c, code: 0x06e3, weight: 0x11, learn: 0 };
        assert_eq!(Entry::from_bytes(bytes), entry);
        assert_eq!(entry.to_bytes(), bytes);
    }

    #[test]
    fn every_legal_move_survives_coding() {
        for fen in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "r2q1rk1/pP1p2pp/Q4n2/bbp1p3/Np6/1B3NBn/pPPP1PPP/R3K2R b KQ - 0 1",
            "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
            "rkr1nqbb/pppppppp/8/8/8/8/PPPPPPPP/RKR1NQBB w KQkq - 0 1",
            "8/8/8/8/8/8/6k1/RK6 w Q - 0 1",
        ] {
            let position = position(fen);
            for m in position.legal_moves() {
                assert_eq!(decode(encode(m).unwrap(), &position), Some(m), "{m:?} in {fen}");
            }
        }
    }

    #[test]
    fn castling_is_written_as_king_takes_rook_and_read_both_ways() {
        let position = position("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1");
        let castle = Move::Castle { king: Square::E1, rook: Square::H1 };
        assert_eq!(encode(castle), Some(code("e1h1")));
        assert_eq!(decode(code("e1h1"), &position), Some(castle));
        assert_eq!(decode(code("e1g1"), &position), Some(castle));
        let castle = Move::Castle { king: Square::E1, rook: Square::A1 };
        assert_eq!(decode(code("e1a1"), &position), Some(castle));
        assert_eq!(decode(code("e1c1"), &position), Some(castle));
    }

    #[test]
    fn codes_without_a_legal_move_mean_nothing() {
        let position = position("8/P5k1/8/8/8/8/8/R3K2R w - - 0 1");
        for text in ["e1h1", "e1g1", "a7a8", "a1a8", "e2e4", "g7g8", "e1d1q"] {
            assert_eq!(decode(code(text), &position), None, "{text}");
        }
        assert_eq!(decode(0, &position), None, "a1a1");
        for piece in 5..8 {
            assert_eq!(decode(code("a7a8") | piece << 12, &position), None, "promotion to piece {piece}");
        }
        assert!(decode(code("a7a8") | 4 << 12, &position).is_some());
    }
}
