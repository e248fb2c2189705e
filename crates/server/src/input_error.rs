//! Sentences for bodies, queries and paths that cannot be read.
//!
//! serde's messages name Rust types (`expected u64`, `expected struct ClockSetting`), which mean nothing to a client. They have
//! a few fixed forms, which are reworded here: where the fault is, what was found, and what would be right. A message
//! of another form comes from a type's own reader and is passed on.

use axum::extract::path::ErrorKind;
use serde_path_to_error::{Path, Segment};

/// Characters of a client's text that are quoted.
const QUOTED: usize = 60;
/// What separates the fault from what would be right in serde's messages.
const EXPECTED: &str = ", expected ";

/// The fault of a JSON body that is well-formed but does not fit.
pub fn body(path: &Path, error: &serde_json::Error) -> String {
    reworded(path, without_position(error), "field").unwrap_or_else(|message| at(path, &message))
}

/// The fault of a body that is no JSON.
pub fn syntax(bytes: &[u8], error: &serde_json::Error) -> String {
    if bytes.trim_ascii().is_empty() {
        return "the body is empty; expected a JSON object".to_owned();
    }
    let message = without_position(error);
    if let Some(unfinished) = message.strip_prefix("EOF while parsing ") {
        return format!("the body is not JSON: it ends in the middle of {unfinished}");
    }
    let message = match message.as_str() {
        "expected value" => "expected a value",
        "expected ident" => "expected true, false or null",
        other => other,
    };
    format!("the body is not JSON: {message} (line {}, column {})", error.line(), error.column())
}

/// The fault of a query, with the parameters that it has.
pub fn query(path: &Path, message: String, given: &[(String, String)]) -> String {
    let message = match reworded(path, message, "parameter") {
        Ok(sentence) => return sentence,
        Err(message) => message,
    };
    let key = path.to_string();
    let value = given.iter().find(|(name, _)| *name == key).map(|(_, value)| value.as_str());
    // The messages of `str::parse`, which do not repeat the text.
    let (Some(value), Some(expected)) = (value, parsed_as(&message, value.unwrap_or_default())) else {
        return at(path, &message);
    };
    format!("{key} is {}; expected {expected}", quoted(value))
}

/// The fault of a path.
pub fn path(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::Message(message) | ErrorKind::DeserializeError { message, .. } => message.clone(),
        ErrorKind::ParseError { value, expected_type }
        | ErrorKind::ParseErrorAtKey { value, expected_type, .. }
        | ErrorKind::ParseErrorAtIndex { value, expected_type, .. } => {
            format!("the path has {}; expected {}", quoted(value), plain_type(expected_type))
        }
        ErrorKind::InvalidUtf8InPathParam { .. } => "the path is not UTF-8".to_owned(),
        _ => "the path cannot be read".to_owned(),
    }
}

/// One of serde's messages as a sentence; the message itself where it has another form.
fn reworded(path: &Path, message: String, noun: &str) -> Result<String, String> {
    if let Some(rest) = message.strip_prefix("unknown field `") {
        let inside = within(path, true);
        return Ok(if let Some((name, fields)) = rest.rsplit_once(&format!("`{EXPECTED}")) {
            format!("unknown {noun} {}{inside}; expected {}", quoted(name), choices(fields))
        } else {
            let name = rest.split('`').next().unwrap_or_default();
            format!("unknown {noun} {}{inside}; expected none", quoted(name))
        });
    }
    let inside = within(path, false);
    if let Some(name) = message.strip_prefix("missing field `") {
        return Ok(format!("the {noun} \"{}\"{inside} is missing", name.trim_end_matches('`')));
    }
    if let Some(name) = message.strip_prefix("duplicate field `") {
        return Ok(format!("the {noun} \"{}\"{inside} is given twice", name.trim_end_matches('`')));
    }
    let subject = if is_root(path) { "the body".to_owned() } else { path.to_string() };
    if let Some(rest) = message.strip_prefix("unknown variant `") {
        if let Some((name, variants)) = rest.rsplit_once(&format!("`{EXPECTED}")) {
            return Ok(format!("{subject} is {}; expected {}", quoted(name), choices(variants)));
        }
        return Err(message);
    }
    let wrong = ["invalid type: ", "invalid value: "].iter().find_map(|form| message.strip_prefix(form));
    if let Some((found, expected)) = wrong.and_then(|rest| rest.rsplit_once(EXPECTED)) {
        return Ok(format!("{subject} is {}; expected {}", plain_value(found), plain_type(expected)));
    }
    let length = message.strip_prefix("invalid length ").and_then(|rest| rest.split_once(EXPECTED));
    if let Some((length, expected)) = length {
        let entries = if length == "1" { "entry" } else { "entries" };
        return Ok(format!("{subject} has {length} {entries}; expected {}", plain_type(expected)));
    }
    Err(message)
}

