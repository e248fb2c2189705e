//! Replies from the engine to the GUI.
//!
//! Engines also print banners, blank lines and complaints, so a line that starts with no keyword of the protocol is not an
//! error but [`Reply::Other`]. Unlike in commands, tokens at the start of a line are not skipped: a banner may say anything.
//!
//! Only two lines can be invalid: a `bestmove` without a move, which loses the game, and an `option` that declares nothing.
//! An `info` is parsed as far as possible.

use std::fmt;
use std::str::FromStr;

use shakmaty::uci::UciMove;

use crate::info::Info;
use crate::option::{OptionDecl, OptionError};
use crate::tokens::Tokens;

/// A line from the engine to the GUI.
///
/// ```
/// use tabia_uci::Reply;
///
/// assert_eq!("uciok".parse::<Reply>()?, Reply::UciOk);
/// // Engines print more than UCI; what is not UCI is kept as text.
/// assert!(matches!("Stockfish 17 by the developers".parse::<Reply>()?, Reply::Other(_)));
/// # Ok::<(), tabia_uci::ReplyError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    Id(Id),
    Option(OptionDecl),
    UciOk,
    /// Everything requested before is done.
    ReadyOk,
    BestMove(BestMove),
    /// Search information.
    Info(Info),
    CopyProtection(Verdict),
    Registration(Verdict),
    Other(String),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Id {
    /// Its name and version.
    Name(String),
    Author(String),
}

#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub struct BestMove {
    /// `None` if the engine has no legal move.
    pub best: Option<UciMove>,
    /// The expected reply, to ponder on.
    pub ponder: Option<UciMove>,
}

/// State of copy protection or registration.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Verdict {
    Checking,
    Ok,
    Error,
}

/// An invalid line of the protocol.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReplyError {
    #[error("`bestmove` needs a move such as e2e4 or e7e8q, or (none), after it, not \"{found}\"")]
    BestMove { found: String },
    #[error(transparent)]
    Option(#[from] OptionError),
}

impl FromStr for Reply {
    type Err = ReplyError;

    fn from_str(line: &str) -> Result<Reply, ReplyError> {
        let mut tokens = Tokens::new(line);
        let reply = match tokens.next() {
            Some("id") => id(&mut tokens).map(Reply::Id),
            Some("option") => Some(Reply::Option(line.parse()?)),
            Some("uciok") => Some(Reply::UciOk),
            Some("readyok") => Some(Reply::ReadyOk),
            Some("bestmove") => Some(Reply::BestMove(best_move(&mut tokens)?)),
            Some("info") => Some(Reply::Info(Info::read(tokens.rest()))),
            Some("copyprotection") => verdict(tokens.next()).map(Reply::CopyProtection),
            Some("registration") => verdict(tokens.next()).map(Reply::Registration),
            _ => None,
        };
        Ok(reply.unwrap_or_else(|| Reply::Other(line.trim_end().to_owned())))
    }
}

fn id(tokens: &mut Tokens<'_>) -> Option<Id> {
    match tokens.next()? {
        "name" => Some(Id::Name(tokens.rest().to_owned())),
        "author" => Some(Id::Author(tokens.rest().to_owned())),
        _ => None,
    }
}

fn verdict(word: Option<&str>) -> Option<Verdict> {
    match word? {
        "checking" => Some(Verdict::Checking),
        "ok" => Some(Verdict::Ok),
        "error" => Some(Verdict::Error),
        _ => None,
    }
}

/// The ponder move is optional; an invalid one is ignored.
fn best_move(tokens: &mut Tokens<'_>) -> Result<BestMove, ReplyError> {
    let found = tokens.next().unwrap_or_default();
    let best = match found {
        // Fruit's null move, as its descendants GNU Chess and Toga print it where they have no move.
        "(none)" | "none" | "NULL" | "0000" | "a1a1" => None,
        _ => Some(found.parse().map_err(|_| ReplyError::BestMove { found: found.to_owned() })?),
    };
    let ponder = tokens
        .find(|word| *word == "ponder")
        .and_then(|_ponder| tokens.parsed())
        .filter(|reply| best.is_some() && *reply != UciMove::Null);
    Ok(BestMove { best, ponder })
}

