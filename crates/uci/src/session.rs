//! The engine side of UCI: a state machine that orders a GUI's commands around one search at a time.
//!
//! A GUI may send anything at any moment. What a command means then depends on what is running and waiting, and a mistake
//! in that order is a hang. So the order is a value of its own: [`Session`] takes one [`Event`] at a time and calls an
//! [`Engine`]; it has no thread, pipe or clock, and a test can drive it through every interleaving (`tests/session.rs`).
//!
//! The rules:
//!
//! - `uci`, `isready`, `stop`, `ponderhit`, `quit`, `help`, `debug` and `register` are executed at once, always.
//! - A command that needs the search (`go`, `perft`, `bench`) waits until it is free. Whatever comes after a
//!   waiting command waits behind it, so that each `go` searches the position that was set before it.
//! - While nothing waits, `position`, `setoption` and `ucinewgame` are executed during a search; they take effect
//!   with the next `go`. `d` and `eval` wait for a bounded search, and are executed during an unbounded one.
//! - `stop` ends every search requested so far: the running one, and waiting ones as soon as they start. `ponderhit`
//!   applies to the last `go`.
//! - An unbounded search (`infinite`, `ponder`, no limit) is stopped when a command waits for it, or at the end of
//!   input: no command could stop it any more.
//! - Every `go` gets exactly one `bestmove`, in order.
//! - At the end of input, waiting commands are executed first; after a grace period ([`Event::GraceOver`]) every
//!   search is stopped.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::{BestMove, Command, Go};

/// Input of a session.
#[derive(Clone, Debug)]
pub enum Event {
    Command(Command),
    /// The last search has ended with this move.
    SearchFinished(BestMove),
    /// The last job has ended.
    JobFinished,
    /// End of input.
    EndOfInput,
    /// The grace period after the end of input is over.
    GraceOver,
}

/// How a search started.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Started {
    /// It runs; [`Event::SearchFinished`] follows. `bounded` says that its limits end it.
    Searching {
        /// Whether the limits end it, once it is not pondering.
        bounded: bool,
    },
    /// There is nothing to search: a book move, a finished game, an error.
    Answered(BestMove),
}

/// Executes the commands. A session never starts a search or job while another runs.
pub trait Engine {
    /// Executes a command that needs no search: everything but `go`, `perft`, `bench`, `stop`, `ponderhit`, `isready` and
    /// `quit`.
    fn execute(&mut self, command: Command);
    /// Answers `isready`. When `idle`, options and hash tables may be prepared first.
    fn ready(&mut self, idle: bool);
    /// Starts a search of the current position.
    fn start_search(&mut self, go: &Go) -> Started;
    /// Starts `perft` or `bench`; false if it could not start. [`Event::JobFinished`] follows if it could.
    fn start_job(&mut self, command: Command) -> bool;
    /// Stops the running search. Called at most once per search.
    fn stop_search(&mut self);
    /// The running search is no longer pondering.
    fn ponder_hit(&mut self);
    /// Sends `bestmove`.
    fn send_best_move(&mut self, best: BestMove);
    /// The input ended while something runs: start the grace period.
    fn begin_grace(&mut self);
}

/// What the engine is doing.
#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    Searching(Search),
    Job,
}

/// Why `bestmove` is held back.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Held {
    Infinite,
    Pondering,
}

#[derive(Clone, Debug)]
struct Search {
    bounded: bool,
    /// `bestmove` is held back until `stop` or `ponderhit`.
    held: Option<Held>,
    stopped: bool,
    /// The move of a search that ended while `bestmove` is held back.
    answer: Option<BestMove>,
}

impl Search {
    /// Whether only `stop` ends it.
    fn is_endless(&self) -> bool {
        !self.stopped && (self.held.is_some() || !self.bounded)
    }

    fn may_answer(&self) -> bool {
        self.stopped || self.held.is_none()
    }
}

/// A waiting command, and whether `stop` came after it.
#[derive(Clone, Debug)]
struct Waiting {
    command: Command,
    stopped: bool,
}

/// The state of a session.
#[derive(Clone, Debug, Default)]
pub struct Session {
    state: State,
    waiting: VecDeque<Waiting>,
    input_ended: bool,
}

/// Whether a command cannot run during a search.
fn needs_search(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Perft(_) | Command::Bench { .. })
}

impl Session {
    pub fn new() -> Session {
        Session::default()
    }

