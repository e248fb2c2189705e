//! The command that starts an engine: a program, its arguments, and where it runs.

use std::env;
use std::fmt;
use std::path::{Path, PathBuf};

/// Where Debian puts engines; often not in `PATH`.
const GAMES: &str = "/usr/games";

/// A program to start, found and ready.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CommandLine {
    /// The program's file.
    pub program: PathBuf,
    /// Its arguments.
    pub arguments: Vec<String>,
    /// Where it runs; none is here.
    pub directory: Option<PathBuf>,
}

/// Why a command cannot be started.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CommandError {
    /// No command.
    #[error("no command is given; write cmd=stockfish, or cmd=/path/to/engine with args=…")]
    Empty,
    /// Unbalanced quotes.
    #[error("\"{0}\" has a quote that is never closed")]
    Quotes(String),
    /// There is no such program.
    #[error("there is no program \"{0}\" in PATH or in /usr/games")]
    NotInPath(String),
    /// There is no such file.
    #[error("there is no program {}", .0.display())]
    NoFile(PathBuf),
    /// There is no such directory.
    #[error("there is no directory {} to run it in", .0.display())]
    NoDirectory(PathBuf),
}

impl CommandLine {
    /// Reads a command as a shell splits it, quotes and all; `arguments` are split and added.
    pub fn read(
        command: &str,
        arguments: Option<&str>,
        directory: Option<&str>,
    ) -> Result<CommandLine, CommandError> {
        let split = |text: &str| shlex::split(text).ok_or_else(|| CommandError::Quotes(text.to_owned()));
        let mut tokens = split(command)?;
        tokens.extend(arguments.map(split).transpose()?.unwrap_or_default());
        if tokens.is_empty() || tokens[0].is_empty() {
            return Err(CommandError::Empty);
        }
        let directory = directory.filter(|path| !path.is_empty()).map(PathBuf::from);
        if let Some(missing) = directory.as_ref().filter(|path| !path.is_dir()) {
            return Err(CommandError::NoDirectory(missing.clone()));
        }
        let program = find(&tokens.remove(0), directory.as_deref())?;
        Ok(CommandLine { program, arguments: tokens, directory })
    }
}

/// The path of the program: as given if it has a slash (relative to here, then to `directory`), else from `PATH`.
fn find(program: &str, directory: Option<&Path>) -> Result<PathBuf, CommandError> {
    if program.contains('/') {
        let here = PathBuf::from(program);
        let there = directory.map(|directory| directory.join(program));
        let found = [Some(here.clone()), there].into_iter().flatten().find(|path| path.is_file());
        let found = found.ok_or(CommandError::NoFile(here))?;
        // The directory changes before the program starts, so its path must not depend on it.
        return std::path::absolute(&found).map_err(|_| CommandError::NoFile(found));
    }
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .chain([PathBuf::from(GAMES)])
        .map(|directory| directory.join(program))
        .find(|path| path.is_file())
        .ok_or_else(|| CommandError::NotInPath(program.to_owned()))
}

/// As it could be typed in a shell.
impl fmt::Display for CommandLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.program.display())?;
        for argument in &self.arguments {
            match shlex::try_quote(argument) {
                Ok(quoted) => write!(f, " {quoted}")?,
                Err(_) => write!(f, " {argument:?}")?,
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_split_as_a_shell_splits_it_and_its_program_is_found() {
        let line = CommandLine::read("sh -c 'exit 3'", Some("one 'two three'"), None).unwrap();
        assert!(line.program.is_absolute() && line.program.ends_with("sh"));
        assert_eq!(line.arguments, ["-c", "exit 3", "one", "two three"]);
        assert!(line.to_string().ends_with("/sh -c 'exit 3' one 'two three'"), "{line}");
    }

    #[test]
    fn what_cannot_be_started_is_named() {
        let error =
            |command: &str, directory| CommandLine::read(command, None, directory).unwrap_err().to_string();
        assert!(error("", None).contains("cmd=stockfish"));
        assert!(error("sh 'oops", None).contains("never closed"));
        assert!(error("no-such-engine", None).contains("\"no-such-engine\" in PATH"));
        assert!(error("./no/such/engine", None).contains("./no/such/engine"));
        assert!(error("sh", Some("/no/such/place")).contains("/no/such/place"));
    }
}
