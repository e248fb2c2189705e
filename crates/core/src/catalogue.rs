//! Which agents exist, what options they take, and how one is built from its spec.
//!
//! Each crate that has agents contributes entries; the command line puts them together. An option is declared
//! once, with its kind, default and meaning: the same declaration checks what people type, fills in defaults,
//! and is printed by `tabia agents`.

use std::collections::BTreeMap;
use std::fmt;

use crate::agent::Agent;
use crate::game::Game;
use crate::spec::{AgentSpec, SpecError};
use crate::spelling;

/// What values an option takes.
#[derive(Copy, Clone, Debug, PartialEq)]
pub enum OptionKind {
    /// A whole number within bounds (inclusive).
    Integer {
        min: i64,
        max: i64,
    },
    /// A number within bounds (inclusive).
    Real {
        min: f64,
        max: f64,
    },
    /// `on` or `off`.
    Switch,
    /// One of these values.
    Choice(&'static [&'static str]),
    /// Some of these values, separated by commas, each once; `on` for all of them, or `off`.
    Subset(&'static [&'static str]),
    Text,
}

/// One option of an agent.
#[derive(Clone, Debug)]
pub struct OptionEntry {
    /// Its key. A key ending in `.` takes any suffix (`option.` for `option.Hash=64`).
    pub key: &'static str,
    /// What values it takes.
    pub kind: OptionKind,
    /// The value when it is not given; empty means "not set".
    pub default: &'static str,
    /// What it does, in a few words.
    pub help: &'static str,
}

/// Builds an agent from checked options.
pub type Build<G> = Box<dyn Fn(&Options) -> Result<Box<dyn Agent<G>>, CatalogueError> + Send + Sync>;

/// One kind of agent.
pub struct AgentEntry<G: Game> {
    /// Its name in specs.
    pub name: &'static str,
    /// What it is, in one line.
    pub summary: &'static str,
    pub options: Vec<OptionEntry>,
    /// How one is made.
    pub build: Build<G>,
}

/// All agents of one game.
pub struct Catalogue<G: Game> {
    entries: Vec<AgentEntry<G>>,
}

/// What is wrong with a spec that reads well.
#[derive(Debug, thiserror::Error)]
pub enum CatalogueError {
    #[error(transparent)]
    Spec(#[from] SpecError),
    #[error("no {kind} is called \"{name}\"{hint} (there are: {known})")]
    Unknown {
        /// What was looked for: an agent, an evaluation.
        kind: &'static str,
        /// What was asked for.
        name: String,
        /// The nearest name, as a phrase.
        hint: String,
        known: String,
    },
    #[error("\"{agent}\" has no option \"{key}\"{hint} ({known})")]
    UnknownOption {
        agent: String,
        /// What was asked for.
        key: String,
        /// The nearest key, as a phrase.
        hint: String,
        known: String,
    },
    #[error("option \"{key}\" of \"{agent}\" cannot be \"{value}\"; it takes {expected}{hint}")]
    BadValue {
        agent: String,
        key: String,
        value: String,
        expected: String,
        /// The nearest word, as a phrase.
        hint: String,
    },
    /// The options are fine one by one, and the agent still cannot be built.
    #[error("\"{agent}\" cannot be built: {why}")]
    Build { agent: String, why: String },
}

impl CatalogueError {
    /// Unknown name; the message suggests the nearest one and lists all.
    pub fn unknown<'a>(
        kind: &'static str,
        name: &str,
        known: impl Iterator<Item = &'a str> + Clone,
    ) -> CatalogueError {
        CatalogueError::Unknown {
            kind,
            name: name.to_owned(),
            hint: spelling::hint(name, known.clone()),
            known: known.collect::<Vec<_>>().join(", "),
        }
    }
}

impl<G: Game> Default for Catalogue<G> {
    fn default() -> Self {
        Catalogue { entries: Vec::new() }
    }
}

impl<G: Game> Catalogue<G> {
    /// Adds entries; a later one of the same name replaces the earlier.
    pub fn add(&mut self, entries: impl IntoIterator<Item = AgentEntry<G>>) {
        for entry in entries {
            self.entries.retain(|known| known.name != entry.name);
            self.entries.push(entry);
        }
    }

