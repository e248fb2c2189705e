//! Polyglot opening books: a sorted array of (position key, move, weight), one format every engine reads.
//!
//! The format has no header and no magic number, only 16-byte big-endian entries in the order of their keys.
//! What can be checked of a file is therefore little, and all of it is checked on reading: see [`book`].
//!
//! Keys are shakmaty's Zobrist hashes: its 64-bit tables are the 781 numbers that Polyglot published, so
//! nothing is tabulated here. Two things are *not* the hash that the rest of Tabia uses. En passant counts as
//! soon as a pawn stands beside the one that just moved two squares, even when taking would expose the king;
//! [`tabia_core::ChessGame`] counts only legal captures, for it asks about repetition. And castling rights are
//! per side, whatever file the rook stands on, so Chess960 positions have keys too.

pub mod book;
pub mod builder;
mod entry;
mod error;

pub use book::{Book, BookMove};
pub use builder::{BookBuilder, IllegalBookMove};
pub use error::{BookError, BookFault};

use shakmaty::{Chess, EnPassantMode, Position, zobrist::Zobrist64};

/// The Polyglot key of a position.
pub fn key(position: &Chess) -> u64 {
    position.zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::{ChessGame, Game};

    fn after(moves: &str) -> Chess {
        let mut game = ChessGame::default();
        for text in moves.split_whitespace() {
            let m = game.read_move(text).unwrap();
            game.apply(m);
        }
        game.position().clone()
    }

    #[test]
    fn keys_are_those_the_format_publishes() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key(&after(moves)), expected, "after {moves:?}");
        }
    }

    /// Keys by python-chess 1.11.2 (`chess.polyglot.zobrist_hash`).
    fn check(fen: &str, expected: u64) {
        assert_eq!(key(ChessGame::from_fen(fen).unwrap().position()), expected, "{fen}");
    }

    #[test]
    fn keys_are_those_of_python_chess_in_the_middle_game() {
        check("rnbqkbnr/pp1Npp2/8/2p3pp/PP2Q3/2P4P/3PPPP1/RNB1KB1R b KQkq - 4 9", 0x2f2a_b076_3960_c00a);
        check("4kr1n/r4pR1/8/B1ppN3/2B1p3/2n1P3/P2Q4/2K5 b - - 3 40", 0x3ed2_3ce3_97f7_6e07);
        check("r1bqk2r/ppp1pR1p/7b/2n3p1/P2pn3/6NN/1PPP1P1P/2BQKB1R b Kkq - 0 16", 0x54bf_6536_7ec3_d2f6);
        check("2b4r/5k1p/3rn3/p1p2n2/2P2B2/RP3N2/4KP2/1N2b3 w - - 0 48", 0x0a78_fea0_bf9b_3926);
        check("1nnk1b1r/2p3pp/rp6/4PQ2/BNP1P2P/1P5N/P2Bq3/2RbK2R w K - 3 26", 0x34f7_6fd3_c666_951f);
        check("3q1br1/1k5N/7R/p2P4/n5P1/P1rb4/6K1/5BB1 b - - 6 56", 0x5e4d_4531_6687_2214);
    }

    #[test]
    fn en_passant_counts_when_a_pawn_is_beside_even_if_taking_exposes_the_king() {
        check("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1", 0x2963_5ddc_0744_3490);
        check("8/8/8/K1Pp3q/8/8/8/7k w - d6 0 1", 0xaa68_37a0_e83f_9bbe);
        check("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", 0xf72e_eb99_5566_d34e);
    }

    #[test]
    fn en_passant_does_not_count_when_no_pawn_is_beside() {
        check("rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq d3 0 1", 0x830e_b9b2_0758_d1de);
    }

    #[test]
    fn chess960_castling_rights_are_per_side() {
        check("bb1nnrk1/ppp1pppr/4q3/3p3p/P7/2P2N1P/1P1PPPP1/B1QN1RKR w KQq - 0 6", 0x6f3c_9e30_a114_4316);
        check("rkr1nqbb/p1pppppp/1p6/8/5n2/1P6/P1PPPPPP/RKRN1QBB w KQkq - 0 4", 0x1eaf_c57d_8f32_a4d4);
        check("bbrqnnkr/pppppp1p/8/6p1/2P5/8/PP1PPPPP/BBRQNNKR w KQkq g6 0 2", 0x2986_bd75_93a2_f45b);
    }
}
