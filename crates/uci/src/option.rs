//! Option declarations, and validation of values.
//!
//! Validation before sending matters. `setoption name Hash value abc` ends Stockfish 15.1 with an uncaught exception and
//! Ethereal 12 with a failed assertion, and many engines silently ignore an unknown name. The same check serves Tabia as an
//! engine, which answers with the error's text. Parsing of declarations is in `declaration.rs`.

use tabia_core::spelling;

use crate::tokens::single_spaced;

/// UCI's notation of an empty string.
pub(crate) const EMPTY: &str = "<empty>";

/// An option as an engine declares it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OptionDecl {
    /// Its name, words separated by one space.
    pub name: String,
    /// What values it takes.
    pub kind: OptionType,
}

/// What values an option takes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionType {
    Check {
        default: bool,
    },
    /// A whole number within bounds (inclusive).
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    /// One of several values.
    Combo {
        /// The value at first.
        default: String,
        vars: Vec<String>,
    },
    /// A button has no value.
    Button,
    String {
        default: String,
    },
}

/// A valid value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OptionValue {
    Check(bool),
    Spin(i64),
    /// One of the declared values, spelled as declared.
    Combo(String),
    Button,
    String(String),
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    #[error("there is no option \"{name}\"{hint}")]
    Unknown { name: String, hint: String },
    #[error("option \"{name}\" takes {expected}, not \"{found}\"{hint}")]
    Unfit { name: String, expected: String, found: String, hint: String },
    #[error("option \"{name}\" takes {expected}, and no value was given")]
    Missing { name: String, expected: String },
    #[error("{why} (in \"{line}\")")]
    Declaration { why: String, line: String },
}

/// Finds a declared option by its name, ignoring case.
pub fn find<'a>(declared: &'a [OptionDecl], name: &str) -> Result<&'a OptionDecl, OptionError> {
    let wanted = single_spaced(name).to_lowercase();
    declared.iter().find(|option| option.name.to_lowercase() == wanted).ok_or_else(|| OptionError::Unknown {
        name: name.to_owned(),
        hint: spelling::hint(name, declared.iter().map(|option| option.name.as_str())),
    })
}

impl OptionDecl {
    pub fn new(name: &str, kind: OptionType) -> OptionDecl {
        OptionDecl { name: name.to_owned(), kind }
    }

    /// Validates the value of a `setoption`.
    ///
    /// Case is ignored; a check accepts `on` and `off` as well. For a string no value means the empty one, and line breaks
    /// are rejected.
    ///
    /// ```
    /// use tabia_uci::{OptionDecl, OptionType, OptionValue};
    ///
    /// let hash = OptionDecl::new("Hash", OptionType::Spin { default: 16, min: 1, max: 1024 });
    /// assert_eq!(hash.check(Some("64")), Ok(OptionValue::Spin(64)));
    /// assert!(hash.check(Some("4096")).is_err());
    /// ```
    pub fn check(&self, value: Option<&str>) -> Result<OptionValue, OptionError> {
        let text = value.map(str::trim).unwrap_or_default();
        let fitting = match &self.kind {
            OptionType::Check { .. } => flag(text).map(OptionValue::Check),
            OptionType::Spin { min, max, .. } => {
                text.parse().ok().filter(|number| (min..=max).contains(&number)).map(OptionValue::Spin)
            }
            OptionType::Combo { vars, .. } => {
                let wanted = single_spaced(text).to_lowercase();
                vars.iter().find(|var| var.to_lowercase() == wanted).cloned().map(OptionValue::Combo)
            }
            OptionType::Button => text.is_empty().then_some(OptionValue::Button),
            OptionType::String { .. } if text == EMPTY => Some(OptionValue::String(String::new())),
            OptionType::String { .. } => {
                (!text.contains(['\n', '\r'])).then(|| OptionValue::String(text.to_owned()))
            }
        };
        fitting.ok_or_else(|| {
            let (name, expected) = (self.name.clone(), self.kind.expectation());
            if text.is_empty() {
                return OptionError::Missing { name, expected };
            }
            let hint = match &self.kind {
                OptionType::Combo { vars, .. } => spelling::hint(text, vars.iter().map(String::as_str)),
                _ => String::new(),
            };
            OptionError::Unfit { name, expected, found: text.to_owned(), hint }
        })
    }
}

