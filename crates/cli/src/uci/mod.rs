//! `tabia uci`: the engine behind the Universal Chess Interface.
//!
//! One thread reads lines, one thinks, and the main one decides; they talk through one channel, so that every
//! command is answered at once whatever is being thought. What `position` and `setoption` change is kept here and
//! handed over with the next `go`: a running search is never reached into, only stopped.

mod board;
mod engine;
mod extras;
mod options;
mod output;
mod thinking;

use std::io::BufRead;
use std::process::ExitCode;
use std::sync::mpsc;

use tabia_core::AgentSpec;
use tabia_uci::Command;
use tabia_uci::session::{self, Session};

use engine::UciEngine;
use thinking::Event;

/// Arguments of `tabia uci`.
#[derive(Clone, Debug, clap::Args)]
pub struct UciArgs {
    /// The agent that plays, as a spec.
    #[arg(long, value_name = "SPEC", default_value = "engine")]
    pub agent: AgentSpec,
    /// Also offer every search parameter as a UCI option, for tuners.
    #[arg(long)]
    pub tune: bool,
}

/// Speaks UCI on standard input and output until `quit` or the end of input.
pub fn run(args: &UciArgs) -> anyhow::Result<ExitCode> {
    let (events, inbox) = mpsc::channel();
    let mut engine = UciEngine::new(args, events.clone())?;
    let mut session = Session::new();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { break };
            // A line that is not text is still a line: what cannot be read is shown as such.
            if events.send(Event::Line(String::from_utf8_lossy(&line).into_owned())).is_err() {
                return;
            }
        }
        let _ = events.send(Event::EndOfInput);
    });
    for event in inbox {
        let event = match event {
            Event::Line(line) => match Command::read(&line) {
                Ok(Some(command)) => session::Event::Command(command),
                Ok(None) => continue,
                Err(error) => {
                    output::say(error);
                    continue;
                }
            },
            Event::Finished(finished) => session::Event::SearchFinished(engine.finished(*finished)),
            Event::JobFinished => session::Event::JobFinished,
            Event::EndOfInput => session::Event::EndOfInput,
            Event::GraceOver => session::Event::GraceOver,
        };
        if session.handle(event, &mut engine).is_break() {
            break;
        }
    }
    Ok(ExitCode::SUCCESS)
}
