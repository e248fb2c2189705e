//! A state as its mover sees it: the mover's pieces come first and go up the board, whoever it is.
//!
//! The planes are those of the rules (seed 004 §3) with colours swapped and ranks turned where Black moves; plane 25 still says who it is. Moves are
//! numbered in the same view. So what is learned for one side is known for the other.

use std::sync::OnceLock;

use shakmaty::{Color, Square};
use tabia_quantum::planes::{PLANES, SIZE};
use tabia_quantum::{ACTIONS, Action, Move, QuantumGame};

use crate::kernels::{BORDERED_SQUARES, SQUARES, bordered};

/// Channels of the first convolution's input: the planes, and zeros up to a whole number of vectors.
pub const INPUTS: usize = 32;
/// Numbers of one bordered input.
pub const INPUT_SIZE: usize = BORDERED_SQUARES * INPUTS;

/// Planes that hold pieces, each with its twin that says what is likelier than not.
const PIECE_PLANES: usize = 12;
const COLOR_PLANES: usize = 6;
const BRANCHES: usize = 24;
const WHITE_TO_MOVE: usize = 25;
/// A piece that is likelier there than not.
const LIKELY: u16 = 1 << 15;
/// What turns ranks: rank 1 becomes rank 8.
const TURNED: usize = 0o70;
/// What swaps files.
const SWAPPED: usize = 0o7;
const WHOLE: f32 = 65535.0;

/// What is seen of a state, in little room.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seen {
    /// Places (plane and square) that are not zero, and their numbers in 65535ths. Twins are a bit of the place.
    pub cells: Box<[(u16, u16)]>,
    /// The number of branches, as its plane has it, in 65535ths.
    pub branches: u16,
    /// Whether White is to move.
    pub white: bool,
    /// Whether no castling right is left, so that left and right may be swapped.
    pub mirrors: bool,
}

impl Seen {
    /// Looks at a state.
    pub fn new(game: &QuantumGame) -> Seen {
        let mut planes = [0.0; SIZE];
        game.planes(&mut planes);
        let black = game.side_to_move() == Color::Black;
        let mut cells = Vec::with_capacity(48);
        for (plane, numbers) in planes.chunks_exact(SQUARES).enumerate() {
            if (PIECE_PLANES..=WHITE_TO_MOVE).contains(&plane) {
                continue;
            }
            let to =
                if plane < PIECE_PLANES && black { (plane + COLOR_PLANES) % PIECE_PLANES } else { plane };
            for (square, number) in numbers.iter().enumerate().filter(|(_, number)| **number > 0.0) {
                let likely = plane < PIECE_PLANES && planes[(plane + PIECE_PLANES) * SQUARES + square] > 0.0;
                let place = to * SQUARES + if black { square ^ TURNED } else { square };
                cells.push((
                    place as u16 | if likely { LIKELY } else { 0 },
                    (number * WHOLE).round().max(1.0) as u16,
                ));
            }
        }
        let castling = 26 * SQUARES;
        Seen {
            cells: cells.into(),
            branches: (planes[BRANCHES * SQUARES] * WHOLE).round() as u16,
            white: !black,
            mirrors: planes[castling..castling + SQUARES].iter().all(|number| *number == 0.0),
        }
    }

    /// Writes the bordered input of a network, channel by channel of each square; with left and right swapped where that is wanted.
    pub fn write(&self, mirrored: bool, out: &mut [f32]) {
        debug_assert_eq!(out.len(), INPUT_SIZE);
        out.fill(0.0);
        let turn = if mirrored { SWAPPED } else { 0 };
        for (place, number) in &self.cells {
            let (plane, square) = (usize::from(place & !LIKELY) / SQUARES, usize::from(*place) % SQUARES);
            let at = bordered(square ^ turn) * INPUTS + plane;
            out[at] = f32::from(*number) / WHOLE;
            if place & LIKELY != 0 {
                out[at + PIECE_PLANES] = 1.0;
            }
        }
        for square in 0..SQUARES {
            let at = bordered(square) * INPUTS;
            out[at + BRANCHES] = f32::from(self.branches) / WHOLE;
            out[at + WHITE_TO_MOVE] = if self.white { 1.0 } else { 0.0 };
        }
    }

