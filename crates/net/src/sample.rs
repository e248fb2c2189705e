//! What is learned from: a state as it was seen, what the search made of it, and how the game ended; in little room.

use crate::backward::Lesson;
use crate::view::{self, INPUT_SIZE, Seen};

/// Shares are kept in parts of this.
const WHOLE: f32 = 65535.0;

/// One state of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Sample {
    /// The state.
    pub seen: Seen,
    /// The legal moves by their numbers in the mover's view, and their shares in 65535ths. Empty where the search was too short to be learned from.
    pub moves: Box<[(u16, u16)]>,
    /// Chances to win, draw and lose: half how the game ended, half what the search thought.
    pub chances: [f32; 3],
}

impl Sample {
    /// The lesson in it, with left and right swapped if that is wanted and the rules allow it.
    pub fn lesson(&self, mirrored: bool) -> Lesson {
        let mirrored = mirrored && self.seen.mirrors;
        let mut input = vec![0.0; INPUT_SIZE];
        self.seen.write(mirrored, &mut input);
        let number = |index: u16| if mirrored { view::mirrored(index.into()) } else { index.into() };
        let total: f32 = self.moves.iter().map(|(_, share)| f32::from(*share)).sum();
        let moves = self
            .moves
            .iter()
            .map(|(index, share)| (number(*index), f32::from(*share) / total.max(1.0)))
            .collect();
        Lesson { input, moves, chances: self.chances }
    }

    /// A share as it is kept.
    pub fn share(share: f32) -> u16 {
        (share * WHOLE).round() as u16
    }

    /// Appends it to bytes.
    pub fn write(&self, out: &mut Vec<u8>) {
        let pairs = |pairs: &[(u16, u16)], out: &mut Vec<u8>| {
            out.extend_from_slice(&(pairs.len() as u16).to_le_bytes());
            for (a, b) in pairs {
                out.extend_from_slice(&a.to_le_bytes());
                out.extend_from_slice(&b.to_le_bytes());
            }
        };
        out.push(u8::from(self.seen.white) | u8::from(self.seen.mirrors) << 1);
        out.extend_from_slice(&self.seen.branches.to_le_bytes());
        for chance in self.chances {
            out.extend_from_slice(&chance.to_le_bytes());
        }
        pairs(&self.seen.cells, out);
        pairs(&self.moves, out);
    }

    /// Reads one from the front of bytes, which are shortened; nothing where they make no sense.
    pub fn read(bytes: &mut &[u8]) -> Option<Sample> {
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
        let mut chances = [0.0; 3];
        for chance in &mut chances {
            *chance = f32::from_le_bytes(take(bytes)?);
        }
        let cells = pairs(bytes)?;
        let moves = pairs(bytes)?;
        let known = chances.iter().all(|chance| (0.0..=1.0).contains(chance))
            && cells.iter().all(|(place, _)| usize::from(place & 0x7fff) < tabia_quantum::planes::SIZE)
            && moves.iter().all(|(index, _)| usize::from(*index) < tabia_quantum::ACTIONS);
        let seen = Seen { cells, branches, white: flags & 1 != 0, mirrors: flags & 2 != 0 };
        known.then_some(Sample { seen, moves, chances })
    }
}
