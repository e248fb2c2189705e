//! Messages of the standard library, serde and serde_json in plain words.
//!
//! They name Rust types (`expected u64`, `expected struct ClockSetting`) and codes (`os error 2`), which mean nothing to a
//! person. They have a few fixed forms, which are reworded here: what was found, and what would be right. A message of
//! another form comes from a type's own reader and is passed on. The command line passes whole texts to [`plain`]; the
//! server, which knows the path of a fault, uses the other functions.

use std::borrow::Cow;

/// Characters of a text from outside that are quoted.
const QUOTED: usize = 60;
/// What separates the fault from what would be right in serde's messages.
const EXPECTED: &str = ", expected ";
/// What the standard library adds to errors of the operating system, before the number.
const OS_ERROR: &str = " (os error ";
/// How serde_json begins where a text ends too early.
const CUT_SHORT: &str = "EOF while parsing ";
/// How serde's messages about a value begin.
const FORMS: [&str; 7] = [
    "unknown field `",
    "missing field `",
    "duplicate field `",
    "unknown variant `",
    "invalid length ",
    "invalid type: ",
    "invalid value: ",
];

/// How a sentence names the place of a fault.
#[derive(Copy, Clone, Debug)]
pub struct Location<'a> {
    /// The value, such as `clock.initial_ms` or `the body`.
    pub value: &'a str,
    /// The object with a missing or unknown entry, such as `clock`; empty for the outermost one.
    pub object: &'a str,
    /// What an entry is called: `field`, `parameter`.
    pub entry: &'a str,
}

/// The text of an error without the codes of the operating system, and with serde_json's message in words.
///
/// ```
/// use tabia_core::wording::plain;
///
/// assert_eq!(plain("x: No such file or directory (os error 2)"), "x: No such file or directory");
/// assert_eq!(plain("x.json: EOF while parsing a value at line 1 column 0"), "x.json: it is empty");
/// ```
pub fn plain(text: &str) -> String {
    let mut parts = text.split(OS_ERROR);
    let mut plain = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        match part.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').strip_prefix(')') {
            Some(after) => plain.push_str(after),
            // Somebody else's words.
            None => plain.extend([OS_ERROR, part]),
        }
    }
    json(&plain.replace("stream did not contain valid UTF-8", "it is not text (UTF-8)"))
}

/// A text with one of serde_json's messages, ` at line 1 column 13` included, or that ends with one of serde's.
fn json(text: &str) -> String {
    let (text, line, column, rest) = split_position(text).unwrap_or((text.trim_end(), "", "", ""));
    let form = FORMS.iter().chain([&CUT_SHORT]).filter_map(|form| text.find(form)).min();
    let start = form.unwrap_or_else(|| text.rfind(": ").map_or(0, |at| at + 2));
    let (before, message) = text.split_at(if line.is_empty() && form.is_none() { text.len() } else { start });
    let value = if column == "0" { "it" } else { "a value" };
    let said = data_fault(message, Location { value, object: "", entry: "field" });
    let said = said.map_or_else(|| syntax_fault(message), Cow::Owned);
    let is_cut_short = message.starts_with(CUT_SHORT);
    match (line, column) {
        ("1", "0") if is_cut_short => format!("{before}it is empty{rest}"),
        ("", _) => format!("{before}{said}"),
        _ if is_cut_short => format!("{before}{said} (line {line}){rest}"),
        (_, "0") => format!("{before}{said}{rest}"),
        _ => format!("{before}{said} (line {line}, column {column}){rest}"),
    }
}

/// What is before a position, its line and column, and what is after it.
fn split_position(text: &str) -> Option<(&str, &str, &str, &str)> {
    let (before, after) = text.rsplit_once(" at line ")?;
    let (line, after) = after.split_once(" column ")?;
    let (column, rest) = after.split_at(after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len()));
    (line.parse::<u64>().is_ok() && !column.is_empty()).then_some((before, line, column, rest))
}

