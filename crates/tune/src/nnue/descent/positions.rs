//! Packed positions, and their inputs to the network.

use std::fs;
use std::path::Path;

use tabia_eval::nnue::BUCKETS;
use tabia_eval::nnue::features::{INPUTS, KING_SQUARES};

use crate::nnue::NnueError;
use crate::sample::BYTES;

/// Records of positions, without a header.
pub(super) struct Positions(pub Vec<[u8; BYTES]>);

impl Positions {
    pub fn read(path: &Path) -> Result<Positions, NnueError> {
        let failed = |cause: String| NnueError::File { path: path.display().to_string(), cause };
        let bytes = fs::read(path).map_err(|cause| failed(cause.to_string()))?;
        let records = bytes.chunks_exact(BYTES).skip(1);
        let records = records.map(|chunk| {
            let mut record = [0; BYTES];
            record.copy_from_slice(chunk);
            record
        });
        Ok(Positions(records.collect()))
    }
}

/// The inputs of a position, for the side to move.
pub(super) struct Seen {
    features: [[u16; 32]; 2],
    pieces: usize,
    pub bucket: usize,
    pub score: f32,
    pub result: f32,
}

impl Seen {
    /// Unpacks a record in the format of `crate::sample`, written by this program. Inputs are in the buckets of a table.
    pub fn of(record: &[u8; BYTES], kings: &[u8; KING_SQUARES]) -> Seen {
        let word = |at: usize| i16::from_le_bytes([record[at], record[at + 1]]);
        let mut occupied = record[..8].iter().rev().fold(0_u64, |bits, byte| bits << 8 | u64::from(*byte));
        let black = record[24] & 1;
        let mut seen = Seen {
            features: [[0; 32]; 2],
            pieces: 0,
            bucket: 0,
            score: f32::from(word(26)) * if black == 1 { -1.0 } else { 1.0 },
            result: f32::from(if black == 1 { 2 - record[28] } else { record[28] }) / 2.0,
        };
        let mut board = [(0_u8, 0_u8); 32];
        let mut own_kings = [0_u8; 2];
        while occupied != 0 && seen.pieces < 32 {
            let square = occupied.trailing_zeros() as u8;
            occupied &= occupied - 1;
            let code = record[8 + seen.pieces / 2] >> (4 * (seen.pieces % 2)) & 15;
            board[seen.pieces] = (square, code);
            if code & 7 == 5 {
                own_kings[usize::from(code >> 3)] = square;
            }
            seen.pieces += 1;
        }
        for (own, side) in [black, 1 - black].into_iter().enumerate() {
            let king = own_kings[usize::from(side)];
            let mirror = if king & 7 < 4 { 7 } else { 0 };
            let flip = (56 * side) | mirror;
            let square = usize::from(king ^ flip);
            let first = u16::from(kings[square / 8 * 4 + square % 4]) * INPUTS as u16;
            for (feature, (square, code)) in seen.features[own].iter_mut().zip(&board[..seen.pieces]) {
                let enemy = u16::from(code >> 3 != side);
                *feature = first + (enemy * 6 + u16::from(code & 7)) * 64 + u16::from(square ^ flip);
            }
        }
        seen.bucket = (seen.pieces.saturating_sub(2) / 4).min(BUCKETS - 1);
        seen
    }

    pub fn features(&self, side: usize) -> &[u16] {
        &self.features[side][..self.pieces]
    }
}