    /// All entries, in the order they were added.
    pub fn entries(&self) -> &[AgentEntry<G>] {
        &self.entries
    }

    /// Checks a spec and fills in defaults, without building anything.
    pub fn check(&self, spec: &AgentSpec) -> Result<(&AgentEntry<G>, Options), CatalogueError> {
        let entry = self.entries.iter().find(|entry| entry.name == spec.name).ok_or_else(|| {
            CatalogueError::unknown("agent", &spec.name, self.entries.iter().map(|entry| entry.name))
        })?;
        Ok((entry, Options::new(entry.name, &entry.options, spec)?))
    }

    /// Builds the agent a spec names.
    pub fn build(&self, spec: &AgentSpec) -> Result<Box<dyn Agent<G>>, CatalogueError> {
        let (entry, options) = self.check(spec)?;
        (entry.build)(&options)
    }

    /// Builds the agent that a text names.
    pub fn build_from_text(&self, text: &str) -> Result<Box<dyn Agent<G>>, CatalogueError> {
        self.build(&text.parse()?)
    }
}

/// Checked options, defaults filled in.
#[derive(Clone, Debug)]
pub struct Options {
    agent: &'static str,
    values: BTreeMap<String, String>,
}

impl Options {
    /// Checks the options of a spec against their declarations.
    pub fn new(
        agent: &'static str,
        entries: &[OptionEntry],
        spec: &AgentSpec,
    ) -> Result<Options, CatalogueError> {
        let mut values: BTreeMap<String, String> = entries
            .iter()
            .filter(|entry| !entry.default.is_empty())
            .map(|entry| (entry.key.to_owned(), entry.default.to_owned()))
            .collect();
        for (key, value) in &spec.options {
            let entry = entries
                .iter()
                .find(|entry| entry.key == key || (entry.key.ends_with('.') && key.starts_with(entry.key)))
                .ok_or_else(|| CatalogueError::UnknownOption {
                    agent: agent.to_owned(),
                    key: key.clone(),
                    hint: spelling::hint(key, entries.iter().map(|entry| entry.key)),
                    known: known_keys(entries),
                })?;
            if !entry.kind.takes(value) {
                return Err(CatalogueError::BadValue {
                    agent: agent.to_owned(),
                    key: key.clone(),
                    value: value.clone(),
                    expected: entry.kind.to_string(),
                    hint: match entry.kind {
                        OptionKind::Choice(values) => spelling::hint(value, values.iter().copied()),
                        _ => String::new(),
                    },
                });
            }
            values.insert(key.clone(), value.clone());
        }
        Ok(Options { agent, values })
    }

    /// The text of an option, if it was given or has a default.
    pub fn text(&self, key: &str) -> Option<&str> {
        self.values.get(key).map(String::as_str)
    }

    /// A whole number, if given or defaulted.
    pub fn integer(&self, key: &str) -> Option<i64> {
        self.text(key).and_then(|value| value.parse().ok())
    }

    /// A number, if given or defaulted.
    pub fn real(&self, key: &str) -> Option<f64> {
        self.text(key).and_then(|value| value.parse().ok())
    }

    /// A switch; one that is not set is off.
    pub fn switch(&self, key: &str) -> bool {
        self.text(key).is_some_and(is_on)
    }

    /// Options under a prefix: `option.` gives (`Hash`, `64`) for `option.Hash=64`.
    pub fn under<'a>(&'a self, prefix: &'a str) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.values.iter().filter_map(move |(key, value)| Some((key.strip_prefix(prefix)?, value.as_str())))
    }

    /// An error about the agent as a whole.
    pub fn refuse(&self, why: impl fmt::Display) -> CatalogueError {
        CatalogueError::Build { agent: self.agent.to_owned(), why: why.to_string() }
    }
}

fn known_keys(entries: &[OptionEntry]) -> String {
    if entries.is_empty() {
        return "it takes none".to_owned();
    }
    let keys: Vec<_> = entries.iter().map(|entry| entry.key).collect();
    format!("it has: {}", keys.join(", "))
}

fn is_on(value: &str) -> bool {
    matches!(value, "on" | "true" | "yes" | "1")
}

