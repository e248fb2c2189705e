//! The binary `tabia`: arguments in, text out.
//!
//! This is the one crate that prints, and the one that knows every other. Each command is a file under
//! [`commands`]; what they share is here: how arguments are read ([`cli`]), which agents there are
//! ([`catalogue`]), where work is done ([`grid`]), how Ctrl-C ends work ([`interrupt`]), what a terminal gets that a pipe does not
//! ([`terminal`], [`live`], [`diagram`], [`tui`]), and what errors look like ([`failure`]).

mod catalogue;
mod cli;
mod commands;
mod diagram;
mod evaluations;
mod failure;
mod games;
mod grid;
mod interrupt;
mod limits;
mod live;
mod output;
mod position;
mod processor;
mod referee;
mod tables;
mod terminal;
mod text;
mod tui;
mod uci;

use std::io::IsTerminal;
use std::process::ExitCode;
use std::thread;

use clap::Parser;
use tabia_arena::driver::launch;
use tabia_arena::parallel;
use tabia_search::engine::STACK_BYTES;

use cli::{Cli, Command};

fn main() -> ExitCode {
    processor::choose().unwrap_or_else(work)
}

/// Searches recurse deeply, so that everything runs on a thread with the stack that the engine asks for. Not inlined: nothing of
/// it may run before it is known that the processor can.
#[inline(never)]
fn work() -> ExitCode {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_some_and(|word| word == launch::ENGINE_ARGUMENT) {
        return launch::run(words).unwrap_or_else(|error| failure::report(&error.into()));
    }
    let referee = std::env::args_os().nth(1).is_some_and(|word| word == referee::WORD);
    let start = if referee { referee::serve } else { start };
    match thread::Builder::new().name("tabia".to_owned()).stack_size(STACK_BYTES).spawn(start) {
        // A panic has already said what it had to say.
        Ok(work) => work.join().unwrap_or(ExitCode::from(101)),
        Err(error) => failure::report(&anyhow::Error::new(error).context("cannot start a thread")),
    }
}

fn start() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(refusal) => return failure::refuse(&refusal),
    };
    let done = match cli.command {
        None if std::io::stdin().is_terminal() => run(&Command::serve()),
        None => run(&Command::uci()),
        Some(command) => run(&command),
    };
    done.unwrap_or_else(|error| failure::report(&error))
}

fn run(command: &Command) -> anyhow::Result<ExitCode> {
    match command {
        Command::Serve(args) => commands::serve::run(args),
        Command::Play(args) => commands::play::run(args),
        Command::Analyze(args) => commands::analyze::run(args),
        Command::Exercises(args) => commands::exercises::run(args),
        Command::Explain(args) => commands::explain::run(args),
        Command::Match(args) => commands::matches::run(args),
        Command::Eval(args) => commands::eval::run(args),
        Command::Field(args) => commands::field::run(args),
        Command::Uci(args) => uci::run(args),
        Command::Agents(args) => commands::agents::run(args),
        Command::Bench(args) => commands::bench::run(args),
        Command::Perft(args) => commands::perft::run(args),
        Command::Datagen(args) => commands::datagen::run(args),
        Command::Tune(args) => commands::tune::run(args),
        Command::Spsa(args) => commands::spsa::run(args),
        Command::Evolve(args) => commands::evolve::run(args),
        Command::Samples(args) => commands::samples::run(args),
        Command::Suite(args) => commands::suite::run(args),
        Command::Motifs(args) => commands::motifs::run(args),
        Command::Replay(args) => commands::replay::run(args),
        Command::Reproduce(args) => commands::reproduce::run(args),
        Command::Quantum(args) => commands::quantum::run(args),
        Command::Worker(args) => commands::worker::run(args),
        Command::Completions(args) => commands::completions::run(args),
        Command::Man(args) => commands::man::run(args),
    }
}