/// The whole line, without a line break.
impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Reply::Id(Id::Name(name)) => write!(f, "id name {name}"),
            Reply::Id(Id::Author(author)) => write!(f, "id author {author}"),
            Reply::Option(option) => option.fmt(f),
            Reply::UciOk => f.write_str("uciok"),
            Reply::ReadyOk => f.write_str("readyok"),
            Reply::BestMove(best_move) => best_move.fmt(f),
            Reply::Info(info) => info.fmt(f),
            Reply::CopyProtection(verdict) => write!(f, "copyprotection {verdict}"),
            Reply::Registration(verdict) => write!(f, "registration {verdict}"),
            Reply::Other(text) => f.write_str(text),
        }
    }
}

/// `bestmove e2e4 ponder e7e5`, or `bestmove (none)`.
impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.best {
            None => f.write_str("bestmove (none)"),
            Some(best) => {
                write!(f, "bestmove {best}")?;
                self.ponder.map_or(Ok(()), |ponder| write!(f, " ponder {ponder}"))
            }
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Verdict::Checking => "checking",
            Verdict::Ok => "ok",
            Verdict::Error => "error",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &str) -> Reply {
        line.parse().expect(line)
    }

    fn best(line: &str) -> (Option<String>, Option<String>) {
        match read(line) {
            Reply::BestMove(BestMove { best, ponder }) => {
                (best.map(|m| m.to_string()), ponder.map(|m| m.to_string()))
            }
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn an_engine_introduces_itself() {
        assert_eq!(read("id name Stockfish 15.1"), Reply::Id(Id::Name("Stockfish 15.1".into())));
        assert_eq!(
            read("id author Andrew Grant, Alayan & Laldon\r\n"),
            Reply::Id(Id::Author("Andrew Grant, Alayan & Laldon".into()))
        );
        assert_eq!(read(" uciok "), Reply::UciOk);
        assert_eq!(read("copyprotection checking"), Reply::CopyProtection(Verdict::Checking));
        assert_eq!(read("registration error"), Reply::Registration(Verdict::Error));
    }

    #[test]
    fn a_best_move_may_come_with_a_move_to_ponder_on() {
        let text = |s: &str| Some(s.to_owned());
        assert_eq!(best("bestmove h2g3 ponder h7g6"), (text("h2g3"), text("h7g6")));
        assert_eq!(best("bestmove a1a8 "), (text("a1a8"), None));
        assert_eq!(best("bestmove a7a8q ponder b7"), (text("a7a8q"), None));
        assert_eq!(best("bestmove e2e4 ponder (none)"), (text("e2e4"), None));
        assert_eq!(best("bestmove e2e4 ponder"), (text("e2e4"), None));
    }

    #[test]
    fn no_move_is_written_in_several_ways() {
        for line in [
            "bestmove (none)",
            "bestmove 0000",
            "bestmove NULL",
            "bestmove a1a1 ponder h1h8",
            "bestmove (none) x",
        ] {
            assert_eq!(best(line), (None, None), "{line}");
        }
        assert_eq!(read("bestmove 0000").to_string(), "bestmove (none)");
    }

    #[test]
    fn a_best_move_that_is_no_move_is_an_error() {
        for line in ["bestmove", "bestmove Nf3", "bestmove e2e9", "bestmove resign"] {
            let error = line.parse::<Reply>().expect_err(line).to_string();
            assert!(error.contains("`bestmove` needs a move"), "{error}");
        }
    }

    #[test]
    fn lines_outside_the_protocol_are_kept_as_text() {
        for line in [
            "",
            "Glaurung 2.2.  Copyright (C) 2004-2008 Tord Romstad.",
            "No such option: UCI_ShowWDL",
            "Unknown command: 'foo'. Type help for more information.",
            "Nodes searched: 26",
            "id card",
        ] {
            assert_eq!(read(line), Reply::Other(line.into()));
        }
    }
}
