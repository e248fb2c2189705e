//! Counts times weights, with the positional part clamped, as a differentiable function of the weights.
//!
//! Table I is the seed's own and is not learned, nor are the matrices; their weights are.

use std::sync::LazyLock;

use shakmaty::{Color, Role};

use super::weights::{COUNT, DECLARATIONS, Part, Weight, Weights};
use super::{Axon, POSITIONAL_LIMIT, count_with, draws, matrices};
use crate::explain::{Field, board_of};
use crate::tuning::{Clamp, EvalTrace, Parameter, Tunable};
use crate::view::View;
use crate::weights_file::{self, FileError, List};

/// Value of the file's `format` key.
pub const FORMAT: &str = "tabia-axon/1";

/// Written weights are multiples of the inverse of this.
const QUANTISATION: f64 = 1000.0;

const fn part_name(part: Part) -> &'static str {
    match part {
        Part::Trade => "trade",
        Part::Attack => "attack",
        Part::Position => "position",
        Part::Promotion => "promotion",
    }
}

fn all_lists() -> [List; COUNT] {
    DECLARATIONS.map(|known| List { part: part_name(known.part), name: known.name, size: 1 })
}

/// A training step is this fraction of a weight's range.
const STEPS: f64 = 50.0;

/// Training keeps a weight within its declared range: an unconstrained fit contradicts the seed.
fn range(index: usize) -> [f64; 2] {
    let known = &DECLARATIONS[index];
    [known.min.into(), known.max.into()]
}

static LEARNED: LazyLock<Axon> = LazyLock::new(|| {
    Axon::default().with_file(include_str!("learned.json")).expect("the shipped weights are tested")
});

impl Axon {
    /// The evaluation with the weights learned from self-play games (`docs/learning.md`).
    pub fn learned() -> Axon {
        LEARNED.clone()
    }
}

impl Tunable for Axon {
    fn parameters(&self) -> Vec<Parameter> {
        Weight::ALL
            .into_iter()
            .map(|weight| {
                let known = weight.declaration();
                let [min, max] = range(weight as usize);
                let step = f64::from(known.max - known.min) / STEPS;
                Parameter { name: known.name.to_owned(), value: self.weights()[weight], min, max, step }
            })
            .collect()
    }

    fn with_parameters(&self, parameters: &[f64]) -> Option<Axon> {
        let weights = Weights::from_numbers(parameters.try_into().ok()?);
        Some(Axon::with_weights(self.options, weights))
    }

    /// `None` for positions that Table II calls draws.
    fn trace(&self, view: View<'_>) -> Option<EvalTrace> {
        if draws::is_draw(view) {
            return None;
        }
        let (material, tally) = count_with(view, |_, _, _| ());
        let worth = |weight: Weight| {
            let amount = tally.amount(Color::White, weight) - tally.amount(Color::Black, weight);
            let unit = weight.declaration().unit;
            let leaning = self.leaning(weight.declaration().part);
            (weight as u16, (f64::from(amount) * leaning / f64::from(unit.share() * unit.steps())) as f32)
        };
        let of_parts = |parts: &[Part]| -> Vec<(u16, f32)> {
            let weights = Weight::ALL.into_iter().filter(|weight| parts.contains(&weight.declaration().part));
            weights.map(worth).filter(|(_, count)| *count != 0.0).collect()
        };
        Some(EvalTrace {
            constant: material as f32,
            singles: of_parts(&[Part::Trade, Part::Promotion]),
            clamps: vec![Clamp {
                inputs: of_parts(&[Part::Attack, Part::Position]),
                bound: POSITIONAL_LIMIT as f32,
            }],
            ..EvalTrace::default()
        })
    }

    fn pictures(&self) -> Vec<Field> {
        let picture = |role: Role| {
            let percent = self.weights()[matrices::weight(role)];
            Field {
                name: format!("{} matrix", tabia_core::chess::role_name(role)),
                unit: "centipawns".to_owned(),
                values: board_of(|square| f64::from(matrices::of(role, square)) * percent / 100.0),
            }
        };
        Role::ALL.into_iter().map(picture).collect()
    }

    fn with_file(&self, text: &str) -> Result<Axon, FileError> {
        let read = weights_file::read(text, FORMAT, &all_lists(), range)?;
        // The number of lists was checked on reading.
        let numbers = std::array::from_fn(|index| read[index]);
        Ok(Axon::with_weights(self.options, Weights::from_numbers(&numbers)))
    }

    fn file(&self, note: &str) -> String {
        let numbers = Weight::ALL.map(|weight| self.weights()[weight]);
        weights_file::write(FORMAT, &all_lists(), &numbers, QUANTISATION, Some(note))
    }
}
