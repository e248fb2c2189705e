//! Error messages and exit statuses.

use std::io::{self, IsTerminal};
use std::process::ExitCode;

use tabia_core::printable_lines;

/// The exit status of wrong usage.
const USAGE: u8 = 2;

/// A usage error: exit status 2.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{0}")]
pub struct Usage(pub String);

/// Prints an error with its causes, and returns the exit status.
pub fn report(error: &anyhow::Error) -> ExitCode {
    if is_broken_pipe(error) {
        // A closed pipe is not an error: `tabia agents | head`.
        return ExitCode::SUCCESS;
    }
    let mut said = error.to_string();
    eprintln!("tabia: error: {}", printable_lines(&said));
    for cause in error.chain().skip(1).map(ToString::to_string) {
        // Some errors already contain their cause.
        if !said.ends_with(&cause) {
            eprintln!("  because: {}", printable_lines(&cause));
            said = cause;
        }
    }
    if error.downcast_ref::<Usage>().is_some() { ExitCode::from(USAGE) } else { ExitCode::FAILURE }
}

/// Prints clap's help or error.
pub fn refuse(refusal: &clap::Error) -> ExitCode {
    if !refusal.use_stderr() {
        // Best effort.
        let _ = refusal.print();
        return ExitCode::SUCCESS;
    }
    let text = refusal.render();
    // Help without --help is no error.
    let is_help = refusal.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let name = if is_help { "" } else { "tabia: " };
    if io::stderr().is_terminal() {
        eprint!("{name}{}", text.ansi());
    } else {
        eprint!("{name}{text}");
    }
    ExitCode::from(USAGE)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