    /// The planes one after another without border, as exported networks take them.
    pub fn planes(&self) -> Vec<f32> {
        let mut board = vec![0.0; INPUT_SIZE];
        self.write(false, &mut board);
        let at = |plane: usize, square: usize| board[bordered(square) * INPUTS + plane];
        (0..PLANES)
            .flat_map(|plane| (0..SQUARES).map(move |square| (plane, square)))
            .map(|(p, s)| at(p, s))
            .collect()
    }
}

/// The number of an action in the mover's view.
pub fn index(action: Action, turn: Color) -> usize {
    match action {
        Action::Move(m) if turn == Color::Black => usize::from(turned().0[m.index()]),
        Action::Move(m) => m.index(),
        Action::Capture(_) | Action::King(_) => 0,
    }
}

/// A move's number with left and right swapped.
pub fn mirrored(index: usize) -> usize {
    usize::from(turned().1[index])
}

/// A cell's place with left and right swapped.
pub(crate) fn mirrored_place(place: u16) -> u16 {
    place ^ SWAPPED as u16
}

/// Every move's number with ranks turned, and with files swapped.
fn turned() -> &'static (Vec<u16>, Vec<u16>) {
    static TURNED: OnceLock<(Vec<u16>, Vec<u16>)> = OnceLock::new();
    TURNED.get_or_init(|| {
        let by = |turn: fn(Square) -> Square| {
            let number = |index: usize| {
                let m = Move::from_index(index)?;
                Move::new(m.kind(), turn(m.from()), turn(m.to()), m.underpromotion()).ok()
            };
            (0..ACTIONS).map(|index| number(index).map_or(index, Move::index) as u16).collect()
        };
        (by(Square::flip_vertical), by(Square::flip_horizontal))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use tabia_core::{Game, seed};

    /// States of random games, some of them with several branches.
    fn states(count: usize) -> Vec<QuantumGame> {
        let mut random = seed::random(5);
        let (mut states, mut actions) = (Vec::new(), Vec::new());
        while states.len() < count {
            // Every other game begins without the right to castle.
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
    fn white_sees_the_planes_of_the_rules() {
        for game in states(60) {
            if game.side_to_move() == Color::White {
                let mut expected = [0.0; SIZE];
                game.planes(&mut expected);
                let seen = Seen::new(&game).planes();
                for (at, (seen, expected)) in seen.iter().zip(&expected).enumerate() {
                    assert!((seen - expected).abs() < 2e-5, "plane {}: {seen}, not {expected}", at / 64);
                }
            }
        }
    }

    #[test]
    fn both_sides_see_the_same_in_turned_positions() {
        let white: QuantumGame = "r3k3/8/8/8/4N3/8/8/4K2R w K - 3 9".parse().unwrap();
        let black: QuantumGame = "4k2r/8/8/4n3/8/8/8/R3K3 b k - 3 9".parse().unwrap();
        let (white, mut black) = (Seen::new(&white), Seen::new(&black));
        black.white = true;
        let sorted = |seen: &Seen| {
            let mut cells = seen.cells.to_vec();
            cells.sort_unstable();
            cells
        };
        assert_eq!(sorted(&white), sorted(&black));
        let action = |text: &str| Action::Move(text.parse().unwrap());
        assert_eq!(index(action("e7e5"), Color::Black), index(action("e2e4"), Color::White));
        assert_eq!(index(action("b2a1n"), Color::Black), index(action("b7a8n"), Color::White));
    }

    #[test]
    fn mirrored_states_are_seen_mirrored() {
        let mut seen_some = 0;
        for game in states(200) {
            let seen = Seen::new(&game);
            if seen.mirrors {
                seen_some += 1;
                let (mut a, mut b) = (vec![0.0; INPUT_SIZE], vec![0.0; INPUT_SIZE]);
                seen.write(true, &mut a);
                Seen::new(&game.mirrored()).write(false, &mut b);
                assert_eq!(a, b);
            }
        }
        assert!(seen_some > 0);
        let knight: Move = "b1c3".parse().unwrap();
        assert_eq!(mirrored(knight.index()), "g1f3".parse::<Move>().unwrap().index());
    }
}
