//! Move indices for policies: `from · 146 + t`, and 73 more for a split (rule 14).
//!
//! | t | |
//! | --- | --- |
//! | 0–55 | directions N, S, E, W, NE, SE, SW, NW × distances 1–7 |
//! | 56–63 | knight moves, clockwise from one file towards h and two ranks towards 8 |
//! | 64–72 | promotion to knight, bishop, rook × towards file a, straight, towards file h |
//!
//! Directions are absolute: north is towards rank 8 for both sides.

use shakmaty::{Rank, Role, Square};

use crate::action::{Kind, Move, steps};

/// Number of indices; not every index is a move.
pub const ACTIONS: usize = 64 * PER_SQUARE;
const PER_SQUARE: usize = 2 * PER_KIND;
const PER_KIND: usize = 73;
const DISTANCES: usize = 7;
const FIRST_LEAP: usize = 56;
const FIRST_UNDERPROMOTION: usize = 64;

/// Offsets in files and ranks.
const DIRECTIONS: [(i32, i32); 8] = [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, -1), (-1, 1)];
const LEAPS: [(i32, i32); 8] = [(1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2)];
const UNDERPROMOTIONS: [Role; 3] = [Role::Knight, Role::Bishop, Role::Rook];

impl Move {
    /// The index of this move.
    pub fn index(self) -> usize {
        let split = if self.is_split() { PER_KIND } else { 0 };
        self.from().to_usize() * PER_SQUARE + split + self.shape()
    }

    /// The move of an index; `None` where it would leave the board.
    ///
    /// ```
    /// use tabia_quantum::{ACTIONS, Move};
    ///
    /// let m: Move = "e2e4".parse()?;
    /// assert!(m.index() < ACTIONS);
    /// assert_eq!(Move::from_index(m.index()), Some(m));
    /// # Ok::<(), tabia_quantum::MoveError>(())
    /// ```
    pub fn from_index(index: usize) -> Option<Move> {
        if index >= ACTIONS {
            return None;
        }
        let from = Square::new((index / PER_SQUARE) as u32);
        let (kind, shape) = match index % PER_SQUARE {
            shape if shape < PER_KIND => (Kind::Classical, shape),
            shape => (Kind::Split, shape - PER_KIND),
        };
        match shape {
            0..FIRST_LEAP => {
                let (files, ranks) = DIRECTIONS[shape / DISTANCES];
                let distance = (shape % DISTANCES) as i32 + 1;
                Some(Move::known(kind, from, moved(from, files * distance, ranks * distance)?, None))
            }
            FIRST_LEAP..FIRST_UNDERPROMOTION => {
                let (files, ranks) = LEAPS[shape - FIRST_LEAP];
                Some(Move::known(kind, from, moved(from, files, ranks)?, None))
            }
            _ => {
                let (role, towards) =
                    ((shape - FIRST_UNDERPROMOTION) / 3, (shape - FIRST_UNDERPROMOTION) % 3);
                let ranks = match from.rank() {
                    Rank::Seventh => 1,
                    Rank::Second => -1,
                    _ => return None,
                };
                let to = moved(from, towards as i32 - 1, ranks)?;
                Some(Move::known(kind, from, to, Some(UNDERPROMOTIONS[role])))
            }
        }
    }

    /// `t`: the offset, independent of the square.
    fn shape(self) -> usize {
        let (files, ranks) = steps(self.from(), self.to());
        if let Some(role) = self.underpromotion() {
            let role = UNDERPROMOTIONS.iter().position(|known| *known == role).unwrap_or_default();
            return FIRST_UNDERPROMOTION + 3 * role + (files + 1) as usize;
        }
        if let Some(leap) = LEAPS.iter().position(|leap| *leap == (files, ranks)) {
            return FIRST_LEAP + leap;
        }
        let distance = files.abs().max(ranks.abs());
        let towards = (files.signum(), ranks.signum());
        let direction = DIRECTIONS.iter().position(|direction| *direction == towards).unwrap_or_default();
        direction * DISTANCES + distance as usize - 1
    }
}

fn moved(from: Square, files: i32, ranks: i32) -> Option<Square> {
    Some(Square::from_coords(from.file().offset(files)?, from.rank().offset(ranks)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_that_is_a_move_is_that_moves_index() {
        let moves: Vec<Move> = (0..ACTIONS + 10).filter_map(Move::from_index).collect();
        for index in 0..ACTIONS {
            if let Some(m) = Move::from_index(index) {
                assert_eq!(m.index(), index, "{m}");
                assert_eq!(Move::new(m.kind(), m.from(), m.to(), m.underpromotion()), Ok(m));
            }
        }
        // 1,456 rays and 336 knight moves, and on 16 squares 3 roles × 3 directions, less those beyond files a and h.
        assert_eq!(moves.len(), 2 * (1456 + 336 + 2 * (8 * 9 - 2 * 3)));
        assert_eq!(ACTIONS, 9344);
    }

    #[test]
    fn indices_are_those_of_the_rules() {
        for (text, from, shape) in [
            ("e2e4", 12, 1),
            ("e7e5", 52, 8),
            ("b1c3", 1, 56),
            ("g8f6", 62, 56 + 4),
            ("b1a3", 1, 63),
            ("a1h1", 0, 20),
            ("h1a1", 7, 27),
            ("a1h8", 0, 34),
            ("a8h1", 56, 41),
            ("h8a1", 63, 48),
            ("h1a8", 7, 55),
            ("e7e8q", 52, 0),
            ("e7d8n", 52, 64),
            ("e7e8b", 52, 68),
            ("e2f1r", 12, 72),
            ("e1g1", 4, 15),
        ] {
            let m: Move = text.parse().unwrap();
            assert_eq!(m.index(), from * 146 + shape, "{text}");
            assert_eq!(m.of_kind(Kind::Split).index(), from * 146 + shape + 73, "{text}");
        }
    }
}
