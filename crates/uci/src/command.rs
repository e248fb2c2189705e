//! Commands from the GUI to the engine.
//!
//! FEN and moves stay text here: the owner of the game checks their legality.
//!
//! UCI asks an engine to skip unknown tokens at the start of a line (`joho debug on` switches debugging on), which is done
//! for standard commands. The commands added by Stockfish (`d`, `eval`, `bench`, `perft`, `help`) count only as the first
//! token: `d` is too short to be looked for in the middle of a mistyped line.

use std::fmt;
use std::str::FromStr;

use tabia_core::spelling;

use crate::command_error::CommandError;
use crate::go::{Go, number};
use crate::tokens::{Tokens, single_spaced};

/// All first tokens, for "did you mean".
const COMMANDS: [&str; 16] = [
    "uci",
    "debug",
    "isready",
    "setoption",
    "register",
    "ucinewgame",
    "position",
    "go",
    "stop",
    "ponderhit",
    "quit",
    "d",
    "eval",
    "bench",
    "perft",
    "help",
];

/// A line from the GUI to the engine.
///
/// ```
/// use tabia_uci::{Command, Start};
///
/// let command: Command = "position startpos moves e2e4".parse()?;
/// let Command::Position { start, moves } = &command else { panic!("not a position") };
/// assert_eq!((start, moves.as_slice()), (&Start::StartPos, ["e2e4".to_owned()].as_slice()));
/// assert_eq!(command.to_string(), "position startpos moves e2e4");
/// # Ok::<(), tabia_uci::CommandError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// Request the engine's name and options, then `uciok`.
    Uci,
    /// Switch extra messages on or off.
    Debug(bool),
    /// Request `readyok`.
    IsReady,
    SetOption {
        /// Its name, words separated by one space.
        name: String,
        /// Its value as written; `None` if the line has no `value`.
        value: Option<String>,
    },
    /// Register the engine. Tabia needs no registration and ignores the rest of the line.
    Register,
    /// The next position is from another game.
    UciNewGame,
    Position {
        /// Where the game starts.
        start: Start,
        /// The moves from there, as written.
        moves: Vec<String>,
    },
    Go(Go),
    /// Stop the search and send the best move.
    Stop,
    /// The ponder move was played.
    PonderHit,
    Quit,
    /// Show the position (`d`).
    Display,
    /// Explain the evaluation of the position.
    Eval,
    /// Search a fixed set of positions.
    Bench {
        /// The rest of the line.
        args: Vec<String>,
    },
    /// Count leaf nodes (`go perft 5` or `perft 5`).
    Perft(u32),
    Help,
}

/// Where a game starts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Start {
    /// The initial position of chess.
    StartPos,
    /// A FEN, its fields separated by one space and otherwise as written.
    Fen(String),
}

impl Command {
    /// Parses a line; an empty one is neither a command nor an error.
    ///
    /// ```
    /// use tabia_uci::Command;
    ///
    /// assert_eq!(Command::read("isready"), Ok(Some(Command::IsReady)));
    /// assert_eq!(Command::read("   "), Ok(None));
    /// assert!(Command::read("go depth x").is_err());
    /// ```
    pub fn read(line: &str) -> Result<Option<Command>, CommandError> {
        let mut tokens = Tokens::new(line);
        let Some(first) = tokens.next() else { return Ok(None) };
        if let Some(command) = addition(first, &mut tokens) {
            return command.map(Some);
        }
        let mut word = first;
        loop {
            if let Some(command) = standard(word, &mut tokens) {
                return command.map(Some);
            }
            word = tokens.next().ok_or_else(|| unknown(first))?;
        }
    }
}

impl FromStr for Command {
    type Err = CommandError;

    fn from_str(line: &str) -> Result<Command, CommandError> {
        Command::read(line)?.ok_or(CommandError::Empty)
    }
}

/// The standard command that `word` starts.
fn standard(word: &str, tokens: &mut Tokens<'_>) -> Option<Result<Command, CommandError>> {
    Some(match word {
        "uci" => Ok(Command::Uci),
        "debug" => debug(tokens),
        "isready" => Ok(Command::IsReady),
        "setoption" => set_option(tokens),
        "register" => Ok(Command::Register),
        "ucinewgame" => Ok(Command::UciNewGame),
        "position" => position(tokens),
        "go" => go(tokens),
        "stop" => Ok(Command::Stop),
        "ponderhit" => Ok(Command::PonderHit),
        "quit" => Ok(Command::Quit),
        _ => return None,
    })
}

