//! What `axiomx` promises: numbers of the seed worked out by hand, a plain reference implementation, and properties.
#![expect(clippy::float_cmp, reason = "whole influences are exact, in fixed point and in floats")]

mod fields;
mod plain;
mod properties;
mod terms;

use super::*;
use crate::explain::Term;
use crate::testing;

/// Every combination of options.
fn all_options() -> Vec<Options> {
    let mut all = Vec::new();
    for kernels in [Kernels::Doc, Kernels::Code] {
        for multiscale in [None, Some(Scales::default())] {
            for (attention, phase) in [(false, false), (true, false), (false, true), (true, true)] {
                all.push(Options { kernels, multiscale, attention, phase, ..Options::default() });
            }
        }
    }
    all.push(Options { opening_moves: OpeningMoves::Fifteen, ..Options::default() });
    all.push(Options { passed_pawns: PassedPawns::NoneBeside, ..Options::default() });
    all
}

fn with(kernels: Kernels) -> Axiomx {
    Axiomx::new(&Options { kernels, ..Options::default() })
}

fn explanation(evaluation: &Axiomx, fen: &str) -> Explanation {
    evaluation.explain(View::from(&testing::position(fen)))
}

/// A field by name, rank 8 first.
fn field(evaluation: &Axiomx, fen: &str, name: &str) -> [[f64; 8]; 8] {
    let fields = explanation(evaluation, fen).fields;
    fields.iter().find(|field| field.name == name).unwrap_or_else(|| panic!("no field {name}")).values
}

fn term(explanation: &Explanation, name: &str) -> Term {
    explanation
        .terms
        .iter()
        .find(|term| term.name == name)
        .unwrap_or_else(|| panic!("no term {name}"))
        .clone()
}

/// White's amount, Black's, and what one is worth in centipawns.
fn amounts(fen: &str, name: &str) -> (f64, f64, f64) {
    let Term { white, black, weight, .. } = term(&explanation(&Axiomx::default(), fen), name);
    (white, black, weight)
}
