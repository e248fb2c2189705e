//! A chromosome as text: JSON with a name for every weight.
//!
//! ```text
//! {
//!   "format": "tabia-chromosome/1",
//!   "scalars": { "material": 1.0, … },
//!   "tables": { "pawn": [64 numbers, a8 first], … }
//! }
//! ```
//!
//! With weights for three phases, each has both sections:
//!
//! ```text
//! {
//!   "format": "tabia-chromosome/2",
//!   "opening": { "scalars": …, "tables": … }, "middlegame": …, "endgame": …
//! }
//! ```
//!
//! All weights must be present, and nothing else: a file that is silently half read plays chess, only worse. Numbers
//! are read back exactly as written. This module does no I/O.

use std::array;

use tabia_core::spelling;

use super::genome::{GENES, PRINCIPLES, SCALARS, SQUARES, TABLE_NAMES, square_at};
use super::json::Json;
use super::phases::{PHASE_NAMES, Phases};
use super::weights::{WeightError, Weights};

/// Value of the file's `format` key.
pub const FORMAT: &str = "tabia-chromosome/1";

/// The same for weights in three phases.
pub const PHASED_FORMAT: &str = "tabia-chromosome/2";

const TOP: &str = "a chromosome file";
const SCALARS_PLACE: &str = "\"scalars\"";
const TABLES_PLACE: &str = "\"tables\"";
const SECTIONS: [&str; 2] = ["scalars", "tables"];