/// The non-standard command that `word` starts.
fn addition(word: &str, tokens: &mut Tokens<'_>) -> Option<Result<Command, CommandError>> {
    Some(match word {
        "d" => Ok(Command::Display),
        "eval" => Ok(Command::Eval),
        "bench" => Ok(Command::Bench { args: tokens.map(str::to_owned).collect() }),
        "perft" => perft(tokens),
        "help" => Ok(Command::Help),
        _ => return None,
    })
}

fn debug(tokens: &mut Tokens<'_>) -> Result<Command, CommandError> {
    const EXPECTED: &str = "`on` or `off`";
    match tokens.next() {
        Some("on") => Ok(Command::Debug(true)),
        Some("off") => Ok(Command::Debug(false)),
        Some(found) => Err(unfit("debug", EXPECTED, found, ["on", "off"])),
        None => Err(CommandError::Missing { keyword: "debug", expected: EXPECTED }),
    }
}

fn set_option(tokens: &mut Tokens<'_>) -> Result<Command, CommandError> {
    const EXPECTED: &str = "`name` and an option's name";
    match tokens.next() {
        Some("name") => {}
        Some(found) => return Err(unfit("setoption", EXPECTED, found, ["name"])),
        None => return Err(CommandError::Missing { keyword: "setoption", expected: EXPECTED }),
    }
    let name = single_spaced(tokens.until(|word| word == "value"));
    if name.is_empty() {
        return Err(CommandError::Missing { keyword: "name", expected: "an option's name" });
    }
    let value = tokens.next().map(|_value| tokens.rest().to_owned());
    Ok(Command::SetOption { name, value })
}

fn position(tokens: &mut Tokens<'_>) -> Result<Command, CommandError> {
    const EXPECTED: &str = "`startpos` or `fen` and a position";
    let start = match tokens.next() {
        Some("startpos") => Start::StartPos,
        Some("fen") => {
            let fen = single_spaced(tokens.until(|word| word == "moves"));
            if fen.is_empty() {
                return Err(CommandError::Missing { keyword: "fen", expected: "a position" });
            }
            Start::Fen(fen)
        }
        Some(found) => return Err(unfit("position", EXPECTED, found, ["startpos", "fen"])),
        None => return Err(CommandError::Missing { keyword: "position", expected: EXPECTED }),
    };
    // Skipping an unexpected token here would analyse another position than the one that was meant.
    match tokens.next() {
        None | Some("moves") => {}
        Some(found) => return Err(unfit("startpos", "`moves` and moves, or nothing,", found, ["moves"])),
    }
    Ok(Command::Position { start, moves: tokens.map(str::to_owned).collect() })
}

fn go(tokens: &mut Tokens<'_>) -> Result<Command, CommandError> {
    let mut ahead = tokens.clone();
    if ahead.any(|word| word == "perft") {
        return perft(&mut ahead);
    }
    Go::read(tokens).map(Command::Go)
}

fn perft(tokens: &mut Tokens<'_>) -> Result<Command, CommandError> {
    number("perft", "a whole number of plies", tokens).map(Command::Perft)
}

fn unknown(word: &str) -> CommandError {
    let mut hint = spelling::hint(word, COMMANDS);
    if hint.is_empty() {
        "; `help` lists the commands".clone_into(&mut hint);
    }
    CommandError::Unknown { word: word.to_owned(), hint }
}

fn unfit<const N: usize>(
    keyword: &'static str,
    expected: &'static str,
    found: &str,
    right: [&str; N],
) -> CommandError {
    CommandError::Unfit { keyword, expected, found: found.to_owned(), hint: spelling::hint(found, right) }
}

