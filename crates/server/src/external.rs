//! Which options of external engines web clients may set, and within which limits.
//!
//! Engine options can be dangerous: Stockfish's `Debug Log File` writes any file, `SyzygyPath` reads any folder.
//! Therefore clients may set only a short list of options, numbers within limits, and may name only programs in the
//! operator's folder, without arguments.

use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use tabia_core::AgentSpec;

use crate::config::{Bounds, Config};
use crate::problem::{Kind, Problem};

/// Prefix of engine options in a spec.
const PREFIX: &str = "option.";
/// The spec option that names the program.
pub const COMMAND: &str = "cmd";

/// Allowed values of an option.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Allowed {
    /// A whole number within bounds (inclusive).
    Number(i64, i64),
    /// `true` or `false`.
    Switch,
}

/// The options that clients may set, by their names in UCI.
fn allowed(bounds: &Bounds) -> [(&'static str, Allowed); 7] {
    let external = &bounds.external;
    let range = |(min, max)| Allowed::Number(min, max);
    [
        ("Hash", Allowed::Number(1, bounds.hash_mb)),
        ("Threads", Allowed::Number(1, bounds.threads)),
        ("MultiPV", Allowed::Number(1, external.multipv)),
        ("UCI_LimitStrength", Allowed::Switch),
        ("UCI_Elo", range(external.elo)),
        ("Skill Level", range(external.skill_level)),
        ("Contempt", range(external.contempt)),
    ]
}

impl std::fmt::Display for Allowed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Allowed::Number(min, max) => write!(f, "{min} to {max}"),
            Allowed::Switch => f.write_str("true or false"),
        }
    }
}

/// Whether two names mean the same option: UCI ignores case, and specs write `_` for a space.
fn is_same(name: &str, other: &str) -> bool {
    let plain = |c: char| if c == '_' { ' ' } else { c.to_ascii_lowercase() };
    name.chars().map(plain).eq(other.chars().map(plain))
}

/// Checks the engine options of a spec.
pub fn check_options(spec: &AgentSpec, bounds: &Bounds) -> Result<(), Problem> {
    let given =
        || spec.options.iter().filter_map(|(key, value)| Some((key.strip_prefix(PREFIX)?, value.as_str())));
    let allowed = allowed(bounds);
    for (at, (name, value)) in given().enumerate() {
        let Some((known, what)) = allowed.iter().find(|(known, _)| is_same(known, name)) else {
            let list: Vec<String> =
                allowed.iter().map(|(known, what)| format!("{} ({what})", known.replace(' ', "_"))).collect();
            return Err(Problem::new(
                Kind::Forbidden,
                format!(
                    "option \"{name}\" of an engine is not for clients to set; this server allows {}",
                    list.join(", ")
                ),
            ));
        };
        if given().take(at).any(|(before, _)| is_same(before, name)) {
            return Err(Problem::unprocessable(format_args!(
                "option \"{known}\" of an engine is given twice"
            )));
        }
        let fits = match what {
            Allowed::Number(min, max) => {
                let digits = value.strip_prefix('-').unwrap_or(value);
                let is_plain = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
                is_plain && value.parse().is_ok_and(|number: i64| (*min..=*max).contains(&number))
            }
            Allowed::Switch => matches!(value, "true" | "false"),
        };
        if !fits {
            return Err(Problem::unprocessable(format_args!(
                "option \"{known}\" of an engine cannot be \"{value}\"; this server allows {what}"
            )));
        }
    }
    Ok(())
}

/// Whether this is a plain file name, so that it cannot lead out of the operator's folder.
pub fn is_file_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(['.', '-'])
        && name.chars().all(|c| c.is_ascii_alphanumeric() || "._-".contains(c))
}

/// Whether the file has an executable bit.
pub fn is_executable(path: &Path) -> bool {
    path.metadata().is_ok_and(|data| data.is_file() && data.permissions().mode() & 0o111 != 0)
}

/// A path quoted as a command line.
pub fn command(path: &Path) -> String {
    let text = path.display().to_string();
    shlex::try_quote(&text).map_or_else(|_| text.clone(), std::borrow::Cow::into_owned)
}

