//! Agent specs: the one text form that names an agent everywhere.
//!
//! ```text
//! spec    = name [ "(" [ option { "," option } ] ")" ]
//! option  = key "=" value
//! ```
//!
//! Values run to the next comma outside parentheses; a part without `=` continues the value before it, so that
//! lists (`multiscale=3,5,7,9`) and nested specs (`opponent=alphabeta(depth=2,eval=material)`) need no quotes.
//! What names and keys exist, [`crate::catalogue`] knows.

use std::fmt;
use std::str::FromStr;

/// What UCI calls the number of lines to report, and what specs call it. Read as the latter here, so that whoever looks at
/// the options of a spec knows one name.
const MULTIPV: &str = "multipv";
const LINES: &str = "lines";

/// A parsed spec: a name, and options in the order they were written.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct AgentSpec {
    pub name: String,
    /// Its options, as written.
    pub options: Vec<(String, String)>,
}

/// What is wrong with the text of a spec.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    #[error("an agent spec is empty; write a name such as `engine` or `alphabeta(depth=4)`")]
    Empty,
    #[error(
        "{what} \"{text}\" has {found:?} at position {at}; letters, digits, `_`, `-` and `.` are allowed"
    )]
    BadCharacter {
        /// "agent name" or "option".
        what: &'static str,
        text: String,
        found: char,
        /// Its position in the word, from 1.
        at: usize,
    },
    #[error("\"{0}\" has an unmatched parenthesis; write `name(key=value,…)`")]
    Unbalanced(String),
    #[error("\"{0}\" goes on after the closing parenthesis with \"{1}\"")]
    Trailing(String, String),
    /// A part without `=` where no value can continue.
    #[error("option \"{0}\" has no value; write `{0}=…`")]
    NoValue(String),
    #[error("an option has no name in \"{0}\"; write `depth=4`")]
    NoKey(String),
    #[error("option \"{0}\" is given twice")]
    Twice(String),
}

impl AgentSpec {
    /// A spec without options.
    pub fn named(name: &str) -> AgentSpec {
        AgentSpec { name: name.to_owned(), options: Vec::new() }
    }

    /// The value of an option, if it was written.
    pub fn get(&self, key: &str) -> Option<&str> {
        self.options.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// The same spec with one option set.
    #[must_use]
    pub fn with(mut self, key: &str, value: impl fmt::Display) -> AgentSpec {
        self.options.retain(|(k, _)| k != key);
        self.options.push((key.to_owned(), value.to_string()));
        self
    }
}

impl FromStr for AgentSpec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<AgentSpec, SpecError> {
        let text = text.trim();
        if text.is_empty() {
            return Err(SpecError::Empty);
        }
        let Some(open) = text.find('(') else {
            if text.contains(')') {
                return Err(SpecError::Unbalanced(text.to_owned()));
            }
            return Ok(AgentSpec { name: word("agent name", text)?, options: Vec::new() });
        };
        let name = word("agent name", text[..open].trim())?;
        let (inside, after) =
            enclosed(&text[open..]).ok_or_else(|| SpecError::Unbalanced(text.to_owned()))?;
        if !after.trim().is_empty() {
            return Err(SpecError::Trailing(text.to_owned(), after.trim().to_owned()));
        }
        Ok(AgentSpec { name, options: options(inside)? })
    }
}

/// Splits `(inside)after` at the parenthesis that closes the first one.
fn enclosed(text: &str) -> Option<(&str, &str)> {
    let mut depth = 0usize;
    for (at, c) in text.char_indices() {
        match c {
            '(' => depth += 1,
            ')' => {
                depth -= 1;
                if depth == 0 {
                    return Some((&text[1..at], &text[at + 1..]));
                }
            }
            _ => {}
        }
    }
    None
}

fn options(inside: &str) -> Result<Vec<(String, String)>, SpecError> {
    let mut options: Vec<(String, String)> = Vec::new();
    for part in split_outside_parentheses(inside) {
        match part.split_once('=') {
            Some((key, value)) if !key.contains('(') => {
                if key.trim().is_empty() {
                    return Err(SpecError::NoKey(part.trim().to_owned()));
                }
                let mut key = word("option", key.trim())?;
                if key == MULTIPV {
                    LINES.clone_into(&mut key);
                }
                if options.iter().any(|(k, _)| *k == key) {
                    return Err(SpecError::Twice(key));
                }
                options.push((key, value.trim().to_owned()));
            }
            _ => match options.last_mut() {
                Some((_, value)) => {
                    value.push(',');
                    value.push_str(part.trim());
                }
                None if part.trim().is_empty() && inside.trim().is_empty() => {}
                None => return Err(SpecError::NoValue(part.trim().to_owned())),
            },
        }
    }
    Ok(options)
}