/// The line in standard form, without a line break.
impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Command::Uci => f.write_str("uci"),
            Command::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Command::IsReady => f.write_str("isready"),
            Command::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                match value.as_deref() {
                    None => Ok(()),
                    Some("") => f.write_str(" value"),
                    Some(value) => write!(f, " value {value}"),
                }
            }
            Command::Register => f.write_str("register later"),
            Command::UciNewGame => f.write_str("ucinewgame"),
            Command::Position { start, moves } => {
                match start {
                    Start::StartPos => f.write_str("position startpos")?,
                    Start::Fen(fen) => write!(f, "position fen {fen}")?,
                }
                if moves.is_empty() { Ok(()) } else { write!(f, " moves {}", moves.join(" ")) }
            }
            Command::Go(go) => go.fmt(f),
            Command::Stop => f.write_str("stop"),
            Command::PonderHit => f.write_str("ponderhit"),
            Command::Quit => f.write_str("quit"),
            Command::Display => f.write_str("d"),
            Command::Eval => f.write_str("eval"),
            Command::Bench { args } if args.is_empty() => f.write_str("bench"),
            Command::Bench { args } => write!(f, "bench {}", args.join(" ")),
            Command::Perft(depth) => write!(f, "go perft {depth}"),
            Command::Help => f.write_str("help"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Command {
        line.parse().expect(line)
    }

    fn error(line: &str) -> String {
        line.parse::<Command>().expect_err(line).to_string()
    }

    #[test]
    fn an_empty_line_is_no_command() {
        assert_eq!(Command::read(" \t\r\n"), Ok(None));
        assert_eq!("".parse::<Command>(), Err(CommandError::Empty));
    }

    #[test]
    fn words_nobody_knows_are_skipped_at_the_head_of_a_line() {
        assert_eq!(read("joho debug on"), Command::Debug(true));
        assert_eq!(read("  please\tkindly   isready now"), Command::IsReady);
        assert!(error("debug joho on").contains("`debug` needs `on` or `off` after it, not \"joho\""));
    }

    #[test]
    fn additions_count_only_as_first_word() {
        assert_eq!(read("d"), Command::Display);
        assert_eq!(
            read("bench 16 1 13"),
            Command::Bench { args: ["16", "1", "13"].map(String::from).into() }
        );
        assert!(error("hello d").contains("\"hello\" is not a command"));
    }

    #[test]
    fn options_have_names_and_values_with_spaces() {
        let option = |line: &str| match read(line) {
            Command::SetOption { name, value } => (name, value),
            other => panic!("{other:?}"),
        };
        let text = |s: &str| s.to_owned();
        assert_eq!(
            option("setoption name Move  Overhead value 30"),
            (text("Move Overhead"), Some(text("30")))
        );
        assert_eq!(option("setoption name Clear Hash"), (text("Clear Hash"), None));
        assert_eq!(
            option("setoption name Book File value  /a  b/the value.bin "),
            (text("Book File"), Some(text("/a  b/the value.bin")))
        );
        assert_eq!(option("setoption name SyzygyPath value"), (text("SyzygyPath"), Some(text(""))));
        assert!(error("setoption Hash value 3").contains("`name` and an option's name"));
        assert!(error("setoption name value 3").contains("`name` needs an option's name"));
        assert!(error("setoption").contains("the line ends there"));
    }

    #[test]
    fn a_fen_ends_at_the_moves_or_with_the_line() {
        let fen = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        assert_eq!(
            read(&format!("position  fen {fen}   moves e1g1\te8c8")),
            Command::Position { start: Start::Fen(fen.into()), moves: vec!["e1g1".into(), "e8c8".into()] }
        );
        assert_eq!(
            read(&format!("position fen {fen}")),
            Command::Position { start: Start::Fen(fen.into()), moves: vec![] }
        );
        assert_eq!(
            read("position startpos moves"),
            Command::Position { start: Start::StartPos, moves: vec![] }
        );
        assert!(error("position fen moves e2e4").contains("`fen` needs a position"));
        assert!(error("position strtpos").contains("did you mean \"startpos\"?"));
        assert!(error("position startpos e2e4").contains("not \"e2e4\""));
        assert!(error("position").contains("`startpos` or `fen`"));
    }

    #[test]
    fn perft_is_understood_both_ways() {
        assert_eq!(read("go perft 5"), Command::Perft(5));
        assert_eq!(read("perft 5"), Command::Perft(5));
        assert_eq!(read("perft 5").to_string(), "go perft 5");
        assert!(error("perft five").contains("`perft` needs a whole number of plies after it, not \"five\""));
    }

    #[test]
    fn an_unknown_command_names_the_nearest() {
        assert_eq!(error("postion fen"), "\"postion\" is not a command; did you mean \"position\"?");
        assert_eq!(error("xyzzy"), "\"xyzzy\" is not a command; `help` lists the commands");
    }
}
