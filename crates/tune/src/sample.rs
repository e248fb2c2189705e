//! A training position: board, search score and game result in 32 bytes.
//!
//! ```text
//! bytes   what
//! 0–7     occupied squares, a1 the lowest bit (little-endian, as all numbers here)
//! 8–23    the pieces on them in the order of squares, four bits each, the lower half first:
//!         0–5 White's pawn, knight, bishop, rook, queen, king; 8–13 Black's
//! 24      bit 0: Black to move; bits 1–4: White may castle short, long, Black short, long
//! 25      the file a pawn may be taken en passant on, a = 1; 0 for none
//! 26–27   the score in centipawns, White's view, signed
//! 28      the result: 0 Black won, 1 drawn, 2 White won
//! 29      a check: the exclusive or of all other bytes, and 0x5a
//! 30–31   half-moves played before it
//! ```
//!
//! A rook that may castle from another square than a corner, as in Chess960, keeps its place and loses that right.

use serde::{Deserialize, Serialize};
use shakmaty::{
    Bitboard, Board, CastlingMode, Chess, Color, EnPassantMode, File, FromSetup, Piece, Position, Rank, Role,
    Setup, Square,
};
use std::num::NonZeroU32;
use tabia_eval::View;

/// Bytes of one record.
pub const BYTES: usize = 32;
/// Added to the check byte, so that a record of zeros is invalid.
const CHECK: u8 = 0x5a;
/// Offset of the check byte.
const CHECK_AT: usize = 29;

/// How a game ended, in White's view.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum GameResult {
    Loss = 0,
    Draw = 1,
    Win = 2,
}

impl GameResult {
    /// White's points: 0, ½ or 1.
    pub fn points(self) -> f64 {
        f64::from(self as u8) / 2.0
    }

    /// The result of a winner, or of none.
    pub fn of(winner: Option<Color>) -> GameResult {
        match winner {
            Some(Color::White) => GameResult::Win,
            Some(Color::Black) => GameResult::Loss,
            None => GameResult::Draw,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    pub board: Board,
    pub turn: Color,
    /// Squares of the rooks that may castle.
    pub castling: Bitboard,
    /// The en passant square.
    pub en_passant: Option<Square>,
    /// Search score in centipawns, White's view.
    pub score: i16,
    /// How its game ended.
    pub result: GameResult,
    /// Plies before it.
    pub ply: u16,
}

/// Why 32 bytes are not a sample.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SampleError {
    #[error("its check byte is wrong: the record is damaged")]
    Check,
    #[error("square {square} holds the code {code}, which is no piece (0–5 White's, 8–13 Black's)")]
    Piece { square: Square, code: u8 },
    #[error("{0} squares are occupied; a board has at most 32 pieces")]
    Crowded(usize),
    #[error("each side has one king; here White has {white} and Black {black}")]
    Kings { white: usize, black: usize },
    #[error("the result is {0}; it is 0, 1 or 2")]
    Result(u8),
    #[error("the en-passant file is {0}; it is 0 to 8")]
    EnPassant(u8),
}

impl Sample {
    /// A position of a game, with its labels.
    pub fn new(position: &Chess, score: i16, result: GameResult, ply: u16) -> Sample {
        Sample {
            board: position.board().clone(),
            turn: position.turn(),
            castling: position.castles().castling_rights(),
            en_passant: position.ep_square(EnPassantMode::Legal),
            score,
            result,
            ply,
        }
    }

    pub fn view(&self) -> View<'_> {
        View {
            board: &self.board,
            turn: self.turn,
            castling: self.castling,
            en_passant: self.en_passant,
            move_number: u32::from(self.ply) / 2 + 1,
        }
    }

    /// The position, if it is legal, Chess960's castling rights included; counters are derived from the ply.
    pub fn position(&self) -> Option<Chess> {
        let setup = Setup {
            board: self.board.clone(),
            turn: self.turn,
            castling_rights: self.castling,
            ep_square: self.en_passant,
            fullmoves: NonZeroU32::new(u32::from(self.ply) / 2 + 1).unwrap_or(NonZeroU32::MIN),
            ..Setup::empty()
        };
        Chess::from_setup(setup, CastlingMode::Chess960)
            .or_else(shakmaty::PositionError::ignore_too_much_material)
            .or_else(shakmaty::PositionError::ignore_impossible_check)
            .ok()
    }

    pub fn to_bytes(&self) -> [u8; BYTES] {
        let mut bytes = [0; BYTES];
        bytes[..8].copy_from_slice(&self.board.occupied().0.to_le_bytes());
        for (index, (_, piece)) in self.board.clone().into_iter().enumerate() {
            bytes[8 + index / 2] |= code(piece) << (4 * (index % 2));
        }
        let castling = CORNERS
            .iter()
            .enumerate()
            .map(|(bit, corner)| u8::from(self.castling.contains(*corner)) << (bit + 1));
        bytes[24] = u8::from(self.turn.is_black()) | castling.fold(0, |bits, bit| bits | bit);
        bytes[25] = self.en_passant.map_or(0, |square| square.file() as u8 + 1);
        bytes[26..28].copy_from_slice(&self.score.to_le_bytes());
        bytes[28] = self.result as u8;
        bytes[30..].copy_from_slice(&self.ply.to_le_bytes());
        bytes[CHECK_AT] = check(&bytes);
        bytes
    }

