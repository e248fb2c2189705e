//! `axiomx`: gradient fields, seed 000's second engine (§3), and its extensions (§10).
//!
//! Every piece spreads influence over the squares around it (a *kernel*); the influence of a side's pieces, summed, is
//! its *attack* A; A, tripled under its own pieces, is its *defence* D; White's A + D less Black's is *control* C.
//! A position is worth
//!
//! ```text
//! E = material                     100 320 330 500 900
//!   + 0.5 · Σ C·W                  W from 1 on the edge to 4 in the centre
//!   + 0.3 · opening                while the full-move number is below 15: 50 a pawn on d4 e4 d5 e5, 30 a
//!                                  developed knight, 25 a developed bishop, 60 castled
//!   + 0.2 · positional             −20 a doubled pawn, −15 a file of isolated pawns, 30 for each rank a passed
//!                                  pawn has advanced, 5 · max(0, C) under each own piece (±C: each side its own)
//! ```
//!
//! in centipawns, White's less Black's throughout. The original mixes signs, so that a developed, castled White is
//! good for Black; that is not reproduced. Where its text is open or contradicts itself: the last row of W is all
//! ones like its first, passed pawns are good, and strengths the text leaves out are those of the public code
//! (`kernel.rs`).
//!
//! All influence is fixed-point (`kernel.rs` argues why and how far it is from real numbers): the score is the same
//! on every machine, and exactly opposite with colours swapped.
//!
//! # Extensions
//!
//! The seed sketches them; this is what they are here. Each is an [`Options`] field, off by default.
//!
//! * **`multiscale`** (§10.2): I = Σ_s α_s·I⁽ˢ⁾, where I⁽ˢ⁾ is the field with its kernel cut to s×s squares, that is
//!   to (s−1)/2 king's steps. The weights α sum to one, equal unless given. Neighbours keep their influence; with
//!   all of 3, 5, 7 and 9, two steps away ¾ of it is left, then ½, ¼, and nothing from five steps on.
//! * **`attention`** (§10.3): E gains 0.5·(N_w − N_b), N = Σ softmax(‖I_p‖₁/τ)·‖I_p‖₁ over the roles p a side has on
//!   the board, τ = 64. One softmax a side, not one for all: then what White is paid depends on White's fields
//!   alone, and swapping colours swaps N_w and N_b.
//! * **`phase`** (§10.4): K(t) = (1−t)·K_opening + t·K_endgame, with t from no piece gone (0) to all gone (1), a
//!   minor piece counting 1, a rook 2, a queen 4 of 24. The opening kernels are the usual ones but for the king:
//!   −10 on its own square, 4 on its neighbours (a target, worst in the centre, that guards its shelter). In the
//!   endgame the king has 5, 8 and, two steps away, 4; a pawn's push counts twice; rooks decay by 0.9 and bishops by
//!   0.8 a step.
//!
//! §10.5, ordering moves by control, is a search's business: [`Axiomx::control`] gives it the field. §10.1, learning
//! the kernels, is [`learned`]: the same evaluation with other weights, at both ends of the game.

mod attention;
mod control;
mod influence;
mod kernel;
pub mod learned;
mod opening;
mod options;
mod pawn_cache;
mod pawns;
mod sums;
mod tensor;
mod terms;
mod tuning;
mod weights;

use std::sync::Arc;

use shakmaty::{Board, ByColor, Color, Role};
use tabia_core::Score;
use tabia_core::chess::role_name;

use crate::axiomx_speed::value;
use crate::evaluate::Evaluate;
use crate::explain::{Explanation, Field};
use crate::pst;
use crate::view::View;

pub use control::Control;
pub use options::{Kernels, OpeningMoves, Options, PassedPawns, Scales, ScalesError};
pub use tensor::{CHANNELS, OCCUPIED, Tensor, channel, tensor};

use influence::{Layers, Units};
use kernel::{Kernel, Phases, Profile, influences};
use learned::LearnedAxiomx;
use opening::Opening;
use pawn_cache::PawnCache;
use pawns::Pawns;
use sums::Sums;
use terms::{Amount, Side};
pub use weights::Weights;

/// Gradient fields.
#[derive(Clone, Debug)]
pub struct Axiomx {
    /// Shared by all clones, since they never change.
    kernels: Arc<Phases>,
    sums: Arc<Sums>,
    follows_phase: bool,
    attention: bool,
    pawn_cache: PawnCache,
    options: Options,
    /// Learned weights, where there are some.
    learned: Option<Arc<LearnedAxiomx>>,
}

impl Default for Axiomx {
    fn default() -> Axiomx {
        Axiomx::new(&Options::default())
    }
}

impl Axiomx {
    /// The evaluation that the options describe.
    pub fn new(options: &Options) -> Axiomx {
        let kernels = Phases::of(options);
        Axiomx {
            sums: Arc::new(Sums::of(&kernels.opening)),
            kernels: Arc::new(kernels),
            follows_phase: options.phase,
            attention: options.attention,
            pawn_cache: PawnCache::default(),
            options: options.clone(),
            learned: None,
        }
    }

