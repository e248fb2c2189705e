//! Whole games gone over.

mod document;
mod picture;
mod report;

use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use tabia_arena::analysis::{self, AnalysisError, Reviewed, Told};
use tabia_coach::game::MATE_NODES;
use tabia_coach::prover::proof_limits;
use tabia_coach::{AgentProver, text};
use tabia_core::{Agent, ChessGame, Limits, Stop};
use tabia_games::{GameRecord, pgn};
use tabia_run::atomic_file;

use super::AnalyzeArgs;
use crate::failure::Usage;
use crate::terminal::{ERASE_LINE, Paint};
use crate::{catalogue, games, interrupt, output};

/// Nodes for each position when nothing else is said.
const NODES: u64 = 200_000;

/// A game gone over.
pub struct Done {
    /// As it was played.
    pub record: GameRecord,
    /// What its moves are worth, and why mistakes are mistakes where somebody asked.
    pub reviewed: Reviewed,
}

/// Goes over the games of a file.
pub fn run(args: &AnalyzeArgs, path: &Path) -> anyhow::Result<ExitCode> {
    if args.multipv.is_some() || args.chess960 {
        return Err(Usage(
            "--multipv and --chess960 are for positions; a file of games says itself".to_owned(),
        )
        .into());
    }
    let records = chosen(args, path)?;
    if let Some(picture) = &args.graph {
        picture::check(picture)?;
        if records.len() > 1 {
            let there = records.len();
            return Err(
                Usage(format!("a graph is of one game, and there are {there}; choose with --game")).into()
            );
        }
    }
    let catalogue = catalogue::chess();
    let spec = super::spec(args);
    let (entry, options) = catalogue::check(&catalogue, &spec)?;
    let limits = match args.limits.for_agent(&options) {
        given if args.limits.movetime_ms.is_some() => given,
        // Nobody asked for the second that a position gets.
        unasked if unasked.movetime.is_some() => Limits::nodes(NODES),
        given => given,
    };
    let build = || (entry.build)(&options).map_err(|error| catalogue::refused(&error));
    let mut agent = build()?;
    // Proofs are searched apart, so that an analysis is the same with and without them.
    let mut second = if args.annotate.is_some() || args.json { Some(build()?) } else { None };
    let stop = interrupt::stop_flag()?;
    let mut done: Vec<Done> = Vec::new();
    let paint = Paint::for_stream(&io::stdout());
    let count = records.len();
    for (index, record) in records.into_iter().enumerate() {
        let told = |told: Told<'_>| match told {
            Told::Position { done, of } => {
                progress(&format!("game {} of {count}: position {done} of {of}", index + 1));
            }
            Told::Move { .. } | Told::Review { .. } => {}
        };
        let reviewed = go_over(&record, agent.as_mut(), second.as_deref_mut(), &limits, &stop, told)
            .with_context(|| format!("cannot go over game {} of {}", index + 1, path.display()))?;
        progress("");
        if !args.json {
            report::write(&mut io::stdout().lock(), paint, &record, &reviewed.analysis)?;
        }
        done.push(Done { record, reviewed });
        if stop.is_stopped() {
            break;
        }
    }
    keep(args, &spec.to_string(), &done)?;
    if args.json {
        output::json(&document::of(path, &spec, &done, count)?)?;
    } else if stop.is_stopped() {
        writeln!(
            io::stdout(),
            "Interrupted; what was done is shown{}.",
            if args.annotate.is_some() { " and kept" } else { "" }
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// Goes over a game; where there is a second agent to search proofs, with a review of each mistake.
fn go_over(
    record: &GameRecord,
    agent: &mut dyn Agent<ChessGame>,
    second: Option<&mut (dyn Agent<ChessGame> + 'static)>,
    limits: &Limits,
    stop: &Stop,
    mut tell: impl FnMut(Told<'_>),
) -> Result<Reviewed, AnalysisError> {
    let Some(second) = second else {
        let analysis =
            analysis::analyse(record, agent, limits, stop, |done, of| tell(Told::Position { done, of }))?;
        return Ok(Reviewed { analysis, reviews: Vec::new() });
    };
    second.new_game();
    let mut prover = AgentProver::new(second, proof_limits(limits), stop, MATE_NODES);
    analysis::analyse_and_review(record, agent, &mut prover, limits, stop, tell)
}

fn chosen(args: &AnalyzeArgs, path: &Path) -> anyhow::Result<Vec<GameRecord>> {
    let (records, faults) = games::read(path)?;
    games::warn(&faults);
    Ok(match args.game {
        Some(number) => vec![games::number(records, number)?],
        None => records,
    })
}

/// Writes what was asked for beside the report.
fn keep(args: &AnalyzeArgs, agent: &str, done: &[Done]) -> anyhow::Result<()> {
    if let Some(path) = &args.annotate {
        let annotator = format!("tabia {agent}");
        let text = done
            .iter()
            .map(|Done { record, reviewed: Reviewed { analysis, reviews } }| {
                let text = |index: usize| Some(text::text(reviews.get(index)?.as_ref()?, true));
                pgn::write(&analysis::annotate_with(record, analysis, &annotator, text))
            })
            .collect::<Result<String, _>>()?;
        atomic_file::write_bytes(path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let (Some(path), Some(Done { record, reviewed })) = (&args.graph, done.first()) {
        picture::write(path, record, &reviewed.analysis, agent)?;
    }
    Ok(())
}

/// A line that is overwritten; only for a person.
fn progress(text: &str) {
    let mut out = io::stderr();
    if out.is_terminal() {
        // A sign of life; nothing is lost when it cannot be shown.
        let _ = write!(out, "{ERASE_LINE}{text}");
        let _ = out.flush();
    }
}
