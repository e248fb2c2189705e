//! `chromosome`: eighteen principles of chess and six tables of squares, each with a weight that can be
//! evolved (seed 003, Algorithms 7 to 24).
//!
//! Every principle is a count for White minus the same count for Black, and is neither good nor bad in itself: the sign
//! belongs to its weight, so that evolution may find the opposite of what we believed. A "penalty" of the seed is a
//! positive count with a weight that starts out negative. `genome` declares all weights, `file` reads and writes them,
//! and the principles are counted in one file per group.
//!
//! # Choices where the seed is ambiguous
//!
//! | Algorithm | what it counts here |
//! | --------- | ------------------- |
//! | 7         | each side's own pieces: subtracting the other side's inside it would count material twice |
//! | 8         | both sides' legal moves, as if each had the move; attackers and defenders before the move, the mover among them |
//! | 9         | 1 for the right to castle, else 2 for a king that has castled, told by where it stands |
//! | 10        | start ranks by kind of piece; pawns count a half |
//! | 12        | pawns, not files |
//! | 14        | passed: no enemy pawn strictly ahead on three files |
//! | 15        | used twice, on the enemy's king and on one's own: only the difference of the two weights matters |
//! | 16        | pieces that their own side defends |
//! | 18        | every pair of rooks |
//! | 20        | all files alike; none on the last rank |
//! | 21        | pieces whose every square is taken by a friend; pins and checks do not count |
//! | 22        | all eight files |
//! | 24        | tables are drawn rank 8 first and turned upside down for Black |
//!
//! The seed overrides the score of a mate with ±100,000; here mates are the search's, and score beyond
//! ±30,000.
//!
//! # Why it is exact
//!
//! Weights are floats for evolution and files. For evaluation they are quantised to 2⁻²⁰ centipawns, and principles are
//! counted in integer steps. All sums are then sums of integers, which do not depend on order: exchanging colours
//! exchanges the two counts of every principle and the two halves of every table's sum, so the total changes sign and
//! nothing else; rounding halves away from zero preserves that. Mirroring files permutes the squares of a sum; with
//! tables that mirror too, the total is identical.
//!
//! # Phases
//!
//! A chromosome may have its 402 weights three times, for the opening, the middlegame and the endgame ([`phases`]), as
//! the seed proposes for its king, which should hide first and come out last. Weights are interpolated between the two
//! nearest phases and quantised again before anything is summed.

mod facts;
pub mod file;
pub mod genome;
mod json;
mod king;
mod mobility;
mod pawns;
pub mod phases;
mod pieces;
mod tables;
mod tally;
mod tuning;
mod weights;

use std::array;
use std::sync::Arc;

use shakmaty::{ByColor, Color, Role, Square};
use tabia_core::Score;

use crate::evaluate::Evaluate;
use crate::explain::{Explanation, Field, Part};
use crate::view::View;

use facts::Facts;
use genome::{PRINCIPLES, SCALARS, SQUARES, TABLES, square_index};

pub use file::FileError;
pub use phases::Phases;
pub use tables::Table;
pub use weights::{WeightError, Weights};

/// Centipawns of a pawn, the unit of all weights.
const PAWN: f64 = 100.0;

/// Binary digits of a quantised centipawn's fraction.
const FRACTION_BITS: u32 = 20;

/// One centipawn in quantisation units.
const CENTIPAWN: i64 = 1 << FRACTION_BITS;

/// Principles and tables, weighted by a chromosome.
///
/// Cloning is cheap: clones share their weights.
#[derive(Clone, Debug)]
pub struct Chromosome {
    weights: Arc<Phases>,
    /// One per set of weights.
    scaled: Arc<[Scaled]>,
}

/// Quantised weights.
#[derive(Debug)]
struct Scaled {
    /// Per step of each principle.
    steps: [i64; SCALARS],
    /// Per piece and square, White's and Black's.
    tables: ByColor<[[i64; SQUARES]; TABLES]>,
}

impl Scaled {
    fn new(weights: &Weights) -> Scaled {
        let scale = |pawns: f64| (pawns * PAWN * CENTIPAWN as f64).round() as i64;
        let steps = array::from_fn(|index| {
            scale(weights.scalars()[index] / f64::from(PRINCIPLES[index].steps_a_point))
        });
        let table_for = |color: Color, table: &Table| {
            array::from_fn(|square| {
                let square = Square::new(square as u32);
                scale(table[square_index(color.fold_wb(square, square.flip_vertical()))])
            })
        };
        let tables =
            ByColor::new_with(|color| array::from_fn(|table| table_for(color, &weights.tables()[table])));
        Scaled { steps, tables }
    }
}

/// Weights interpolated between two phases.
#[derive(Copy, Clone)]
struct TaperedWeights<'a> {
    earlier: &'a Scaled,
    later: &'a Scaled,
    /// Share of the earlier phase, out of [`phases::BETWEEN`].
    parts: i64,
}

impl TaperedWeights<'_> {
    /// Interpolates a weight. Weights, and so the truncation of the division, are the same for both sides.
    #[inline]
    fn mix(self, earlier: i64, later: i64) -> i64 {
        // With one set of weights there is nothing to interpolate.
        if self.parts == 0 {
            later
        } else {
            later + (earlier - later) * self.parts / i64::from(phases::BETWEEN)
        }
    }

    /// The weight of one step of a principle, in quantisation units.
    #[inline]
    fn step(self, principle: usize) -> i64 {
        self.mix(self.earlier.steps[principle], self.later.steps[principle])
    }

    /// The table value of one side's pieces of one kind, in quantisation units.
    #[inline]
    fn placement(self, view: View<'_>, color: Color, role: Role) -> i64 {
        let [earlier, later] = [self.earlier, self.later].map(|set| &set.tables.get(color)[index(role)]);
        let pieces = view.board.by_color(color) & view.board.by_role(role);
        pieces.into_iter().map(usize::from).map(|at| self.mix(earlier[at], later[at])).sum()
    }
}