    /// The same evaluation with other weights.
    #[must_use]
    pub fn with_weights(&self, weights: Weights) -> Axiomx {
        let learned = LearnedAxiomx::new(weights, &self.options);
        let kernels = Arc::new(learned.kernels());
        Axiomx { kernels, follows_phase: true, learned: Some(Arc::new(learned)), ..self.clone() }
    }

    /// The learned weights, or the seed's with the options applied.
    pub fn weights(&self) -> Weights {
        self.learned.as_ref().map_or_else(|| Weights::of(&self.options), |learned| learned.weights().clone())
    }

    /// The control field of a position, about as cheap as evaluating it.
    pub fn control(&self, view: View<'_>) -> Control {
        Control::of(&influence::attack(view.board, &self.kernel(view.board)), view.board)
    }

    #[inline]
    fn kernel(&self, board: &Board) -> Kernel {
        if self.follows_phase { self.kernels.at(pst::phase(board)) } else { self.kernels.opening }
    }

    #[inline]
    fn amounts(&self, view: View<'_>) -> [Amount; 11] {
        let board = view.board;
        let kernel = self.kernel(board);
        let pawns = ByColor::new_with(|color| Pawns::of(board, color, self.options.passed_pawns));
        let layers = self.attention.then(|| Layers::of(board, &kernel));
        let attack = layers.as_ref().map_or_else(|| influence::attack(board, &kernel), Layers::attack);
        let control = |color: Color| {
            let weighted = control::weighted(&attack[color as usize], board.by_color(color));
            (weighted, control::coordination(&attack, board, color))
        };
        let attended = |color| {
            layers
                .as_ref()
                .map_or(0, |layers| attention::attended(layers, board, color, attention::TEMPERATURE))
        };
        let sides = sides(board, true, control, pawns, attended);
        terms::amounts(sides, self.options.opening_moves.include(view.move_number))
    }

    /// As [`Axiomx::amounts`], by tables; requires that pawn influence does not depend on other pieces.
    #[inline]
    fn amounts_by_tables(&mut self, view: View<'_>) -> [Amount; 11] {
        let (board, kernel) = (view.board, &self.kernels.opening);
        let pawns = self.pawn_cache.get(board, kernel, self.options.passed_pawns);
        let (mut attack, mut everywhere) = (pawns.attack, pawns.sums);
        for color in Color::ALL {
            let of = color as usize;
            everywhere[of] += self.sums.add_pieces(&mut attack[of], board, kernel, color);
        }
        let control = |color: Color| control::both(everywhere[color as usize], &attack, board, color);
        let in_opening = self.options.opening_moves.include(view.move_number);
        terms::amounts(sides(board, in_opening, control, pawns.pawns, |_| 0), in_opening)
    }
}

#[inline]
fn sides(
    board: &Board,
    look_at_opening: bool,
    control_and_coordination: impl Fn(Color) -> (i32, i32),
    pawns: ByColor<Pawns>,
    attention: impl Fn(Color) -> i32,
) -> ByColor<Side> {
    ByColor::new_with(|color: Color| {
        let (control, coordination) = control_and_coordination(color);
        Side {
            material: material(board, color),
            control,
            opening: if look_at_opening { Opening::of(board, color) } else { Opening::default() },
            pawns: *pawns.get(color),
            coordination,
            attention: attention(color),
        }
    })
}

#[inline]
fn material(board: &Board, color: Color) -> i32 {
    let own = board.by_color(color);
    Role::ALL.into_iter().map(|role| (own & board.by_role(role)).count() as i32 * value(role)).sum()
}

impl Evaluate for Axiomx {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        if let Some(learned) = &self.learned {
            return learned.score(view);
        }
        let by_skeleton = !self.follows_phase && !self.attention && !self.kernels.opening.push_needs_room;
        if by_skeleton {
            terms::score(&self.amounts_by_tables(view))
        } else {
            terms::score(&self.amounts(view))
        }
    }

    /// The terms of the formula above, and seventeen fields: attack and defence of each side, control, and what
    /// each side's pieces of each role contribute to its attack.
    fn explain(&self, view: View<'_>) -> Explanation {
        let mut explanation = match &self.learned {
            Some(learned) => learned.explained(view),
            None => terms::explained(&self.amounts(view), self.attention),
        };
        let board = view.board;
        let layers = Layers::of(board, &self.kernel(board));
        let attack = layers.attack();
        let sides = [Color::White, Color::Black];
        let mut fields = Vec::with_capacity(5 + 2 * 6);
        for color in sides {
            fields.push(field(format!("{} attack", side(color)), &attack[color as usize]));
        }
        for color in sides {
            let defence = control::defence(&attack[color as usize], board.by_color(color));
            fields.push(field(format!("{} defence", side(color)), &defence));
        }
        fields.push(field("control".to_owned(), Control::of(&attack, board).units()));
        for color in sides {
            for role in Role::ALL {
                let name = format!("{} {} influence", side(color), role_name(role));
                fields.push(field(name, layers.get(color, role)));
            }
        }
        explanation.fields = fields;
        explanation
    }
}

fn field(name: String, units: &Units) -> Field {
    let values =
        std::array::from_fn(|row| std::array::from_fn(|column| influences(units[(7 - row) * 8 + column])));
    Field { name, unit: "influence".to_owned(), values }
}

const fn side(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

#[cfg(test)]
mod tests;
