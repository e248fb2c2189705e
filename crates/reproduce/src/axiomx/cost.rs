//! Time of a move, of an evaluation, and memory (§2.3, §5.1, §5.4, §6).

use std::hint::black_box;
use std::time::Instant;

use tabia_core::{ChessGame, Game, Limits, Stop};
use tabia_eval::axiomx::Axiomx;
use tabia_eval::axiomx_speed::AxiomxSpeed;
use tabia_eval::{Evaluate, View};
use tabia_search::classic::{Classic, Settings};

use crate::context::{Extent, Interruptible, StepContext};
use crate::error::ReproduceError;
use crate::figure::Figure;
use crate::searches::{SearchCost, bench_positions, search};
use crate::step::Findings;

const MEGABYTE: f64 = 1e6;

/// Measures both engines.
pub fn run(work: &mut StepContext<'_>) -> Interruptible<Findings> {
    let rounds = work.extent.of(1, 5, 20);
    let games = bench_positions()?;
    let Some(speed) = quickest(&AxiomxSpeed, Settings::AXIOMX_SPEED, &games, rounds, work)? else {
        return Ok(None);
    };
    let Some(fields) = quickest(&Axiomx::default(), Settings::AXIOMX, &games, rounds, work)? else {
        return Ok(None);
    };
    let plies = work.extent.of(10, 60, 60);
    // A table that has only just begun to fill says nothing about the memory that an engine takes.
    let is_filled = work.extent != Extent::Taste;
    let (kept_by_speed, kept_by_fields) = (
        memory(AxiomxSpeed, Settings::AXIOMX_SPEED, plies, work.stop)?,
        memory(Axiomx::default(), Settings::AXIOMX, plies, work.stop)?,
    );
    if work.stop.is_stopped() {
        return Ok(None);
    }
    let evaluations = work.extent.of(20, 400, 2000);
    let nanoseconds = [
        evaluation_time(AxiomxSpeed, &games, evaluations),
        evaluation_time(Axiomx::default(), &games, evaluations),
    ];
    let time = |what: &str, figure: Figure, ours: f64| {
        Figure { what: what.to_owned(), ..figure }.ours(ours).timed().less_is_better()
    };
    Ok(Some(Findings {
        how: format!(
            "The {} chess positions of `tabia bench`, each searched afresh at the engine's own settings, the quickest of {rounds} rounds for each. \
             Memory is the table after {plies} half-moves against itself; beyond it a search keeps a few kilobytes. An evaluation is timed over the \
             same positions, {evaluations} rounds.",
            games.len()
        ),
        figures: vec![
            time(
                "axiomx-speed: time of a move",
                Figure::new("", "ms").seed_range([0.0, 50.0], "under 50 ms"),
                speed.milliseconds(),
            ),
            time(
                "axiomx: time of a move",
                Figure::new("", "ms").seed_range([100.0, 150.0], "100–150 ms"),
                fields.milliseconds(),
            ),
            time("axiomx-speed: an evaluation", Figure::new("", "µs"), nanoseconds[0] / 1000.0),
            time(
                "axiomx: an evaluation",
                Figure::new("", "µs").seed(20.0, "0.02 ms"),
                nanoseconds[1] / 1000.0,
            ),
            Figure::new("axiomx-speed: memory", "MB")
                .seed_range([0.0, 1.0], "under 1 MB")
                .ours(kept_by_speed as f64 / MEGABYTE)
                .less_is_better()
                .with_seeds_settings(is_filled),
            Figure::new("axiomx: memory", "MB")
                .seed(7.0, "about 7 MB")
                .ours(kept_by_fields as f64 / MEGABYTE)
                .less_is_better()
                .with_seeds_settings(is_filled),
            Figure::new("page: latency of a player's move", "ms").seed_range([0.0, 50.0], "under 50 ms"),
        ],
        notes: vec![
            "The latency of a player's move on the page (§7.3) is a browser's and a network's as well, and is not measured here.".to_owned(),
        ],
        ..Findings::default()
    }))
}

/// The searches, each position's quickest round.
fn quickest<E: Evaluate + Sync>(
    evaluation: &E,
    settings: Settings,
    games: &[ChessGame],
    rounds: usize,
    work: &mut StepContext<'_>,
) -> Interruptible<SearchCost> {
    let mut all = SearchCost::default();
    for game in games {
        let mut best: Option<SearchCost> = None;
        for _ in 0..rounds {
            let Some(took) = search(evaluation, settings, std::slice::from_ref(game), work)? else {
                return Ok(None);
            };
            best = Some(best.filter(|best| best.time <= took.time).unwrap_or(took));
        }
        if let Some(best) = best {
            all.positions += 1;
            all.counts += best.counts;
            all.time += best.time;
        }
    }
    Ok(Some(all))
}

/// What a table has taken after a game against itself.
fn memory<E: Evaluate>(
    evaluation: E,
    settings: Settings,
    plies: usize,
    stop: &Stop,
) -> Result<usize, ReproduceError> {
    let mut search = Classic::new(evaluation, settings);
    let mut game = ChessGame::default();
    for _ in 0..plies {
        if game.outcome().is_some() || stop.is_stopped() {
            break;
        }
        let found = search.search(&game, &Limits::default(), stop, &mut |_| {})?;
        game.apply(found.best);
    }
    Ok(search.table_bytes())
}

/// Nanoseconds of an evaluation, the quickest round.
fn evaluation_time<E: Evaluate>(mut evaluation: E, games: &[ChessGame], rounds: usize) -> f64 {
    let mut best = f64::INFINITY;
    for _ in 0..rounds {
        let started = Instant::now();
        for game in games {
            black_box(evaluation.evaluate(View::from(game.position())));
        }
        best = best.min(started.elapsed().as_nanos() as f64 / games.len().max(1) as f64);
    }
    best
}
