//! The GUI side of UCI as a state machine without I/O.
//!
//! The owner of the engine process calls [`Client::send`] for the line to write and [`Client::on_line`] with each line
//! read. The client knows which command is valid when, checks every `setoption` against the engine's declaration, and
//! keeps the last info of each principal variation.
//!
//! There are two kinds of errors. A [`ClientError`] is the caller's: nothing is sent and nothing changes. A
//! [`ProtocolError`] is the engine's: the owner decides whether it forfeits the game, and the client continues in a state
//! that fits the line. What needs a clock (an engine that never answers) or the rules of chess (an illegal move;
//! Ethereal repeats its last answer in a mate position) is not detected here.
//!
//! ```text
//! New ─uci→ Introducing ─uciok→ Idle ─go→ Searching ─bestmove→ Idle
//!                                 └─go ponder→ Pondering ─ponderhit→ Searching
//!                  Searching, Pondering ─stop→ Stopping ─bestmove→ Idle          any ─quit→ Over
//! ```
//!
//! `isready` is allowed at any time after the introduction, so it is not a phase. Glaurung never answers one that it
//! reads during a search; send it when the engine is idle.

use std::collections::BTreeMap;
use std::fmt;

use crate::command::Command;
use crate::info::Info;
use crate::option::{self, OptionDecl, OptionError};
use crate::reply::{BestMove, Id, Reply, ReplyError, Verdict};

/// The state of the protocol.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    New,
    /// After `uci`, until `uciok`.
    Introducing,
    /// The engine waits for commands.
    Idle,
    /// It searches on its own time.
    Searching,
    /// It searches on the opponent's time.
    Pondering,
    /// After `stop`, before `bestmove`.
    Stopping,
    /// After `quit`.
    Over,
}

/// The meaning of a line from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// Its name or an option; both are kept in the client.
    Introduction,
    /// `uciok`.
    Introduced,
    /// `readyok`.
    Ready,
    /// Search information, or a message outside a search.
    Info(Info),
    /// The end of a search.
    BestMove(BestMove),
    /// State of copy protection; after an error the engine may refuse to play.
    CopyProtection(Verdict),
    /// State of registration; after an error the engine may refuse to play.
    Registration(Verdict),
    /// A line outside the protocol.
    Text(String),
}

/// A command that must not be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    #[error("`{command}` cannot be sent {phase}; {when}")]
    WrongPhase { command: String, phase: Phase, when: &'static str },
    /// Not a standard command. Engines ignore unknown tokens, and to GNU Chess `go perft 2` is then a search without a
    /// limit.
    #[error("`{0}` is not UCI, and what another engine makes of it cannot be known")]
    NotUci(String),
    /// The engine does not have the option, or not with this value.
    #[error(transparent)]
    Option(#[from] OptionError),
    #[error("a command is one line, and {0:?} is more")]
    LineBreak(String),
}

/// A line that the engine should not have written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    #[error("the engine wrote \"{line}\" {phase}; a best move ends a search")]
    BestMoveOutsideSearch { line: String, phase: Phase },
    /// An invalid best move. The search is over nevertheless.
    #[error("the engine ended its search with \"{line}\": {cause}")]
    UnreadableBestMove { line: String, cause: ReplyError },
    /// An invalid option; the engine is used without it.
    #[error("the engine declared an invalid option: {0}")]
    BadOption(OptionError),
    #[error("the engine wrote `uciok` {0}; it answers `uci`, once")]
    UnaskedUciOk(Phase),
    #[error("the engine wrote `readyok` {0}, and no `isready` was waiting")]
    UnaskedReadyOk(Phase),
}

/// The GUI's side of a conversation with an engine.
///
/// ```
/// use tabia_uci::{Client, Command, Event, Phase};
///
/// let mut client = Client::new();
/// assert_eq!(client.send(&Command::Uci)?, "uci");
/// client.on_line("id name Example")?;
/// assert_eq!(client.on_line("uciok")?, Event::Introduced);
/// assert_eq!((client.name(), client.phase()), (Some("Example"), Phase::Idle));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Client {
    phase: Phase,
    awaiting_ready: bool,
    name: Option<String>,
    author: Option<String>,
    options: Vec<OptionDecl>,
    lines: BTreeMap<u32, Info>,
    nodes: Option<u64>,
}

impl Default for Client {
    fn default() -> Self {
        Client::new()
    }
}

impl Client {
    /// A new conversation. The first command is `uci`.
    pub fn new() -> Client {
        Client {
            phase: Phase::New,
            awaiting_ready: false,
            name: None,
            author: None,
            options: Vec::new(),
            lines: BTreeMap::new(),
            nodes: None,
        }
    }

    /// The current state.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether a `bestmove` is pending.
    pub fn is_searching(&self) -> bool {
        matches!(self.phase, Phase::Searching | Phase::Pondering | Phase::Stopping)
    }

    /// Whether a `readyok` is pending.
    pub fn is_awaiting_ready(&self) -> bool {
        self.awaiting_ready
    }

    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    pub fn options(&self) -> &[OptionDecl] {
        &self.options
    }

    /// The last info of each principal variation in the current or last search, best first.
    pub fn lines(&self) -> impl Iterator<Item = &Info> {
        self.lines.values()
    }

    /// The last info of the best line in the current or last search.
    pub fn best_line(&self) -> Option<&Info> {
        self.lines.get(&1)
    }

