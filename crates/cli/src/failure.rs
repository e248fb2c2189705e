//! Error messages and exit statuses.

use std::error::Error as _;
use std::io::{self, IsTerminal};
use std::mem;
use std::process::ExitCode;

use tabia_core::{printable_lines, wording};

use crate::numbers;

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
    let mut messages: Vec<String> = error.chain().map(|cause| wording::plain(&cause.to_string())).collect();
    messages.dedup_by(|cause, said| {
        // Some causes repeat what the error says, and some errors contain their cause.
        if cause.starts_with(&*said) {
            mem::swap(cause, said);
            return true;
        }
        said.ends_with(&*cause)
    });
    for (index, message) in messages.iter().enumerate() {
        let before = if index == 0 { "tabia: error" } else { "  because" };
        eprintln!("{before}: {}", printable_lines(message));
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
    let (mut plain, mut styled) = (text.to_string(), text.ansi().to_string());
    if let Some(cause) = refusal.source()
        && let Some(words) = numbers::in_words(cause)
    {
        for text in [&mut plain, &mut styled] {
            *text = text.replace(&cause.to_string(), &words);
        }
    }
    // Help without --help is no error.
    let is_help = refusal.kind() == clap::error::ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand;
    let name = if is_help { "" } else { "tabia: " };
    if io::stderr().is_terminal() {
        eprint!("{name}{styled}");
    } else {
        eprint!("{name}{plain}");
    }
    ExitCode::from(USAGE)
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<io::Error>())
        .any(|cause| cause.kind() == io::ErrorKind::BrokenPipe)
}
