//! Searches, and reviews of moves.

use std::time::Duration;

use pyo3::prelude::*;
use serde::Serialize;
use shakmaty::{Color, Position};
use tabia_coach::{Line, Locale, ReviewDocument, explain};
use tabia_core::{AgentSpec, Bound, ChessGame, Limits, Options, SearchInfo, Stop};

use crate::matches::catalogue;
use crate::position;
use crate::work::{failed, interruptible, refused};

/// For agents that would otherwise think until they are stopped.
const DEFAULT_TIME: Duration = Duration::from_secs(1);

/// One line of an analysis; scores are White's view.
#[derive(Serialize)]
struct LineDocument {
    rank: u32,
    score: i32,
    mate: Option<i32>,
    bound: &'static str,
    depth: u32,
    selective_depth: u32,
    wdl: Option<[u16; 3]>,
    moves: Vec<String>,
    san: Vec<String>,
}

#[derive(Serialize)]
struct AnalysisDocument {
    fen: String,
    best: String,
    lines: Vec<LineDocument>,
    nodes: u64,
    seconds: f64,
}

fn line(game: &ChessGame, info: &SearchInfo<shakmaty::Move>) -> LineDocument {
    let white = |number: i32| game.side_to_move().fold_wb(number, -number);
    let legal = Line::legal_part(game.position(), &info.line);
    LineDocument {
        rank: info.rank.max(1),
        score: white(info.score.raw()),
        mate: info.score.moves_to_mate().map(white),
        bound: match (info.bound, game.side_to_move()) {
            (Bound::Exact, _) => "exact",
            (Bound::Lower, Color::White) | (Bound::Upper, Color::Black) => "lower",
            (Bound::Upper, Color::White) | (Bound::Lower, Color::Black) => "upper",
        },
        depth: info.depth,
        selective_depth: info.selective_depth,
        wdl: info.wdl.map(|wdl| match game.side_to_move() {
            Color::White => [wdl.win, wdl.draw, wdl.loss],
            Color::Black => [wdl.loss, wdl.draw, wdl.win],
        }),
        moves: info.line.iter().map(|m| game.write_move(*m)).collect(),
        san: legal.plies().iter().map(tabia_coach::Ply::san).collect(),
    }
}

/// The limits that were asked for. An agent that bounds itself is left to it, others get `usual`.
fn limits(
    options: &Options,
    depth: Option<u32>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    usual: Limits,
) -> PyResult<Limits> {
    if depth == Some(0) || nodes == Some(0) {
        return Err(refused("a limit of 0 leaves nothing to search; give at least 1"));
    }
    let movetime = match seconds {
        Some(seconds) => {
            Some(Duration::try_from_secs_f64(seconds).ok().filter(|time| !time.is_zero()).ok_or_else(
                || refused(format_args!("{seconds} is no time to think; give seconds above 0")),
            )?)
        }
        None => None,
    };
    let limits = Limits { depth, nodes, movetime, ..Limits::default() };
    let bounds_itself = ["depth", "nodes"].iter().any(|key| options.integer(key).is_some());
    Ok(if limits.is_infinite() && !bounds_itself { usual } else { limits })
}

/// An agent spec with options put in where they are asked for.
fn spec(text: &str, options: Vec<(String, String)>) -> PyResult<AgentSpec> {
    let mut spec: AgentSpec = text.parse().map_err(refused)?;
    for (key, value) in options {
        spec.options.retain(|(known, _)| *known != key);
        spec.options.push((key, value));
    }
    Ok(spec)
}

fn refuse_finished(game: &ChessGame, what: &str) -> PyResult<()> {
    if !game.position().legal_moves().is_empty() {
        return Ok(());
    }
    let outcome = game.outcome().map(|outcome| outcome.to_string()).unwrap_or_default();
    Err(refused(format_args!("there is nothing to {what}: the game is over, {outcome}")))
}

fn json(document: &impl Serialize) -> PyResult<String> {
    serde_json::to_string(document).map_err(failed)
}

/// Searches a position; the analysis as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's keywords, all checked there")]
pub fn analyse(
    py: Python<'_>,
    fen: &str,
    moves: Vec<String>,
    agent: &str,
    options: Vec<(String, String)>,
    depth: Option<u32>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    among: Vec<String>,
) -> PyResult<String> {
    let game = position::game(fen, &moves)?;
    refuse_finished(&game, "analyse")?;
    let catalogue = catalogue();
    let spec = spec(agent, options)?;
    let (entry, options) = catalogue.check(&spec).map_err(refused)?;
    let mut limits = limits(&options, depth, nodes, seconds, Limits::movetime(DEFAULT_TIME))?;
    limits.search_moves =
        among.iter().map(|text| game.read_move(text)).collect::<Result<_, _>>().map_err(refused)?;
    let stop = Stop::new();
    interruptible(py, &stop, || {
        let start = std::time::Instant::now();
        let mut agent = (entry.build)(&options).map_err(refused)?;
        let mut lines: Vec<LineDocument> = Vec::new();
        let mut visited = 0;
        let mut report = |info: &SearchInfo<shakmaty::Move>| {
            visited = info.nodes.max(visited);
            let told = line(&game, info);
            // A bound is replaced by whatever comes after it, an exact score only by another of its kind.
            match lines.iter_mut().find(|known| known.rank == told.rank) {
                Some(known) if told.bound == "exact" || known.bound != "exact" => *known = told,
                Some(_) => {}
                None => lines.push(told),
            }
        };
        let best = agent.choose(&game, &limits, &stop, &mut report).map_err(failed)?;
        lines.sort_by_key(|line| line.rank);
        json(&AnalysisDocument {
            fen: game.fen(),
            best: game.write_move(best),
            lines,
            nodes: visited,
            seconds: start.elapsed().as_secs_f64(),
        })
    })
}

/// Reviews a move, or explains the best one; the review as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's keywords, all checked there")]
pub fn review(
    py: Python<'_>,
    fen: &str,
    played: Option<String>,
    agent: &str,
    options: Vec<(String, String)>,
    depth: Option<u32>,
    nodes: Option<u64>,
    seconds: Option<f64>,
    language: &str,
) -> PyResult<String> {
    let game = position::game(fen, &[])?;
    refuse_finished(&game, "review")?;
    let locale: Locale = language.parse().map_err(refused)?;
    let requested = played.map(|text| game.read_move(&text)).transpose().map_err(refused)?;
    let catalogue = catalogue();
    let spec = spec(agent, options)?;
    let (entry, options) = catalogue.check(&spec).map_err(refused)?;
    let limits = limits(&options, depth, nodes, seconds, Limits::nodes(explain::NODES))?;
    let stop = Stop::new();
    interruptible(py, &stop, || {
        let mut agent = (entry.build)(&options).map_err(refused)?;
        let review = explain::explain(agent.as_mut(), game.position(), requested, &limits, None, &stop);
        json(&ReviewDocument::new(&review.map_err(failed)?, requested.is_some(), locale))
    })
}