/// One of serde's messages about a value, without a position, as a sentence; `None` if it has another form.
pub fn data_fault(message: &str, Location { value, object, entry }: Location<'_>) -> Option<String> {
    let form = FORMS.into_iter().find(|form| message.starts_with(form))?;
    let rest = &message[form.len()..];
    let inside = if object.is_empty() { String::new() } else { format!(" in {object}") };
    let (found, expected) = rest.rsplit_once(EXPECTED).unwrap_or((rest, ""));
    let name = quoted(found.trim_end_matches('`'));
    let choices = expected.replace('`', "\"");
    Some(match form {
        "unknown field `" if expected.is_empty() => {
            format!("unknown {entry} {}{inside}; expected none", quoted(found.split('`').next()?))
        }
        "unknown field `" => format!("unknown {entry} {name}{inside}; expected {choices}"),
        "missing field `" => format!("the {entry} {name}{inside} is missing"),
        "duplicate field `" => format!("the {entry} {name}{inside} is given twice"),
        _ if expected.is_empty() => return None,
        "unknown variant `" => format!("{value} is {name}; expected {choices}"),
        "invalid length " => {
            let entries = if found == "1" { "entry" } else { "entries" };
            format!("{value} has {found} {entries}; expected {}", type_name(expected))
        }
        _ => format!("{value} is {}; expected {}", found_value(found), type_name(expected)),
    })
}

/// serde_json's message about a text that is no JSON, without its position.
pub fn syntax_fault(message: &str) -> Cow<'_, str> {
    match message {
        "expected value" => "expected a value".into(),
        "expected ident" => "expected true, false or null".into(),
        _ => match message.strip_prefix(CUT_SHORT) {
            Some(unfinished) => format!("it ends in the middle of {unfinished}").into(),
            None => message.into(),
        },
    }
}

/// What a text should have been, from the message of [`str::parse`] for numbers and switches.
pub fn parse_fault(message: &str, text: &str) -> Option<&'static str> {
    Some(match message {
        "invalid digit found in string" if text.parse::<i128>().is_ok() => "a whole number from 0",
        "invalid digit found in string" | "cannot parse integer from empty string" => "a whole number",
        "number too large to fit in target type" => "a smaller number",
        "number too small to fit in target type" => "a larger number",
        "number would be zero for non-zero type" => "a whole number from 1",
        "invalid float literal" | "cannot parse float from empty string" => "a number such as 0.05",
        "provided string was not `true` or `false`" => "true or false",
        _ => return None,
    })
}

/// What serde expected, or the name of a Rust type, in words.
pub fn type_name(expected: &str) -> Cow<'_, str> {
    let nonzero = expected.strip_prefix("a nonzero ");
    let least = u8::from(nonzero.is_some());
    let largest = match nonzero.unwrap_or(expected) {
        "u8" => " to 255",
        "u16" => " to 65535",
        "u32" => " to 4294967295",
        "u64" | "u128" | "usize" => "",
        other => return other_type_name(other),
    };
    format!("a whole number from {least}{largest}").into()
}

fn other_type_name(expected: &str) -> Cow<'_, str> {
    match expected {
        "i8" | "i16" | "i32" | "i64" | "i128" | "isize" => "a whole number".into(),
        "f32" | "f64" => "a number".into(),
        "a boolean" | "bool" => "true or false".into(),
        "a sequence" => "a list".into(),
        "a map" => "an object".into(),
        "string or map" | "a borrowed string" => "a string".into(),
        "unit" => "null".into(),
        _ => match expected.split_once(' ') {
            Some(("struct", _)) => "an object".into(),
            Some(("enum" | "variant", _)) => "a string".into(),
            Some(("tuple", _)) => "a list".into(),
            _ => expected.replace("an array of length", "a list of").into(),
        },
    }
}

/// What serde calls what it found, as JSON or in words.
fn found_value(found: &str) -> Cow<'_, str> {
    match found {
        "sequence" => "a list".into(),
        "map" => "an object".into(),
        "null" | "unit value" => "null".into(),
        _ => match found.split_once(['`', '"']) {
            // The text is escaped by serde already.
            Some(("string ", text)) => quoted(text.strip_suffix('"').unwrap_or(text)).into(),
            Some((_, value)) => value.trim_end_matches('`').into(),
            None => "of another kind".into(),
        },
    }
}

