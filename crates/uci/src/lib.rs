//! The Universal Chess Interface, typed, in both directions.
//!
//! [`Command`] is what a GUI says to an engine, [`Reply`] what an engine says to a GUI. Each is read from a line
//! and written as a line, so the same types serve Tabia as an engine and Tabia as the master of other engines;
//! [`Client`] is the conversation of the latter, [`session::Session`] the order in which the former obeys.
//! [`convert`] joins the protocol to the words of `tabia-core`.
//!
//! There is no I/O here: no process, no pipe, no clock, no thread. Whoever owns those feeds lines in and takes
//! lines out, and a whole session can be tested as text. Nor are there rules of chess, but for [`convert`]: a
//! move on a line is text or a pair of squares until someone who holds the game judges it.
//!
//! Reading is forgiving where the protocol asks for it and real engines need it (white space, order, words
//! nobody knows), and strict where forgiving would mean doing something else than was asked.
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
pub mod convert;
mod declaration;
pub mod go;
pub mod info;
pub mod option;
pub mod reply;
pub mod session;
mod tokens;

pub use client::{Client, ClientError, Event, Phase, ProtocolError};
pub use command::{Command, CommandError, Start};
pub use convert::{ReportStyle, SearchMoveError, SearchRequest};
pub use go::Go;
pub use info::{Info, ReportedScore, UciScore};
pub use option::{OptionDecl, OptionError, OptionType, OptionValue};
pub use reply::{BestMove, Id, Reply, ReplyError, Verdict};
