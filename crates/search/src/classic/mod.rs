//! The textbook search: negamax with alpha-beta over shakmaty's positions, every idea of the seeds a switch.
//!
//! It is meant to be readable and measurable idea by idea: [`Settings`] switches each one on or off, [`Counts`] shows
//! the effect. It uses no technique that the seeds do not name; the strong search is [`crate::engine`].
//!
//! | file            | idea                                                      |
//! | --------------- | --------------------------------------------------------- |
//! | `node.rs`       | the node function, step by step                           |
//! | `quiescence.rs` | captures beyond the horizon                               |
//! | `captures.rs`   | captures, listed alone                                    |
//! | `ordering.rs`   | which moves first: captures, killers, quiet moves         |
//! | `table.rs`      | positions reached again                                   |
//! | `budget.rs`     | nodes, time and the stop flag                             |
//!
//! The same game, settings and limits (time aside) give the same move and the same counts. With a table that
//! holds from one move to the next, "the same game" includes the moves asked before; [`Classic::forget`] starts
//! afresh. A position that has stood on the board before is taken for a draw, whether it stood there in the game
//! or in the line searched.

mod budget;
mod captures;
mod counts;
mod node;
mod ordering;
mod quiescence;
mod settings;
mod table;
mod window;

use std::time::Instant;

use shakmaty::{Move, Position};
use tabia_core::{Agent, AgentError, Bound, ChessGame, Limits, Score, SearchInfo, Stop};
use tabia_eval::Evaluate;

use budget::Budget;
use node::Searcher;
use ordering::Killers;
use table::Table;
use window::Window;

pub use counts::Counts;
pub use ordering::SquareValueFn;
pub use settings::{MoveOrdering, Settings};

/// No search goes deeper, whatever the limits say.
const DEEPEST: u32 = 100;

/// A searcher: an evaluation, the switches, and what is remembered between moves.
pub struct Classic<E> {
    evaluation: E,
    settings: Settings,
    table: Option<Table>,
    guide: Option<SquareValueFn>,
}

/// What a search found.
#[derive(Clone, Debug, PartialEq)]
pub struct SearchResult {
    /// The move to play.
    pub best: Move,
    /// The best play, as far as it is known.
    pub line: Vec<Move>,
    /// Its value for the side to move; nothing if not even the first iteration was finished.
    pub score: Option<Score>,
    /// The depth of the last finished iteration.
    pub depth: u32,
    pub counts: Counts,
}

impl<E: Evaluate> Classic<E> {
    /// A searcher that has seen nothing yet.
    pub fn new(evaluation: E, settings: Settings) -> Classic<E> {
        let table = (settings.table > 0).then(|| Table::new(settings.table));
        Classic { evaluation, settings, table, guide: None }
    }

    /// Orders quiet moves by what squares are worth, rather than by [`Settings::ordering`].
    #[must_use]
    pub fn with_square_values(mut self, guide: SquareValueFn) -> Classic<E> {
        self.guide = Some(guide);
        self
    }

    /// The memory that the table has taken, in bytes; zero without one.
    pub fn table_bytes(&self) -> usize {
        self.table.as_ref().map_or(0, Table::bytes)
    }

    /// Forgets what the table holds.
    pub fn forget(&mut self) {
        self.table.iter_mut().for_each(Table::clear);
    }

    /// Searches for the best move. When it must end early it falls back on the last finished iteration; if there
    /// is none, on the best of the moves tried so far, or on the first move of all.
    pub fn search(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<SearchResult, AgentError> {
        let start = Instant::now();
        let fallback = first_move(game, limits)?;
        let depth = self.depth(limits);
        let first_depth = if self.settings.iterative_deepening { 1 } else { depth };
        let mut run = Searcher {
            evaluation: &mut self.evaluation,
            settings: self.settings,
            depth: first_depth,
            table: self.table.as_mut(),
            guide: self.guide.as_ref(),
            budget: Budget::new(limits, game.side_to_move(), stop),
            counts: Counts::default(),
            killers: vec![Killers::default(); (depth + self.settings.checks) as usize + 1],
            keys: game.keys().to_vec(),
            root_moves: &limits.search_moves,
            best_line: Vec::new(),
            deepest: 0,
        };

        let mut finished: Option<(u32, Score, Vec<Move>)> = None;
        for depth in first_depth..=depth {
            let mut line = Vec::new();
            run.depth = depth;
            let score = run.negamax(game.position(), depth, 0, Window::FULL, &mut line);
            if run.budget.is_spent() {
                break;
            }
            report(&SearchInfo {
                depth,
                selective_depth: run.deepest.into(),
                rank: 1,
                score,
                bound: Bound::Exact,
                wdl: None,
                nodes: run.counts.all_nodes(),
                table_hits: 0,
                hash_full: run.table.as_ref().map_or(0, |table| table.permille()),
                elapsed: start.elapsed(),
                line: line.clone(),
            });
            finished = Some((depth, score, line));
            if is_mate_asked_for(score, limits) {
                break;
            }
        }

        let Searcher { counts, best_line, .. } = run;
        let Some((depth, score, line)) = finished else {
            let best = best_line.first().copied().unwrap_or(fallback);
            return Ok(SearchResult { best, line: vec![best], score: None, depth: 0, counts });
        };
        Ok(SearchResult { best: line[0], line, score: Some(score), depth, counts })
    }

    /// The limits' depth, or what a mate asked for needs, or the settings'.
    fn depth(&self, limits: &Limits) -> u32 {
        let for_mate = limits.mate.map(|moves| moves.saturating_mul(2).saturating_sub(1));
        limits.depth.or(for_mate).unwrap_or(self.settings.depth).clamp(1, DEEPEST)
    }
}

/// The first move that may be searched.
fn first_move(game: &ChessGame, limits: &Limits) -> Result<Move, AgentError> {
    let moves = game.position().legal_moves();
    let allowed = |m: &&Move| limits.search_moves.is_empty() || limits.search_moves.contains(m);
    match moves.iter().find(allowed) {
        Some(m) => Ok(*m),
        None if moves.is_empty() => Err(AgentError::GameOver),
        None => Err(AgentError::NoSearchMoves),
    }
}

fn is_mate_asked_for(score: Score, limits: &Limits) -> bool {
    match (score.moves_to_mate(), limits.mate) {
        (Some(found), Some(requested)) => found > 0 && found.unsigned_abs() <= requested,
        _ => false,
    }
}

impl<E: Evaluate> Agent<ChessGame> for Classic<E> {
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, AgentError> {
        self.search(game, limits, stop, report).map(|found| found.best)
    }

    fn new_game(&mut self) {
        self.forget();
    }
}

#[cfg(test)]
mod tests;
