//! The strong search: alpha-beta with principal-variation search (PVS) and lazy SMP, on the engine's own position.
//!
//! | module | contents |
//! | --- | --- |
//! | [`position`] | board, staged move generation, static exchange evaluation |
//! | [`moves`], [`move_picker`] | packed moves, staged move ordering |
//! | [`transposition`], [`history`], `history_update` | transposition table, history and correction-history tables |
//! | `node`, `pruning`, `quiescence` | the tree |
//! | [`root`], [`root_move`], [`time_manager`] | iterative deepening, MultiPV, time management |
//! | [`mate_search`], `mate_schedule` | a full-width mate search, and when it runs beside the main one |
//! | [`params`] | every tunable number |
//! | [`tablebases`], [`wdl`] | what the search asks of tablebases; win/draw/loss model |
//!
//! The search does no I/O and knows no protocol. The evaluation is a type parameter, so calls to it are static. With
//! a limit in nodes or depth and one thread, the same position gives the same nodes and the same move everywhere.

pub mod history;
mod history_update;
mod huge_pages;
mod mate_schedule;
pub mod mate_search;
pub mod move_picker;
pub mod moves;
mod node;
pub mod params;
pub mod position;
mod prefetch;
mod pruning;
mod quiescence;
pub mod root;
pub mod root_move;
mod searcher;
pub mod tablebases;
pub mod time_manager;
pub mod transposition;
pub mod value;
pub mod wdl;

#[cfg(test)]
mod tests;

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};

use shakmaty::Position as _;
use tabia_core::{Agent, AgentError, Bound, ChessGame, Limits, Score, SearchInfo, Stop};
use tabia_eval::Evaluate;

use move_picker::SquareValueFn;
use moves::{Move, to_line};
use params::Params;
use position::Position;
use root::Report;
use root_move::RootMove;
use searcher::{Reductions, Searcher, Shared, ThreadData};
use tablebases::{TablebaseResult, Tablebases};
use time_manager::TimeManager;
use transposition::TranspositionTable;
use value::{TABLEBASE_WIN, Value};

pub use transposition::TableTooLarge;
pub use value::MAX_PLY;

/// A thread's vote weighs its score above the worst thread's, at most `MAX_VOTE_SCORE` centipawns, plus `VOTE_BASE`.
const MAX_VOTE_SCORE: Value = 1_000;
const VOTE_BASE: Value = 10;
const DEFAULT_HASH_MB: usize = 16;
const DEFAULT_MOVE_OVERHEAD: Duration = Duration::from_millis(10);
/// Stack size that the recursive search needs; give it to the thread that calls [`Engine::search`].
pub const STACK_BYTES: usize = 16 * 1024 * 1024;

/// Options of an engine.
#[derive(Clone)]
pub struct Settings {
    /// Transposition table in mebibytes.
    pub hash_mb: usize,
    /// Threads that search together; [`usable_threads`] of them do.
    pub threads: usize,
    /// Principal variations to search and report.
    pub multipv: usize,
    /// How much a draw is disliked by the side to move at the root, in centipawns.
    pub contempt: i32,
    /// Time lost per move between the engine and the clock.
    pub move_overhead: Duration,
    pub tables: Option<Arc<dyn Tablebases>>,
    pub params: Params,
    /// An evaluation's field that helps to order quiet moves, if set.
    pub guide: Option<SquareValueFn>,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            hash_mb: DEFAULT_HASH_MB,
            threads: 1,
            multipv: 1,
            contempt: 0,
            move_overhead: DEFAULT_MOVE_OVERHEAD,
            tables: None,
            params: Params::default(),
            guide: None,
        }
    }
}

#[derive(Clone, Debug)]
pub struct SearchResult {
    pub best: shakmaty::Move,
    /// For the side to move.
    pub score: Score,
    /// Depth completed by the thread whose move was chosen.
    pub depth: i32,
    /// Nodes of all threads.
    pub nodes: u64,
}

/// A chess engine over any evaluation.
pub struct Engine<E> {
    settings: Settings,
    evaluation: E,
    table: TranspositionTable,
    threads: Vec<ThreadData<E>>,
    reductions: Reductions,
}

impl<E: Evaluate> Engine<E> {
    /// An engine with empty tables.
    ///
    /// # Panics
    ///
    /// If there is no memory for the transposition table; [`Engine::try_new`] returns that as an error.
    pub fn new(evaluation: E, settings: Settings) -> Engine<E> {
        Engine::try_new(evaluation, settings).unwrap_or_else(|error| panic!("{error}"))
    }

