//! The thread that thinks, and what it sends back.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::Sender;

use shakmaty::{CastlingMode, Move};
use tabia_core::{Agent, AgentError, ChessGame, Limits, Stop};
use tabia_search::engine::STACK_BYTES;
use tabia_search::player::Player;
use tabia_uci::convert::ReportStyle;
use tabia_uci::{Info, Reply};

use crate::output::Output;

/// An event of a session.
pub enum Event {
    /// A line from the interface.
    Line(String),
    /// The interface has gone.
    EndOfInput,
    /// A search ended; the player is back.
    Finished(Box<Finished>),
    /// Something else that ran in the background ended.
    JobFinished,
    /// The time that searches have after the end of input is over.
    GraceOver,
    /// Nor did they answer after they were stopped then.
    Abandon,
}

/// Who thinks: the strong search, which can be set up anew, or any other agent.
pub enum Searcher {
    /// The strong search.
    Player(Box<dyn Player>),
    /// Any agent.
    Agent(Box<dyn Agent<ChessGame>>),
}

impl Searcher {
    /// Forgets everything learned.
    pub fn new_game(&mut self) {
        match self {
            Searcher::Player(player) => player.new_game(),
            Searcher::Agent(agent) => agent.new_game(),
        }
    }
}

/// The end of a search.
pub struct Finished {
    /// The searcher, returned for the next search; `None` if it panicked.
    pub searcher: Option<Searcher>,
    /// The move.
    pub best: Result<Move, AgentError>,
    /// The reply it expects.
    pub ponder: Option<Move>,
}

/// Starts a search in a thread of its own.
pub fn think(
    mut searcher: Searcher,
    game: ChessGame,
    limits: Limits,
    stop: Stop,
    style: ReportStyle,
    (events, output): (Sender<Event>, Output),
) -> std::io::Result<()> {
    std::thread::Builder::new().name("search".to_owned()).stack_size(STACK_BYTES).spawn(move || {
        // A search that panics is an error of that search: the GUI still gets its `bestmove`.
        let finished = catch_unwind(AssertUnwindSafe(move || {
            let mut expected: Vec<Move> = Vec::new();
            let mut report = |info: &tabia_core::SearchInfo<Move>| {
                if info.rank == 1 {
                    expected.clone_from(&info.line);
                }
                output.send(&Reply::Info(Info::from_search_info(info, style)));
            };
            let best = match &mut searcher {
                Searcher::Player(player) => player.choose(&game, &limits, &stop, &mut report),
                Searcher::Agent(agent) => agent.choose(&game, &limits, &stop, &mut report),
            };
            let ponder = match (&best, expected.as_slice()) {
                (Ok(best), [first, reply, ..]) if first == best => Some(*reply),
                _ => None,
            };
            Finished { searcher: Some(searcher), best, ponder }
        }))
        .unwrap_or_else(|panic| Finished {
            searcher: None,
            best: Err(AgentError::of_panic(panic.as_ref())),
            ponder: None,
        });
        let _ = events.send(Event::Finished(Box::new(finished)));
    })?;
    Ok(())
}

/// Runs something long that is not a search.
pub fn run_job(events: Sender<Event>, job: impl FnOnce() + Send + 'static) -> std::io::Result<()> {
    std::thread::Builder::new().stack_size(STACK_BYTES).spawn(move || {
        // The panic hook has printed the message; the session continues.
        let _ = catch_unwind(AssertUnwindSafe(job));
        let _ = events.send(Event::JobFinished);
    })?;
    Ok(())
}

/// How castling is written for a game under an option.
pub fn castling(chess960: bool, game: &ChessGame) -> CastlingMode {
    if chess960 { CastlingMode::Chess960 } else { game.mode() }
}
