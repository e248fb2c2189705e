//! The order in which an engine obeys: a state machine between a GUI's commands and one search at a time.
//!
//! UCI lets a GUI send anything at any moment. What a command means then depends on what runs and on what waits,
//! and a mistake in that order is a hang. So the order is a value of its own: [`Session`] takes one [`Event`] at
//! a time and calls an [`Engine`]; it has no thread, no pipe and no clock, and a test can drive it through
//! every interleaving (`tests/session.rs` does).
//!
//! The rules:
//!
//! - `uci`, `isready`, `stop`, `ponderhit`, `quit`, `help`, `debug` and `register` are obeyed at once, always.
//! - A command that needs the search (`go`, `perft`, `bench`) waits until it is free. Whatever comes after a
//!   waiting command waits behind it, so that each `go` searches the position that was set before it.
//! - While nothing waits, `position`, `setoption` and `ucinewgame` are obeyed during a search; they take effect
//!   with the next `go`. `d` and `eval` wait for a search that will end, and are obeyed during one that will not.
//! - `stop` ends every search asked for so far: the running one, and those that wait as soon as they start.
//!   `ponderhit` is for the last `go`.
//! - A search without an end (`infinite`, `ponder`, no limit) is stopped when a command waits for it, or when the
//!   input ends: nobody can stop it for itself any more.
//! - Every `go` gets exactly one `bestmove`, in order.
//! - At the end of input, what waits is done first; when a grace period is over ([`Event::GraceOver`]), every
//!   search is stopped.

use std::collections::VecDeque;
use std::ops::ControlFlow;

use crate::{BestMove, Command, Go};

/// What a session hears.
#[derive(Clone, Debug)]
pub enum Event {
    /// A command from the GUI.
    Command(Command),
    /// The search that was started last has ended with this move.
    SearchFinished(BestMove),
    /// The job that was started last has ended.
    JobFinished,
    /// There will be no more commands.
    EndOfInput,
    /// The time that searches have after the end of input is over.
    GraceOver,
}

/// How a search began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Started {
    /// It runs; [`Event::SearchFinished`] follows. `bounded` says that its limits end it.
    Searching {
        /// Whether the limits end it, once it is not pondering.
        bounded: bool,
    },
    /// There was nothing to search: a book move, a finished game, an error.
    Answered(BestMove),
}

/// What obeys the commands. A session never starts a search or job while another runs.
pub trait Engine {
    /// Obeys a command that needs no search: everything but `go`, `perft`, `bench`, `stop`, `ponderhit`,
    /// `isready` and `quit`.
    fn execute(&mut self, command: Command);
    /// Answers `isready`. When `idle`, options and tables can be prepared first.
    fn ready(&mut self, idle: bool);
    /// Starts a search of the current position.
    fn start_search(&mut self, go: &Go) -> Started;
    /// Starts `perft` or `bench`; false if it could not start. [`Event::JobFinished`] follows if it could.
    fn start_job(&mut self, command: Command) -> bool;
    /// Asks the running search to end. Called at most once for a search.
    fn stop_search(&mut self);
    /// The running search is no longer pondering.
    fn ponder_hit(&mut self);
    /// Sends `bestmove`.
    fn send_best_move(&mut self, best: BestMove);
    /// The input has ended while something runs: begin the grace period.
    fn begin_grace(&mut self);
}

/// What the engine does now.
#[derive(Clone, Debug, Default)]
enum State {
    #[default]
    Idle,
    Searching(Search),
    Job,
}

/// Why a search may not answer by itself.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
enum Held {
    Infinite,
    Pondering,
}

#[derive(Clone, Debug)]
struct Search {
    /// Its limits end it.
    bounded: bool,
    /// Its answer is held back until `stop`, or until `ponderhit`.
    held: Option<Held>,
    stopped: bool,
    /// The move of a search that ended before it may be given.
    answer: Option<BestMove>,
}

impl Search {
    /// Whether nothing but `stop` ends it.
    fn is_endless(&self) -> bool {
        !self.stopped && (self.held.is_some() || !self.bounded)
    }

    fn may_answer(&self) -> bool {
        self.stopped || self.held.is_none()
    }
}

/// A command that waits, and whether `stop` came after it.
#[derive(Clone, Debug)]
struct Waiting {
    command: Command,
    stopped: bool,
}

/// The state of a conversation, as far as order is concerned.
#[derive(Clone, Debug, Default)]
pub struct Session {
    state: State,
    waiting: VecDeque<Waiting>,
    input_ended: bool,
}

/// Whether a command cannot run beside a search.
fn needs_search(command: &Command) -> bool {
    matches!(command, Command::Go(_) | Command::Perft(_) | Command::Bench { .. })
}

impl Session {
    /// A session at its beginning.
    pub fn new() -> Session {
        Session::default()
    }

    /// Whether neither a search nor a job runs.
    pub fn is_idle(&self) -> bool {
        matches!(self.state, State::Idle)
    }

    /// Takes in what happened. Breaks when the conversation is over.
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

    /// Obeys a command whose turn it is.
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

    /// Does all that can be done now.
    fn advance(&mut self, engine: &mut impl Engine) -> ControlFlow<()> {
        loop {
            self.stop_endless(engine);
            self.answer(engine);
            if let State::Searching(search) = &self.state
                && search.is_endless()
            {
                // Nothing that waits needs the search, or it would have been stopped.
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

    /// Stops a search that would keep others waiting for ever.
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

    /// Gives the answer of a search that has ended, if it may be given.
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