    /// An engine with empty tables, if there is memory for them.
    pub fn try_new(evaluation: E, settings: Settings) -> Result<Engine<E>, TableTooLarge> {
        Ok(Engine {
            table: TranspositionTable::new(settings.hash_mb)?,
            threads: thread_data(&evaluation, settings.threads),
            reductions: Reductions::new(&settings.params),
            evaluation,
            settings,
        })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes the options. The transposition table is cleared only when its size changes, histories only when the
    /// number of threads does. If there is no memory for the table, all options stay as they were.
    pub fn configure(&mut self, settings: Settings) -> Result<(), TableTooLarge> {
        if settings.hash_mb != self.settings.hash_mb {
            self.table.resize(settings.hash_mb)?;
        }
        if usable_threads(settings.threads) != self.threads.len() {
            self.threads = thread_data(&self.evaluation, settings.threads);
        }
        if settings.params != self.settings.params {
            self.reductions = Reductions::new(&settings.params);
        }
        self.settings = settings;
        Ok(())
    }

    /// Threads that search: those asked for, but no more than the machine has processors.
    pub fn thread_count(&self) -> usize {
        self.threads.len()
    }

    /// Clears the transposition table and all histories.
    pub fn clear(&mut self) {
        self.table.clear(self.threads.len());
        for data in &mut self.threads {
            *data = ThreadData::new(self.evaluation.clone());
        }
    }

    /// Searches for the best move of `game`'s position.
    pub fn search(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<shakmaty::Move>),
    ) -> Result<SearchResult, AgentError> {
        let start = Instant::now();
        let chess = game.position();
        let position = Position::new(chess);
        let tables = self.settings.tables.clone();
        let root_moves = root_moves(game, limits, tables.as_deref())?;
        let decided = root_moves.iter().all(|root_move| root_move.tb_value.is_some());
        self.table.new_search();

        let settings = &self.settings;
        let shared = Shared {
            table: &self.table,
            params: &settings.params,
            reductions: &self.reductions,
            limits,
            stop,
            time: TimeManager::new(start, limits, chess.turn(), settings.move_overhead, &settings.params),
            done: AtomicBool::new(false),
            nodes: self.threads.iter().map(|_| AtomicU64::new(0)).collect(),
            tables: tables.as_deref(),
            tb_pieces: match &tables {
                Some(tables) if !decided => tables.max_pieces(),
                _ => 0,
            },
            contempt: settings.contempt,
            multipv: settings.multipv.max(1),
            guide: settings.guide,
        };
        let path = key_path(game);
        let mut tell = |found: Report<'_>| {
            report(&SearchInfo {
                depth: found.depth as u32,
                selective_depth: (found.root_move.selective_depth as u32).max(found.depth as u32),
                rank: found.rank as u32,
                score: Score::from_raw(shown_value(found.root_move)),
                bound: found.root_move.bound,
                wdl: Some(wdl::chances(Score::from_raw(shown_value(found.root_move)), chess.board())),
                nodes: found.nodes,
                table_hits: found.table_hits,
                hash_full: shared.table.permille_full(),
                elapsed: start.elapsed(),
                line: to_line(&found.root_move.line, chess),
            });
        };

        let (main, helpers) = self.threads.split_first_mut().ok_or(AgentError::GameOver)?;
        let results = std::thread::scope(|scope| {
            let running: Vec<_> = helpers
                .iter_mut()
                .enumerate()
                .filter_map(|(index, data)| {
                    let (shared, position) = (&shared, &position);
                    let (path, root_moves) = (path.clone(), root_moves.clone());
                    let work = move || {
                        let mut helper = Searcher::new(shared, data, index + 1, path, root_moves);
                        let depth = helper.iterate(position, &mut |_| {});
                        (depth, helper.root_moves.swap_remove(0))
                    };
                    // If a thread cannot be started, search with fewer.
                    std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).ok()
                })
                .collect();
            // The scope waits for the helpers, so they must be told of the end even if this thread panics.
            let _done = DoneWhenDropped(&shared.done);
            let mut searcher = Searcher::new(&shared, main, 0, path.clone(), root_moves.clone());
            let depth = searcher.iterate(&position, &mut tell);
            let mut results = vec![(depth, searcher.root_moves.swap_remove(0))];
            results.extend(running.into_iter().filter_map(|helper| helper.join().ok()));
            results
        });
        let (depth, best) = if settings.multipv > 1 { &results[0] } else { vote(&results) };
        let line = to_line(&best.line, chess);
        let nodes = shared.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum();
        if best.mv != results[0].1.mv {
            tell(Report { depth: *depth, rank: 1, root_move: best, nodes, table_hits: 0 });
        }
        Ok(SearchResult {
            best: *line.first().ok_or(AgentError::GameOver)?,
            score: Score::from_raw(shown_value(best)),
            depth: *depth,
            nodes,
        })
    }
}

