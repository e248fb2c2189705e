//! Hidden sums along the line of play, each with the board it belongs to.
//!
//! An entry of the stack belongs to a ply of a search. When a position is evaluated, its sums follow from the nearest
//! entry before it that has some, by adding and subtracting what differs between the two boards: lazily, and over
//! several moves at once if nothing in between was evaluated. Where a king crossed the middle of the board, its side
//! sees the board mirrored, and where it came to another bucket, all weights change; then the sums follow from the last
//! ones of that side, half and bucket (a refresh cache, also known as a Finny table).
//!
//! Because sums are kept with their boards, they are right whatever was pushed and popped; that only makes boards that
//! differ by little be found.

use std::fmt;

use shakmaty::{Bitboard, Board, Color, Piece, Role};

use super::Weights;
use super::features::{self, Perspective, Seen};
use super::kernels::{self, Level, Row};

/// A side's sums, and how it sees the board; none for sums that are not there.
#[derive(Clone)]
struct Side<const N: usize> {
    units: Row<N>,
    perspective: Option<Perspective>,
}

#[derive(Clone)]
struct Entry<const N: usize> {
    board: Board,
    sides: [Side<N>; 2],
}

#[derive(Clone)]
struct Refreshed<const N: usize> {
    board: Board,
    units: Row<N>,
}

/// The sums of a line of play. A copy begins empty.
pub struct Stack<const N: usize> {
    entries: Vec<Entry<N>>,
    ply: usize,
    /// For each bucket, for each side, for each half of its king.
    refreshed: Vec<Refreshed<N>>,
}

impl<const N: usize> Default for Stack<N> {
    fn default() -> Stack<N> {
        Stack { entries: Vec::new(), ply: 0, refreshed: Vec::new() }
    }
}

impl<const N: usize> Clone for Stack<N> {
    fn clone(&self) -> Stack<N> {
        Stack::default()
    }
}

impl<const N: usize> fmt::Debug for Stack<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stack(ply {} of {})", self.ply, self.entries.len())
    }
}

/// Which inputs differ between two boards.
struct Changes {
    plus: Inputs,
    minus: Inputs,
}

/// Inputs as White sees them with its king on files e to h, at most one for each square of a board.
struct Inputs {
    list: [u16; 64],
    count: usize,
}

impl Inputs {
    #[inline]
    fn extend(&mut self, piece: Piece, squares: Bitboard) {
        for square in squares {
            self.list[self.count] = features::index(Color::White, 0, piece, square) as u16;
            self.count += 1;
        }
    }

    #[inline]
    fn as_slice(&self) -> &[u16] {
        &self.list[..self.count]
    }
}

impl Changes {
    #[inline]
    fn between(old: &Board, new: &Board) -> Changes {
        let empty = || Inputs { list: [0; 64], count: 0 };
        let mut changes = Changes { plus: empty(), minus: empty() };
        for color in Color::ALL {
            let (was, is) = (old.by_color(color), new.by_color(color));
            for role in Role::ALL {
                let (was, is) = (old.by_role(role) & was, new.by_role(role) & is);
                if was != is {
                    changes.plus.extend(Piece { color, role }, is & !was);
                    changes.minus.extend(Piece { color, role }, was & !is);
                }
            }
        }
        changes
    }

    fn is_empty(&self) -> bool {
        self.plus.count + self.minus.count == 0
    }

    #[inline]
    fn apply<const N: usize>(
        &self,
        weights: &Weights<N>,
        level: Level,
        side: Color,
        perspective: Perspective,
        from: &Row<N>,
        out: &mut Row<N>,
    ) {
        let (plus, minus) = (self.plus.as_slice(), self.minus.as_slice());
        let seen = Seen { side, flip: perspective.flip };
        kernels::update(level, out, from, weights.bucket(perspective), seen, plus, minus);
    }
}

