//! `axon`: the evaluation of the Axon chess engine (seed 002), a classical sum of features used by chess masters.
//!
//! | part      | what                                                                 | where                |
//! | --------- | -------------------------------------------------------------------- | -------------------- |
//! | draws     | Table II: drawn material                                              | [`draws`]            |
//! | material  | Table I                                                               | [`material`]         |
//! |           | what to trade                                                         | `trade`              |
//! | position  | mobility and masked pieces, bishop pair                               | `mobility`           |
//! |           | king safety, castling; later king activity                            | `king`               |
//! |           | a matrix for every kind of piece, the knight's Table III              | [`matrices`]         |
//! |           | development                                                           | `development`        |
//! |           | pawn structure                                                        | `pawns`              |
//! | promotion | pawns that will certainly promote                                     | `promotion`          |
//!
//! The positional part is clamped to two pawns (seed 002 §III), "to prevent the program from unnecessarily sacrificing
//! pieces". The value of a promotion is not positional and not clamped, or the seed's own Fig. 2 could not come out
//! right.
//!
//! Features are counted, [`weights`] has their values. Everything is integers: sums are in quantisation units of
//! 1/6400 centipawn, and each part is truncated to centipawns towards zero, the same for both sides. The score does not
//! depend on the side to move, except for the check that Table II asks for.
//!
//! Three options change it. *Contempt* lowers the value of a draw to the engine's side (§II.C). *Style* moves weight
//! from the lasting to the attacking half of the positional part (§I: "only a few parameters in the evaluation
//! function"). *Weights* are set by a tuner.

mod development;
pub mod draws;
mod explain;
mod king;
pub mod material;
pub mod matrices;
mod mobility;
mod pawns;
mod perspective;
mod promotion;
pub mod share;
pub mod tally;
mod trade;
mod tuning;
pub mod weights;

use std::sync::Arc;

use shakmaty::{ByColor, Color};
use tabia_core::Score;

use crate::evaluate::Evaluate;
use crate::explain::Explanation;
use crate::view::View;

use perspective::{Perspective, Side};
pub use tally::Tally;
use weights::{COUNT, Part, QUANTISATION};
pub use weights::{Weight, Weights};

/// Clamp of the positional part, in centipawns (seed 002 §III: "usually ± two pawns").
pub const POSITIONAL_LIMIT: i32 = 200;

/// Largest style, and minus the smallest.
pub const STYLE_BOUND: i32 = 100;

/// A style of this size would double the attacking weights and remove the lasting ones; the largest style changes both
/// by a half.
const STYLE_WHOLE: i32 = 2 * STYLE_BOUND;

#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How much a draw is worse than 0 for the engine's side, in centipawns.
    pub contempt: i32,
    /// From -100, cautious and positional, to 100, attacking; values beyond are clamped.
    pub style: i32,
    /// The side that contempt applies to; without one there is no contempt.
    pub engine_side: Option<Color>,
}

/// The evaluation of seed 002.
#[derive(Clone, Debug)]
pub struct Axon {
    options: Options,
    scales: Arc<Scales>,
}

/// Weights, and their quantised values with the style applied.
#[derive(Debug)]
struct Scales {
    weights: Weights,
    /// Quantisation units per unit of each amount.
    quantised: [i32; COUNT],
}

impl Scales {
    fn new(weights: Weights, style: i32) -> Scales {
        let mut quantised = [0; COUNT];
        for weight in Weight::ALL {
            let declaration = weight.declaration();
            let each = (weights[weight] * f64::from(declaration.unit.quantisation())).round() as i32;
            let leaning = leaning(declaration.part, style);
            quantised[weight as usize] = each * (STYLE_WHOLE + leaning) / STYLE_WHOLE;
        }
        Scales { weights, quantised }
    }
}

/// How far a style changes a part, of [`STYLE_WHOLE`].
fn leaning(part: Part, style: i32) -> i32 {
    let style = style.clamp(-STYLE_BOUND, STYLE_BOUND);
    match part {
        Part::Attack => style,
        Part::Position => -style,
        Part::Trade | Part::Promotion => 0,
    }
}

/// The parts of a score in centipawns, White's view.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Parts {
    /// Material and trade terms.
    material: i32,
    /// All positional terms, before clamping.
    position: i32,
    promotion: i32,
}

impl Parts {
    fn score(self) -> Score {
        let position = self.position.clamp(-POSITIONAL_LIMIT, POSITIONAL_LIMIT);
        Score::cp(self.material + position + self.promotion)
    }
}

impl Default for Axon {
    fn default() -> Axon {
        Axon::new(Options::default())
    }
}

impl Axon {
    /// With options and default weights.
    pub fn new(options: Options) -> Axon {
        Axon::with_weights(options, Weights::default())
    }

    pub fn with_weights(options: Options, weights: Weights) -> Axon {
        Axon { options, scales: Arc::new(Scales::new(weights, options.style)) }
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// Its weights, without the style.
    pub fn weights(&self) -> &Weights {
        &self.scales.weights
    }

    /// The factor of the style for a part.
    fn leaning(&self, part: Part) -> f64 {
        f64::from(STYLE_WHOLE + leaning(part, self.options.style)) / f64::from(STYLE_WHOLE)
    }

    /// The score of a draw in White's view: zero, or lowered for the engine's side by its contempt.
    pub fn draw_score(&self) -> Score {
        match self.options.engine_side {
            Some(Color::White) => Score::cp(-self.options.contempt),
            Some(Color::Black) => Score::cp(self.options.contempt),
            None => Score::DRAW,
        }
    }

    #[inline]
    fn parts(&self, material: i32, tally: &Tally) -> Parts {
        let value = |part: Part| tally.value(&self.scales.quantised, part.range());
        Parts {
            material: material + value(Part::Trade) / QUANTISATION,
            position: (value(Part::Attack) + value(Part::Position)) / QUANTISATION,
            promotion: value(Part::Promotion) / QUANTISATION,
        }
    }
}

/// Material in White's view, and the counted features. Draws of Table II are counted like any other position.
#[inline]
fn count_with(view: View<'_>, see: impl FnMut(Color, shakmaty::Square, mobility::Reach)) -> (i32, Tally) {
    let sides = ByColor::new_with(|color| Side::of(view.board, color));
    let perspective = |color| Perspective::of(color, sides.get(color), sides.get(!color), view.castling);
    let (white, black) = (perspective(Color::White), perspective(Color::Black));
    let mut tally = Tally::EMPTY;

    trade::count(&white, &mut tally);
    let pressure = mobility::count(&sides, &mut tally, see);
    mobility::count_bishop_pairs(&sides, &mut tally);
    for (side, pressure) in [(&white, pressure.white), (&black, pressure.black)] {
        king::count(side, pressure, &mut tally);
        matrices::count(side, &mut tally);
        development::count(side, &mut tally);
        let passed = pawns::passed(side);
        pawns::count(side, passed, &mut tally);
        promotion::count(side, passed, &mut tally);
    }
    (sides.white.material() - sides.black.material(), tally)
}

/// The feature counts of a position, for a tuner.
pub fn count(view: View<'_>) -> Tally {
    count_with(view, |_, _, _| ()).1
}

impl Evaluate for Axon {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        if draws::is_draw(view) {
            return self.draw_score();
        }
        let (material, tally) = count_with(view, |_, _, _| ());
        self.parts(material, &tally).score()
    }

    fn explain(&self, view: View<'_>) -> Explanation {
        explain::explain(self, view)
    }
}

#[cfg(test)]
mod tests;
