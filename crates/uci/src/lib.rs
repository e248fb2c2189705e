//! The Universal Chess Interface, typed, in both directions.
//!
//! [`Command`] is a line from a GUI to an engine, [`Reply`] a line from an engine to a GUI. Both are parsed and written, so
//! the same types serve Tabia as an engine and as a GUI of other engines. [`Client`] is the state machine of the GUI side,
//! [`session::Session`] that of the engine side. [`convert`] converts between the protocol and the types of `tabia-core`.
//!
//! There is no I/O here: no process, pipe, clock or thread. The owner of those passes lines in and out, and a whole session
//! can be tested as text. Except for [`convert`] there are no rules of chess: a move is text or a pair of squares until the
//! owner of the game checks it.
//!
//! Parsing is lenient where the protocol and real engines require it (whitespace, order, unknown tokens), and strict where
//! leniency would mean doing something else than was requested.
//!
//! ```
//! use tabia_uci::{Command, Reply};
//!
//! let command: Command = "go wtime 60000 btime 60000 winc 1000 binc 1000".parse()?;
//! assert!(matches!(&command, Command::Go(go) if go.winc == Some(1000)));
//!
//! let reply: Reply = "bestmove e2e4 ponder c7c5".parse()?;
//! assert_eq!(reply.to_string(), "bestmove e2e4 ponder c7c5");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod client;
pub mod command;
mod command_error;
pub mod convert;
mod declaration;
pub mod go;
pub mod info;
pub mod option;
pub mod reply;
pub mod session;
mod tokens;

pub use client::{Client, ClientError, Event, Phase, ProtocolError};
pub use command::{Command, Start};
pub use command_error::CommandError;
pub use convert::{ReportStyle, SearchMoveError, SearchRequest};
pub use go::Go;
pub use info::{Info, ReportedScore, UciScore};
pub use option::{OptionDecl, OptionError, OptionType, OptionValue};
pub use reply::{BestMove, Id, Reply, ReplyError, Verdict};