/// The centre of every gene's range.
impl Default for Chromosome {
    fn default() -> Chromosome {
        Chromosome::new(Weights::default())
    }
}

impl Chromosome {
    pub fn new(weights: impl Into<Phases>) -> Chromosome {
        let weights = weights.into();
        let scaled = weights.sets().iter().map(Scaled::new).collect();
        Chromosome { weights: Arc::new(weights), scaled }
    }

    pub fn weights(&self) -> &Phases {
        &self.weights
    }

    /// All weights in the order of the genome, in pawns.
    pub fn parameters(&self) -> Vec<f64> {
        self.weights.to_flat()
    }

    /// The evaluation with these weights, in the order of the genome, once or for each of three phases.
    pub fn with_parameters(parameters: &[f64]) -> Result<Chromosome, WeightError> {
        Phases::from_flat(parameters).map(Chromosome::new)
    }

    /// The weights that apply to a board.
    #[inline]
    fn tapered(&self, view: View<'_>) -> TaperedWeights<'_> {
        match &*self.scaled {
            [opening, middlegame, endgame] => {
                let sets = [opening, middlegame, endgame];
                let (earlier, later, parts) = phases::between(view.board);
                TaperedWeights { earlier: sets[earlier], later: sets[later], parts }
            }
            sets => TaperedWeights { earlier: &sets[0], later: &sets[0], parts: 0 },
        }
    }

    /// Fields of both sides' attacks, and of the tables.
    fn fields(&self, facts: &Facts<'_>) -> Vec<Field> {
        let attackers = Color::ALL.map(|color| Field {
            name: format!("attackers {}", color.fold_wb("White", "Black")),
            unit: "pieces".to_owned(),
            values: board_of(|place| facts.side(color).attackers.at(genome::square_at(place)).into()),
        });
        attackers.into_iter().chain(self.table_fields()).collect()
    }

    /// The tables of every phase as fields.
    fn table_fields(&self) -> Vec<Field> {
        let named = phases::PHASE_NAMES.map(|phase| format!(" in the {phase}"));
        let tables = self.weights.sets().iter().enumerate().flat_map(|(phase, weights)| {
            let when = if self.scaled.len() == 1 { "" } else { &named[phase] };
            Role::ALL.into_iter().zip(weights.tables()).map(move |(role, table)| Field {
                name: format!("{}{when}", table_term(role)),
                unit: "pawns".to_owned(),
                values: board_of(|place| table[place]),
            })
        });
        tables.collect()
    }
}

impl Evaluate for Chromosome {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        let facts = Facts::of(view);
        let [white, black] = Color::ALL.map(|color| genome::count(&facts, color));
        let weights = self.tapered(view);
        let mut total = 0;
        for principle in 0..SCALARS {
            total += i64::from(white[principle] - black[principle]) * weights.step(principle);
        }
        for role in Role::ALL {
            total +=
                weights.placement(view, Color::White, role) - weights.placement(view, Color::Black, role);
        }
        Score::cp(whole_centipawns(total))
    }

    /// One term per principle and per table. Weights are shown as they are used, quantised.
    fn explain(&self, view: View<'_>) -> Explanation {
        let facts = Facts::of(view);
        let [white, black] = Color::ALL.map(|color| genome::count(&facts, color));
        let weights = self.tapered(view);
        let principles = PRINCIPLES.iter().enumerate().map(|(index, principle)| {
            let steps_a_point = f64::from(principle.steps_a_point);
            Part {
                name: principle.name,
                white: f64::from(white[index]) / steps_a_point,
                black: f64::from(black[index]) / steps_a_point,
                weight: centipawns(weights.step(index)) * steps_a_point,
            }
        });
        let tables = Role::ALL.into_iter().map(|role| {
            let in_pawns = |color| centipawns(weights.placement(view, color, role)) / PAWN;
            Part {
                name: table_term(role),
                white: in_pawns(Color::White),
                black: in_pawns(Color::Black),
                weight: PAWN,
            }
        });
        let parts: Vec<Part> = principles.chain(tables).collect();
        let mut explanation = Explanation::from_parts(&parts, self.clone().evaluate(view));
        explanation.fields = self.fields(&facts);
        explanation
    }
}

/// Rows of a field from table entries: both start with rank 8.
fn board_of(value: impl Fn(usize) -> f64) -> [[f64; 8]; 8] {
    array::from_fn(|row| array::from_fn(|column| value(8 * row + column)))
}

/// To the nearest centipawn, halves away from zero: the opposite total gives the opposite score.
#[inline]
fn whole_centipawns(fractions: i64) -> i32 {
    let size = (fractions.abs() + CENTIPAWN / 2) >> FRACTION_BITS;
    (size * fractions.signum()) as i32
}

/// Exact, since an `f64` holds more digits than any sum of weights has.
fn centipawns(fractions: i64) -> f64 {
    fractions as f64 / CENTIPAWN as f64
}

const fn index(role: Role) -> usize {
    role as usize - Role::Pawn as usize
}

fn table_term(role: Role) -> &'static str {
    match role {
        Role::Pawn => "pawn table",
        Role::Knight => "knight table",
        Role::Bishop => "bishop table",
        Role::Rook => "rook table",
        Role::Queen => "queen table",
        Role::King => "king table",
    }
}

#[cfg(test)]
mod tests;
