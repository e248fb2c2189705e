//! Analysis of whole games.

mod document;
mod picture;
mod report;

use std::io::{self, Write};
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context;
use tabia_arena::analysis::{self, AnalysisError, ReviewProgress, Reviewed};
use tabia_coach::AgentProver;
use tabia_coach::game::MATE_NODES;
use tabia_coach::prover::proof_limits;
use tabia_core::{Agent, ChessGame, Limits, Stop};
use tabia_games::{GameRecord, pgn};
use tabia_run::atomic_file;
use tabia_search::engine::tablebases::Tablebases;

use super::AnalyzeArgs;
use crate::failure::Usage;
use crate::games::Game;
use crate::terminal::{self, Paint};
use crate::{catalogue, files, games, interrupt, output};

/// An analysed game.
pub struct Done {
    /// As it was played.
    pub game: Game,
    /// Its analysis, with reviews of mistakes if requested.
    pub reviewed: Reviewed,
}

/// Analyses the games of a file.
pub fn run(args: &AnalyzeArgs, path: &Path) -> anyhow::Result<ExitCode> {
    if args.multipv.is_some() || args.chess960 {
        return Err(Usage(
            "--multipv and --chess960 are for positions; a file of games says itself".to_owned(),
        )
        .into());
    }
    for path in args.annotate.iter().chain(&args.graph) {
        files::refuse_nowhere(path)?;
    }
    let games = games::chosen(path, args.game)?;
    if let Some(picture) = &args.graph {
        picture::check(picture)?;
        if games.len() > 1 {
            let there = games.len();
            return Err(Usage(format!(
                "--graph draws one game, but the file has {there}; choose one with --game"
            ))
            .into());
        }
    }
    let catalogue = catalogue::chess();
    let spec = super::spec(args);
    let (entry, options) = catalogue::check(&catalogue, &spec)?;
    let limits = args.limits.or_nodes(&options, analysis::NODES);
    let build = || (entry.build)(&options).map_err(|error| catalogue::refused::<ChessGame>(&error));
    let mut agent = build()?;
    // Proofs use a separate agent, so that the analysis is the same with and without them.
    let mut second = if args.annotate.is_some() || args.json { Some(build()?) } else { None };
    let stop = interrupt::stop_flag()?;
    let tables = args.tables.open()?;
    let tables = tables.as_ref().map(|tables| -> &dyn Tablebases { tables });
    let mut done: Vec<Done> = Vec::new();
    let paint = Paint::for_stream(&io::stdout());
    let count = games.len();
    for (index, game) in games.into_iter().enumerate() {
        let told = |told: ReviewProgress<'_>| match told {
            ReviewProgress::Position { done, of } => {
                terminal::progress(&format!("game {} of {count}: position {done} of {of}", index + 1));
            }
            ReviewProgress::Move { .. } | ReviewProgress::Review { .. } => {}
        };
        let second = second.as_deref_mut().map(|second| (second, tables));
        let reviewed = go_over(&game.record, agent.as_mut(), second, &limits, &stop, told)
            .with_context(|| format!("cannot analyse game {} of {}", index + 1, path.display()))?;
        terminal::progress("");
        if !args.json {
            report::write(&mut io::stdout().lock(), paint, &game.record, &reviewed.analysis)?;
        }
        done.push(Done { game, reviewed });
        if stop.is_stopped() {
            break;
        }
    }
    keep(args, &spec.to_string(), &done)?;
    if args.json {
        output::json(&document::of(path, &spec, &done, count, args.language)?)?;
    } else if stop.is_stopped() {
        writeln!(
            io::stdout(),
            "Interrupted; what was done is shown{}.",
            if args.annotate.is_some() { " and kept" } else { "" }
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The agent for proofs, and tablebases if there are any.
type Proofs<'a> = (&'a mut (dyn Agent<ChessGame> + 'static), Option<&'a dyn Tablebases>);

/// Analyses a game; with a second agent for proofs, mistakes are reviewed.
fn go_over(
    record: &GameRecord,
    agent: &mut dyn Agent<ChessGame>,
    second: Option<Proofs<'_>>,
    limits: &Limits,
    stop: &Stop,
    mut tell: impl FnMut(ReviewProgress<'_>),
) -> Result<Reviewed, AnalysisError> {
    let Some((second, tables)) = second else {
        let analysis = analysis::analyse(record, agent, limits, stop, |done, of| {
            tell(ReviewProgress::Position { done, of });
        })?;
        return Ok(Reviewed { analysis, reviews: Vec::new() });
    };
    second.new_game();
    let mut prover = AgentProver::new(second, proof_limits(limits), stop, MATE_NODES).with_tables(tables);
    analysis::analyse_and_review(record, agent, &mut prover, limits, stop, tell)
}

/// Writes the requested files.
fn keep(args: &AnalyzeArgs, agent: &str, done: &[Done]) -> anyhow::Result<()> {
    if let Some(path) = &args.annotate {
        let annotator = format!("tabia {agent}");
        let text: String = done
            .iter()
            .filter_map(|Done { game, reviewed }| {
                let tree = game.tree.as_ref()?;
                let annotated = analysis::annotate(tree, reviewed, &annotator, args.language);
                Some(pgn::write_tree(&annotated))
            })
            .collect();
        atomic_file::write_bytes(path, text.as_bytes())
            .with_context(|| format!("cannot write {}", path.display()))?;
    }
    if let (Some(path), Some(Done { game, reviewed })) = (&args.graph, done.first()) {
        picture::write(path, &game.record, &reviewed.analysis, agent)?;
    }
    Ok(())
}
