//! Network input: 28 planes of 8×8 (rule 15, seed 004 §3).
//!
//! | plane | what |
//! | --- | --- |
//! | 0–11 | probability of each piece on each square: White's P N B R Q K, then Black's |
//! | 12–23 | the same, 1 where it is above one half |
//! | 24 | the number of branches: log₂ over 10, between 0 and 1 |
//! | 25 | 1 if White is to move |
//! | 26 | the weight of the branches that hold each castling right, on g1, c1, g8 and c8 |
//! | 27 | the weight of the branches with that en passant square |
//!
//! Rank 1 comes first, and within a rank file a. Colours are absolute: the planes are not flipped for Black.

use shakmaty::Color;

use crate::game::QuantumGame;
use crate::marginals::{Marginals, PIECES, piece_number, pieces};

pub const PLANES: usize = 28;
/// Number of values of all planes.
pub const SIZE: usize = PLANES * SQUARES;
const SQUARES: usize = 64;
const BINARY: usize = PIECES;
const BRANCHES: usize = 24;
const WHITE_TO_MOVE: usize = 25;
const CASTLING: usize = 26;
const EN_PASSANT: usize = 27;
/// log₂ of the largest number of branches.
const LOG_MAX_BRANCHES: f32 = 10.0;

impl QuantumGame {
    /// Writes the planes: `[plane][rank][file]`.
    pub fn planes(&self, out: &mut [f32; SIZE]) {
        out.fill(0.0);
        let marginals = Marginals::new(self);
        let share = |weight: u64| (weight as f64 / self.total as f64) as f32;
        for piece in pieces() {
            let plane = piece_number(piece);
            for square in marginals.squares(piece) {
                let weight = marginals.weight(piece, square);
                out[plane * SQUARES + square.to_usize()] = share(weight);
                if weight > self.total - weight {
                    out[(BINARY + plane) * SQUARES + square.to_usize()] = 1.0;
                }
            }
        }
        let mut plane = |number: usize, value: f32| out[number * SQUARES..][..SQUARES].fill(value);
        plane(BRANCHES, ((self.branches.len() as f32).log2() / LOG_MAX_BRANCHES).clamp(0.0, 1.0));
        plane(WHITE_TO_MOVE, if self.turn == Color::White { 1.0 } else { 0.0 });
        let (mut castling, mut passing) = ([0u64; SQUARES], [0u64; SQUARES]);
        for branch in &self.branches {
            for (color, side) in branch.castling().iter() {
                castling[side.king_to(color).to_usize()] += branch.weight;
            }
            if let Some(square) = branch.en_passant() {
                passing[square.to_usize()] += branch.weight;
            }
        }
        for square in 0..SQUARES {
            for (plane, weight) in [(CASTLING, castling[square]), (EN_PASSANT, passing[square])] {
                if weight > 0 {
                    out[plane * SQUARES + square] = share(weight);
                }
            }
        }
    }
}
