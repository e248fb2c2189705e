//! Fixed positions searched by the textbook search, with what that took.

use std::time::{Duration, Instant};

use shakmaty::CastlingMode;
use tabia_core::{ChessGame, Limits};
use tabia_eval::Evaluate;
use tabia_search::bench;
use tabia_search::classic::{Classic, Counts, Settings};

use crate::error::ReproduceError;
use crate::work::{Done, Work};

/// What some searches took.
#[derive(Copy, Clone, Debug, Default)]
pub struct Took {
    /// Positions.
    pub positions: usize,
    /// All they did.
    pub counts: Counts,
    /// All their time.
    pub time: Duration,
}

impl Took {
    /// Nodes of a position, captures beyond the depth among them.
    pub fn nodes(&self) -> f64 {
        self.a_position(self.counts.all_nodes())
    }

    /// Nodes of a position within the depth.
    pub fn main_nodes(&self) -> f64 {
        self.a_position(self.counts.nodes)
    }

    /// Milliseconds of a position.
    pub fn milliseconds(&self) -> f64 {
        1000.0 * self.time.as_secs_f64() / self.positions.max(1) as f64
    }

    fn a_position(&self, count: u64) -> f64 {
        count as f64 / self.positions.max(1) as f64
    }
}

/// The positions of `tabia bench` that are chess: openings, middlegames and endings.
pub fn bench_positions() -> Result<Vec<ChessGame>, ReproduceError> {
    let games = bench::POSITIONS.iter().map(|fen| ChessGame::from_fen(fen)).collect::<Result<Vec<_>, _>>()?;
    Ok(games.into_iter().filter(|game| game.mode() == CastlingMode::Standard).collect())
}

/// Searches each position afresh.
pub fn search<E: Evaluate + Sync>(
    evaluation: &E,
    settings: Settings,
    games: &[ChessGame],
    work: &mut Work<'_>,
) -> Done<Took> {
    let stop = work.stop;
    let done = work.each(games, |game| {
        let mut search = Classic::new(evaluation.clone(), settings);
        let started = Instant::now();
        let found = search.search(game, &Limits::default(), stop, &mut |_| {})?;
        let time = started.elapsed();
        Ok((!stop.is_stopped()).then_some((found.counts, time)))
    })?;
    Ok(done.map(|done| {
        let mut took = Took { positions: games.len(), ..Took::default() };
        for (counts, time) in done {
            took.counts += counts;
            took.time += time;
        }
        took
    }))
}
