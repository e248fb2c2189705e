//! Parsing and writing of option declarations.
//!
//! Missing parts are filled in where that is safe (a check without a default is off), and rejected where it is not (an
//! invalid number). Each type has its own keywords, and the default of a string is the rest of its line.

use std::fmt;
use std::str::FromStr;

use tabia_core::spelling;

use crate::option::{EMPTY, OptionDecl, OptionError, OptionType, flag};
use crate::tokens::{Tokens, single_spaced};

impl FromStr for OptionDecl {
    type Err = OptionError;

    /// Parses a line `option name … type …`.
    fn from_str(line: &str) -> Result<OptionDecl, OptionError> {
        let fault = |why: String| OptionError::Declaration { why, line: line.trim().to_owned() };
        let mut tokens = Tokens::new(line);
        if (tokens.next(), tokens.next()) != (Some("option"), Some("name")) {
            return Err(fault("a declaration starts with `option name`".to_owned()));
        }
        let name = single_spaced(tokens.until(|word| word == "type"));
        if name.is_empty() {
            return Err(fault("the option has no name".to_owned()));
        }
        let kind = tokens.nth(1).ok_or_else(|| {
            fault("the option has no `type`; it is check, spin, combo, button or string".to_owned())
        })?;
        let kind = match kind {
            "check" => check(&Parts::read(tokens, &["default"])),
            "spin" => spin(&Parts::read(tokens, &["default", "min", "max"])),
            "combo" => Ok(combo(Parts::read(tokens, &["default", "var"]))),
            "button" => Ok(OptionType::Button),
            "string" => Ok(string(&mut tokens)),
            other => {
                let hint = spelling::hint(other, ["check", "spin", "combo", "button", "string"]);
                Err(format!("there is no type \"{other}\"{hint}"))
            }
        };
        Ok(OptionDecl { name, kind: kind.map_err(fault)? })
    }
}

/// The part after `type …`, by keyword. Each type has its own: a combo may offer `min` and `max`.
#[derive(Default)]
struct Parts {
    default: Option<String>,
    min: Option<String>,
    max: Option<String>,
    vars: Vec<String>,
}

impl Parts {
    fn read(mut tokens: Tokens<'_>, keywords: &[&str]) -> Parts {
        let mut parts = Parts::default();
        while let Some(keyword) = tokens.next() {
            let mut value = || single_spaced(tokens.until(|word| keywords.contains(&word)));
            match keyword {
                "default" => parts.default = Some(value()),
                "min" => parts.min = Some(value()),
                "max" => parts.max = Some(value()),
                "var" => parts.vars.push(value()),
                _ => {}
            }
        }
        parts
    }
}

/// A check without a default is off.
fn check(parts: &Parts) -> Result<OptionType, String> {
    let default = match parts.default.as_deref() {
        None | Some("") => false,
        Some(text) => {
            flag(text).ok_or_else(|| format!("the default \"{text}\" is neither true nor false"))?
        }
    };
    Ok(OptionType::Check { default })
}

/// A spin without bounds takes any number; without a default it starts at the number nearest to zero.
fn spin(parts: &Parts) -> Result<OptionType, String> {
    let number = |what: &str, text: &Option<String>| match text {
        None => Ok(None),
        Some(text) => {
            text.parse().map(Some).map_err(|_| format!("the {what} \"{text}\" is not a whole number"))
        }
    };
    let min = number("min", &parts.min)?.unwrap_or(i64::MIN);
    let max = number("max", &parts.max)?.unwrap_or(i64::MAX);
    if min > max {
        return Err(format!("the min {min} is greater than the max {max}"));
    }
    let default = number("default", &parts.default)?.unwrap_or_else(|| 0.clamp(min, max));
    Ok(OptionType::Spin { default, min, max })
}

fn combo(parts: Parts) -> OptionType {
    OptionType::Combo { default: parts.default.unwrap_or_default(), vars: parts.vars }
}

/// The default of a string is the rest of the line.
fn string(tokens: &mut Tokens<'_>) -> OptionType {
    let default = match (tokens.next(), tokens.rest()) {
        (Some("default"), EMPTY) => "",
        (Some("default"), text) => text,
        _ => "",
    };
    OptionType::String { default: default.to_owned() }
}

impl fmt::Display for OptionDecl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "option name {} type ", self.name)?;
        match &self.kind {
            OptionType::Check { default } => write!(f, "check default {default}"),
            OptionType::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            OptionType::Combo { default, vars } => {
                write!(f, "combo default {default}")?;
                vars.iter().try_for_each(|var| write!(f, " var {var}"))
            }
            OptionType::Button => f.write_str("button"),
            OptionType::String { default } if default.is_empty() => write!(f, "string default {EMPTY}"),
            OptionType::String { default } => write!(f, "string default {default}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> OptionDecl {
        line.parse().expect(line)
    }

    #[test]
    fn declarations_of_real_engines_read_and_write_the_same() {
        for line in [
            "option name Hash type spin default 16 min 1 max 65536",
            "option name NullMove Pruning type combo default Fail High var Always var Fail High var Never",
            "option name Clear Hash type button",
            "option name UCI_Chess960 type check default false",
            "option name SyzygyPath type string default <empty>",
            "option name Mobility (Middle Game) type spin default 100 min 0 max 200",
            "option name Bitbases Path type string default /usr/share/egbb/",
            "option name Width type combo default min var min var max",
            "option name ContemptDrawPenalty type spin default 12 min -300 max 300",
        ] {
            assert_eq!(read(line).to_string(), line);
        }
    }

    #[test]
    fn an_empty_default_may_be_nothing_at_all() {
        let log = OptionDecl::new("Debug Log File", OptionType::String { default: String::new() });
        assert_eq!(read("option name Debug Log File type string default "), log);
        assert_eq!(read("option name Debug Log File type string"), log);
        assert_eq!(log.to_string(), "option name Debug Log File type string default <empty>");
    }

    #[test]
    fn bad_declarations_are_explained() {
        let fault = |line: &str| line.parse::<OptionDecl>().expect_err(line).to_string();
        assert!(fault("option").contains("`option name`"));
        assert!(fault("option name type spin").contains("no name"));
        assert!(fault("option name Hash").contains("no `type`"));
        assert!(fault("option name Hash type spn").contains("did you mean \"spin\"?"));
        assert!(
            fault("option name Hash type spin default x").contains("default \"x\" is not a whole number")
        );
        assert!(fault("option name Hash type spin min 3 max 2").contains("greater"));
        assert!(fault("option name Ponder type check default maybe").contains("neither"));
    }
}