/// How many of the `requested` threads search: no more than this process has processors. Beyond that the thread that watches
/// the clock waits for its turn among all others, and a search of 500 ms takes seconds.
pub fn usable_threads(requested: usize) -> usize {
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    requested.clamp(1, processors)
}

fn thread_data<E: Evaluate>(evaluation: &E, threads: usize) -> Vec<ThreadData<E>> {
    (0..usable_threads(threads)).map(|_| ThreadData::new(evaluation.clone())).collect()
}

/// Sets the flag when dropped, also during a panic.
struct DoneWhenDropped<'a>(&'a AtomicBool);

impl Drop for DoneWhenDropped<'_> {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

/// The value to report: the tablebases' unless the search found a mate, and the previous iteration's where this
/// iteration has none.
fn shown_value(root_move: &RootMove) -> Value {
    let value = if root_move.value == -value::INFINITE { root_move.previous } else { root_move.value };
    match root_move.tb_value {
        Some(known) if value.abs() < value::MATE_BOUND => known,
        _ if value == -value::INFINITE => 0,
        _ => value,
    }
}

/// The legal root moves, restricted to `searchmoves` and ranked by the tablebases.
fn root_moves(
    game: &ChessGame,
    limits: &Limits,
    tables: Option<&dyn Tablebases>,
) -> Result<Vec<RootMove>, AgentError> {
    let chess = game.position();
    let legal = chess.legal_moves();
    if legal.is_empty() {
        return Err(AgentError::GameOver);
    }
    let mut root_moves: Vec<RootMove> = legal
        .iter()
        .filter(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m))
        .map(|m| RootMove::new(Move::from_shakmaty(*m)))
        .collect();
    if root_moves.is_empty() {
        return Err(AgentError::NoSearchMoves);
    }
    let ranked = tables
        .filter(|tables| chess.board().occupied().count() <= tables.max_pieces())
        .and_then(|tables| tables.rank_moves(game));
    for ranked in ranked.into_iter().flatten() {
        let mv = Move::from_shakmaty(ranked.mv);
        if let Some(root_move) = root_moves.iter_mut().find(|root_move| root_move.mv == mv) {
            root_move.tb_rank = ranked.rank;
            root_move.tb_value = Some(match ranked.result {
                TablebaseResult::Win => TABLEBASE_WIN,
                TablebaseResult::Draw => 0,
                TablebaseResult::Loss => -TABLEBASE_WIN,
            });
        }
    }
    root_moves.sort_by_key(|root_move| -root_move.tb_rank);
    Ok(root_moves)
}

/// The engine's keys of all positions of the game, the current one last.
fn key_path(game: &ChessGame) -> Vec<u64> {
    let mut chess = game.start().clone();
    let mut path = vec![Position::new(&chess).key()];
    for m in game.moves() {
        chess.play_unchecked(*m);
        path.push(Position::new(&chess).key());
    }
    path
}

/// Chooses among the threads' results: each votes for its move with a weight that grows with depth and score; the
/// shortest proven mate wins outright.
fn vote(results: &[(i32, RootMove)]) -> &(i32, RootMove) {
    let worst = results.iter().map(|(_, root_move)| root_move.value).min().unwrap_or(0);
    let weight = |(depth, root_move): &(i32, RootMove)| {
        i64::from((root_move.value - worst).min(MAX_VOTE_SCORE) + VOTE_BASE) * i64::from(*depth)
    };
    let votes = |candidate: &(i32, RootMove)| -> i64 {
        results.iter().filter(|other| other.1.mv == candidate.1.mv).map(weight).sum()
    };
    let mut best = &results[0];
    for candidate in &results[1..] {
        if candidate.0 == 0 || candidate.1.bound != Bound::Exact {
            continue;
        }
        let better = if best.1.value >= value::MATE_BOUND || candidate.1.value >= value::MATE_BOUND {
            candidate.1.value > best.1.value
        } else if candidate.1.value <= -value::MATE_BOUND {
            false
        } else {
            votes(candidate) > votes(best)
        };
        if better {
            best = candidate;
        }
    }
    best
}

impl<E: Evaluate> Agent<ChessGame> for Engine<E> {
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        stop: &Stop,
        report: &mut dyn FnMut(&SearchInfo<shakmaty::Move>),
    ) -> Result<shakmaty::Move, AgentError> {
        self.search(game, limits, stop, report).map(|found| found.best)
    }

    fn new_game(&mut self) {
        self.clear();
    }
}
