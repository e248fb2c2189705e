//! The binary `tabia`: arguments in, text out.
//!
//! The only crate that prints. Each command is a file under [`commands`]; shared parts are here: the command line
//! ([`cli`]), the catalogue of agents ([`catalogue`]), local or distributed execution ([`grid`]), Ctrl-C
//! ([`interrupt`]), terminal output ([`terminal`], [`live`], [`diagram`], [`tui`]), and error messages ([`failure`]).

mod catalogue;
mod cli;
mod commands;
mod device;
mod diagram;
mod evaluations;
mod failure;
mod files;
mod games;
mod grid;
mod interrupt;
mod limits;
mod live;
mod numbers;
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

/// Searches recurse deeply, so everything runs on a thread with the stack size that the engine needs. Not inlined:
/// none of it may run before the processor has been checked.
#[inline(never)]
fn work() -> ExitCode {
    let mut args = std::env::args_os().skip(1);
    if args.next().is_some_and(|word| word == launch::ENGINE_ARGUMENT) {
        return launch::run(args).unwrap_or_else(|error| failure::report(&error.into()));
    }
    let referee = std::env::args_os().nth(1).is_some_and(|word| word == referee::ARGUMENT);
    let start = if referee { commands::worker::serve_referee } else { start };
    match thread::Builder::new().name("tabia".to_owned()).stack_size(STACK_BYTES).spawn(start) {
        // The panic hook has already printed the message.
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
