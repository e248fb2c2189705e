//! Searches of fixed positions by the textbook search, with their cost.

use std::time::{Duration, Instant};

use shakmaty::CastlingMode;
use tabia_core::{ChessGame, Limits};
use tabia_eval::Evaluate;
use tabia_search::bench;
use tabia_search::classic::{Classic, Counts, Settings};

use crate::context::{Interruptible, StepContext};
use crate::error::ReproduceError;

/// The cost of several searches.
#[derive(Copy, Clone, Debug, Default)]
pub struct SearchCost {
    pub positions: usize,
    /// Sum of all counters.
    pub counts: Counts,
    pub time: Duration,
}

impl SearchCost {
    /// Nodes per position, including quiescence search.
    pub fn nodes(&self) -> f64 {
        self.per_position(self.counts.all_nodes())
    }

    /// Nodes per position without quiescence search.
    pub fn main_nodes(&self) -> f64 {
        self.per_position(self.counts.nodes)
    }

    /// Milliseconds per position.
    pub fn milliseconds(&self) -> f64 {
        1000.0 * self.time.as_secs_f64() / self.positions.max(1) as f64
    }

    fn per_position(&self, count: u64) -> f64 {
        count as f64 / self.positions.max(1) as f64
    }
}

/// The positions of `tabia bench` that are chess: openings, middlegames and endings.
pub fn bench_positions() -> Result<Vec<ChessGame>, ReproduceError> {
    let games = bench::POSITIONS.iter().map(|fen| ChessGame::from_fen(fen)).collect::<Result<Vec<_>, _>>()?;
    Ok(games.into_iter().filter(|game| game.mode() == CastlingMode::Standard).collect())
}

/// Searches each position with a fresh search.
pub fn search<E: Evaluate + Sync>(
    evaluation: &E,
    settings: Settings,
    games: &[ChessGame],
    work: &mut StepContext<'_>,
) -> Interruptible<SearchCost> {
    search_by(|| Classic::new(evaluation.clone(), settings), games, work)
}

/// Searches each position with a fresh search, as `make` makes it.
pub fn search_by<E: Evaluate>(
    make: impl Fn() -> Classic<E> + Sync,
    games: &[ChessGame],
    work: &mut StepContext<'_>,
) -> Interruptible<SearchCost> {
    let stop = work.stop;
    let done = work.each(games, |game| {
        let mut search = make();
        let started = Instant::now();
        let found = search.search(game, &Limits::default(), stop, &mut |_| {})?;
        let time = started.elapsed();
        Ok((!stop.is_stopped()).then_some((found.counts, time)))
    })?;
    Ok(done.map(|done| {
        let mut took = SearchCost { positions: games.len(), ..SearchCost::default() };
        for (counts, time) in done {
            took.counts += counts;
            took.time += time;
        }
        took
    }))
}
