//! `axiomx-speed`: material and piece-square tables, seed 000's first engine (§2.2).
//!
//! A piece has a material value and a piece-square value; nothing else counts. The seed counts Black's pieces as
//! positive; here, as everywhere, positive is good for White. Rook and queen have no table in the original, and the
//! king's 20000 is left out because both sides always have one.

mod tables;

use shakmaty::{Board, Color, Role};
use tabia_core::Score;

use crate::evaluate::Evaluate;
use crate::explain::{Explanation, Field, Part};
use crate::view::View;

use tables::TABLES;

/// Material values of seed 000 (appendix B), in centipawns; zero for the king.
pub const fn value(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// Value of every piece on every square to its own side, by colour, role and square.
static WORTH: [[[i32; 64]; 6]; 2] = {
    let mut worth = [[[0; 64]; 6]; 2];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let here = value(Role::ALL[role]) + TABLES[role][7 - square / 8][square % 8];
            worth[Color::White as usize][role][square] = here;
            // Black's table is White's with ranks flipped, which is an exclusive or.
            worth[Color::Black as usize][role][square ^ 0o70] = here;
            square += 1;
        }
        role += 1;
    }
    worth
};

/// Total value of one side's pieces of one role, in centipawns.
#[inline]
fn worth_of(board: &Board, color: Color, role: Role) -> i32 {
    let worth = &WORTH[color as usize][role as usize - Role::Pawn as usize];
    let pieces = board.by_role(role) & board.by_color(color);
    pieces.into_iter().map(|square| worth[usize::from(square)]).sum()
}

/// Material and piece-square tables.
#[derive(Copy, Clone, Debug, Default)]
pub struct AxiomxSpeed;

impl Evaluate for AxiomxSpeed {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        let balance =
            |role| worth_of(view.board, Color::White, role) - worth_of(view.board, Color::Black, role);
        Score::cp(Role::ALL.into_iter().map(balance).sum())
    }

    /// One term per role: the value of White's and of Black's pieces, in centipawns.
    fn explain(&self, view: View<'_>) -> Explanation {
        let parts = Role::ALL.map(|role| Part {
            name: name(role),
            white: worth_of(view.board, Color::White, role).into(),
            black: worth_of(view.board, Color::Black, role).into(),
            weight: 1.0,
        });
        let total: f64 = parts.iter().map(|part| part.white - part.black).sum();
        let mut explanation = Explanation::from_parts(&parts, Score::cp(total as i32));

        let mut values = [[0.0; 8]; 8];
        for (square, piece) in view.board {
            let role = piece.role as usize - Role::Pawn as usize;
            let worth = WORTH[piece.color as usize][role][usize::from(square)];
            values[7 - square.rank() as usize][square.file() as usize] =
                f64::from(piece.color.fold_wb(worth, -worth));
        }
        explanation.fields.push(Field { name: "worth".to_owned(), unit: "centipawns".to_owned(), values });
        explanation
    }
}

const fn name(role: Role) -> &'static str {
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
