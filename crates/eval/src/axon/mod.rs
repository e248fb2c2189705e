//! `axon`: the evaluation of the Axon chess engine (seed 002), a classical sum of what chess masters look at.
//!
//! | part      | what                                                                 | where                |
//! | --------- | -------------------------------------------------------------------- | -------------------- |
//! | draws     | Table II: material nobody wins with is a draw, whatever else          | [`draws`]            |
//! | material  | Table I, and what to trade                                            | [`material`]         |
//! | position  | mobility and masked pieces, bishop pair                               | `mobility`           |
//! |           | the king: shelter, attack, castling; later its activity               | `king`               |
//! |           | a matrix for every kind of piece, the knight's Table III              | [`matrices`]         |
//! |           | the opening plan                                                      | `development`        |
//! |           | pawn structure                                                        | `pawns`              |
//! | promotion | pawns that are as good as queens                                      | `promotion`          |
//!
//! The positional part is held within two pawns (seed 002 §III), "to prevent the program from unnecessarily
//! sacrificing pieces". What a promotion is worth is not positional and stands outside that limit, or the seed's
//! own Fig. 2 could not come out right.
//!
//! Themes count; [`weights`] says what counts are worth. All is whole numbers: the sum runs in quantised of a
//! 6400th of a centipawn, and each part is cut to centipawns towards zero, the same for both sides. The score
//! does not depend on whose move it is, but for the check that Table II asks for.
//!
//! Three options change it. *Contempt* makes a draw worth less than nothing to the engine's side (§II.C).
//! *Style* moves weight from the lasting to the attacking half of the positional part (§I: "only a few parameters
//! in the evaluation function"). *Weights* are what a tuner sets.

mod development;
pub mod draws;
mod explain;
mod king;
pub mod material;
pub mod matrices;
mod mobility;
mod outlook;
mod pawns;
mod promotion;
pub mod share;
pub mod tally;
mod tuning;
pub mod weights;

use std::sync::Arc;

use shakmaty::{ByColor, Color};
use tabia_core::Score;

use crate::evaluate::Evaluate;
use crate::explain::Explanation;
use crate::view::View;

use outlook::{Army, Outlook};
pub use tally::Tally;
use weights::{COUNT, Part, QUANTISATION};
pub use weights::{Weight, Weights};

/// The positional part is never worth more, in centipawns (seed 002 §III: "usually ± two pawns").
pub const POSITIONAL_LIMIT: i32 = 200;

/// The greatest style, and minus the least.
pub const STYLE_BOUND: i32 = 100;

/// At a style of this size the attacking weights would double and the lasting ones vanish; at the greatest style
/// the ones gain a half and the others lose it.
const STYLE_WHOLE: i32 = 2 * STYLE_BOUND;

/// What can be set.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// How much less than nothing a draw is worth to the engine's side, in centipawns.
    pub contempt: i32,
    /// From -100, cautious and positional, to 100, attacking; numbers beyond count as these.
    pub style: i32,
    /// The side that contempt counts for; without one there is no contempt.
    pub engine_side: Option<Color>,
}

/// The evaluation of seed 002.
#[derive(Clone, Debug)]
pub struct Axon {
    options: Options,
    scales: Arc<Scales>,
}

/// Weights, and what they come to with the style applied.
#[derive(Debug)]
struct Scales {
    weights: Weights,
    /// Grains for one unit of each amount.
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

/// How far a style moves a part, of [`STYLE_WHOLE`].
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
    /// Table I, and what was traded.
    material: i32,
    /// All that is positional, before the limit.
    position: i32,
    /// What is about to promote.
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
    /// With options, and the weights as declared.
    pub fn new(options: Options) -> Axon {
        Axon::with_weights(options, Weights::default())
    }

    /// With options and weights.
    pub fn with_weights(options: Options, weights: Weights) -> Axon {
        Axon { options, scales: Arc::new(Scales::new(weights, options.style)) }
    }

    pub fn options(&self) -> Options {
        self.options
    }

    /// Its weights, style aside.
    pub fn weights(&self) -> &Weights {
        &self.scales.weights
    }

    /// By how much the style multiplies a part.
    fn leaning(&self, part: Part) -> f64 {
        f64::from(STYLE_WHOLE + leaning(part, self.options.style)) / f64::from(STYLE_WHOLE)
    }

    /// What a draw is worth in White's view: nothing, or less to the engine's side by its contempt.
    pub fn draw_score(&self) -> Score {
        match self.options.engine_side {
            Some(Color::White) => Score::cp(-self.options.contempt),
            Some(Color::Black) => Score::cp(self.options.contempt),
            None => Score::DRAW,
        }
    }

    #[inline]
    fn parts(&self, material: i32, tally: &Tally) -> Parts {
        let worth = |part: Part| tally.worth(&self.scales.quantised, part.range());
        Parts {
            material: material + worth(Part::Trade) / QUANTISATION,
            position: (worth(Part::Attack) + worth(Part::Position)) / QUANTISATION,
            promotion: worth(Part::Promotion) / QUANTISATION,
        }
    }
}

/// Material in White's view and everything else that weights apply to. What Table II settles is counted here
/// like any other position.
#[inline]
fn count_with(view: View<'_>, see: impl FnMut(Color, shakmaty::Square, mobility::Reach)) -> (i32, Tally) {
    let armies = ByColor::new_with(|color| Army::of(view.board, color));
    let outlook = |color| Outlook::of(color, armies.get(color), armies.get(!color), view.castling);
    let (white, black) = (outlook(Color::White), outlook(Color::Black));
    let mut tally = Tally::EMPTY;

    material::count(&white, &mut tally);
    let pressure = mobility::count(&armies, &mut tally, see);
    mobility::count_bishop_pairs(&armies, &mut tally);
    for (side, pressure) in [(&white, pressure.white), (&black, pressure.black)] {
        king::count(side, pressure, &mut tally);
        matrices::count(side, &mut tally);
        development::count(side, &mut tally);
        let passed = pawns::passed(side);
        pawns::count(side, passed, &mut tally);
        promotion::count(side, passed, &mut tally);
    }
    (material::of(&armies.white) - material::of(&armies.black), tally)
}

/// What the weights apply to in a position: a tuner's features.
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