/// A text from outside in quotation marks, shortened.
pub fn quoted(text: &str) -> String {
    match text.char_indices().nth(QUOTED) {
        Some((end, _)) => format!("\"{}…\"", &text[..end]),
        None => format!("\"{text}\""),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_loses_its_codes_and_its_names_of_types() {
        for (text, said) in [
            (
                "cannot read x: No such file or directory (os error 2)",
                "cannot read x: No such file or directory",
            ),
            ("a (os error 13); b (os error 2) c", "a; b c"),
            ("a file called (os error x)", "a file called (os error x)"),
            ("x: stream did not contain valid UTF-8", "x: it is not text (UTF-8)"),
            ("x: EOF while parsing a value at line 1 column 0", "x: it is empty"),
            (
                "x: EOF while parsing an object at line 2 column 7; y",
                "x: it ends in the middle of an object (line 2); y",
            ),
            (
                "x: EOF while parsing a value at line 12 column 0",
                "x: it ends in the middle of a value (line 12)",
            ),
            (
                "x: invalid type: sequence, expected a map at line 1 column 0",
                "x: it is a list; expected an object",
            ),
            (
                "x: invalid type: string \"a, expected b\", expected f64 at line 3 column 9 of y",
                "x: a value is \"a, expected b\"; expected a number (line 3, column 9) of y",
            ),
            (
                "x: missing field `format` at line 4 column 1",
                "x: the field \"format\" is missing (line 4, column 1)",
            ),
            ("x: missing field `format`\n", "x: the field \"format\" is missing"),
            ("x: expected value at line 1 column 2", "x: expected a value (line 1, column 2)"),
            ("x: trailing characters at line 1 column 4", "x: trailing characters (line 1, column 4)"),
            ("look at line 5 column x: it is wrong", "look at line 5 column x: it is wrong"),
            ("nothing to say", "nothing to say"),
            ("", ""),
        ] {
            assert_eq!(plain(text), said);
        }
    }

    #[test]
    fn a_fault_of_a_value_names_its_place_and_what_would_be_right() {
        let inner = Location { value: "clock.size", object: "clock", entry: "field" };
        let outer = Location { value: "the body", object: "", entry: "parameter" };
        for (message, location, said) in [
            (
                "invalid value: integer `0`, expected a nonzero u32",
                inner,
                "clock.size is 0; expected a whole number from 1 to 4294967295",
            ),
            (
                "invalid type: floating point `1.5`, expected i64",
                inner,
                "clock.size is 1.5; expected a whole number",
            ),
            ("invalid type: null, expected a boolean", inner, "clock.size is null; expected true or false"),
            ("invalid type: map, expected a sequence", outer, "the body is an object; expected a list"),
            ("invalid type: byte array, expected unit", outer, "the body is of another kind; expected null"),
            (
                "invalid length 1, expected an array of length 2",
                inner,
                "clock.size has 1 entry; expected a list of 2",
            ),
            (
                "unknown variant `x`, expected one of `a`, `b`, `c`",
                inner,
                "clock.size is \"x\"; expected one of \"a\", \"b\", \"c\"",
            ),
            (
                "unknown field `x`, expected `a` or `b`",
                inner,
                "unknown field \"x\" in clock; expected \"a\" or \"b\"",
            ),
            ("unknown field `x`, there are no fields", outer, "unknown parameter \"x\"; expected none"),
            ("missing field `size`", inner, "the field \"size\" in clock is missing"),
            ("duplicate field `size`", outer, "the parameter \"size\" is given twice"),
        ] {
            assert_eq!(data_fault(message, location).as_deref(), Some(said), "{message}");
        }
        assert_eq!(data_fault("\"x\" is no move", outer), None);
    }

    #[test]
    fn a_number_that_cannot_be_parsed_is_told_what_can() {
        let fault = |error: &dyn std::error::Error, text: &str| parse_fault(&error.to_string(), text);
        for (text, said) in [
            ("x", "a whole number"),
            ("", "a whole number"),
            ("-1", "a whole number from 0"),
            ("0", "a whole number from 1"),
            ("300", "a smaller number"),
        ] {
            let error = text.parse::<std::num::NonZero<u8>>().unwrap_err();
            assert_eq!(fault(&error, text), Some(said), "{text}");
        }
        assert_eq!(fault(&"-200".parse::<i8>().unwrap_err(), "-200"), Some("a larger number"));
        assert_eq!(fault(&"x".parse::<f64>().unwrap_err(), "x"), Some("a number such as 0.05"));
        assert_eq!(fault(&"x".parse::<bool>().unwrap_err(), "x"), Some("true or false"));
        assert_eq!(parse_fault("it is late", "x"), None);
    }

    #[test]
    fn a_long_text_is_shortened_between_two_characters() {
        assert_eq!(quoted("abc"), "\"abc\"");
        assert_eq!(quoted(&"½".repeat(1000)), format!("\"{}…\"", "½".repeat(QUOTED)));
    }
}
