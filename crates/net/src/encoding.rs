//! Network inputs and policy indices from the side to move's perspective.
//!
//! The planes are those of seed 004 §3, with colours swapped and ranks flipped when Black is to move; plane 25 still holds the side
//! to move. Policy indices are flipped likewise. What the network learns for one colour therefore holds for the other.

use std::sync::OnceLock;

use shakmaty::{Color, Square};
use tabia_quantum::planes::{PLANES, SIZE};
use tabia_quantum::{ACTIONS, Action, Move, QuantumGame};

use crate::kernels::{PADDED_SQUARES, SQUARES, padded_square};

/// Input channels: the planes, padded with zeros to a whole number of vectors.
pub const INPUT_CHANNELS: usize = 32;
/// Length of a padded input.
pub const INPUT_SIZE: usize = PADDED_SQUARES * INPUT_CHANNELS;

/// Piece planes. Each has a second plane, [`PIECE_PLANES`] later, that is 1 where the piece is more likely present than not.
const PIECE_PLANES: usize = 12;
const COLOR_PLANES: usize = 6;
const BRANCHES: usize = 24;
const WHITE_TO_MOVE: usize = 25;
/// Bit of a cell: the piece is more likely present than not.
const LIKELY: u16 = 1 << 15;
/// XOR mask that flips ranks: rank 1 becomes rank 8.
const FLIP_RANKS: usize = 0o70;
/// XOR mask that flips files.
const FLIP_FILES: usize = 0o7;
/// Probabilities are stored as `u16`, in units of 1/65535.
const SCALE: f32 = 65535.0;

/// A position as sparse network input.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EncodedPosition {
    /// Nonzero cells (`plane * 64 + square`, with the bit `LIKELY`) and their values in 1/65535.
    pub cells: Box<[(u16, u16)]>,
    /// Value of the plane for the number of branches, in 1/65535.
    pub branches: u16,
    pub white_to_move: bool,
    /// Whether there are no castling rights, so that the position may be mirrored left to right.
    pub is_mirrorable: bool,
}

impl EncodedPosition {
    /// Encodes a position.
    pub fn new(game: &QuantumGame) -> EncodedPosition {
        let mut planes = [0.0; SIZE];
        game.planes(&mut planes);
        let black = game.side_to_move() == Color::Black;
        let mut cells = Vec::with_capacity(48);
        for (plane, values) in planes.chunks_exact(SQUARES).enumerate() {
            if (PIECE_PLANES..=WHITE_TO_MOVE).contains(&plane) {
                continue;
            }
            let to =
                if plane < PIECE_PLANES && black { (plane + COLOR_PLANES) % PIECE_PLANES } else { plane };
            for (square, value) in values.iter().enumerate().filter(|(_, value)| **value > 0.0) {
                let likely = plane < PIECE_PLANES && planes[(plane + PIECE_PLANES) * SQUARES + square] > 0.0;
                let cell = to * SQUARES + if black { square ^ FLIP_RANKS } else { square };
                cells.push((
                    cell as u16 | if likely { LIKELY } else { 0 },
                    (value * SCALE).round().max(1.0) as u16,
                ));
            }
        }
        let castling = 26 * SQUARES;
        EncodedPosition {
            cells: cells.into(),
            branches: (planes[BRANCHES * SQUARES] * SCALE).round() as u16,
            white_to_move: !black,
            is_mirrorable: planes[castling..castling + SQUARES].iter().all(|value| *value == 0.0),
        }
    }

    /// Writes the padded network input, `[square][channel]`, optionally mirrored left to right.
    pub fn write(&self, mirrored: bool, out: &mut [f32]) {
        debug_assert_eq!(out.len(), INPUT_SIZE);
        out.fill(0.0);
        let flip = if mirrored { FLIP_FILES } else { 0 };
        for (cell, value) in &self.cells {
            let (plane, square) = (usize::from(cell & !LIKELY) / SQUARES, usize::from(*cell) % SQUARES);
            let at = padded_square(square ^ flip) * INPUT_CHANNELS + plane;
            out[at] = f32::from(*value) / SCALE;
            if cell & LIKELY != 0 {
                out[at + PIECE_PLANES] = 1.0;
            }
        }
        for square in 0..SQUARES {
            let at = padded_square(square) * INPUT_CHANNELS;
            out[at + BRANCHES] = f32::from(self.branches) / SCALE;
            out[at + WHITE_TO_MOVE] = if self.white_to_move { 1.0 } else { 0.0 };
        }
    }

    /// The planes one after another without padding, as exported networks take them.
    pub fn planes(&self) -> Vec<f32> {
        let mut board = vec![0.0; INPUT_SIZE];
        self.write(false, &mut board);
        let at = |plane: usize, square: usize| board[padded_square(square) * INPUT_CHANNELS + plane];
        (0..PLANES)
            .flat_map(|plane| (0..SQUARES).map(move |square| (plane, square)))
            .map(|(p, s)| at(p, s))
            .collect()
    }
}