/// The spec as a client would have written it: if its command is a path to a file of the operator's folder, without
/// arguments, the path is replaced by the file name.
pub fn as_written(spec: &AgentSpec, config: &Config) -> Option<AgentSpec> {
    let folder = config.allowed_programs.as_deref()?;
    let tokens = shlex::split(spec.get(COMMAND)?)?;
    let [program] = tokens.as_slice() else { return None };
    let absolute = |path: &Path| -> Option<PathBuf> { std::path::absolute(path).ok() };
    let program = absolute(Path::new(program))?;
    let name = program.file_name()?.to_str()?;
    (program.parent() == absolute(folder).as_deref()).then(|| {
        let mut written = spec.clone();
        for (_, value) in written.options.iter_mut().filter(|(key, _)| key == COMMAND) {
            name.clone_into(value);
        }
        written
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(text: &str) -> Result<(), String> {
        let bounds = Bounds { hash_mb: 64, threads: 4, ..Bounds::default() };
        check_options(&text.parse().unwrap(), &bounds).map_err(|problem| problem.detail().to_owned())
    }

    #[test]
    fn options_of_the_list_are_set_within_bounds() {
        for fine in [
            "uci(cmd=x)",
            "uci(cmd=x,option.Hash=64,option.threads=4,option.Skill_Level=0,option.multipv=2)",
            "uci(cmd=x,option.UCI_LimitStrength=true,option.UCI_Elo=1500,option.Contempt=-20)",
        ] {
            assert_eq!(checked(fine), Ok(()), "{fine}");
        }
    }

    #[test]
    fn whatever_else_is_refused_in_every_spelling() {
        for (text, said) in [
            ("option.Debug_Log_File=x", "Hash (1 to 64), Threads (1 to 4)"),
            ("option.debug_log_file=x", "\"debug_log_file\""),
            ("option.Debug Log File=x", ""),
            ("option.SyzygyPath=x", "not for clients"),
            ("option.EvalFile=x", "not for clients"),
            ("option.=x", "not for clients"),
            ("option.Hash_=1", "not for clients"),
            ("option.Hash=65", "1 to 64"),
            ("option.HASH=0", "1 to 64"),
            ("option.Hash=-1", "1 to 64"),
            ("option.Hash=+1", "1 to 64"),
            ("option.Hash=99999999999999999999", "1 to 64"),
            ("option.Hash=1 name Debug Log File value x", "1 to 64"),
            ("option.Hash=1,2", "1 to 64"),
            ("option.Hash=", "1 to 64"),
            ("option.Hash=1,option.hash=2", "twice"),
            ("option.Threads=5", "1 to 4"),
            ("option.UCI_LimitStrength=yes", "true or false"),
            ("option.Skill_Level=1,option.skill_level=2", "twice"),
        ] {
            let text = format!("uci(cmd=x,{text})");
            let refused = match text.parse::<AgentSpec>() {
                Ok(_) => checked(&text).unwrap_err(),
                // Not even a valid spec.
                Err(error) => error.to_string(),
            };
            assert!(refused.contains(said), "{text}: {refused}");
        }
    }

    #[test]
    fn a_command_is_a_file_of_the_folder_without_arguments() {
        let config = Config { allowed_programs: Some("/opt/my engines".into()), ..Config::in_memory() };
        let written = |command: &str| {
            let spec = AgentSpec::named("uci").with(COMMAND, command);
            as_written(&spec, &config).map(|spec| spec.get(COMMAND).unwrap_or_default().to_owned())
        };
        assert_eq!(written(&command(Path::new("/opt/my engines/stockfish"))).as_deref(), Some("stockfish"));
        for elsewhere in [
            "/opt/my engines/stockfish",
            "'/opt/my engines/stockfish' bench",
            "'/opt/my engines/../sh'",
            "'/opt/my engines/deeper/sh'",
            "/bin/sh",
            "stockfish",
            "",
            "'",
        ] {
            assert!(written(elsewhere).is_none_or(|name| !is_file_name(&name)), "{elsewhere}");
        }
        for name in ["", ".", "..", ".hidden", "-c", "a/b", "a b", "a;b", "a\\b", "a'b", "ä"] {
            assert!(!is_file_name(name), "{name}");
        }
    }
}
