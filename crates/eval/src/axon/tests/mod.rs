//! What `axon` promises, theme by theme.
#![allow(clippy::float_cmp, reason = "amounts are whole numbers or 64ths, exact as floats")]

mod king;
mod pawns;
mod position;
mod promises;
mod tables;
mod trades;

use super::*;
use crate::explain::Term;
use crate::testing;
use weights::Declaration;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// White's view of a FEN, in centipawns.
fn score(fen: &str) -> i32 {
    score_of(&Axon::default(), fen)
}

fn score_of(axon: &Axon, fen: &str) -> i32 {
    axon.clone().evaluate(View::from(&testing::position(fen))).raw()
}

fn explained(axon: &Axon, fen: &str) -> Explanation {
    axon.explain(View::from(&testing::position(fen)))
}

/// A term of a position by its name.
fn term(fen: &str, name: &str) -> Term {
    named(&explained(&Axon::default(), fen), name)
}

fn named(explanation: &Explanation, name: &str) -> Term {
    let found = explanation.terms.iter().find(|term| term.name == name);
    found.unwrap_or_else(|| panic!("no term is called {name:?}")).clone()
}

/// The sum of the terms of a part.
fn sum_of(explanation: &Explanation, parts: &[Part]) -> i32 {
    let is_of = |declaration: &&Declaration| parts.contains(&declaration.part);
    let names = weights::DECLARATIONS.iter().filter(is_of).map(|known| known.name.replace('_', " "));
    names.map(|name| named(explanation, &name).centipawns).sum()
}
