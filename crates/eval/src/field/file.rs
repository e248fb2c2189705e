//! Weights as a file: JSON, a list for each group, so that a person can read what was learned.
//!
//! ```json
//! {"format": "tabia-field/1",
//!  "middlegame": {"material": [80.5, …], …}, "endgame": {"material": [101.2, …], …}, "danger": {"always": [-10.0], …}}
//! ```

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::groups::{self, danger};
use super::weights::Weights;

/// What the file says it is.
pub const FORMAT: &str = "tabia-field/1";
/// No weight is larger, in centipawns: beyond, sums would not fit.
const BOUND: f64 = 10_000.0;

/// Why a text holds no weights.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Not JSON of this shape.
    #[error("not a file of field weights: {0}")]
    Json(#[from] serde_json::Error),
    /// Another format or version.
    #[error("the format is \"{0}\", expected \"{FORMAT}\"")]
    Format(String),
    /// A list is not there.
    #[error("\"{part}\" has no list \"{name}\"")]
    Missing {
        /// In which part.
        part: &'static str,
        /// Which.
        name: String,
    },
    /// A list that nobody asked for.
    #[error("\"{part}\" has a list \"{name}\" that is not known{hint}")]
    Unknown {
        /// In which part.
        part: &'static str,
        /// Which.
        name: String,
        /// The nearest name, as a phrase.
        hint: String,
    },
    /// A list of another length.
    #[error("\"{name}\" in \"{part}\" has {found} numbers, expected {expected}")]
    Length {
        /// In which part.
        part: &'static str,
        /// Which.
        name: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A number out of range.
    #[error(
        "number {index} of \"{name}\" in \"{part}\" is {value}; it must lie between -{BOUND} and {BOUND}"
    )]
    Value {
        /// In which part.
        part: &'static str,
        /// Which list.
        name: String,
        /// Which number, from nought.
        index: usize,
        /// What it is.
        value: f64,
    },
}

type Lists = BTreeMap<String, Vec<f64>>;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Document {
    format: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    note: Option<String>,
    middlegame: Lists,
    endgame: Lists,
    danger: Lists,
}

/// Reads weights.
pub fn read(text: &str) -> Result<Weights, FileError> {
    let document: Document = serde_json::from_str(text)?;
    if document.format != FORMAT {
        return Err(FileError::Format(document.format));
    }
    let names: Vec<(&str, usize)> = groups::ALL.iter().map(|group| (group.name, group.size)).collect();
    let middlegame = lists("middlegame", document.middlegame, &names)?;
    let endgame = lists("endgame", document.endgame, &names)?;
    let inputs: Vec<(&str, usize)> = danger::ALL.iter().map(|input| (input.name, input.size)).collect();
    let danger = lists("danger", document.danger, &inputs)?;
    let linear =
        middlegame.into_iter().zip(endgame).map(|(middlegame, endgame)| [middlegame, endgame]).collect();
    Ok(Weights { linear, danger })
}

fn lists(part: &'static str, mut lists: Lists, names: &[(&str, usize)]) -> Result<Vec<f64>, FileError> {
    let mut all = Vec::new();
    for (name, expected) in names {
        let list =
            lists.remove(*name).ok_or_else(|| FileError::Missing { part, name: (*name).to_owned() })?;
        if list.len() != *expected {
            let (name, found) = ((*name).to_owned(), list.len());
            return Err(FileError::Length { part, name, found, expected: *expected });
        }
        if let Some((index, value)) =
            list.iter().enumerate().find(|(_, value)| value.abs() > BOUND || value.is_nan())
        {
            return Err(FileError::Value { part, name: (*name).to_owned(), index, value: *value });
        }
        all.extend(list);
    }
    if let Some(name) = lists.into_keys().next() {
        let hint = tabia_core::spelling::hint(&name, names.iter().map(|(name, _)| *name));
        return Err(FileError::Unknown { part, name, hint });
    }
    Ok(all)
}

/// Writes weights, a list a line, with a note on where they come from.
pub fn write(weights: &Weights, note: Option<&str>) -> String {
    use std::fmt::Write as _;
    let mut text = format!("{{\n\"format\": \"{FORMAT}\"");
    if let Some(note) = note {
        // Writing to a string does not fail.
        let _ = write!(text, ",\n\"note\": {}", serde_json::Value::from(note));
    }
    for (end, part) in ["middlegame", "endgame"].into_iter().enumerate() {
        let lists = groups::ALL.iter().map(|group| {
            let numbers = &weights.linear[group.start..group.start + group.size];
            (group.name, numbers.iter().map(|pair| pair[end]).collect::<Vec<f64>>())
        });
        write_part(&mut text, part, lists);
    }
    let inputs = danger::ALL
        .iter()
        .map(|input| (input.name, weights.danger[input.start..input.start + input.size].to_vec()));
    write_part(&mut text, "danger", inputs);
    text.push_str("\n}\n");
    text
}

fn write_part<'a>(text: &mut String, part: &str, lists: impl Iterator<Item = (&'a str, Vec<f64>)>) {
    use std::fmt::Write as _;
    let _ = write!(text, ",\n\"{part}\": {{");
    for (index, (name, numbers)) in lists.enumerate() {
        let numbers: Vec<String> = numbers.iter().map(|number| tidy(*number)).collect();
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\n  \"{name}\": [{}]", numbers.join(", "));
    }
    text.push_str("\n}");
}

/// To a sixteenth, as precise as play is, without needless zeros.
fn tidy(number: f64) -> String {
    let grains = f64::from(super::weights::GRAINS);
    let rounded = (number * grains).round() / grains;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}
