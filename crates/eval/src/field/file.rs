//! Weights as a file: a list for each group, at both ends of the game.
//!
//! ```json
//! {"format": "tabia-field/1",
//!  "middlegame": {"material": [80.5, …], …}, "endgame": {"material": [101.2, …], …}, "danger": {"always": [-10.0], …}}
//! ```

use super::groups::{self, danger};
use super::weights::{GRAINS, Weights};
use crate::lists::{self, BOUND, List};

pub use crate::lists::FileError;

/// What the file says it is.
pub const FORMAT: &str = "tabia-field/1";

fn all_lists() -> Vec<List> {
    let of_groups =
        |part| groups::ALL.iter().map(move |group| List { part, name: group.name, size: group.size });
    let inputs = danger::ALL.iter().map(|input| List { part: "danger", name: input.name, size: input.size });
    of_groups("middlegame").chain(of_groups("endgame")).chain(inputs).collect()
}

/// Reads weights.
pub fn read(text: &str) -> Result<Weights, FileError> {
    let numbers = lists::read(text, FORMAT, &all_lists(), |_| [-BOUND, BOUND])?;
    let (middlegame, others) = numbers.split_at(groups::COUNT);
    let (endgame, danger) = others.split_at(groups::COUNT);
    let linear =
        middlegame.iter().zip(endgame).map(|(middlegame, endgame)| [*middlegame, *endgame]).collect();
    Ok(Weights { linear, danger: danger.to_vec() })
}

/// Writes weights, a list a line, with a note on where they come from.
pub fn write(weights: &Weights, note: Option<&str>) -> String {
    let end = |end: usize| weights.linear.iter().map(move |pair| pair[end]);
    let numbers: Vec<f64> = end(0).chain(end(1)).chain(weights.danger.iter().copied()).collect();
    lists::write(FORMAT, &all_lists(), &numbers, GRAINS.into(), note)
}
