//! Training samples in the compact form in which games are stored and replayed.

use crate::backward::Sample;
use crate::encoding::{self, EncodedPosition, INPUT_SIZE};

/// LossWeights are kept in parts of this.
const SCALE: f32 = 65535.0;

/// A position of a game with its training targets.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackedSample {
    pub position: EncodedPosition,
    /// Policy target: policy indices of the legal moves and their probabilities in 1/65535. Empty after a quick search.
    pub moves: Box<[(u16, u16)]>,
    /// Value target: win, draw and loss probabilities, a weighted mean of the game's result and the search's value.
    pub wdl: [f32; 3],
}

impl PackedSample {
    /// Expands it for training; mirrored left to right if `mirrored` and there are no castling rights.
    pub fn unpack(&self, mirrored: bool) -> Sample {
        let mirrored = mirrored && self.position.is_mirrorable;
        let mut input = vec![0.0; INPUT_SIZE];
        self.position.write(mirrored, &mut input);
        let policy_index =
            |index: u16| if mirrored { encoding::mirrored_index(index.into()) } else { index.into() };
        let total: f32 = self.moves.iter().map(|(_, share)| f32::from(*share)).sum();
        let moves = self
            .moves
            .iter()
            .map(|(index, share)| (policy_index(*index), f32::from(*share) / total.max(1.0)))
            .collect();
        Sample { input, moves, wdl: self.wdl }
    }

    /// A probability as stored.
    pub fn quantise(probability: f32) -> u16 {
        (probability * SCALE).round() as u16
    }

    /// Appends its binary form.
    pub fn write(&self, out: &mut Vec<u8>) {
        let pairs = |pairs: &[(u16, u16)], out: &mut Vec<u8>| {
            out.extend_from_slice(&(pairs.len() as u16).to_le_bytes());
            for (a, b) in pairs {
                out.extend_from_slice(&a.to_le_bytes());
                out.extend_from_slice(&b.to_le_bytes());
            }
        };
        out.push(u8::from(self.position.white_to_move) | u8::from(self.position.is_mirrorable) << 1);
        out.extend_from_slice(&self.position.branches.to_le_bytes());
        for probability in self.wdl {
            out.extend_from_slice(&probability.to_le_bytes());
        }
        pairs(&self.position.cells, out);
        pairs(&self.moves, out);
    }

    /// Reads one from the front of `bytes`, which is advanced; `None` if the data is invalid.
    pub fn read(bytes: &mut &[u8]) -> Option<PackedSample> {
        fn take<const N: usize>(bytes: &mut &[u8]) -> Option<[u8; N]> {
            let (first, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            Some(*first)
        }
        let pairs = |bytes: &mut &[u8]| {
            let count = u16::from_le_bytes(take(bytes)?);
            let pair = |bytes: &mut &[u8]| {
                Some((u16::from_le_bytes(take(bytes)?), u16::from_le_bytes(take(bytes)?)))
            };
            (0..count).map(|_| pair(bytes)).collect::<Option<Box<[_]>>>()
        };
        let [flags] = take(bytes)?;
        let branches = u16::from_le_bytes(take(bytes)?);
        let mut wdl = [0.0; 3];
        for probability in &mut wdl {
            *probability = f32::from_le_bytes(take(bytes)?);
        }
        let cells = pairs(bytes)?;
        let moves = pairs(bytes)?;
        let is_valid = wdl.iter().all(|probability| (0.0..=1.0).contains(probability))
            && cells.iter().all(|(cell, _)| usize::from(cell & 0x7fff) < tabia_quantum::planes::SIZE)
            && moves.iter().all(|(index, _)| usize::from(*index) < tabia_quantum::ACTIONS);
        let position =
            EncodedPosition { cells, branches, white_to_move: flags & 1 != 0, is_mirrorable: flags & 2 != 0 };
        is_valid.then_some(PackedSample { position, moves, wdl })
    }
}
