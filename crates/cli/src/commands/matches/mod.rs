//! `tabia match`: games between agents, with Elo and error bars.
//!
//! [`request`] turns the arguments into settings, [`screen`] shows progress; everything else is in the arena.

pub(crate) mod args;
mod outputs;
pub(crate) mod request;
pub(crate) mod screen;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::Context;
use tabia_arena::driver::{Launcher, PlayerFactory};
use tabia_arena::report;
use tabia_arena::tournament::chess::chess_match::{FinishedMatch, KIND};
use tabia_arena::tournament::chess::{ChessMatch, Concurrency, Origin, Settings, tablebases};
use tabia_arena::tournament::{GameTask, TournamentError, make_names_printable};
use tabia_grid::Grid;
use tabia_run::atomic_file;
use tabia_run::{RunDirectory, RunError};

use crate::commands::play::replay::Timestamp;
use crate::failure::Usage;
use crate::{catalogue, files, grid, interrupt, output, parallel};
pub use args::MatchArgs;
use outputs::Outputs;
use screen::{MatchHeader, Screen};

/// Plays a match.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    for path in args.pgn.iter().chain(&args.html) {
        files::refuse_nowhere(path)?;
    }
    let chess_match = chess_match(args)?;
    let outputs = Outputs { pgn: args.pgn.clone(), html: args.html.clone() };
    // Only a person may choose extra output files; a match resumed through the server has none.
    let outputs = match chess_match.path() {
        Some(run) if args.confine.is_none() => outputs.kept_in(run)?,
        _ => outputs,
    };
    let chess_match = chess_match.with_pgn(outputs.pgn.clone());
    if args.run.is_none() {
        chess_match.try_players()?;
    }
    let concurrency = Concurrency { workers: workers(args, chess_match.settings()), pinned: args.pin };
    let stop = interrupt::stop_flag()?;
    if args.end_with_input {
        interrupt::stop_with_input(&stop);
    }
    let settings = chess_match.settings();
    let mut screen = Screen::new(&MatchHeader {
        names: settings.agents.iter().map(|agent| agent.name.clone()).collect(),
        games: settings.schedule().len(),
        before: chess_match.already_played(),
        dropped_bytes: chess_match.dropped_bytes(),
        workers: (!args.grid.is_remote()).then_some(concurrency.workers),
    });
    let specs: Vec<&str> = settings.agents.iter().map(|agent| agent.spec.as_str()).collect();
    let repeatable = !settings.is_timed() && grid::are_repeatable(specs.iter().copied());
    let workers = args.grid.open(chess_match.path(), repeatable, || {
        let shared = grid::with_files(chess_match.shared(), specs)?;
        match &settings.syzygy {
            Some(paths) => tablebases::share_list(shared, paths).map_err(anyhow::Error::msg),
            None => Ok(shared),
        }
    })?;
    let status = || workers.as_ref().map(|nats| nats.status());
    let elsewhere = workers.as_deref().map(|nats| nats as &dyn Grid<GameTask>);
    let played = chess_match
        .play(concurrency, elsewhere, &stop, &mut |progress| screen.show(progress, status().as_ref()));
    screen.finish();
    if let Some(nats) = &workers {
        nats.finish(played.as_ref().is_ok_and(|played| played.result.ending != "interrupted"));
    }
    let played = played?;
    print(args, &outputs, &played)?;
    if let Some(path) = &outputs.html {
        let page = report::page(&played.standings);
        atomic_file::write_bytes(path, page.as_bytes())
            .with_context(|| format!("cannot write the report to {}", path.display()))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Opens a new match, or resumes one.
fn chess_match(args: &MatchArgs) -> anyhow::Result<ChessMatch> {
    let origin =
        Origin { version: env!("CARGO_PKG_VERSION").to_owned(), date: Some(Timestamp::now().date()) };
    let chess_match = if let Some(path) = &args.resume {
        let (directory, mut manifest) = RunDirectory::open(path)?;
        make_names_printable(&mut manifest);
        if manifest.kind != KIND {
            return Err(Usage(format!(
                "{} holds a run of another kind; go on with it by `tabia {} --resume`",
                path.display(),
                manifest.kind
            ))
            .into());
        }
        let there: Settings = manifest.settings(path)?;
        let (settings, openings) = request::over(args, Some(&there))?;
        let factory = factory(args, &settings);
        ChessMatch::resume(directory, &manifest, settings, factory, &openings, &origin)
    } else {
        let (settings, openings) = request::over(args, None)?;
        args.grid.try_connection()?;
        let factory = factory(args, &settings);
        ChessMatch::new(settings, factory, &openings, args.run.as_deref(), &origin)
    };
    chess_match.map_err(|error| match error {
        TournamentError::Settings(why) => Usage(why).into(),
        TournamentError::Run(RunError::Different { .. } | RunError::Occupied(_)) => {
            Usage(error.to_string()).into()
        }
        other => other.into(),
    })
}

fn factory(args: &MatchArgs, settings: &Settings) -> PlayerFactory {
    let timeout = Duration::from_millis(settings.stall_ms);
    let launcher =
        args.confine.clone().map_or_else(Launcher::supervised_by_this_program, Launcher::sandboxed);
    PlayerFactory::new(catalogue::chess_through(&launcher), launcher, settings.ponder, timeout)
}

/// One game per processor; with a clock half as many, so that other load on the machine does not decide games.
fn workers(args: &MatchArgs, settings: &Settings) -> usize {
    let all = parallel::all_cores().get();
    args.concurrency.unwrap_or(if settings.is_timed() { (all / 2).max(1) } else { all })
}

fn print(args: &MatchArgs, outputs: &Outputs, played: &FinishedMatch) -> anyhow::Result<()> {
    if args.json {
        return output::json(&played.result);
    }
    let mut out = io::stdout().lock();
    let result = &played.result;
    if result.games_played == 0 {
        writeln!(out, "No game was finished.")?;
    } else {
        // Openings and settings are in the report; here they would hide the result.
        let tables = report::tables(&played.standings);
        for table in tables.iter().filter(|table| !["Openings", "Settings"].contains(&table.title.as_str())) {
            writeln!(out, "{table}")?;
        }
        writeln!(
            out,
            "{} of {} games, seen by {}; {}.",
            result.games_played, result.games_planned, result.agents[0], result.ending
        )?;
    }
    for (what, path) in [("Games", outputs.pgn.as_deref()), ("Report", outputs.html.as_deref())] {
        if let Some(path) = path {
            writeln!(out, "{what}: {}", path.display())?;
        }
    }
    if let Some(run) = result.run.as_deref().map(Path::new) {
        writeln!(out, "Run: {}", run.display())?;
        if result.ending == "interrupted" {
            writeln!(out, "Go on with: tabia match --resume {}", run.display())?;
        }
    }
    Ok(())
}
