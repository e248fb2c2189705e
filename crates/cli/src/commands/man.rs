//! `tabia man`: the manual pages, from the same declarations as `--help`.

use std::io::{self, Write};
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use clap::CommandFactory;
use tabia_run::atomic_file;

use crate::cli::Cli;

/// Arguments of `tabia man`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  tabia man | man -l -
  tabia man -o ~/.local/share/man/man1")]
pub struct ManArgs {
    /// Write a page for `tabia` and one for each command into this folder, instead of printing the first.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Prints or writes the pages.
pub fn run(args: &ManArgs) -> anyhow::Result<ExitCode> {
    let command = Cli::command();
    match &args.output {
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(command).render(&mut page)?;
            io::stdout().write_all(&page)?;
        }
        Some(folder) => {
            let wrote = || format!("cannot write manual pages to {}", folder.display());
            atomic_file::create_directory(folder).with_context(wrote)?;
            clap_mangen::generate_to(command, folder).with_context(wrote)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}