fn split_outside_parentheses(text: &str) -> impl Iterator<Item = &str> {
    let mut depth = 0i32;
    text.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth -= 1,
            _ => {}
        }
        c == ',' && depth == 0
    })
}

fn word(what: &'static str, text: &str) -> Result<String, SpecError> {
    if text.is_empty() {
        return Err(SpecError::Empty);
    }
    match text.chars().enumerate().find(|(_, c)| !c.is_alphanumeric() && !"_-.".contains(*c)) {
        Some((at, found)) => Err(SpecError::BadCharacter { what, text: text.to_owned(), found, at: at + 1 }),
        None => Ok(text.to_owned()),
    }
}

impl fmt::Display for AgentSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)?;
        if self.options.is_empty() {
            return Ok(());
        }
        for (index, (key, value)) in self.options.iter().enumerate() {
            write!(f, "{}{key}={value}", if index == 0 { '(' } else { ',' })?;
        }
        f.write_str(")")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn parse(text: &str) -> AgentSpec {
        text.parse().expect(text)
    }

    #[test]
    fn multipv_is_another_name_of_lines() {
        let spec: AgentSpec = "engine(multipv=3)".parse().unwrap();
        assert_eq!((spec.get("lines"), spec.to_string().as_str()), (Some("3"), "engine(lines=3)"));
        let twice = "engine(lines=2,multipv=3)".parse::<AgentSpec>();
        assert_eq!(twice, Err(SpecError::Twice("lines".to_owned())));
    }

    #[test]
    fn an_option_without_a_name_is_told_so() {
        assert_eq!("engine(=1)".parse::<AgentSpec>(), Err(SpecError::NoKey("=1".to_owned())));
    }

    #[test]
    fn a_bare_name_is_a_spec() {
        assert_eq!(parse(" random "), AgentSpec::named("random"));
        assert_eq!(parse("axiomx-speed()"), AgentSpec::named("axiomx-speed"));
    }

    #[test]
    fn options_lists_and_nested_specs_are_read() {
        let spec = parse("axiomx(kernels=code, multiscale=3,5,7,9 , guided=on)");
        assert_eq!(spec.get("multiscale"), Some("3,5,7,9"));
        assert_eq!(spec.get("guided"), Some("on"));
        let spec = parse("uci(cmd=stockfish,option.UCI_Elo=1500)");
        assert_eq!(spec.get("option.UCI_Elo"), Some("1500"));
        let spec = parse("noisy(of=alphabeta(depth=2,eval=material),amount=3)");
        assert_eq!(spec.get("of"), Some("alphabeta(depth=2,eval=material)"));
        assert_eq!(spec.get("amount"), Some("3"));
    }

    #[test]
    fn what_is_wrong_is_said() {
        let error = |text: &str| text.parse::<AgentSpec>().unwrap_err().to_string();
        assert!(error("").contains("empty"));
        assert!(error("alphabeta(depth=3").contains("unmatched"));
        assert!(error("alphabeta)").contains("unmatched"));
        assert!(error("alphabeta(depth=3)x").contains("goes on"));
        assert!(error("alphabeta(depth)").contains("`depth=…`"));
        assert!(error("alphabeta(depth=1,depth=2)").contains("twice"));
        assert!(error("alpha beta").contains("' ' at position 6"));
    }

    proptest! {
        #[test]
        fn what_is_printed_reads_back(
            name in "[a-z][a-z0-9-]{0,8}",
            options in prop::collection::btree_map("[a-z.]{1,6}", "[a-z0-9/.:]{1,6}(,[0-9]{1,2}){0,2}", 0..4),
        ) {
            let spec = AgentSpec { name, options: options.into_iter().collect() };
            prop_assert_eq!(spec.to_string().parse::<AgentSpec>().unwrap(), spec);
        }

        #[test]
        fn no_text_panics(text in ".{0,40}") {
            let _ = text.parse::<AgentSpec>();
        }
    }
}
