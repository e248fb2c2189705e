//! The conversation with another engine, as a state machine without I/O.
//!
//! Whoever owns the process asks [`Client::send`] what to write and tells [`Client::on_line`] what was read. The
//! client knows which command may be said when, holds every `setoption` against what the engine declared, and
//! keeps what the engine last said of each line of play.
//!
//! Two kinds of wrong are kept apart. A [`ClientError`] is ours: nothing is to be sent, nothing has changed. A
//! [`ProtocolError`] is the engine's: whether it forfeits the game is for the owner to say, and the client goes
//! on in a state that fits what was said. What only a clock can see (an engine that never answers) or only the
//! rules of chess (an illegal move; Ethereal repeats its last answer in a position that is mate) is not seen here.
//!
//! ```text
//! New ─uci→ Introducing ─uciok→ Idle ─go→ Searching ─bestmove→ Idle
//!                                 └─go ponder→ Pondering ─ponderhit→ Searching
//!                  Searching, Pondering ─stop→ Stopping ─bestmove→ Idle          any ─quit→ Over
//! ```
//!
//! `isready` may be asked at any time after the introduction, so it is no phase of its own. Glaurung never answers
//! one that it reads during a search; ask when it is idle.

use std::collections::BTreeMap;
use std::fmt;

use crate::command::Command;
use crate::info::Info;
use crate::option::{self, OptionDecl, OptionError};
use crate::reply::{BestMove, Id, Reply, ReplyError, Verdict};

/// Where a conversation stands.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Nothing has been said.
    New,
    /// `uci` was said; the engine introduces itself until `uciok`.
    Introducing,
    /// The engine waits for commands.
    Idle,
    /// It searches on its own time.
    Searching,
    /// It searches on the opponent's time.
    Pondering,
    /// It was told to stop and has not answered yet.
    Stopping,
    /// `quit` was said.
    Over,
}

/// What a line from the engine means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// It told its name or an option; both are kept in the client.
    Introduction,
    /// It has introduced itself (`uciok`).
    Introduced,
    /// It is ready (`readyok`).
    Ready,
    /// News from its search, or a message outside of one.
    Info(Info),
    /// Its search has ended.
    BestMove(BestMove),
    /// How its copy protection stands; after an error it may refuse to play.
    CopyProtection(Verdict),
    /// How its registration stands; after an error it may refuse to play.
    Registration(Verdict),
    /// A line outside the protocol.
    Text(String),
}

/// A command that must not be sent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ClientError {
    /// It is not the time for it.
    #[error("`{command}` cannot be sent {phase}; {when}")]
    WrongPhase {
        command: String,
        /// Where the conversation stands.
        phase: Phase,
        /// When it may be sent.
        when: &'static str,
    },
    /// It is no command of the standard. Engines skip words they do not know, and to GNU Chess `go perft 2` is
    /// then a search without limit.
    #[error("`{0}` is not UCI, and what another engine makes of it cannot be known")]
    NotUci(String),
    /// The engine does not have the option, or not with this value.
    #[error(transparent)]
    Option(#[from] OptionError),
    /// A line break inside the command would be read as a second command.
    #[error("a command is one line, and {0:?} is more")]
    LineBreak(String),
}

/// A line that the engine should not have written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProtocolError {
    /// A best move when nobody asked.
    #[error("the engine wrote \"{line}\" {phase}; a best move ends a search")]
    BestMoveOutsideSearch {
        line: String,
        /// Where the conversation stood.
        phase: Phase,
    },
    /// A best move that cannot be read. The search is over all the same.
    #[error("the engine ended its search with \"{line}\": {cause}")]
    UnreadableBestMove {
        line: String,
        /// What is wrong with it.
        cause: ReplyError,
    },
    /// An option that cannot be read; the engine is used without it.
    #[error("the engine declared an option badly: {0}")]
    BadOption(OptionError),
    /// `uciok` when nobody said `uci`.
    #[error("the engine wrote `uciok` {0}; it answers `uci`, once")]
    UnaskedUciOk(Phase),
    /// `readyok` when nobody said `isready`.
    #[error("the engine wrote `readyok` {0}, and no `isready` was waiting")]
    UnaskedReadyOk(Phase),
}

/// One end of a conversation with an engine.
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
    /// A conversation that has not begun. The first command is `uci`.
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

    /// Where the conversation stands.
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// Whether a `bestmove` is to come.
    pub fn is_searching(&self) -> bool {
        matches!(self.phase, Phase::Searching | Phase::Pondering | Phase::Stopping)
    }

    /// Whether a `readyok` is to come.
    pub fn is_awaiting_ready(&self) -> bool {
        self.awaiting_ready
    }

    /// The engine's name, once it told it.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The engine's author, once it told it.
    pub fn author(&self) -> Option<&str> {
        self.author.as_deref()
    }

    /// The options it declared.
    pub fn options(&self) -> &[OptionDecl] {
        &self.options
    }

    /// What it last said of each line of play in the current or last search, best rank first.
    pub fn lines(&self) -> impl Iterator<Item = &Info> {
        self.lines.values()
    }

    /// What it last said of its best line in the current or last search.
    pub fn best_line(&self) -> Option<&Info> {
        self.lines.get(&1)
    }

    /// The most nodes it reported in the current or last search. Some engines tell the final count in a line
    /// of its own, and repeat old lines with old counts.
    pub fn nodes(&self) -> Option<u64> {
        self.nodes
    }

    /// The line to write for a command, after which the conversation stands where the command takes it.
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

    /// The line that sets an option, its name and value spelled as the engine declared them.
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

    /// Understands a line that the engine wrote.
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

/// Where the conversation stands, as a phrase: "while the engine is searching".
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
