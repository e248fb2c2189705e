//! `tabia completions`: the script that teaches a shell our words.

use std::io::{self, Write};
use std::process::ExitCode;

use clap::CommandFactory;
use clap_complete::Shell;

use crate::cli::Cli;

/// Arguments of `tabia completions`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabia completions bash > ~/.local/share/bash-completion/completions/tabia
  tabia completions fish > ~/.config/fish/completions/tabia.fish")]
pub struct CompletionsArgs {
    /// Which shell.
    shell: Shell,
}

/// Prints the script.
pub fn run(args: &CompletionsArgs) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "tabia", &mut script);
    io::stdout().write_all(&script)?;
    Ok(ExitCode::SUCCESS)
}