/// What is wrong with a chromosome file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// No JSON, or a number that JSON or a float cannot represent.
    #[error("this is not valid JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the format is {found}, expected \"{FORMAT}\", or \"{PHASED_FORMAT}\" for three phases")]
    Format { found: String },
    #[error("{place} lacks {names}")]
    Missing { place: &'static str, names: String },
    #[error("{place} has an unknown entry \"{name}\"{hint}")]
    Unknown { place: &'static str, name: String, hint: String },
    #[error("{place} has \"{name}\" twice")]
    Twice { place: &'static str, name: String },
    #[error("{entry} is {found}, expected {expected}")]
    Kind { entry: String, found: String, expected: &'static str },
    #[error("table \"{table}\" has {found} numbers, expected {SQUARES}, a8 first")]
    Shape { table: String, found: usize },
    #[error(transparent)]
    Weight(#[from] WeightError),
}

/// Writes a chromosome; [`read`] gives back the same weights.
pub fn write(weights: &Phases) -> String {
    match weights {
        Phases::Single(weights) => {
            format!("{{\n  \"format\": \"{FORMAT}\",\n{}\n}}\n", sections(weights, "  "))
        }
        Phases::Three(three) => {
            let phases: Vec<String> = PHASE_NAMES
                .iter()
                .zip(three.iter())
                .map(|(name, weights)| format!("  \"{name}\": {{\n{}\n  }}", sections(weights, "    ")))
                .collect();
            format!("{{\n  \"format\": \"{PHASED_FORMAT}\",\n{}\n}}\n", phases.join(",\n"))
        }
    }
}

/// The two sections of a set of weights, indented.
fn sections(weights: &Weights, indent: &str) -> String {
    let scalars: Vec<String> = PRINCIPLES
        .iter()
        .zip(weights.scalars())
        .map(|(principle, weight)| format!("{indent}  \"{}\": {weight:?}", principle.name))
        .collect();
    let tables: Vec<String> = TABLE_NAMES
        .iter()
        .zip(weights.tables())
        .map(|(name, table)| {
            let ranks: Vec<String> =
                table.chunks(8).map(|rank| format!("{indent}    {}", joined(rank))).collect();
            format!("{indent}  \"{name}\": [\n{}\n{indent}  ]", ranks.join(",\n"))
        })
        .collect();
    let (scalars, tables) = (scalars.join(",\n"), tables.join(",\n"));
    format!("{indent}\"scalars\": {{\n{scalars}\n{indent}}},\n{indent}\"tables\": {{\n{tables}\n{indent}}}")
}

/// Numbers in the shortest form that reads back the same.
fn joined(numbers: &[f64]) -> String {
    numbers.iter().map(|number| format!("{number:?}")).collect::<Vec<_>>().join(", ")
}

/// Reads a chromosome; the error names the entry that is wrong.
pub fn read(text: &str) -> Result<Phases, FileError> {
    let file = serde_json::from_str::<Json>(text)?.into_entries(TOP)?;
    // Check the format first: a file of another kind has other errors too, all beside the point.
    let (format, rest): (Vec<_>, Vec<_>) = file.into_iter().partition(|(name, _)| name == "format");
    match format.as_slice() {
        [(_, Json::Text(format))] if format == FORMAT => read_sections(TOP, rest).map(Phases::from),
        [(_, Json::Text(format))] if format == PHASED_FORMAT => {
            let phases = in_order(TOP, rest, &PHASE_NAMES)?;
            let mut sets = Vec::with_capacity(PHASE_NAMES.len());
            for (name, phase) in PHASE_NAMES.into_iter().zip(phases) {
                sets.push(read_sections(name, phase.into_entries(&format!("phase \"{name}\""))?)?);
            }
            let three: Box<[Weights; 3]> = sets.try_into().expect("there are as many sets as phases");
            Ok(Phases::Three(three))
        }
        [(_, other)] => Err(FileError::Format { found: other.describe() }),
        [] => Err(FileError::Format { found: "not given".to_owned() }),
        _ => Err(FileError::Twice { place: TOP, name: "format".to_owned() }),
    }
}

/// One set of weights from its two sections.
fn read_sections(place: &'static str, entries: Vec<(String, Json)>) -> Result<Weights, FileError> {
    let [scalars, tables] = in_order(place, entries, &SECTIONS)?;
    let names: [&str; SCALARS] = array::from_fn(|index| PRINCIPLES[index].name);
    let scalars = in_order(SCALARS_PLACE, scalars.into_entries(SCALARS_PLACE)?, &names)?;
    let tables = in_order(TABLES_PLACE, tables.into_entries(TABLES_PLACE)?, &TABLE_NAMES)?;
    let mut flat = Vec::with_capacity(GENES);
    for (name, weight) in names.iter().zip(scalars) {
        flat.push(weight.into_number(|| format!("weight \"{name}\""))?);
    }
    for (name, table) in TABLE_NAMES.into_iter().zip(tables) {
        let numbers = table.into_list(|| format!("table \"{name}\""))?;
        if numbers.len() != SQUARES {
            return Err(FileError::Shape { table: name.to_owned(), found: numbers.len() });
        }
        for (place, number) in numbers.into_iter().enumerate() {
            flat.push(number.into_number(|| format!("weight \"{name}.{}\"", square_at(place)))?);
        }
    }
    Ok(Weights::from_flat(&flat)?)
}

/// The values of the given names in their order; each must occur once, and nothing else.
fn in_order<const N: usize>(
    place: &'static str,
    entries: Vec<(String, Json)>,
    names: &[&str; N],
) -> Result<[Json; N], FileError> {
    let mut found: [Option<Json>; N] = [const { None }; N];
    for (name, value) in entries {
        let Some(index) = names.iter().position(|known| *known == name) else {
            let hint = spelling::hint(&name, names.iter().copied());
            return Err(FileError::Unknown { place, name, hint });
        };
        if found[index].replace(value).is_some() {
            return Err(FileError::Twice { place, name });
        }
    }
    let missing = names.iter().zip(&found).filter(|(_, value)| value.is_none());
    let missing: Vec<String> = missing.map(|(name, _)| format!("\"{name}\"")).collect();
    if !missing.is_empty() {
        return Err(FileError::Missing { place, names: missing.join(", ") });
    }
    Ok(found.map(|value| value.unwrap_or(Json::Null)))
}