impl<const N: usize> Stack<N> {
    /// A move is played.
    #[inline]
    pub fn push(&mut self) {
        self.ply += 1;
        if let Some(entry) = self.entries.get_mut(self.ply) {
            entry.sides[0].perspective = None;
            entry.sides[1].perspective = None;
        }
    }

    /// It is taken back.
    #[inline]
    pub fn pop(&mut self) {
        self.ply = self.ply.saturating_sub(1);
    }

    pub fn restart(&mut self) {
        self.ply = 0;
    }

    /// The hidden sums of White's side and of Black's.
    #[inline]
    pub fn units(&mut self, weights: &Weights<N>, level: Level, board: &Board) -> [&Row<N>; 2] {
        if self.entries.len() <= self.ply {
            self.grow(weights);
        }
        let seen = [Color::White, Color::Black].map(|side| weights.kings.perspective(board, side));
        let near = |side: usize| {
            let mut entries = self.entries[..=self.ply].iter();
            entries.rposition(|entry| entry.sides[side].perspective == Some(seen[side]))
        };
        match (near(0), near(1)) {
            (Some(white), Some(black)) if white == black => {
                let changes = Changes::between(&self.entries[white].board, board);
                if changes.is_empty() {
                    let [white, black] = &self.entries[white].sides;
                    return [&white.units, &black.units];
                }
                for (side, perspective) in seen.into_iter().enumerate() {
                    self.follow(weights, level, white, side, perspective, &changes);
                }
            }
            both => {
                for (side, from) in [both.0, both.1].into_iter().enumerate() {
                    match from {
                        Some(from) => {
                            let changes = Changes::between(&self.entries[from].board, board);
                            self.follow(weights, level, from, side, seen[side], &changes);
                        }
                        None => self.refresh(weights, level, board, side, seen[side]),
                    }
                }
            }
        }
        let entry = &mut self.entries[self.ply];
        entry.board = board.clone();
        let [white, black] = &entry.sides;
        [&white.units, &black.units]
    }

    /// A side's sums at this ply follow from those of an earlier one.
    #[inline]
    fn follow(
        &mut self,
        weights: &Weights<N>,
        level: Level,
        from: usize,
        side: usize,
        perspective: Perspective,
        changes: &Changes,
    ) {
        let color = Color::from_white(side == 0);
        if from == self.ply {
            let mut units = Row::default();
            changes.apply(
                weights,
                level,
                color,
                perspective,
                &self.entries[from].sides[side].units,
                &mut units,
            );
            self.entries[from].sides[side].units = units;
            return;
        }
        let (before, here) = self.entries.split_at_mut(self.ply);
        let to = &mut here[0].sides[side];
        changes.apply(weights, level, color, perspective, &before[from].sides[side].units, &mut to.units);
        to.perspective = Some(perspective);
    }

    /// A side's sums at this ply follow from the last ones with its king on the same half, in the same bucket.
    #[inline(never)]
    fn refresh(
        &mut self,
        weights: &Weights<N>,
        level: Level,
        board: &Board,
        side: usize,
        perspective: Perspective,
    ) {
        let index = (usize::from(perspective.bucket) * 2 + side) * 2 + usize::from(perspective.is_mirrored());
        let kept = &mut self.refreshed[index];
        let changes = Changes::between(&kept.board, board);
        let to = &mut self.entries[self.ply].sides[side];
        let color = Color::from_white(side == 0);
        changes.apply(weights, level, color, perspective, &kept.units, &mut to.units);
        to.perspective = Some(perspective);
        kept.units.clone_from(&to.units);
        kept.board = board.clone();
    }

    #[inline(never)]
    fn grow(&mut self, weights: &Weights<N>) {
        let empty = || Side { units: Row::default(), perspective: None };
        self.entries.resize_with(self.ply + 1, || Entry { board: Board::empty(), sides: [empty(), empty()] });
        if self.refreshed.is_empty() {
            let empty = Refreshed { board: Board::empty(), units: weights.hidden_bias.clone() };
            self.refreshed = vec![empty; 4 * weights.kings.count()];
        }
    }
}
