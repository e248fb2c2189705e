//! An agent on a thread of its own: it is asked, and tells.

use std::io;
use std::sync::mpsc::{self, Sender};
use std::thread::{self, JoinHandle};

use shakmaty::Move;
use tabia_core::{Agent, AgentError, ChessGame, Limits, Stop, Thought};
use tabia_search::engine::STACK_BYTES;

use super::Event;

/// A question for an agent.
pub struct Request {
    /// Its number, which the answer bears.
    pub number: u64,
    /// The game to choose a move in.
    pub game: ChessGame,
    /// Raised when an answer is wanted at once, or not at all.
    pub stop: Stop,
    /// Whether the game has nothing to do with the one before.
    pub forget: bool,
}

/// What an agent says.
pub enum AgentReport {
    /// What it thinks for now.
    Thought(Thought<Move>),
    /// What it chose, or why it cannot.
    Chosen(Result<Move, AgentError>),
}

/// An agent that can be asked. Dropping it waits for it to be done with what it was asked.
pub struct AgentThread {
    requests: Option<Sender<Request>>,
    thread: Option<JoinHandle<()>>,
}

impl AgentThread {
    /// Gives an agent a thread; what it says goes to `tell`.
    pub fn start(
        mut agent: Box<dyn Agent<ChessGame>>,
        limits: Limits,
        tell: Sender<Event>,
    ) -> io::Result<AgentThread> {
        let (requests, asked) = mpsc::channel::<Request>();
        let work = move || {
            let watch = Watch(tell);
            for Request { number, game, stop, forget } in asked {
                if forget {
                    agent.new_game();
                }
                // Where nobody listens any more, nothing is lost.
                let tell = |told| drop(watch.0.send(Event::AgentReport { number, told }));
                let chosen = agent.choose(&game, &limits, &stop, &mut |thought| {
                    if thought.rank == 1 {
                        tell(AgentReport::Thought(thought.clone()));
                    }
                });
                tell(AgentReport::Chosen(chosen));
            }
        };
        let builder = thread::Builder::new().name("agent".to_owned()).stack_size(STACK_BYTES);
        Ok(AgentThread { requests: Some(requests), thread: Some(builder.spawn(work)?) })
    }

    /// Asks for a move.
    pub fn ask(&self, request: Request) {
        if let Some(requests) = &self.requests {
            // A thread that is gone has said so.
            let _ = requests.send(request);
        }
    }
}

impl Drop for AgentThread {
    fn drop(&mut self) {
        drop(self.requests.take());
        if let Some(thread) = self.thread.take() {
            // A panic has already said what it had to say.
            let _ = thread.join();
        }
    }
}

/// Tells when the thread panics.
struct Watch(Sender<Event>);

impl Drop for Watch {
    fn drop(&mut self) {
        if thread::panicking() {
            let _ = self.0.send(Event::Lost);
        }
    }
}