/// `true` or `false` in common spellings.
pub(crate) fn flag(text: &str) -> Option<bool> {
    match text.to_lowercase().as_str() {
        "true" | "on" | "yes" | "1" => Some(true),
        "false" | "off" | "no" | "0" => Some(false),
        _ => None,
    }
}

impl OptionType {
    /// The valid values, as a phrase after "takes".
    fn expectation(&self) -> String {
        match self {
            OptionType::Check { .. } => "true or false".to_owned(),
            OptionType::Spin { min, max, .. } => format!("a whole number from {min} to {max}"),
            OptionType::Combo { vars, .. } => format!("one of {}", vars.join(", ")),
            OptionType::Button => "no value".to_owned(),
            OptionType::String { .. } => "text on one line".to_owned(),
        }
    }
}

impl OptionValue {
    /// The text after `value` in a `setoption`; empty for a button.
    pub fn text(&self) -> Option<String> {
        match self {
            OptionValue::Check(on) => Some(on.to_string()),
            OptionValue::Spin(number) => Some(number.to_string()),
            OptionValue::Button => None,
            OptionValue::String(text) if text.is_empty() => Some(EMPTY.to_owned()),
            OptionValue::Combo(text) | OptionValue::String(text) => Some(text.clone()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> OptionDecl {
        line.parse().expect(line)
    }

    fn refused(line: &str, value: Option<&str>) -> String {
        read(line).check(value).expect_err(line).to_string()
    }

    const HASH: &str = "option name Hash type spin default 16 min 1 max 65536";
    const NULL_MOVE: &str =
        "option name NullMove Pruning type combo default Fail High var Always var Fail High var Never";

    #[test]
    fn values_that_fit_are_taken() {
        assert_eq!(read(HASH).check(Some(" 64 ")), Ok(OptionValue::Spin(64)));
        assert_eq!(read(NULL_MOVE).check(Some("fail  high")), Ok(OptionValue::Combo("Fail High".into())));
        let ponder = read("option name Ponder type check default false");
        assert_eq!(ponder.check(Some("True")), Ok(OptionValue::Check(true)));
        assert_eq!(ponder.check(Some("off")).unwrap().text().as_deref(), Some("false"));
        let clear = read("option name Clear Hash type button");
        assert_eq!(clear.check(None).unwrap().text(), None);
        let path = read("option name SyzygyPath type string default <empty>");
        assert_eq!(path.check(Some("/a b/c")), Ok(OptionValue::String("/a b/c".into())));
        for empty in [None, Some(""), Some("<empty>")] {
            assert_eq!(path.check(empty).unwrap().text().as_deref(), Some("<empty>"));
        }
    }

    #[test]
    fn values_that_do_not_fit_are_told_what_would() {
        assert_eq!(
            refused(HASH, Some("abc")),
            "option \"Hash\" takes a whole number from 1 to 65536, not \"abc\""
        );
        assert!(refused(HASH, Some("0")).contains("not \"0\""));
        assert!(refused(HASH, None).ends_with("and no value was given"));
        assert!(refused(NULL_MOVE, Some("Fail Hihg")).ends_with("did you mean \"Fail High\"?"));
        assert_eq!(
            refused("option name Clear Hash type button", Some("now")),
            "option \"Clear Hash\" takes no value, not \"now\""
        );
        assert!(refused("option name F type string", Some("a\nquit")).contains("text on one line"));
    }

    #[test]
    fn options_are_found_in_any_case_and_the_nearest_is_named() {
        let declared = [read(HASH), read("option name Move Overhead type spin default 10 min 0 max 5000")];
        assert_eq!(find(&declared, "move  overhead").unwrap().name, "Move Overhead");
        assert_eq!(
            find(&declared, "Hsah").unwrap_err().to_string(),
            "there is no option \"Hsah\"; did you mean \"Hash\"?"
        );
    }
}