    /// Whether neither a search nor a job runs.
    pub fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    /// Processes an event. Breaks when the session is over.
    pub fn handle(&mut self, event: Event, engine: &mut impl Engine) -> ControlFlow<()> {
        match event {
            Event::Command(Command::Quit) => return ControlFlow::Break(()),
            Event::Command(command) => self.obey(command, engine),
            Event::SearchFinished(best) => {
                if let State::Searching(search) = &mut self.state {
                    search.answer = Some(best);
                }
            }
            Event::JobFinished => {
                if matches!(self.state, State::Job) {
                    self.state = State::Idle;
                }
            }
            Event::EndOfInput => {
                self.input_ended = true;
                if !self.is_idle() {
                    engine.begin_grace();
                }
            }
            Event::GraceOver => self.stop(engine),
        }
        self.advance(engine)
    }

    fn obey(&mut self, command: Command, engine: &mut impl Engine) {
        match command {
            Command::IsReady => engine.ready(self.is_idle()),
            Command::Stop => self.stop(engine),
            Command::PonderHit => self.ponder_hit(engine),
            Command::Uci | Command::Help | Command::Debug(_) | Command::Register => engine.execute(command),
            command if self.must_wait(&command) => {
                self.waiting.push_back(Waiting { command, stopped: false });
            }
            command => self.start(Waiting { command, stopped: false }, engine),
        }
    }

    fn must_wait(&self, command: &Command) -> bool {
        if !self.waiting.is_empty() {
            return true;
        }
        match command {
            Command::Display | Command::Eval => match &self.state {
                State::Idle => false,
                State::Searching(search) => !search.is_endless(),
                State::Job => true,
            },
            command => needs_search(command) && !self.is_idle(),
        }
    }

    /// Executes a command whose turn it is.
    fn start(&mut self, next: Waiting, engine: &mut impl Engine) {
        match next.command {
            Command::Go(go) => match engine.start_search(&go) {
                Started::Answered(best) => engine.send_best_move(best),
                Started::Searching { bounded } => {
                    if next.stopped {
                        engine.stop_search();
                    }
                    let held = match (go.infinite, go.ponder) {
                        (true, _) => Some(Held::Infinite),
                        (false, true) => Some(Held::Pondering),
                        (false, false) => None,
                    };
                    self.state =
                        State::Searching(Search { bounded, held, stopped: next.stopped, answer: None });
                }
            },
            command if needs_search(&command) => {
                if engine.start_job(command) {
                    self.state = State::Job;
                }
            }
            command => engine.execute(command),
        }
    }

    /// Does everything that can be done now.
    fn advance(&mut self, engine: &mut impl Engine) -> ControlFlow<()> {
        loop {
            self.stop_endless(engine);
            self.answer(engine);
            if let State::Searching(search) = &self.state
                && search.is_endless()
            {
                // No waiting command needs the search, or it would have been stopped.
                for next in self.waiting.drain(..) {
                    engine.execute(next.command);
                }
            }
            if !self.is_idle() {
                return ControlFlow::Continue(());
            }
            match self.waiting.pop_front() {
                Some(next) => self.start(next, engine),
                None if self.input_ended => return ControlFlow::Break(()),
                None => return ControlFlow::Continue(()),
            }
        }
    }

    /// Stops a search that would keep others waiting forever.
    fn stop_endless(&mut self, engine: &mut impl Engine) {
        let is_awaited = self.input_ended || self.waiting.iter().any(|next| needs_search(&next.command));
        if let State::Searching(search) = &mut self.state
            && is_awaited
            && search.is_endless()
        {
            search.stopped = true;
            engine.stop_search();
        }
    }

    /// Sends the answer of an ended search, unless it is held back.
    fn answer(&mut self, engine: &mut impl Engine) {
        if let State::Searching(search) = &mut self.state
            && search.may_answer()
            && let Some(best) = search.answer.take()
        {
            self.state = State::Idle;
            engine.send_best_move(best);
        }
    }

    fn stop(&mut self, engine: &mut impl Engine) {
        if let State::Searching(search) = &mut self.state
            && !search.stopped
        {
            search.stopped = true;
            engine.stop_search();
        }
        for next in &mut self.waiting {
            next.stopped = true;
        }
    }

    fn ponder_hit(&mut self, engine: &mut impl Engine) {
        let last = self.waiting.iter_mut().rev().find_map(|next| match &mut next.command {
            Command::Go(go) => Some(go),
            _ => None,
        });
        if let Some(go) = last {
            go.ponder = false;
        } else if let State::Searching(search) = &mut self.state
            && search.held == Some(Held::Pondering)
        {
            search.held = None;
            engine.ponder_hit();
        }
    }
}