    /// The largest node count of the current or last search. Some engines report the final count in a line of its own,
    /// and repeat old lines with old counts.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// The line to write for a command; changes the state.
    pub fn send(&mut self, command: &Command) -> Result<String, ClientError> {
        let line = command.to_string();
        if line.contains(['\n', '\r']) {
            return Err(ClientError::LineBreak(line));
        }
        self.allow(command)?;
        match command {
            Command::SetOption { name, value } => return self.fitting_option(name, value.as_deref()),
            Command::Uci => self.phase = Phase::Introducing,
            Command::IsReady => self.awaiting_ready = true,
            Command::Go(go) => {
                self.lines.clear();
                self.nodes = None;
                self.phase = if go.ponder { Phase::Pondering } else { Phase::Searching };
            }
            Command::PonderHit => self.phase = Phase::Searching,
            Command::Stop => self.phase = Phase::Stopping,
            Command::Quit => self.phase = Phase::Over,
            _ => {}
        }
        Ok(line)
    }

    /// The line that sets an option, with name and value spelled as declared.
    ///
    /// ```
    /// use tabia_uci::{Client, Command};
    ///
    /// let mut client = Client::new();
    /// client.send(&Command::Uci)?;
    /// client.on_line("option name Hash type spin default 16 min 1 max 1024")?;
    /// client.on_line("uciok")?;
    /// assert_eq!(client.set_option("hash", Some("64"))?, "setoption name Hash value 64");
    /// assert!(client.set_option("hash", Some("0")).is_err());
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<String, ClientError> {
        self.send(&Command::SetOption { name: name.to_owned(), value: value.map(str::to_owned) })
    }

    fn fitting_option(&self, name: &str, value: Option<&str>) -> Result<String, ClientError> {
        let option = option::find(&self.options, name)?;
        let value = option.check(value)?.text();
        Ok(Command::SetOption { name: option.name.clone(), value }.to_string())
    }

    fn allow(&self, command: &Command) -> Result<(), ClientError> {
        use Phase::{Idle, New, Over, Pondering, Searching, Stopping};
        let (phases, when): (&[Phase], _) = match command {
            Command::Display | Command::Eval | Command::Bench { .. } | Command::Perft(_) | Command::Help => {
                return Err(ClientError::NotUci(command.to_string()));
            }
            Command::Uci => (&[New], "it is said once, first"),
            Command::Quit if self.phase != Over => return Ok(()),
            Command::Quit => (&[], "it is said once, last"),
            Command::Debug(_) | Command::IsReady | Command::Register => {
                (&[Idle, Searching, Pondering, Stopping], "it is for an engine that has introduced itself")
            }
            Command::Stop => (&[Searching, Pondering], "it is for a running search"),
            Command::PonderHit => (&[Pondering], "it is for a search on the opponent's time"),
            _ => (&[Idle], "it is for an engine that waits for commands"),
        };
        if phases.contains(&self.phase) {
            return Ok(());
        }
        Err(ClientError::WrongPhase { command: command.to_string(), phase: self.phase, when })
    }

    /// Processes a line from the engine.
    pub fn on_line(&mut self, line: &str) -> Result<Event, ProtocolError> {
        let reply = match line.parse::<Reply>() {
            Ok(reply) => reply,
            Err(ReplyError::Option(cause)) => return Err(ProtocolError::BadOption(cause)),
            Err(cause) => {
                self.end_search(line)?;
                return Err(ProtocolError::UnreadableBestMove { line: line.trim().to_owned(), cause });
            }
        };
        Ok(match reply {
            Reply::Id(id) => {
                match id {
                    Id::Name(name) => self.name = Some(name),
                    Id::Author(author) => self.author = Some(author),
                }
                Event::Introduction
            }
            Reply::Option(option) => {
                self.options.retain(|known| known.name != option.name);
                self.options.push(option);
                Event::Introduction
            }
            Reply::UciOk if self.phase == Phase::Introducing => {
                self.phase = Phase::Idle;
                Event::Introduced
            }
            Reply::UciOk => return Err(ProtocolError::UnaskedUciOk(self.phase)),
            Reply::ReadyOk if self.awaiting_ready => {
                self.awaiting_ready = false;
                Event::Ready
            }
            Reply::ReadyOk => return Err(ProtocolError::UnaskedReadyOk(self.phase)),
            Reply::BestMove(best_move) => {
                self.end_search(line)?;
                Event::BestMove(best_move)
            }
            Reply::Info(info) => {
                self.keep(&info);
                Event::Info(info)
            }
            Reply::CopyProtection(verdict) => Event::CopyProtection(verdict),
            Reply::Registration(verdict) => Event::Registration(verdict),
            Reply::Other(text) => Event::Text(text),
        })
    }

    fn end_search(&mut self, line: &str) -> Result<(), ProtocolError> {
        if !self.is_searching() {
            let line = line.trim().to_owned();
            return Err(ProtocolError::BestMoveOutsideSearch { line, phase: self.phase });
        }
        self.phase = Phase::Idle;
        Ok(())
    }

    fn keep(&mut self, info: &Info) {
        if !self.is_searching() {
            return;
        }
        self.nodes = self.nodes.max(info.nodes);
        if info.is_line() {
            self.lines.insert(info.multipv.unwrap_or(1), info.clone());
        }
    }
}

/// The state as a phrase: "while the engine is searching".
impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Phase::New => "before `uci`",
            Phase::Introducing => "before `uciok`",
            Phase::Idle => "while the engine is idle",
            Phase::Searching => "while the engine is searching",
            Phase::Pondering => "while the engine is pondering",
            Phase::Stopping => "after `stop`, before the best move",
            Phase::Over => "after `quit`",
        })
    }
}
