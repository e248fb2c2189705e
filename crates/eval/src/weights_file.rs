//! Weights as a file: JSON, a list for every table of numbers, so that a person can read what was learned.
//!
//! ```text
//! {"format": "tabia-axiomx/1", "note": "…", "middlegame": {"material": [80.5, …], …}, "endgame": {…}}
//! ```
//!
//! All lists must be there and nothing else: a file that is silently half read plays chess, only worse. Where the
//! text is kept is not known here.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use serde_json::Value;
use tabia_core::spelling;

/// No weight is larger, unless an evaluation says so: beyond, sums would not fit.
pub const BOUND: f64 = 10_000.0;

/// A list of numbers in a file.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct List {
    /// The part of the file it stands in.
    pub part: &'static str,
    pub name: &'static str,
    /// How many numbers it has.
    pub size: usize,
}

/// Why a text holds no weights.
#[derive(Debug, thiserror::Error)]
pub enum FileError {
    /// Not JSON of this shape.
    #[error("not a file of weights: {0}")]
    Json(#[from] serde_json::Error),
    /// Another evaluation's, or of another version.
    #[error("the format is {found}, expected \"{expected}\"")]
    Format { found: String, expected: &'static str },
    /// A network of another shape, or a number out of its range.
    #[error("{what}: {found}, expected {expected}")]
    Shape {
        what: &'static str,
        /// What the file has.
        found: String,
        /// What it should have.
        expected: String,
    },
    /// The numbers were changed.
    #[error("the checksum of the weights is {found}, expected {expected}: the file is damaged")]
    Checksum {
        /// What the numbers come to.
        found: String,
        /// What the file says.
        expected: String,
    },
    /// A part is not there.
    #[error("there is no part \"{0}\"")]
    NoPart(&'static str),
    /// A part that nobody asked for.
    #[error("there is a part \"{name}\" that is not known{hint}")]
    UnknownPart {
        name: String,
        /// The nearest name, as a phrase.
        hint: String,
    },
    /// A list is not there.
    #[error("\"{part}\" has no list \"{name}\"")]
    Missing { part: &'static str, name: String },
    /// A list that nobody asked for.
    #[error("\"{part}\" has a list \"{name}\" that is not known{hint}")]
    Unknown {
        part: &'static str,
        name: String,
        /// The nearest name, as a phrase.
        hint: String,
    },
    /// A list of another length.
    #[error("\"{name}\" in \"{part}\" has {found} numbers, expected {expected}")]
    Length {
        part: &'static str,
        name: String,
        /// How many there are.
        found: usize,
        /// How many there should be.
        expected: usize,
    },
    /// A number out of range.
    #[error("number {index} of \"{name}\" in \"{part}\" is {value}; it must lie between {least} and {most}")]
    Value {
        part: &'static str,
        name: String,
        /// Which number, from zero.
        index: usize,
        value: f64,
        /// The least it may be.
        least: f64,
        /// The most it may be.
        most: f64,
    },
    /// A chromosome's file has its own form, and its own faults.
    #[error(transparent)]
    Chromosome(#[from] crate::chromosome::FileError),
}

type Lists = BTreeMap<String, Vec<f64>>;

/// Reads the numbers of all lists, in their order. `range` says between what a number of them must lie.
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
            let [least, most] = range(numbers.len());
            // A NaN is within nothing.
            if !(least..=most).contains(&value) {
                return Err(FileError::Value { part, name, index, value, least, most });
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

/// The parts in the order in which they appear.
fn parts_of(lists: &[List]) -> Vec<&'static str> {
    let mut parts: Vec<&'static str> = Vec::new();
    for list in lists {
        if parts.last() != Some(&list.part) {
            parts.push(list.part);
        }
    }
    parts
}

/// Writes numbers in the order of the lists, a list a line; `quantisation` says how many parts of one are kept.
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

/// As precise as play is, without needless zeros.
fn tidy(number: f64, quantisation: f64) -> String {
    let rounded = (number * quantisation).round() / quantisation;
    if rounded == 0.0 { "0".to_owned() } else { rounded.to_string() }
}

/// A name for every number: part, list, index.
pub fn names(lists: &[List]) -> Vec<String> {
    let of_list = |list: &List| {
        let List { part, name, size } = *list;
        (0..size).map(
            move |index| if size == 1 { format!("{part} {name}") } else { format!("{part} {name} {index}") },
        )
    };
    lists.iter().flat_map(of_list).collect()
}
