//! `pst`: tapered piece-square tables.
//!
//! Every piece has a middlegame and an endgame value for each square (`tables.rs` says where the numbers come from).
//! The two are interpolated by *phase*, which is full while all pieces are on the board and zero when they are gone.
//! The side to move gets a small tempo bonus.
//!
//! A search that keeps its own board may keep the sum incrementally: add [`value`] and [`phase_weight`] of each piece
//! that appears, subtract those of each piece that leaves; [`taper`] then gives the score of [`Pst`] without the tempo.

mod packed;
mod tables;

use shakmaty::{Board, Color, Piece, Role, Square};
use tabia_core::Score;

use crate::evaluate::Evaluate;
use crate::explain::{Explanation, Field, Term};
use crate::view::View;

pub use packed::Packed;

/// The phase of a board with all its pieces: fourteen minor and major pieces, weighed by [`phase_weight`].
pub const FULL_PHASE: i32 = 24;

/// Bonus of the side to move, in centipawns.
pub const TEMPO: i32 = tables::TEMPO;

/// How much a piece counts towards the phase: a minor piece 1, a rook 2, a queen 4.
pub const fn phase_weight(role: Role) -> i32 {
    match role {
        Role::Pawn | Role::King => 0,
        Role::Knight | Role::Bishop => 1,
        Role::Rook => 2,
        Role::Queen => 4,
    }
}

/// Value of every piece on every square in White's view: White's positive, Black's negative.
static VALUES: [[[Packed; 64]; 6]; 2] = {
    let mut values = [[[Packed::new(0, 0); 64]; 6]; 2];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let (middlegame, endgame) = value_for_white(role, square);
            values[Color::White as usize][role][square] = Packed::new(middlegame, endgame);
            // Black's board is White's upside down: flipping a square's rank is an exclusive or.
            values[Color::Black as usize][role][square ^ 0o70] = Packed::new(-middlegame, -endgame);
            square += 1;
        }
        role += 1;
    }
    values
};

/// Middlegame and endgame value of a white piece, from the half board of its table.
const fn value_for_white(role: usize, square: usize) -> (i32, i32) {
    let table = &tables::ALL[role];
    let (row, file) = (7 - square / 8, square % 8);
    let column = if file < 4 { file } else { 7 - file };
    (
        table.material.middlegame + table.middlegame[row][column],
        table.material.endgame + table.endgame[row][column],
    )
}

/// The value of a piece on a square, in White's view.
///
/// ```
/// use shakmaty::{Color, Square};
/// use tabia_eval::pst::{FULL_PHASE, taper, value};
///
/// let [white, black] = [Color::White, Color::Black];
/// let sum = value(white.queen(), Square::D1) + value(black.queen(), Square::D8);
/// assert_eq!(taper(sum, FULL_PHASE), 0);
/// ```
#[inline]
pub fn value(piece: Piece, square: Square) -> Packed {
    VALUES[piece.color as usize][index(piece.role)][usize::from(square)]
}

/// Interpolates a sum of values by phase, in centipawns. Truncates towards zero, so that the opposite sum gives the
/// opposite number. A phase above full (after promotions) counts as full.
#[inline]
pub fn taper(sum: Packed, phase: i32) -> i32 {
    scaled(sum, phase.min(FULL_PHASE)) / FULL_PHASE
}

/// The interpolated value before the division by the full phase.
fn scaled(sum: Packed, phase: i32) -> i32 {
    sum.middlegame() * phase + sum.endgame() * (FULL_PHASE - phase)
}

/// How much of the game is left on a board: full phase at the start, zero with kings and pawns alone.
///
/// ```
/// use shakmaty::{Board, Chess, Position};
/// use tabia_eval::pst::{FULL_PHASE, phase};
///
/// assert_eq!(phase(Chess::default().board()), FULL_PHASE);
/// assert_eq!(phase(&Board::empty()), 0);
/// ```
#[inline]
pub fn phase(board: &Board) -> i32 {
    let count = |role: Role| board.by_role(role).count() as i32 * phase_weight(role);
    let total = count(Role::Knight) + count(Role::Bishop) + count(Role::Rook) + count(Role::Queen);
    total.min(FULL_PHASE)
}

/// The sum of [`value`] over one kind of piece of one side.
#[inline]
fn sum_of(board: &Board, color: Color, role: Role) -> Packed {
    let table = &VALUES[color as usize][index(role)];
    let mut sum = Packed::default();
    for square in board.by_role(role) & board.by_color(color) {
        sum += table[usize::from(square)];
    }
    sum
}

const fn index(role: Role) -> usize {
    role as usize - Role::Pawn as usize
}

/// Tapered material and piece-square tables, and a tempo bonus.
#[derive(Copy, Clone, Debug, Default)]
pub struct Pst;

impl Evaluate for Pst {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        let mut sum = Packed::default();
        for color in Color::ALL {
            for role in Role::ALL {
                sum += sum_of(view.board, color, role);
            }
        }
        Score::cp(taper(sum, phase(view.board)) + view.turn.fold_wb(TEMPO, -TEMPO))
    }

    /// One term per role (the values of White's and Black's pieces) and the tempo. Tapering leaves
    /// fractions of a centipawn; each term gets the difference between truncated running totals.
    fn explain(&self, view: View<'_>) -> Explanation {
        let phase = phase(view.board);
        let in_centipawns = |sum: Packed| f64::from(scaled(sum, phase)) / f64::from(FULL_PHASE);
        let mut total = Packed::default();
        let mut terms: Vec<Term> = Role::ALL
            .into_iter()
            .map(|role| {
                let [white, black] = Color::ALL.map(|color| sum_of(view.board, color, role));
                let before = taper(total, phase);
                total += white + black;
                Term {
                    name: name(role).to_owned(),
                    white: in_centipawns(white),
                    black: in_centipawns(-black),
                    weight: 1.0,
                    centipawns: taper(total, phase) - before,
                }
            })
            .collect();
        let to_move = |color: Color| f64::from(u8::from(view.turn == color));
        terms.push(Term {
            name: "tempo".to_owned(),
            white: to_move(Color::White),
            black: to_move(Color::Black),
            weight: f64::from(TEMPO),
            centipawns: view.turn.fold_wb(TEMPO, -TEMPO),
        });
        let mut values = [[0.0; 8]; 8];
        for (square, piece) in view.board {
            let (row, column) = (7 - square.rank() as usize, square.file() as usize);
            values[row][column] = in_centipawns(value(piece, square));
        }
        let score = terms.iter().map(|term| term.centipawns).sum();
        let worth = Field { name: "worth".to_owned(), unit: "centipawns".to_owned(), values };
        Explanation { score: Score::cp(score), terms, fields: vec![worth] }
    }
}

fn name(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawns",
        Role::Knight => "knights",
        Role::Bishop => "bishops",
        Role::Rook => "rooks",
        Role::Queen => "queens",
        Role::King => "kings",
    }
}

#[cfg(test)]
mod tests;
