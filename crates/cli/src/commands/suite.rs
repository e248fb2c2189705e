//! `tabia suite`: positions with known answers, solved by an agent.

mod report;

use std::io;
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Context;
use tabia_arena::suite::{self, Problem};
use tabia_core::AgentSpec;

use crate::limits::LimitArgs;
use crate::terminal::{self, Paint};
use crate::{catalogue, games, interrupt, output, parallel};
use report::{FileReport, Report};

/// Arguments of `tabia suite`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
A line of EPD is solved by one of its `bm` moves, by none of its `am` moves, or, with `dm 3`, `bm #3` or `ce +M3`, by \
announcing a mate that is no longer. Where moves have points (`c0 \"f5=10, Be5+=2\"`), those are added up. A file that \
ends in .csv has lichess puzzles: the whole line must be found, and a rating is estimated from the ratings of solved and unsolved puzzles. Bounded by nodes or depth, the answers are the same on any number of threads.

In JSON: {\"positions\",\"solved\",\"score\",\"max_score\",\"results\":[{\"id\",\"fen\",\"move\",\"best\",\"solved\",\"score\",\"ms\",\"nodes\"}]}, \
moves as UCI; also \"agent\", \"files\" with the same sums for each, \"rating\" for puzzles, and \"interrupted\".

Examples:
  tabia suite wac.epd --nodes 100000
  tabia suite sts/*.epd --agent 'alphabeta(depth=4)' --threads 2 --unsolved
  tabia suite puzzles.csv --nodes 20000 --first 500 --json")]
pub struct SuiteArgs {
    /// EPD files, or lichess puzzles as .csv.
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The agent that solves, as a spec.
    #[arg(long, value_name = "SPEC", default_value = "engine")]
    agent: AgentSpec,
    #[command(flatten)]
    limits: LimitArgs,
    /// Positions to solve at the same time [default: 1, or all cores when bounded by nodes or depth].
    #[arg(long, value_name = "K")]
    threads: Option<NonZero<usize>>,
    /// Only the first positions of each file.
    #[arg(long, value_name = "N")]
    first: Option<NonZero<usize>>,
    /// List what was not solved.
    #[arg(long)]
    unsolved: bool,
    /// Reject a file with an invalid line, instead of skipping the line.
    #[arg(long)]
    strict: bool,
    /// One JSON document on standard output, at the end.
    #[arg(long)]
    json: bool,
}

/// Solves suites.
pub fn run(args: &SuiteArgs) -> anyhow::Result<ExitCode> {
    let catalogue = catalogue::chess();
    let (entry, options) = catalogue::check(&catalogue, &args.agent)?;
    let limits = args.limits.for_agent(&options);
    let threads = args.threads.unwrap_or_else(|| {
        // Searches that share a core would lose time that they are measured by.
        if limits.movetime.is_some() { NonZero::<usize>::MIN } else { parallel::all_cores() }
    });
    let suites = read(args)?;
    let total: usize = suites.iter().map(|(_, problems)| problems.len()).sum();
    let stop = interrupt::stop_flag()?;
    let mut report = Report::new(&args.agent, &args.files);
    let mut out = io::stdout();
    let paint = Paint::for_stream(&out);
    if !args.json {
        report.head(&mut out, paint)?;
    }
    let mut done = 0;
    for (file, problems) in &suites {
        let mut solved = 0;
        let attempts = suite::run(
            problems,
            threads,
            || (entry.build)(&options),
            &limits,
            &stop,
            |_, solution| {
                done += 1;
                solved += usize::from(solution.as_ref().is_ok_and(|solution| solution.solved));
                terminal::progress(&format!("{done} of {total}  {}: {solved} solved", file.display()));
            },
        )
        .map_err(|error| catalogue::refused::<tabia_core::ChessGame>(&error))?;
        let mut part = FileReport::new(file);
        for (problem, attempt) in problems.iter().zip(attempts) {
            if let Some(attempt) = attempt {
                let solution = attempt.with_context(|| {
                    format!("{} failed at {} of {}", args.agent, problem.id, file.display())
                })?;
                part.add(problem, &solution);
            }
        }
        report.add(part);
        terminal::progress("");
        if !args.json {
            report.last_row(&mut out)?;
        }
        if stop.is_stopped() && done < total {
            report.interrupted = Some(total);
            break;
        }
    }
    if args.json {
        output::json(&report.document())?;
    } else {
        report.foot(&mut out, paint, args.unsolved)?;
    }
    Ok(ExitCode::SUCCESS)
}

/// All problems, before any is tried: a file that cannot be read is known at once.
fn read(args: &SuiteArgs) -> anyhow::Result<Vec<(PathBuf, Vec<Problem>)>> {
    let mut suites = Vec::new();
    for file in &args.files {
        let (mut problems, faults) = suite::read(file, args.strict)?;
        games::warn("left out", &faults);
        problems.truncate(args.first.map_or(usize::MAX, NonZero::get));
        suites.push((file.clone(), problems));
    }
    Ok(suites)
}