    pub fn from_bytes(bytes: &[u8; BYTES]) -> Result<Sample, SampleError> {
        if bytes[CHECK_AT] != check(bytes) {
            return Err(SampleError::Check);
        }
        let word = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let mut eight = [0; 8];
        eight.copy_from_slice(&bytes[..8]);
        let occupied = Bitboard(u64::from_le_bytes(eight));
        if occupied.count() > 32 {
            return Err(SampleError::Crowded(occupied.count()));
        }
        let mut board = Board::empty();
        for (index, square) in occupied.into_iter().enumerate() {
            let code = bytes[8 + index / 2] >> (4 * (index % 2)) & 0xf;
            board.set_piece_at(square, piece(code).ok_or(SampleError::Piece { square, code })?);
        }
        let kings = |color| (board.kings() & board.by_color(color)).count();
        let (white, black) = (kings(Color::White), kings(Color::Black));
        if (white, black) != (1, 1) {
            return Err(SampleError::Kings { white, black });
        }
        let turn = Color::from_white(bytes[24] & 1 == 0);
        let castling = CORNERS
            .iter()
            .enumerate()
            .filter(|(bit, _)| bytes[24] >> (bit + 1) & 1 == 1)
            .fold(Bitboard::EMPTY, |rooks, (_, corner)| rooks | *corner);
        let en_passant = match bytes[25] {
            0 => None,
            file @ 1..=8 => {
                let rank = turn.fold_wb(Rank::Sixth, Rank::Third);
                Some(Square::from_coords(File::new(u32::from(file) - 1), rank))
            }
            other => return Err(SampleError::EnPassant(other)),
        };
        let result = match bytes[28] {
            0 => GameResult::Loss,
            1 => GameResult::Draw,
            2 => GameResult::Win,
            other => return Err(SampleError::Result(other)),
        };
        Ok(Sample { board, turn, castling, en_passant, score: word(26) as i16, result, ply: word(30) })
    }
}

/// The rooks' corners in the order of their bits.
const CORNERS: [Square; 4] = [Square::H1, Square::A1, Square::H8, Square::A8];

fn code(piece: Piece) -> u8 {
    piece.role as u8 - Role::Pawn as u8 + piece.color.fold_wb(0, 8)
}

fn piece(code: u8) -> Option<Piece> {
    let role = Role::ALL.get(usize::from(code & 7))?;
    Some(role.of(Color::from_white(code & 8 == 0)))
}

fn check(bytes: &[u8; BYTES]) -> u8 {
    let others = bytes.iter().enumerate().filter(|(at, _)| *at != CHECK_AT);
    others.fold(CHECK, |check, (_, byte)| check ^ byte)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use tabia_eval::testing;

    proptest! {
        #[test]
        fn a_record_is_read_as_it_was_written(seed: u64, score: i16, ply: u16, result in 0usize..3) {
            let result = [GameResult::Loss, GameResult::Draw, GameResult::Win][result];
            let position = testing::random_position(seed);
            let sample = Sample::new(&position, score, result, ply);
            let read = Sample::from_bytes(&sample.to_bytes()).unwrap();
            prop_assert_eq!(&read, &sample);
            let again = read.position().unwrap();
            prop_assert_eq!(again.board(), position.board());
        }

        #[test]
        fn a_changed_byte_is_noticed(seed: u64, at in 0..BYTES, change in 1u8..) {
            let mut bytes = Sample::new(&testing::random_position(seed), 0, GameResult::Draw, 0).to_bytes();
            bytes[at] ^= change;
            prop_assert_eq!(Sample::from_bytes(&bytes), Err(SampleError::Check));
        }
    }

    #[test]
    fn what_is_wrong_with_a_record_is_named() {
        let good = Sample::new(&Chess::default(), 20, GameResult::Win, 0).to_bytes();
        let with = |change: &dyn Fn(&mut [u8; BYTES])| {
            let mut bytes = good;
            change(&mut bytes);
            bytes[CHECK_AT] = check(&bytes);
            Sample::from_bytes(&bytes).unwrap_err()
        };
        assert_eq!(with(&|bytes| bytes[28] = 3), SampleError::Result(3));
        assert_eq!(with(&|bytes| bytes[25] = 9), SampleError::EnPassant(9));
        assert_eq!(with(&|bytes| bytes[8] = 0x16), SampleError::Piece { square: Square::A1, code: 6 });
        assert_eq!(with(&|bytes| bytes[4] = 0xff), SampleError::Crowded(40));
        // The king of e1 becomes a queen.
        assert_eq!(with(&|bytes| bytes[10] = 0x24), SampleError::Kings { white: 0, black: 1 });
    }
}
