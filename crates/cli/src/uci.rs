//! `tabia uci`: the engine behind the Universal Chess Interface, on standard input and output.

use std::io::{BufRead, Write};
use std::process::ExitCode;
use std::time::{SystemTime, UNIX_EPOCH};

use tabia_core::AgentSpec;
use tabia_uci_engine::{Ended, Output, Setup, UciEngineError, UciSession};

use crate::catalogue;

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

/// Runs the UCI loop on standard input and output until `quit` or the end of input.
pub fn run(args: &UciArgs) -> anyhow::Result<ExitCode> {
    let output = Output::new(|line| {
        let mut out = std::io::stdout().lock();
        // A closed output is not an error: the end of input follows.
        let _ = writeln!(out, "{line}");
        let _ = out.flush();
    });
    let (catalogue, files) = (catalogue::chess(), catalogue::files());
    let setup = Setup {
        spec: &args.agent,
        catalogue: &catalogue,
        files: &files,
        tune: args.tune,
        seed: seed_of_now,
        available_memory: tabia_run::memory::available_bytes,
    };
    let session = UciSession::new(&setup, output).map_err(|error| match error {
        UciEngineError::Agent(error) => catalogue::refused::<tabia_core::ChessGame>(&error).into(),
        error => anyhow::Error::new(error),
    })?;
    let input = session.input();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().split(b'\n') {
            let Ok(line) = line else { break };
            // Invalid UTF-8 is replaced, not refused.
            if !input.line(&String::from_utf8_lossy(&line)) {
                return;
            }
        }
        input.end();
    });
    Ok(match session.run() {
        Ended::Quit => ExitCode::SUCCESS,
        Ended::Abandoned => ExitCode::FAILURE,
    })
}

fn seed_of_now() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(1, |time| time.as_nanos() as u64)
}