/// A message after the place that it is about.
fn at(path: &Path, message: &str) -> String {
    if is_root(path) { message.to_owned() } else { format!("{path}: {message}") }
}

/// ` in clock`, or nothing at the top. The path of an unknown field ends with the field.
fn within(path: &Path, ends_with_field: bool) -> String {
    let text = path.to_string();
    let parent = match path.iter().next_back() {
        Some(Segment::Map { key }) if ends_with_field => text.strip_suffix(key.as_str()).unwrap_or_default(),
        _ if is_root(path) => "",
        _ => &text,
    };
    let parent = parent.trim_end_matches('.');
    if parent.is_empty() { String::new() } else { format!(" in {parent}") }
}

fn is_root(path: &Path) -> bool {
    path.iter().all(|segment| matches!(segment, Segment::Unknown))
}

/// ``one of `a`, `b` `` with quotation marks.
fn choices(list: &str) -> String {
    list.replace('`', "\"")
}

/// What serde calls what it found, as JSON or in words.
fn plain_value(found: &str) -> String {
    let number = ["integer `", "floating point `", "boolean `", "character `"];
    if let Some(value) = number.iter().find_map(|kind| found.strip_prefix(kind)) {
        return value.trim_end_matches('`').to_owned();
    }
    match found {
        "sequence" => "a list".to_owned(),
        "map" => "an object".to_owned(),
        "null" | "unit value" => "null".to_owned(),
        _ => match found.strip_prefix("string \"").and_then(|text| text.strip_suffix('"')) {
            // Escaped by serde already.
            Some(text) => format!("\"{}\"", shortened(text)),
            None => "of another kind".to_owned(),
        },
    }
}

/// What serde expected, or the name of a Rust type, in words.
fn plain_type(expected: &str) -> String {
    let (least, number) = match expected.strip_prefix("a nonzero ") {
        Some(number) => (1, number),
        None => (0, expected),
    };
    let largest = match number {
        "u8" => Some(u64::from(u8::MAX)),
        "u16" => Some(u64::from(u16::MAX)),
        "u32" => Some(u64::from(u32::MAX)),
        _ => None,
    };
    if let Some(largest) = largest {
        return format!("a whole number from {least} to {largest}");
    }
    let words = match number {
        "u64" | "u128" | "usize" => return format!("a whole number from {least}"),
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number",
        "f32" | "f64" => "a number",
        "a boolean" | "bool" => "true or false",
        "a sequence" => "a list",
        "a map" => "an object",
        "string or map" | "a borrowed string" => "a string",
        "unit" => "null",
        _ => match expected.split_once(' ') {
            Some(("struct", _)) => "an object",
            Some(("enum" | "variant", _)) => "a string",
            Some(("tuple", _)) => "a list",
            _ => match expected.strip_prefix("an array of length ") {
                Some(length) => return format!("a list of {length}"),
                None => expected,
            },
        },
    };
    words.to_owned()
}