impl OptionKind {
    fn takes(&self, value: &str) -> bool {
        match *self {
            OptionKind::Integer { min, max } => value.parse().is_ok_and(|n: i64| (min..=max).contains(&n)),
            OptionKind::Real { min, max } => value.parse().is_ok_and(|x: f64| (min..=max).contains(&x)),
            OptionKind::Switch => is_on(value) || matches!(value, "off" | "false" | "no" | "0"),
            OptionKind::Choice(values) => values.contains(&value),
            OptionKind::Subset(values) => is_subset(value, values),
            OptionKind::Text => true,
        }
    }
}

fn is_subset(value: &str, values: &[&str]) -> bool {
    if matches!(value, "" | "on" | "off") {
        return true;
    }
    let chosen: Vec<&str> = value.split(',').map(str::trim).collect();
    let is_known = |(index, word): (usize, &&str)| values.contains(word) && !chosen[..index].contains(word);
    chosen.iter().enumerate().all(is_known)
}

impl fmt::Display for OptionKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionKind::Integer { min, max } if *max == i64::MAX => write!(f, "a whole number from {min}"),
            OptionKind::Integer { min, max } => write!(f, "a whole number from {min} to {max}"),
            OptionKind::Real { min, max } => write!(f, "a number from {min} to {max}"),
            OptionKind::Switch => f.write_str("on or off"),
            OptionKind::Choice(values) => write!(f, "one of {}", values.join(", ")),
            OptionKind::Subset(values) => {
                write!(f, "some of {}, separated by commas, each once; on or off", values.join(", "))
            }
            OptionKind::Text => f.write_str("text"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::ChessGame;

    fn catalogue() -> Catalogue<ChessGame> {
        let mut catalogue = Catalogue::default();
        catalogue.add([AgentEntry {
            name: "alphabeta",
            summary: "",
            options: vec![
                OptionEntry {
                    key: "depth",
                    kind: OptionKind::Integer { min: 1, max: 8 },
                    default: "4",
                    help: "",
                },
                OptionEntry {
                    key: "eval",
                    kind: OptionKind::Choice(&["material", "mat_mob"]),
                    default: "mat_mob",
                    help: "",
                },
                OptionEntry {
                    key: "scales",
                    kind: OptionKind::Subset(&["3", "5", "7"]),
                    default: "",
                    help: "",
                },
                OptionEntry { key: "option.", kind: OptionKind::Text, default: "", help: "" },
            ],
            build: Box::new(|options| Err(options.refuse("it is only a test"))),
        }]);
        catalogue
    }

    fn options(text: &str) -> Result<Options, String> {
        catalogue().check(&text.parse().unwrap()).map(|(_, options)| options).map_err(|e| e.to_string())
    }

    #[test]
    fn defaults_are_filled_in_and_what_is_given_wins() {
        let options = options("alphabeta(eval=material,option.Hash=64)").unwrap();
        assert_eq!(options.integer("depth"), Some(4));
        assert_eq!(options.text("eval"), Some("material"));
        assert_eq!(options.under("option.").collect::<Vec<_>>(), [("Hash", "64")]);
    }

    #[test]
    fn errors_name_the_nearest_right_word() {
        assert!(options("alphabta").unwrap_err().contains("did you mean \"alphabeta\"?"));
        assert!(options("alphabeta(dept=3)").unwrap_err().contains("did you mean \"depth\"?"));
        assert!(options("alphabeta(depth=99)").unwrap_err().contains("a whole number from 1 to 8"));
        for (scales, taken) in
            [("3", true), ("7,3", true), ("off", true), ("0", false), ("3,3", false), ("3,4", false)]
        {
            assert_eq!(options(&format!("alphabeta(scales={scales})")).is_ok(), taken, "{scales}");
        }
        assert!(options("alphabeta(scales=0)").unwrap_err().contains("some of 3, 5, 7"));
        assert!(options("alphabeta(eval=mat_mop)").unwrap_err().contains("did you mean \"mat_mob\"?"));
        let error = catalogue().build_from_text("alphabeta").err().unwrap().to_string();
        assert!(error.contains("it is only a test"));
    }
}
