//! A session: lines in, lines out.

use std::sync::mpsc::{self, Receiver, Sender};

use tabia_uci::Command;
use tabia_uci::session::{self, Session};

use crate::engine::{Setup, UciEngine};
use crate::error::UciEngineError;
use crate::output::Output;
use crate::thinking::Event;

/// A UCI session with an engine.
pub struct UciSession {
    engine: UciEngine,
    session: Session,
    events: Sender<Event>,
    inbox: Receiver<Event>,
    output: Output,
}

/// Where a session's lines come from. Lines may be sent before it runs and while it does, from any thread.
#[derive(Clone)]
pub struct Input(Sender<Event>);

impl Input {
    /// Sends a line; false when the session has ended.
    pub fn line(&self, text: &str) -> bool {
        self.0.send(Event::Line(text.to_owned())).is_ok()
    }

    /// No line will follow: the session answers what was asked for and ends.
    pub fn end(&self) {
        // A session that has ended needs no end.
        let _ = self.0.send(Event::EndOfInput);
    }
}

/// How a session ended.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Ended {
    /// By `quit`, or by the end of input after everything was answered.
    Quit,
    /// A search did not answer in time after the end of input.
    Abandoned,
}

impl UciSession {
    /// A session in which an agent of the catalogue plays.
    pub fn new(setup: &Setup<'_>, output: Output) -> Result<UciSession, UciEngineError> {
        let (events, inbox) = mpsc::channel();
        let engine = UciEngine::new(setup, events.clone(), output.clone())?;
        Ok(UciSession { engine, session: Session::new(), events, inbox, output })
    }

    /// Where its lines come from.
    pub fn input(&self) -> Input {
        Input(self.events.clone())
    }

    /// Answers until `quit` or the end of input.
    pub fn run(mut self) -> Ended {
        for event in self.inbox {
            let event = match event {
                Event::Line(line) => match Command::read(&line) {
                    Ok(Some(command)) => session::Event::Command(command),
                    Ok(None) => continue,
                    Err(error) => {
                        self.output.say(error);
                        continue;
                    }
                },
                Event::Finished(finished) => session::Event::SearchFinished(self.engine.finished(*finished)),
                Event::JobFinished => session::Event::JobFinished,
                Event::EndOfInput => session::Event::EndOfInput,
                Event::GraceOver => session::Event::GraceOver,
                Event::Abandon => return Ended::Abandoned,
            };
            if self.session.handle(event, &mut self.engine).is_break() {
                break;
            }
        }
        Ended::Quit
    }
}
