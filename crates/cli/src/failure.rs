//! Error messages and exit statuses.

use std::error::Error as _;
use std::io::{self, IsTerminal};
use std::process::ExitCode;

use tabia_core::printable_lines;

use crate::numbers;

/// The exit status of wrong usage.
const USAGE: u8 = 2;

/// What the standard library adds to errors of the operating system, before the number.
const OS_ERROR: &str = " (os error ";
/// What it says of a file that is not text.
const NOT_UTF8: &str = "stream did not contain valid UTF-8";

/// A usage error: exit status 2.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Prints an error with its causes, and returns the exit status.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        // A closed pipe is not an error: `tabia agents | head`.
        return ExitCode::SUCCESS;
    }
    let mut said = in_plain_words(&error.to_string());
    eprintln!("tabia: error: {}", printable_lines(&said));
    for cause in error.chain().skip(1).map(|cause| in_plain_words(&cause.to_string())) {
        // Some errors already contain their cause.
        if !said.ends_with(&cause) {
            eprintln!("  because: {}", printable_lines(&cause));
            said = cause;
        }
    }
    if error.downcast_ref::<Usage>().is_some() { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
}

/// Prints clap's help or error.
pub fn refuse(refusal: &clap::Error) -> ExitCode {
    if !refusal.use_stderr() {
        // Best effort.
        let _ = refusal.print();
        return ExitCode::SUCCESS;
    }
    let text = refusal.render();
    let (mut plain, mut styled) = (text.to_string(), text.ansi().to_string());
    if let Some(cause) = refusal.source()
        && let Some(words) = numbers::in_words(cause)
    {
        for text in [&mut plain, &mut styled] {
            *text = text.replace(&cause.to_string(), &words);
        }
    }
    // Help without --help is no error.
    let is_help = refusal.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let name = if is_help { "" } else { "tabia: " };
    if io::stderr().is_terminal() {
        eprint!("{name}{styled}");
    } else {
        eprint!("{name}{plain}");
    }
    ExitCode::from(USAGE)
}

/// The text of an error without the codes of the operating system: the words before `(os error 2)` say the same.
pub fn in_plain_words(text: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once(OS_ERROR) {
        plain.push_str(before);
        let number = after.find(|c: char| !c.is_ascii_digit() && c != '-').unwrap_or(after.len());
        if let Some(after) = after[number..].strip_prefix(')') {
            rest = after;
        } else {
            // Somebody else's words.
            plain.push_str(OS_ERROR);
            rest = after;
        }
    }
    plain.push_str(rest);
    json_in_words(&plain.replace(NOT_UTF8, "it is not text (UTF-8)"))
}

/// What serde_json says of a file that is empty, cut short or something else altogether, in a person's words.
fn json_in_words(text: &str) -> String {
    let at = |from: usize| -> Option<(String, usize)> {
        let (line, after) = text[from..].split_once(" at line ")?.1.split_once(" column ")?;
        let digits = after.find(|c: char| !c.is_ascii_digit()).unwrap_or(after.len());
        Some((format!("{line}:{}", &after[..digits]), text.len() - after.len() + digits))
    };
    if let Some(start) = text.find("EOF while parsing ")
        && let Some((place, end)) = at(start)
    {
        let line = place.split(':').next().unwrap_or_default();
        let words = if place == "1:0" {
            "it is empty".to_owned()
        } else {
            format!("it ends in the middle (line {line})")
        };
        return format!("{}{words}{}", &text[..start], &text[end..]);
    }
    for (found, word) in [("sequence", "a list"), ("map", "an object")] {
        for (wanted, expected) in [("map", "an object {…}"), ("sequence", "a list […]")] {
            let start = text.find(&format!("invalid type: {found}, expected a {wanted} at line "));
            if let Some(start) = start
                && let Some((_, end)) = at(start)
            {
                return format!("{}it is {word}, expected {expected}{}", &text[..start], &text[end..]);
            }
        }
    }
    text.to_owned()
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn codes_of_the_operating_system_are_left_out() {
        for (text, plain) in [
            (
                "cannot read x: No such file or directory (os error 2)",
                "cannot read x: No such file or directory",
            ),
            ("a (os error 13); b (os error 2) c", "a; b c"),
            ("a file called (os error x)", "a file called (os error x)"),
            ("x: EOF while parsing a value at line 1 column 0", "x: it is empty"),
            ("x: EOF while parsing an object at line 2 column 7; y", "x: it ends in the middle (line 2); y"),
            (
                "x: invalid type: sequence, expected a map at line 1 column 0",
                "x: it is a list, expected an object {…}",
            ),
            ("expected value at line 1 column 1", "expected value at line 1 column 1"),
            ("x: stream did not contain valid UTF-8", "x: it is not text (UTF-8)"),
        ] {
            assert_eq!(in_plain_words(text), plain);
        }
    }
}
