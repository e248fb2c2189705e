//! An agent on a thread of its own: requests go in, reports come out.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use shakmaty::Move;
use tabia_core::{Agent, AgentError, ChessGame, Limits, SearchInfo, Stop};
use tabia_search::engine::STACK_BYTES;

use super::Event;

/// A request for a move.
pub struct Request {
    /// Its number, repeated in the reports.
    pub number: u64,
    /// The game to choose a move in.
    pub game: ChessGame,
    /// Raised when the move is wanted at once, or not at all.
    pub stop: Stop,
    /// Whether this is a new game, unrelated to the previous one.
    pub forget: bool,
}

/// A report of an agent.
pub enum AgentReport {
    /// Search information.
    SearchInfo(SearchInfo<Move>),
    /// The chosen move, or an error.
    Chosen(Result<Move, AgentError>),
}

/// Handle of an agent thread. Dropping it waits for the current request.
pub struct AgentThread {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

impl AgentThread {
    /// Starts the thread; reports are sent to `tell`.
    pub fn start(
        mut agent: Box<dyn Agent<ChessGame>>,
        limits: Limits,
        tell: Sender<Event>,
    ) -> io::Result<AgentThread> {
        let (requests, requested) = mpsc::channel::<Request>();
        let work = move || {
            let watch = Watch(tell);
            for Request { number, game, stop, forget } in requested {
                if forget {
                    agent.new_game();
                }
                // The receiver may be gone.
                let tell = |told| drop(watch.0.send(Event::AgentReport { number, told }));
                let chosen = agent.choose(&game, &limits, &stop, &mut |info| {
                    if info.rank == 1 {
                        tell(AgentReport::SearchInfo(info.clone()));
                    }
                });
                tell(AgentReport::Chosen(chosen));
            }
        };
        let builder = thread::Builder::new().name("agent".to_owned()).stack_size(STACK_BYTES);
        Ok(AgentThread { requests: Some(requests), thread: Some(builder.spawn(work)?) })
    }

    /// Requests a move.
    pub fn ask(&self, request: Request) {
        if let Some(requests) = &self.requests {
            // A thread that has panicked has already reported it.
            let _ = requests.send(request);
        }
    }
}

impl Drop for AgentThread {
    fn drop(&mut self) {
        drop(self.requests.take());
        if let Some(thread) = self.thread.take() {
            // The panic hook has already printed the message.
            let _ = thread.join();
        }
    }
}

/// Reports when the thread panics.
struct Watch(Sender<Event>);

impl Drop for Watch {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Lost);
        }
    }
}