/// What a parameter should have been, from the message of `str::parse`.
fn parsed_as(message: &str, value: &str) -> Option<&'static str> {
    let is_negative =
        value.strip_prefix('-').is_some_and(|digits| digits.bytes().all(|c| c.is_ascii_digit()));
    match message {
        "invalid digit found in string" if is_negative => Some("a whole number from 0"),
        "invalid digit found in string" | "cannot parse integer from empty string" => Some("a whole number"),
        "number too large to fit in target type" => Some("a smaller number"),
        "number too small to fit in target type" => Some("a larger number"),
        "number would be zero for non-zero type" => Some("a whole number from 1"),
        "invalid float literal" | "cannot parse float from empty string" => Some("a number"),
        "provided string was not `true` or `false`" => Some("true or false"),
        _ => None,
    }
}

/// A JSON error without `at line 1 column 13`: for a field, its name is the better place.
fn without_position(error: &serde_json::Error) -> String {
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    message.strip_suffix(&position).map(str::to_owned).unwrap_or(message)
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", shortened(text))
}

fn shortened(text: &str) -> String {
    let mut shown: String = text.chars().take(QUOTED).collect();
    if shown.len() < text.len() {
        shown.push('…');
    }
    shown
}

#[cfg(test)]
mod tests {
    use std::num::NonZeroU32;

    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "it is only read")]
    struct Outer {
        count: NonZeroU32,
        #[serde(default)]
        share: f64,
        #[serde(default)]
        switch: bool,
        #[serde(default)]
        pair: Option<[f64; 2]>,
        #[serde(default)]
        choice: Option<Choice>,
        #[serde(default)]
        inner: Vec<Inner>,
    }

    #[derive(Debug, Deserialize)]
    #[serde(rename_all = "lowercase")]
    enum Choice {
        One,
        Two,
    }

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "it is only read")]
    struct Inner {
        size: u16,
    }

    fn said(text: &str) -> String {
        let mut reader = serde_json::Deserializer::from_str(text);
        let error = serde_path_to_error::deserialize::<_, Outer>(&mut reader).unwrap_err();
        body(error.path(), error.inner())
    }

    #[test]
    fn a_fault_names_its_place_and_what_would_be_right() {
        for (text, sentence) in [
            (r#"{"count": 0}"#, "count is 0; expected a whole number from 1 to 4294967295"),
            (r#"{"count": 1.5}"#, "count is 1.5; expected a whole number from 1 to 4294967295"),
            (r#"{"count": 1, "share": "x"}"#, "share is \"x\"; expected a number"),
            (r#"{"count": 1, "switch": null}"#, "switch is null; expected true or false"),
            (r#"{"count": 1, "pair": [1]}"#, "pair has 1 entry; expected a list of 2"),
            (r#"{"count": 1, "choice": "x"}"#, "choice is \"x\"; expected \"one\" or \"two\""),
            (r#"{"count": 1, "inner": {}}"#, "inner is an object; expected a list"),
            (r#"{"count": 1, "inner": ["x"]}"#, "inner[0] is \"x\"; expected an object"),
            (r#"{"count": 1, "inner": [{}]}"#, "the field \"size\" in inner[0] is missing"),
            (
                r#"{"count": 1, "inner": [{"size": -1}]}"#,
                "inner[0].size is -1; expected a whole number from 0 to 65535",
            ),
            (
                r#"{"count": 1, "inner": [{"sice": 1}]}"#,
                "unknown field \"sice\" in inner[0]; expected \"size\"",
            ),
            (r"{}", "the field \"count\" is missing"),
            (r#"{"count": 1, "count": 1}"#, "the field \"count\" is given twice"),
        ] {
            assert_eq!(said(text), sentence, "{text}");
        }
    }

    #[test]
    fn what_a_client_sent_is_shortened() {
        let long = "x".repeat(10_000);
        for text in [
            format!(r#"{{"count": "{long}"}}"#),
            format!(r#"{{"{long}": 1}}"#),
            format!(r#"{{"count": 1, "choice": "{long}"}}"#),
        ] {
            let sentence = said(&text);
            assert!(sentence.len() < 300 && sentence.contains('…'), "{sentence}");
        }
    }

    #[test]
    fn texts_that_look_like_messages_are_quoted() {
        let sentence = said(r#"{"count": "a, expected `b`"}"#);
        assert_eq!(sentence, "count is \"a, expected `b`\"; expected a whole number from 1 to 4294967295");
    }
}
