//! `tabia quantum match`: matches between agents, every opening with both colours.
//!
//! The match itself is in the arena ([`tabia_arena::quantum`]); here are the arguments ([`args`], [`request`]) and
//! the output.

mod args;
mod request;

use std::io::{self, Write};
use std::process::ExitCode;

use anyhow::Context;
use tabia_arena::quantum::{KIND, MatchWriter, QuantumGameRunner, Report, Settings};
use tabia_arena::tournament::{
    Journal, Progress, Scoreboard, Tournament, TournamentError, make_names_printable,
};
use tabia_arena::{parallel, report};
use tabia_run::atomic_file;
use tabia_run::{Manifest, RunDirectory, RunError};

pub use args::MatchArgs;

use crate::commands::matches::screen::{MatchHeader, Screen};
use crate::device::load_into;
use crate::failure::Usage;
use crate::{catalogue, device, interrupt, output};

/// Plays a match.
pub fn run(args: &MatchArgs) -> anyhow::Result<ExitCode> {
    let (settings, directory, mut journal) = opened(args).map_err(readable_error)?;
    let schedule = settings.schedule();
    let workers = args.concurrency.unwrap_or_else(|| parallel::all_cores().get());
    let stop = interrupt::stop_flag()?;
    let pool = args.device.pool(workers, stop.clone());
    let runner =
        QuantumGameRunner::new(&settings, catalogue::quantum_on(load_into(&pool))).map_err(readable_error)?;
    device::announce(&pool);
    let mut screen = Screen::new(&MatchHeader {
        names: settings.agents.iter().map(|agent| agent.name.clone()).collect(),
        games: schedule.len(),
        before: journal.len(),
        dropped_bytes: journal.dropped(),
        workers: Some(workers),
    });
    let sprt = settings.sequential_test()?;
    let mut scoreboard = Scoreboard::new(&schedule, settings.agents.len(), sprt);
    let mut show = |progress: &Progress<'_>| screen.show(progress, None);
    let mut writer = MatchWriter::new(&settings, &schedule, directory.as_ref(), &mut show);
    let tournament = Tournament { runner: &runner, schedule: &schedule, workers, grid: None, stop: &stop };
    let ending = tournament.play(&mut journal, &mut scoreboard, &mut writer);
    screen.finish();
    let run = directory.map(|directory| directory.path().display().to_string());
    let standings = settings.standings(&scoreboard)?;
    let report = Report::new(&settings, &schedule, &standings, ending?, run, &mut journal)?;
    if let Some(path) = &args.html {
        atomic_file::write_bytes(path, report::page(&standings).as_bytes())
            .with_context(|| format!("cannot write the report to {}", path.display()))?;
    }
    print(args, &report, &standings)?;
    pool.failure().map_or(Ok(ExitCode::SUCCESS), |error| Err(error.into()))
}

/// Opens a new match or resumes one; returns it with its writer.
fn opened(args: &MatchArgs) -> anyhow::Result<(Settings, Option<RunDirectory>, Journal)> {
    let manifest = |settings: &Settings| Manifest::new(KIND, env!("CARGO_PKG_VERSION"), None, settings);
    if let Some(path) = &args.resume {
        let (directory, mut there) = RunDirectory::open(path)?;
        make_names_printable(&mut there);
        if there.kind != KIND {
            return Err(Usage(format!(
                "{} holds a run of another kind: {}; `tabia match --resume` goes on with matches of chess",
                path.display(),
                there.kind
            ))
            .into());
        }
        let settings = request::settings(args, Some(&there.settings(path)?))?;
        if let Some(differences) = there.differences(&manifest(&settings)?) {
            let error = RunError::Different { path: path.clone(), differences };
            return Err(TournamentError::from(error).into());
        }
        settings.check()?;
        let journal = Journal::resume(&directory)?;
        return Ok((settings, Some(directory), journal));
    }
    let settings = request::settings(args, None)?;
    settings.check()?;
    Ok(match &args.run {
        None => (settings, None, Journal::in_memory()),
        Some(path) => {
            let (directory, journal) = Journal::start(path, &manifest(&settings)?)?;
            (settings, Some(directory), journal)
        }
    })
}

/// Reports invalid settings as usage errors.
fn readable_error(error: impl Into<anyhow::Error>) -> anyhow::Error {
    let error = error.into();
    match error.downcast_ref() {
        Some(
            TournamentError::Settings(_)
            | TournamentError::Run(RunError::Different { .. } | RunError::Occupied(_)),
        ) => Usage(error.to_string()).into(),
        _ => error,
    }
}

fn print(args: &MatchArgs, report: &Report, standings: &report::Standings) -> anyhow::Result<()> {
    if args.json {
        return output::json(report);
    }
    let mut out = io::stdout().lock();
    let result = &report.result;
    if result.games_played == 0 {
        writeln!(out, "No game was finished.")?;
    } else {
        for table in report::tables(standings).iter().filter(|table| table.title != "Settings") {
            writeln!(out, "{table}")?;
        }
        writeln!(
            out,
            "A game: {:.0} plies, {:.0} branches at most, {:.1} measurements.",
            result.mean_plies.unwrap_or_default(),
            report.mean_most_branches,
            report.mean_measurements
        )?;
        writeln!(
            out,
            "{} of {} games, seen by {}; {}.",
            result.games_played, result.games_planned, result.agents[0], result.ending
        )?;
    }
    if let Some(path) = &args.html {
        writeln!(out, "Report: {}", path.display())?;
    }
    if let Some(run) = &result.run {
        writeln!(out, "Run: {run}")?;
        if result.ending == "interrupted" {
            writeln!(out, "Go on with: tabia quantum match --resume {run}")?;
        }
    }
    Ok(())
}
