//! Catalogue entries of engines: `uci(cmd=…)` and `xboard(cmd=…)`.

use std::time::Duration;

use tabia_core::{AgentEntry, ChessGame, OptionEntry, OptionKind, Options};

use super::command::CommandLine;
use super::launch::Launcher;
use super::uci::{Setup, UciEngine};
use super::xboard::XboardEngine;

/// Time for the handshake of an engine outside of matches.
const STARTUP_TIMEOUT: Duration = Duration::from_secs(20);

/// The agent that is any UCI engine.
pub const UCI: &str = "uci";
/// The agent that is any engine of the older protocol.
pub const XBOARD: &str = "xboard";

/// Both entries; engines are started through `launcher`.
pub fn entries(launcher: &Launcher) -> Vec<AgentEntry<ChessGame>> {
    let (for_uci, for_xboard) = (launcher.clone(), launcher.clone());
    let mut uci = options();
    uci.push(text("option.", "an option of the engine: option.Hash=64, option.Skill_Level=5"));
    vec![
        AgentEntry {
            name: UCI,
            summary: "any UCI engine, as a child process; one thread and no book of its own unless told",
            options: uci,
            build: Box::new(move |options| {
                let setup =
                    setup(options, &for_uci, STARTUP_TIMEOUT, false).map_err(|why| options.refuse(why))?;
                Ok(Box::new(UciEngine::start(&setup).map_err(|fault| options.refuse(fault))?))
            }),
        },
        AgentEntry {
            name: XBOARD,
            summary: "any engine of the xboard protocol, as a child process; by clock, depth or whole seconds",
            options: options(),
            build: Box::new(move |options| {
                let setup =
                    setup(options, &for_xboard, STARTUP_TIMEOUT, false).map_err(|why| options.refuse(why))?;
                Ok(Box::new(XboardEngine::start(&setup).map_err(|fault| options.refuse(fault))?))
            }),
        },
    ]
}

fn options() -> Vec<OptionEntry> {
    vec![
        text("cmd", "the program, with arguments if it needs some"),
        text("args", "more arguments"),
        text("dir", "the directory it runs in"),
    ]
}

fn text(key: &'static str, help: &'static str) -> OptionEntry {
    OptionEntry { key, kind: OptionKind::Text, default: "", help }
}

/// The setup of an engine from the options of its spec.
pub(super) fn setup(
    options: &Options,
    launcher: &Launcher,
    timeout: Duration,
    ponder: bool,
) -> Result<Setup, super::CommandError> {
    Ok(Setup {
        command: CommandLine::read(
            options.text("cmd").unwrap_or_default(),
            options.text("args"),
            options.text("dir"),
        )?,
        launcher: launcher.clone(),
        options: options.under("option.").map(|(key, value)| (key.to_owned(), value.to_owned())).collect(),
        ponder,
        timeout,
    })
}
