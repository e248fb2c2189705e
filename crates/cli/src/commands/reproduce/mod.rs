//! `tabia reproduce`: the figures of a seed, measured on this machine.
//!
//! [`screen`] shows how far it has come and [`machine`] says where; everything else is the crate's.

mod machine;
mod screen;

use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::ValueEnum;
use tabia_arena::driver::Launcher;
use tabia_reproduce::{
    Extent, Inputs, Origin, Players, Report, ReproduceError, Reproduction, Seed, Settings, Verdict,
};
use tabia_run::RunError;

use crate::commands::play::replay::Timestamp;
use crate::failure::Usage;
use crate::{catalogue, interrupt, parallel, text};
use screen::Screen;

/// Arguments of `tabia reproduce`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Each step is kept in the directory as it ends; the same command goes on where it was interrupted. The report is there from the first step on, as \
report.md, report.html and report.json. In the data folder of a server (-o ~/.local/share/tabia/runs/NAME) the page shows it, too.

Ratings are against Stockfish at known strengths where it is installed, else against our own engine's levels.

Examples:
  tabia reproduce alphabeta --quick
  tabia reproduce all -o reproduction
  tabia reproduce axiomx --games masters.pgn --epd wac300.epd
  tabia reproduce quantum --training runs/quantum --json")]
pub struct ReproduceArgs {
    /// Whose figures.
    #[arg(value_enum)]
    pub what: What,
    /// Minutes instead of three hours: fewer games and positions.
    #[arg(long)]
    pub quick: bool,
    /// Seconds: every part runs, no number means much.
    #[arg(long, conflicts_with = "quick")]
    pub taste: bool,
    /// The directory of the run [default: reproduction, or reproduction-quick, reproduction-taste].
    #[arg(short, long = "output", value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Games of masters to compare opening moves with, instead of the built-in ones.
    #[arg(long, value_name = "PGN")]
    pub games: Option<PathBuf>,
    /// Test positions to solve beside the built-in ones.
    #[arg(long, value_name = "FILE")]
    pub epd: Option<PathBuf>,
    /// A training of quantum chess, for its learning curve [default: that of seed 004's own network].
    #[arg(long, value_name = "RUN_DIR")]
    pub training: Option<PathBuf>,
    /// Threads [default: all cores].
    #[arg(long, value_name = "N")]
    pub threads: Option<NonZero<usize>>,
    /// Print the report as one JSON document.
    #[arg(long)]
    pub json: bool,
}

/// Whose figures.
#[derive(Copy, Clone, Debug, PartialEq, Eq, ValueEnum)]
pub enum What {
    /// Seed 000: gradient fields.
    Axiomx,
    /// Seed 001: alpha-beta.
    Alphabeta,
    /// Seed 002: the evaluation of Axon.
    Axon,
    /// Seed 003: the genetic algorithm.
    Genetic,
    /// Seed 004: quantum chess.
    Quantum,
    /// All of them.
    All,
}

impl What {
    fn seeds(self) -> Vec<Seed> {
        match self {
            What::Axiomx => vec![Seed::Axiomx],
            What::Alphabeta => vec![Seed::Alphabeta],
            What::Axon => vec![Seed::Axon],
            What::Genetic => vec![Seed::Genetic],
            What::Quantum => vec![Seed::Quantum],
            What::All => Seed::ALL.to_vec(),
        }
    }
}

/// Measures, and writes the report.
pub fn run(args: &ReproduceArgs) -> anyhow::Result<ExitCode> {
    let extent = match (args.taste, args.quick) {
        (true, _) => Extent::Taste,
        (_, true) => Extent::Quick,
        _ => Extent::Full,
    };
    for path in [&args.games, &args.epd].into_iter().flatten() {
        if !path.is_file() {
            return Err(Usage(format!("there is no file {}", path.display())).into());
        }
    }
    if let Some(path) = args.training.as_ref().filter(|path| !path.is_dir()) {
        return Err(Usage(format!("there is no run in {}", path.display())).into());
    }
    let settings = Settings {
        seeds: args.what.seeds(),
        extent,
        inputs: Inputs { games: args.games.clone(), epd: args.epd.clone(), training: args.training.clone() },
    };
    let path = args.output.clone().unwrap_or_else(|| {
        PathBuf::from(match extent {
            Extent::Taste => "reproduction-taste",
            Extent::Quick => "reproduction-quick",
            Extent::Full => "reproduction",
        })
    });
    let origin = Origin {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        date: Some(Timestamp::now().date().replace('.', "-")),
        machine: Some(machine::description()),
    };
    let mut reproduction = Reproduction::open(&path, settings, origin).map_err(usage)?;
    let stop = interrupt::stop_flag()?;
    let threads = args.threads.unwrap_or_else(parallel::all_cores).get();
    let players = Players { catalogue: catalogue::chess, launcher: Launcher::supervised_by_this_program() };
    let (steps, before) = reproduction.steps();
    let mut screen = Screen::new(steps, before, threads);
    let finished = reproduction.run(&players, threads, &stop, &mut |progress| screen.show(progress));
    screen.finish();
    let finished = finished.map_err(usage)?;
    let report = reproduction.report();
    if args.json {
        write!(io::stdout(), "{}", report.json())?;
    } else {
        print(&report, &path.display().to_string(), finished)?;
    }
    Ok(if finished { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

fn print(report: &Report, path: &str, finished: bool) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    for record in &report.records {
        writeln!(out, "{}: {}", record.seed, record.title)?;
        for figure in &record.figures {
            let seed = if figure.seed.is_some() {
                format!(", the seed {}", figure.seed_text())
            } else {
                String::new()
            };
            let verdict = match figure.verdict {
                Verdict::TheSeedGivesNone => String::new(),
                verdict => format!(": {}", verdict.label()),
            };
            writeln!(out, "  {}: {}{seed}{verdict}", figure.what, figure.ours_text())?;
        }
    }
    let summary = report.summary();
    writeln!(
        out,
        "{} in {}.",
        text::counted(summary.figures as u64, "figure"),
        text::counted(summary.steps as u64, "step")
    )?;
    writeln!(out, "Report: {path}/report.html")?;
    if !finished {
        writeln!(out, "Interrupted. The same command goes on.")?;
    }
    Ok(())
}

/// What was asked for wrongly is wrong usage.
fn usage(error: ReproduceError) -> anyhow::Error {
    match error {
        ReproduceError::Settings(why) => Usage(why).into(),
        ReproduceError::Run(error @ RunError::Different { .. }) => {
            Usage(format!("{error}; choose another directory with -o")).into()
        }
        other => other.into(),
    }
}
