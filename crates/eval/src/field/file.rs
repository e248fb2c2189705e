//! The weight file: JSON with a list for each group, for the middlegame and the endgame.
//!
//! ```json
//! {"format": "tabia-field/4",
//!  "middlegame": {"material": [80.5, …], …}, "endgame": {"material": [101.2, …], …}, "danger": {"always": [-10.0], …},
//!  "interplay": {"material": [1.5, …], …, "beginning": [4.0, …], "middlegame": [30.0, …], "endgame": [-12.5, …]}}
//! ```
//!
//! The lists of the hidden layer (`interplay`; `beginning` are its biases) have 16 numbers for each entry of a group:
//! 8 weights to the units of its own side, then 8 to those of the opponent.

use super::groups::{self, danger};
use super::hidden_layer;
use super::weights::{HIDDEN_LAYER, QUANTISATION, Weights};
use crate::weights_file::{self, BOUND, List};

pub use crate::weights_file::FileError;

/// Value of the file's `format` key.
pub const FORMAT: &str = "tabia-field/4";

fn all_lists() -> Vec<List> {
    let of_groups =
        |part| groups::ALL.iter().map(move |group| List { part, name: group.name, size: group.size });
    let inputs = danger::ALL.iter().map(|input| List { part: "danger", name: input.name, size: input.size });
    of_groups("middlegame").chain(of_groups("endgame")).chain(inputs).chain(hidden_layer::lists()).collect()
}

pub fn read(text: &str) -> Result<Weights, FileError> {
    let range = |index: usize| match index.checked_sub(HIDDEN_LAYER) {
        Some(index) => hidden_layer::range(index),
        None => [-BOUND, BOUND],
    };
    let numbers = weights_file::read(text, FORMAT, &all_lists(), range)?;
    let (middlegame, others) = numbers.split_at(groups::COUNT);
    let (endgame, others) = others.split_at(groups::COUNT);
    let (danger, hidden_layer) = others.split_at(danger::COUNT);
    let linear =
        middlegame.iter().zip(endgame).map(|(middlegame, endgame)| [*middlegame, *endgame]).collect();
    Ok(Weights { linear, danger: danger.to_vec(), hidden_layer: hidden_layer.to_vec() })
}

/// Writes weights, one list per line, with a note on their origin.
pub fn write(weights: &Weights, note: Option<&str>) -> String {
    let end = |end: usize| weights.linear.iter().map(move |pair| pair[end]);
    let others = weights.danger.iter().chain(&weights.hidden_layer).copied();
    let numbers: Vec<f64> = end(0).chain(end(1)).chain(others).collect();
    weights_file::write(FORMAT, &all_lists(), &numbers, QUANTISATION.into(), note)
}
