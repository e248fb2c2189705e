//! Matches between agents.

use std::fs;
use std::path::PathBuf;
use std::time::Duration;

use pyo3::prelude::*;
use tabia_arena::driver::{Launcher, PlayerFactory, entries};
use tabia_arena::tournament::chess::openings::fingerprint;
use tabia_arena::tournament::chess::{
    ChessMatch, Concurrency, Entrant, OpeningSettings, Order, Origin, Settings, SprtSettings, TimeControl,
};
use tabia_arena::tournament::{Format, TournamentError};
use tabia_core::{Catalogue, ChessGame, Stop};
use tabia_games::openings::{Openings, ReadOptions};
use tabia_search::agents::{self as search_agents, AgentFiles};

use crate::statistics::model;
use crate::work::{failed, interruptible, refused, threads};

/// Longer games are drawn, in full moves.
const LONGEST: u32 = 500;
/// Silence after which a player hangs.
const STALL_MS: u64 = 30_000;

/// All agents that play chess. Engines that are other programs are started without a supervisor: there is no program
/// of ours to be one.
pub fn catalogue() -> Catalogue<ChessGame> {
    let mut catalogue = Catalogue::default();
    catalogue.add(search_agents::entries_with(AgentFiles::new(|path| fs::read_to_string(path))));
    catalogue.add(entries::entries(&Launcher::plain()));
    catalogue
}

/// An agent: name, summary, and options by key, default and meaning.
type AgentRow = (String, String, Vec<(String, String, String)>);

/// Every agent that plays chess.
#[pyfunction]
pub fn agents() -> Vec<AgentRow> {
    let catalogue = catalogue();
    let entries = catalogue.entries().iter();
    entries
        .map(|entry| {
            let options = entry.options.iter();
            let options =
                options.map(|option| [option.key, option.default, option.help].map(str::to_owned).into());
            (entry.name.to_owned(), entry.summary.to_owned(), options.collect())
        })
        .collect()
}

fn openings(source: &str, seed: u64) -> PyResult<Openings> {
    match source {
        "built-in" => Ok(Openings::built_in()),
        "startpos" => Ok(Openings::standard_start()),
        file => {
            let options = ReadOptions { seed, ..ReadOptions::default() };
            let read = Openings::read(file, &options);
            read.map(|(openings, _)| openings)
                .map_err(|error| refused(format_args!("no openings from {file}: {error}")))
        }
    }
}

fn tournament_error(error: TournamentError) -> PyErr {
    match error {
        TournamentError::Settings(why) => refused(why),
        other => failed(other),
    }
}

/// Plays a match; its result as JSON.
#[pyfunction]
#[expect(clippy::too_many_arguments, reason = "Python's keywords, all checked there")]
pub fn play_match(
    py: Python<'_>,
    players: Vec<(String, String)>,
    games: usize,
    limit: &str,
    opening_source: String,
    seed: u64,
    sprt: Option<(f64, f64, f64, f64, String)>,
    workers: Option<usize>,
    pgn: Option<PathBuf>,
    run: Option<PathBuf>,
    date: String,
) -> PyResult<String> {
    let time_control: TimeControl = limit.parse().map_err(refused)?;
    let openings = openings(&opening_source, seed)?;
    let sprt = match sprt {
        None => None,
        Some((elo0, elo1, alpha, beta, name)) => {
            Some(SprtSettings { elo0, elo1, alpha, beta, model: model(&name)? })
        }
    };
    let settings = Settings {
        seed,
        format: Format::RoundRobin,
        games,
        ponder: false,
        margin_ms: 0,
        stall_ms: STALL_MS,
        max_moves: Some(LONGEST),
        syzygy: None,
        draw: None,
        resign: None,
        openings: OpeningSettings {
            source: opening_source,
            order: Order::default(),
            plies: None,
            count: openings.len(),
            sha256: fingerprint(&openings),
        },
        sprt,
        agents: players
            .into_iter()
            .map(|(name, spec)| Entrant { name, spec, time_control, anchor: None })
            .collect(),
    };
    let factory = PlayerFactory::new(catalogue(), Launcher::plain(), false, Duration::from_millis(STALL_MS));
    let origin = Origin { version: env!("CARGO_PKG_VERSION").to_owned(), date: Some(date) };
    let concurrency = Concurrency { workers: threads(workers)?, pinned: false };
    let stop = Stop::new();
    interruptible(py, &stop, || {
        let chess_match = ChessMatch::new(settings, factory, &openings, run.as_deref(), &origin)
            .map_err(tournament_error)?
            .with_pgn(pgn);
        chess_match.try_players().map_err(|error| refused(error.to_string()))?;
        let played = chess_match.play(concurrency, None, &stop, &mut |_| {}).map_err(tournament_error)?;
        serde_json::to_string(&played.result).map_err(failed)
    })
}
