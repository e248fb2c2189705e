//! Sentences for bodies, queries and paths that cannot be read: the place that the extractors name, and serde's message in
//! [plain words](wording).

use axum::extract::path::ErrorKind;
use serde_path_to_error::{Path, Segment};
use tabia_core::wording::{self, Location, quoted, type_name};

/// The fault of a JSON body that is well-formed but does not fit.
pub fn body(path: &Path, error: &serde_json::Error) -> String {
    let message = without_position(error);
    reworded(path, &message, "field").unwrap_or_else(|| at(path, &message))
}

/// The fault of a body that is no JSON.
pub fn syntax(bytes: &[u8], error: &serde_json::Error) -> String {
    if bytes.trim_ascii().is_empty() {
        return "the body is empty; expected a JSON object".to_owned();
    }
    let message = without_position(error);
    let fault = wording::syntax_fault(&message);
    if error.is_eof() {
        return format!("the body is not JSON: {fault}");
    }
    format!("the body is not JSON: {fault} (line {}, column {})", error.line(), error.column())
}

/// The fault of a query, with the parameters that it has.
pub fn query(path: &Path, message: &str, given: &[(String, String)]) -> String {
    if let Some(sentence) = reworded(path, message, "parameter") {
        return sentence;
    }
    let key = path.to_string();
    let value = given.iter().find(|(name, _)| *name == key).map(|(_, value)| value);
    // The messages of `str::parse` do not repeat the text.
    match value.and_then(|value| Some((value, wording::parse_fault(message, value)?))) {
        Some((value, expected)) => format!("{key} is {}; expected {expected}", quoted(value)),
        None => at(path, message),
    }
}

/// The fault of a path.
pub fn path(kind: &ErrorKind) -> String {
    match kind {
        ErrorKind::Message(message) | ErrorKind::DeserializeError { message, .. } => message.clone(),
        ErrorKind::ParseError { value, expected_type }
        | ErrorKind::ParseErrorAtKey { value, expected_type, .. }
        | ErrorKind::ParseErrorAtIndex { value, expected_type, .. } => {
            format!("the path has {}; expected {}", quoted(value), type_name(expected_type))
        }
        ErrorKind::InvalidUtf8InPathParam { .. } => "the path is not UTF-8".to_owned(),
        _ => "the path cannot be read".to_owned(),
    }
}

/// One of serde's messages as a sentence; `None` where it has another form.
fn reworded(path: &Path, message: &str, entry: &str) -> Option<String> {
    let text = path.to_string();
    let value = if is_root(path) { "the body" } else { &text };
    // The path of an unknown field ends with the field.
    let object = match path.iter().next_back() {
        Some(Segment::Map { key }) if message.starts_with("unknown field") => {
            text.strip_suffix(key.as_str()).unwrap_or_default().trim_end_matches('.')
        }
        _ if is_root(path) => "",
        _ => &text,
    };
    wording::data_fault(message, Location { value, object, entry })
}

/// A message after the place that it is about.
fn at(path: &Path, message: &str) -> String {
    if is_root(path) { message.to_owned() } else { format!("{path}: {message}") }
}

fn is_root(path: &Path) -> bool {
    path.iter().all(|segment| matches!(segment, Segment::Unknown))
}

/// A JSON error without `at line 1 column 13`: for a field, its name is the better place.
fn without_position(error: &serde_json::Error) -> String {
    let position = format!(" at line {} column {}", error.line(), error.column());
    let message = error.to_string();
    message.strip_suffix(&position).map(str::to_owned).unwrap_or(message)
}

#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::*;

    #[derive(Debug, Deserialize)]
    #[serde(deny_unknown_fields)]
    #[allow(dead_code, reason = "it is only read")]
    struct Outer {
        count: std::num::NonZeroU32,
        #[serde(default)]
        pair: Option<[f64; 2]>,
        #[serde(default)]
        inner: Vec<Inner>,
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
            ("{}", "the field \"count\" is missing"),
            (r#"{"count": 1, "count": 1}"#, "the field \"count\" is given twice"),
            (r#"{"count": 0}"#, "count is 0; expected a whole number from 1 to 4294967295"),
            (r#"{"count": 1, "pair": [1]}"#, "pair has 1 entry; expected a list of 2"),
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
        ] {
            assert_eq!(said(text), sentence, "{text}");
        }
    }

    #[test]
    fn what_a_client_sent_is_quoted_and_shortened() {
        let sentence = said(r#"{"count": "a, expected `b`"}"#);
        assert_eq!(sentence, "count is \"a, expected `b`\"; expected a whole number from 1 to 4294967295");
        let long = "x".repeat(10_000);
        for text in [format!(r#"{{"count": "{long}"}}"#), format!(r#"{{"{long}": 1}}"#)] {
            let sentence = said(&text);
            assert!(sentence.len() < 300 && sentence.contains('…'), "{sentence}");
        }
    }
}