/// Policy index of an action from the perspective of the side to move.
pub fn policy_index(action: Action, turn: Color) -> usize {
    match action {
        Action::Move(m) if turn == Color::Black => usize::from(flipped_indices().0[m.index()]),
        Action::Move(m) => m.index(),
        Action::Capture(_) | Action::King(_) => 0,
    }
}

/// Policy index of a move mirrored left to right.
pub fn mirrored_index(index: usize) -> usize {
    usize::from(flipped_indices().1[index])
}

/// A cell mirrored left to right.
pub(crate) fn mirrored_cell(cell: u16) -> u16 {
    cell ^ FLIP_FILES as u16
}

/// All policy indices with ranks flipped, and with files flipped.
fn flipped_indices() -> &'static (Vec<u16>, Vec<u16>) {
    static FLIPPED: OnceLock<(Vec<u16>, Vec<u16>)> = OnceLock::new();
    FLIPPED.get_or_init(|| {
        let by = |flip: fn(Square) -> Square| {
            let flipped = |index: usize| {
                let m = Move::from_index(index)?;
                Move::new(m.kind(), flip(m.from()), flip(m.to()), m.underpromotion()).ok()
            };
            (0..ACTIONS).map(|index| flipped(index).map_or(index, Move::index) as u16).collect()
        };
        (by(Square::flip_vertical), by(Square::flip_horizontal))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use tabia_core::{Game, seed};

    /// Positions of random games, some of them with several branches.
    fn states(count: usize) -> Vec<QuantumGame> {
        let mut random = seed::random(5);
        let (mut states, mut actions) = (Vec::new(), Vec::new());
        while states.len() < count {
            // Every other game starts without castling rights.
            let without = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
            let mut game =
                if random.random_bool(0.5) { QuantumGame::default() } else { without.parse().unwrap() };
            while game.outcome().is_none() && game.ply() < 60 && game.branches().len() < 64 {
                let action = game.measure(&mut random).unwrap_or_else(|| {
                    game.actions(&mut actions);
                    actions[random.random_range(0..actions.len())]
                });
                game.apply(action);
                if matches!(game.turn(), tabia_core::Turn::Player(_)) && random.random_bool(0.2) {
                    states.push(game.clone());
                }
            }
        }
        states
    }

    #[test]
    fn white_gets_the_planes_of_the_rules() {
        for game in states(60) {
            if game.side_to_move() == Color::White {
                let mut expected = [0.0; SIZE];
                game.planes(&mut expected);
                let encoded = EncodedPosition::new(&game).planes();
                for (at, (encoded, expected)) in encoded.iter().zip(&expected).enumerate() {
                    assert!(
                        (encoded - expected).abs() < 2e-5,
                        "plane {}: {encoded}, not {expected}",
                        at / 64
                    );
                }
            }
        }
    }

    #[test]
    fn flipped_positions_are_encoded_alike_for_both_colours() {
        let white: QuantumGame = "r3k3/8/8/8/4N3/8/8/4K2R w K - 3 9".parse().unwrap();
        let black: QuantumGame = "4k2r/8/8/4n3/8/8/8/R3K3 b k - 3 9".parse().unwrap();
        let (white, mut black) = (EncodedPosition::new(&white), EncodedPosition::new(&black));
        black.white_to_move = true;
        let sorted = |encoded: &EncodedPosition| {
            let mut cells = encoded.cells.to_vec();
            cells.sort_unstable();
            cells
        };
        assert_eq!(sorted(&white), sorted(&black));
        let action = |text: &str| Action::Move(text.parse().unwrap());
        assert_eq!(policy_index(action("e7e5"), Color::Black), policy_index(action("e2e4"), Color::White));
        assert_eq!(policy_index(action("b2a1n"), Color::Black), policy_index(action("b7a8n"), Color::White));
    }

    #[test]
    fn mirrored_states_are_encoded_mirrored() {
        let mut count = 0;
        for game in states(200) {
            let encoded = EncodedPosition::new(&game);
            if encoded.is_mirrorable {
                count += 1;
                let (mut a, mut b) = (vec![0.0; INPUT_SIZE], vec![0.0; INPUT_SIZE]);
                encoded.write(true, &mut a);
                EncodedPosition::new(&game.mirrored()).write(false, &mut b);
                assert_eq!(a, b);
            }
        }
        assert!(count > 0);
        let knight: Move = "b1c3".parse().unwrap();
        assert_eq!(mirrored_index(knight.index()), "g1f3".parse::<Move>().unwrap().index());
    }
}
