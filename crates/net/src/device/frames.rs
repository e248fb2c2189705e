//! What travels to the Python process: positions in little room, and tensors.
//!
//! A frame is seven numbers of 32 bits (kind, lane, player, rows, cells, moves, bytes that follow), little end first, and its bytes. An answer is two (lane, bytes) and
//! its bytes. The lane tells which question is answered.

use crate::backward::Losses;
use crate::replay::Pick;
use crate::settings::Knobs;
use crate::view::{self, Seen};
use crate::weights::Weights;

/// What is asked for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// Weights of one who plays.
    Load = 1,
    /// Positions to be valued.
    Answer = 2,
    /// Everything that is learned.
    Learn = 3,
    /// One step.
    Step = 4,
    /// What was learned.
    Take = 5,
}

/// A frame being written.
#[derive(Clone, Debug, Default)]
pub(super) struct Positions {
    plain: Vec<u16>,
    cell_counts: Vec<u16>,
    places: Vec<u16>,
    numbers: Vec<u16>,
    move_counts: Vec<u16>,
    moves: Vec<u16>,
    shares: Vec<u16>,
    chances: Vec<f32>,
}

impl Positions {
    /// Adds a position with the numbers of its legal moves.
    pub(super) fn add(&mut self, seen: &Seen, mirrored: bool, moves: impl IntoIterator<Item = u16>) {
        self.plain.extend([seen.branches, u16::from(seen.white)]);
        self.cell_counts.push(seen.cells.len() as u16);
        for (place, number) in &seen.cells {
            self.places.push(if mirrored { view::mirrored_place(*place) } else { *place });
            self.numbers.push(*number);
        }
        let before = self.moves.len();
        self.moves.extend(moves);
        self.move_counts.push((self.moves.len() - before) as u16);
    }

    /// Adds something to learn from.
    pub(super) fn add_lesson(&mut self, pick: &Pick<'_>) {
        let (sample, mirrored) = (pick.sample, pick.mirrored());
        let number = |index: u16| if mirrored { view::mirrored(index.into()) as u16 } else { index };
        self.add(&sample.seen, mirrored, sample.moves.iter().map(|(index, _)| number(*index)));
        self.shares.extend(sample.moves.iter().map(|(_, share)| *share));
        self.chances.extend(sample.chances);
    }

    pub(super) fn rows(&self) -> usize {
        self.cell_counts.len()
    }

    /// Moves of each row.
    pub(super) fn move_counts(&self) -> &[u16] {
        &self.move_counts
    }

    /// A question: what are these worth?
    pub(super) fn question(&self, lane: u32, player: u32) -> Vec<u8> {
        let mut out = self.head(Kind::Answer, lane, player);
        self.write(&mut out);
        finish(out)
    }

    /// A step with these lessons.
    pub(super) fn step(&self, knobs: &Knobs, rate: f32) -> Vec<u8> {
        let mut out = self.head(Kind::Step, 0, 0);
        floats(&mut out, &[rate, knobs.decay, knobs.clip, knobs.averaging]);
        floats(&mut out, &self.chances);
        self.write(&mut out);
        words(&mut out, &self.shares);
        finish(out)
    }

    fn head(&self, kind: Kind, lane: u32, player: u32) -> Vec<u8> {
        head(kind, lane, player, [self.rows(), self.places.len(), self.moves.len()])
    }

    fn write(&self, out: &mut Vec<u8>) {
        for part in
            [&self.plain, &self.cell_counts, &self.places, &self.numbers, &self.move_counts, &self.moves]
        {
            words(out, part);
        }
    }
}

/// Weights for one who plays.
pub(super) fn load(player: u32, weights: &Weights) -> Vec<u8> {
    let mut out = head(Kind::Load, 0, player, [0; 3]);
    tensors(&mut out, weights);
    finish(out)
}

/// Everything that is learned.
pub(super) fn learn(steps: u64, parts: [&Weights; 4]) -> Vec<u8> {
    let mut out = head(Kind::Learn, 0, 0, [0; 3]);
    out.extend_from_slice(&steps.to_le_bytes());
    for part in parts {
        tensors(&mut out, part);
    }
    finish(out)
}

/// A question: what was learned?
pub(super) fn take(lane: u32) -> Vec<u8> {
    finish(head(Kind::Take, lane, 0, [0; 3]))
}

/// What was learned: steps, how wrong answers were, and four sets of tensors into `parts`. Nothing if that is not what the bytes are.
pub(super) fn taken(mut bytes: &[u8], parts: [&mut Weights; 4]) -> Option<(u64, Losses)> {
    let (steps, rest) = bytes.split_first_chunk::<8>()?;
    bytes = rest;
    let mut sums = [0.0; 6];
    for sum in &mut sums {
        let (number, rest) = bytes.split_first_chunk::<8>()?;
        *sum = f64::from_le_bytes(*number);
        bytes = rest;
    }
    let [policy, value, policies, lessons, hits, entropy] = sums;
    let mut numbers =
        bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]));
    for part in parts {
        for number in part.slots.iter_mut().flatten() {
            *number = numbers.next()?;
        }
    }
    numbers
        .next()
        .is_none()
        .then_some((u64::from_le_bytes(*steps), Losses { policy, value, policies, lessons, hits, entropy }))
}

/// Numbers of 32 bits.
pub(super) fn numbers(bytes: &[u8]) -> impl Iterator<Item = f32> + '_ {
    bytes.chunks_exact(4).map(|four| f32::from_le_bytes([four[0], four[1], four[2], four[3]]))
}

fn head(kind: Kind, lane: u32, player: u32, counts: [usize; 3]) -> Vec<u8> {
    let mut out = Vec::new();
    for number in [kind as u32, lane, player].into_iter().chain(counts.map(|count| count as u32)).chain([0]) {
        out.extend_from_slice(&number.to_le_bytes());
    }
    out
}

/// Bytes of a frame before those it announces.
const HEAD: usize = 28;

/// Says how many bytes follow the head.
fn finish(mut out: Vec<u8>) -> Vec<u8> {
    let bytes = (out.len() - HEAD) as u32;
    out[HEAD - 4..HEAD].copy_from_slice(&bytes.to_le_bytes());
    out
}

fn tensors(out: &mut Vec<u8>, weights: &Weights) {
    for slot in &weights.slots {
        floats(out, slot);
    }
}

fn floats(out: &mut Vec<u8>, numbers: &[f32]) {
    out.extend(numbers.iter().flat_map(|number| number.to_le_bytes()));
}

fn words(out: &mut Vec<u8>, words: &[u16]) {
    out.extend(words.iter().flat_map(|word| word.to_le_bytes()));
}
