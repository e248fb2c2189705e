//! `tabia evolve`: the genetic algorithm, and what becomes of its champions.
//!
//! [`settings`] turns what was typed into settings, [`screen`] shows an evolution in progress, [`trial`] plays the games that champions are judged by;
//! everything else is the crate's.

mod args;
mod screen;
mod settings;
mod trial;

use std::io::{self, Write};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use serde::Serialize;
use tabia_evolve::{
    Evolution, EvolveError, Fitness, OpeningSettings, Outcome, Settings, label, local_grid, report,
};
use tabia_grid::SharedFiles;
use tabia_run::RunError;
use tabia_run::atomic_file;

use crate::failure::Usage;
use crate::grid::{self, RunGrid};
use crate::{catalogue, files, interrupt, output, parallel};
pub use args::EvolveArgs;
use args::{FollowUp, LabelArgs, RunArgs};
use screen::Screen;

/// Default directory of a run.
const DIRECTORY: &str = "evolution";
/// Who labels positions: the strongest there is.
const LABELLER: &str = "engine(hash=16)";

/// The result as JSON.
#[derive(Serialize)]
struct Summary<'a> {
    run: &'a Path,
    #[serde(flatten)]
    outcome: Option<&'a Outcome>,
    tasks_per_second: f64,
}

/// Evolves, or looks at what has evolved.
pub fn run(args: &EvolveArgs) -> anyhow::Result<ExitCode> {
    let done = match &args.follow_up {
        None => evolve(&args.run),
        Some(FollowUp::Exam(args)) => trial::exam(args),
        Some(FollowUp::Rate(args)) => trial::rate(args),
        Some(FollowUp::Report { run }) => draw(run),
        Some(FollowUp::Label(args)) => label(args),
    };
    done.map_err(|error| match error.downcast::<EvolveError>() {
        Ok(EvolveError::Settings(why)) => Usage(why).into(),
        Ok(EvolveError::Run(error @ (RunError::Different { .. } | RunError::Occupied(_)))) => {
            Usage(error.to_string()).into()
        }
        Ok(error) => error.into(),
        Err(error) => error,
    })
}

fn evolve(args: &RunArgs) -> anyhow::Result<ExitCode> {
    let agents = catalogue::chess();
    let version = env!("CARGO_PKG_VERSION");
    let path = args.resume.clone().or(args.run.clone()).unwrap_or_else(|| PathBuf::from(DIRECTORY));
    let mut evolution = if args.resume.is_some() {
        let (there, _) = Evolution::settings_of(&path)?;
        Evolution::resume(&path, settings::over(args, Some(&there), &agents)?, version)?
    } else {
        let settings = settings::over(args, None, &agents)?;
        args.grid.try_connection()?;
        Evolution::start(&path, settings, version)?
    };
    let stop = interrupt::stop_flag()?;
    let threads = threads(args.threads);
    let repeatable = grid::are_repeatable(specs(evolution.settings()));
    let workers = args.grid.open(Some(&path), repeatable, || shared(evolution.settings()))?;
    let place = workers.map_or_else(|| RunGrid::Threads(local_grid(threads, &agents)), RunGrid::Workers);
    let mut screen = Screen::new(&evolution, (!args.grid.is_remote()).then_some(threads));
    let outcome =
        evolution.run(place.grid(), &stop, &mut |progress| screen.show(progress, place.status().as_ref()));
    place.finish(matches!(outcome, Ok(Some(_))));
    let rate = screen.finish(evolution.history().generations.last());
    let outcome = outcome?;
    if outcome.is_none() && !evolution.history().generations.is_empty() {
        report(&path)?;
    }
    if args.json {
        output::json(&Summary { run: &path, outcome: outcome.as_ref(), tasks_per_second: rate })?;
    } else {
        print(&path, outcome.as_ref(), rate)?;
    }
    Ok(if outcome.is_some() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Agents that are played against.
fn specs(settings: &Settings) -> Vec<&str> {
    match &settings.fitness {
        Fitness::Game(games) => vec![games.opponent.as_str(), games.opening.agent.as_str()],
        Fitness::Positions(_) | Fitness::Mentor(_) => Vec::new(),
    }
}

/// Shared files for workers: the opponent's weights.
fn shared(settings: &Settings) -> anyhow::Result<SharedFiles> {
    grid::with_files(SharedFiles::default(), specs(settings))
}

fn print(path: &Path, outcome: Option<&Outcome>, rate: f64) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    let Some(outcome) = outcome else {
        writeln!(out, "Interrupted. Go on with: tabia evolve --resume {}", path.display())?;
        return Ok(());
    };
    writeln!(
        out,
        "{} generations: mean fitness {:.1} in the first, {:.1} in the last; the champion has {:.1}; {rate:.1} tasks a second",
        outcome.generations, outcome.first[1], outcome.mean, outcome.best
    )?;
    writeln!(out, "Champion: {}", path.join(tabia_evolve::CHAMPION).display())?;
    writeln!(out, "Report: {}", path.join("report.html").display())?;
    writeln!(out, "Test it with: tabia evolve exam {}", path.display())?;
    Ok(())
}

fn draw(path: &Path) -> anyhow::Result<ExitCode> {
    let written = report(path)?;
    writeln!(io::stdout(), "{}: {}", path.display(), written.join(", "))?;
    Ok(ExitCode::SUCCESS)
}

/// Positions by several threads, in the order of their numbers.
fn label(args: &LabelArgs) -> anyhow::Result<ExitCode> {
    files::refuse_nowhere(&args.output)?;
    let agents = catalogue::chess();
    let stop = interrupt::stop_flag()?;
    let numbers: Vec<u64> = (0..args.count.get()).collect();
    let threads = NonZero::new(threads(args.threads)).unwrap_or(NonZero::<usize>::MIN);
    let opening = OpeningSettings::by(LABELLER);
    // A thread takes a good many at once, so that engines need not be made for each.
    let parts: Vec<&[u64]> = numbers.chunks(numbers.len().div_ceil(threads.get() * 4)).collect();
    let found = parallel::map(&parts, threads, |part| -> anyhow::Result<Vec<String>> {
        let mut engine = agents.build_from_text(LABELLER)?;
        let mut lines = Vec::new();
        for number in *part {
            lines.extend(label::position(
                &mut *engine,
                &opening,
                args.nodes.get(),
                args.seed.into(),
                *number,
                &stop,
            )?);
        }
        Ok(lines)
    });
    if stop.is_stopped() {
        anyhow::bail!("interrupted: nothing was written");
    }
    let lines: Vec<String> = found.into_iter().collect::<anyhow::Result<Vec<_>>>()?.concat();
    atomic_file::write_bytes(&args.output, (lines.join("\n") + "\n").as_bytes())
        .with_context(|| format!("cannot write {}", args.output.display()))?;
    writeln!(io::stdout(), "{} positions in {}", lines.len(), args.output.display())?;
    Ok(ExitCode::SUCCESS)
}

fn threads(requested: Option<NonZero<usize>>) -> usize {
    requested.unwrap_or_else(parallel::all_cores).get()
}
