//! `material`, `mat_mob` and `aggressive`: the three evaluations of seed 001 §4, in centipawns.
//!
//! | name         | worth                                                                 |
//! | ------------ | --------------------------------------------------------------------- |
//! | `material`   | 100, 300, 300, 500, 900 for pawn, knight, bishop, rook, queen         |
//! | `mat_mob`    | material, and 1 a legal move ([`mobility`] says how moves are counted) |
//! | `aggressive` | material, 2.5 a legal move, and 15 a piece on d4, e4, d5 or e5        |
//!
//! The seed's mobility is a tenth of a pawn a move, of which `mat_mob` takes a tenth and `aggressive` a quarter.
//! Any piece in the centre counts, pawns and kings too; the seed says "occupancy". Half centipawns are rounded
//! away from zero, the same for both sides.

pub mod mobility;

use shakmaty::{Bitboard, Board, ByColor, Color, Role};
use tabia_core::Score;

use crate::evaluate::Evaluate;
use crate::explain::{Explanation, Part, round};
use crate::view::View;

/// Centipawns of a legal move in [`MatMob`]: a tenth of a tenth of a pawn.
const MAT_MOB_MOVE: f64 = 1.0;

/// Centipawns of a legal move in [`Aggressive`]: a quarter of a tenth of a pawn.
const AGGRESSIVE_MOVE: f64 = 2.5;

/// Centipawns of a piece on a centre square in [`Aggressive`].
const CENTER_PIECE: f64 = 15.0;

/// What a piece is worth in seed 001, in centipawns; a king nothing, since both sides always have one.
///
/// ```
/// use shakmaty::Role;
///
/// assert_eq!(tabia_eval::simple::value(Role::Rook), 500);
/// ```
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight | Role::Bishop => 300,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

#[derive(Copy, Clone, Debug, Default)]
pub struct Material;

/// Material and mobility.
#[derive(Copy, Clone, Debug, Default)]
pub struct MatMob;

/// Material, more mobility, and the centre.
#[derive(Copy, Clone, Debug, Default)]
pub struct Aggressive;

impl Evaluate for Material {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        Score::cp(material(view.board))
    }

    fn explain(&self, view: View<'_>) -> Explanation {
        explained(&material_parts(view.board))
    }
}

impl Evaluate for MatMob {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        let mobility = difference(mobility::of(view)) * MAT_MOB_MOVE;
        Score::cp(round(f64::from(material(view.board)) + mobility))
    }

    fn explain(&self, view: View<'_>) -> Explanation {
        let mut parts = material_parts(view.board);
        parts.push(part("mobility", mobility::of(view), MAT_MOB_MOVE));
        explained(&parts)
    }
}

impl Evaluate for Aggressive {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        let mobility = difference(mobility::of(view)) * AGGRESSIVE_MOVE;
        let center = difference(in_center(view.board)) * CENTER_PIECE;
        Score::cp(round(f64::from(material(view.board)) + mobility + center))
    }

    fn explain(&self, view: View<'_>) -> Explanation {
        let mut parts = material_parts(view.board);
        parts.push(part("mobility", mobility::of(view), AGGRESSIVE_MOVE));
        parts.push(part("centre", in_center(view.board), CENTER_PIECE));
        explained(&parts)
    }
}

fn material(board: &Board) -> i32 {
    let balance = |role: Role| {
        let of = |color| (board.by_role(role) & board.by_color(color)).count() as i32;
        (of(Color::White) - of(Color::Black)) * value(role)
    };
    Role::ALL.into_iter().map(balance).sum()
}

fn in_center(board: &Board) -> ByColor<usize> {
    ByColor::new_with(|color| (board.by_color(color) & Bitboard::CENTER).count())
}

fn difference(counts: ByColor<usize>) -> f64 {
    counts.white as f64 - counts.black as f64
}

fn part(name: &'static str, counts: ByColor<usize>, weight: f64) -> Part {
    Part { name, white: counts.white as f64, black: counts.black as f64, weight }
}

fn material_parts(board: &Board) -> Vec<Part> {
    const ARMY: [(Role, &str); 5] = [
        (Role::Pawn, "pawns"),
        (Role::Knight, "knights"),
        (Role::Bishop, "bishops"),
        (Role::Rook, "rooks"),
        (Role::Queen, "queens"),
    ];
    ARMY.into_iter()
        .map(|(role, name)| {
            let counts = ByColor::new_with(|color| (board.by_role(role) & board.by_color(color)).count());
            part(name, counts, value(role).into())
        })
        .collect()
}

/// These evaluations are plain sums: the score is what the parts add up to.
fn explained(parts: &[Part]) -> Explanation {
    let total: f64 = parts.iter().map(|part| (part.white - part.black) * part.weight).sum();
    Explanation::from_parts(parts, Score::cp(round(total)))
}

#[cfg(test)]
mod tests;
