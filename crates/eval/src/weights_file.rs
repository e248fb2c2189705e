//! Weight files: JSON with a list for every table of weights, so that a person can read what was learned.
//!
//! ```text
//! {"format": "tabia-axiomx/1", "note": "…", "middlegame": {"material": [80.5, …], …}, "endgame": {…}}
//! ```
//!
//! All lists must be present, and nothing else: a file that is silently half read plays chess, only worse. This module
//! does no I/O.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use tabia_core::spelling;

/// Largest magnitude of a weight, unless an evaluation says otherwise; larger ones could overflow sums.
pub const BOUND: f64 = 10_000.0;

/// A list of numbers in a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The part of the file that contains it.
    pub part: &'static str,
    pub name: &'static str,
    pub size: usize,
}

/// Why a text is not a valid weight file.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    #[error("not a weight file: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the format is {found}, expected \"{expected}\"")]
    Format { found: String, expected: &'static str },
    /// A network of another shape, or a number out of range.
    #[error("{what}: {found}, expected {expected}")]
    Shape { what: &'static str, found: String, expected: String },
    #[error("the checksum of the weights is {found}, expected {expected}: the file is damaged")]
    Checksum { found: String, expected: String },
    #[error("there is no part \"{0}\"")]
    NoPart(&'static str),
    #[error("unknown part \"{name}\"{hint}")]
    UnknownPart { name: String, hint: String },
    #[error("\"{part}\" has no list \"{name}\"")]
    Missing { part: &'static str, name: String },
    #[error("unknown list \"{name}\" in \"{part}\"{hint}")]
    Unknown { part: &'static str, name: String, hint: String },
    #[error("\"{name}\" in \"{part}\" has {found} numbers, expected {expected}")]
    Length { part: &'static str, name: String, found: usize, expected: usize },
    #[error("number {index} of \"{name}\" in \"{part}\" is {value}; it must be between {min} and {max}")]
    Value {
        part: &'static str,
        name: String,
        /// Counted from zero.
        index: usize,
        value: f64,
        min: f64,
        max: f64,
    },
    /// A chromosome file has a format and errors of its own.
    #[error(transparent)]
    Chromosome(#[from] crate::chromosome::FileError),
}

type Lists = BTreeMap<String, Vec<f64>>;

/// Reads the numbers of all lists, in their order. `range` gives the bounds of each number.
pub fn read(
    text: &str,
    expected: &'static str,
    lists: &[List],
    range: impl Fn(usize) -> [f64; 2],
) -> Result<Vec<f64>, FileError> {
    let mut parts: BTreeMap<String, Value> = serde_json::from_str(text)?;
    let format = parts.remove("format").unwrap_or_default();
    if format.as_str() != Some(expected) {
        let found = if format.is_null() { "not given".to_owned() } else { format.to_string() };
        return Err(FileError::Format { found, expected });
    }
    parts.remove("note");
    let mut numbers = Vec::new();
    for part in parts_of(lists) {
        let value = parts.remove(part).ok_or(FileError::NoPart(part))?;
        let found = serde_json::from_value::<Lists>(value)?;
        read_part(part, found, lists, &range, &mut numbers)?;
    }
    if let Some(name) = parts.into_keys().next() {
        let hint = spelling::hint(&name, parts_of(lists));
        return Err(FileError::UnknownPart { name, hint });
    }
    Ok(numbers)
}

fn read_part(
    part: &'static str,
    mut found: Lists,
    lists: &[List],
    range: &impl Fn(usize) -> [f64; 2],
    numbers: &mut Vec<f64>,
) -> Result<(), FileError> {
    let known = || lists.iter().filter(|list| list.part == part);
    for List { name, size, .. } in known() {
        let name = (*name).to_owned();
        let Some(list) = found.remove(&name) else { return Err(FileError::Missing { part, name }) };
        if list.len() != *size {
            return Err(FileError::Length { part, name, found: list.len(), expected: *size });
        }
        for (index, value) in list.into_iter().enumerate() {
            let [min, max] = range(numbers.len());
            // A NaN is in no range.
            if !(min..=max).contains(&value) {
                return Err(FileError::Value { part, name, index, value, min, max });
            }
            numbers.push(value);
        }
    }
    if let Some(name) = found.into_keys().next() {
        let hint = spelling::hint(&name, known().map(|list| list.name));
        return Err(FileError::Unknown { part, name, hint });
    }
    Ok(())
}

/// The parts in their order of appearance.
fn parts_of(lists: &[List]) -> Vec<&'static str> {
    let mut parts: Vec<&'static str> = Vec::new();
    for list in lists {
        if parts.last() != Some(&list.part) {
            parts.push(list.part);
        }
    }
    parts
}

/// Writes numbers in the order of the lists, one list per line, rounded to multiples of `1 / quantisation`.
pub fn write(format: &str, lists: &[List], numbers: &[f64], quantisation: f64, note: Option<&str>) -> String {
    let mut text = format!("{{\n\"format\": \"{format}\"");
    // Writing to a string does not fail.
    if let Some(note) = note.filter(|note| !note.is_empty()) {
        let _ = write!(text, ",\n\"note\": {}", serde_json::Value::from(note));
    }
    let (mut left, mut part) = (numbers, None);
    for list in lists {
        if part == Some(list.part) {
            text.push(',');
        } else {
            let closing = if part.is_some() { "\n}" } else { "" };
            let _ = write!(text, "{closing},\n\"{}\": {{", list.part);
            part = Some(list.part);
        }
        let (own, others) = left.split_at(list.size);
        let own: Vec<String> = own.iter().map(|number| tidy(*number, quantisation)).collect();
        let _ = write!(text, "\n  \"{}\": [{}]", list.name, own.join(", "));
        left = others;
    }
    text.push_str("\n}\n}\n");
    text
}

/// With the precision that play uses, without trailing zeros.
fn tidy(number: f64, quantisation: f64) -> String {
    let rounded = (number * quantisation).round() / quantisation;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// A name for every number: part, list and index.
pub fn names(lists: &[List]) -> Vec<String> {
    let of_list = |list: &List| {
        let List { part, name, size } = *list;
        (0..size).map(
            move |index| if size == 1 { format!("{part} {name}") } else { format!("{part} {name} {index}") },
        )
    };
    lists.iter().flat_map(of_list).collect()
}
