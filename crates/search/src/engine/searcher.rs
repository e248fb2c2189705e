//! A search thread: the data it keeps between searches, its search stack, and the helpers every node uses.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use shakmaty::{Bitboard, Chess, FromSetup, Setup};
use tabia_core::{Limits, Stop};
use tabia_eval::Evaluate;

use super::history::{CONTINUATIONS, Context, CorrectionWeights, Histories, PieceTo, QuietIndex};
use super::mate_search::MateSchedule;
use super::move_picker::SquareValueFn;
use super::moves::Move;
use super::params::Params;
use super::position::Position;
use super::root_move::{Line, RootMove};
use super::tablebases::{TablebaseResult, Tablebases};
use super::time_manager::{NODES_BETWEEN_CLOCK_READINGS, TimeManager};
use super::transposition::TranspositionTable;
use super::value::{self, MAX_PLY, TABLEBASE_WIN, Value};

/// Stack entries before the root, so that a node may look back without checking its ply.
const STACK_BEFORE_ROOT: usize = 4;
/// Stack entries beyond the deepest ply: a node resets the entry two plies below it.
const STACK_BEYOND_LEAVES: usize = 4;
/// Half-moves without a capture or pawn move after which the game is drawn.
const FIFTY_MOVES: u16 = 100;
/// Plies back of the moves that continuation histories look at.
const CONTINUATION_PLIES: [usize; CONTINUATIONS] = [1, 2, 4];
/// The evaluation fades towards half as the fifty-move counter grows: it is multiplied by (200 − counter) / 200.
const FADE: i32 = 200;
/// A repetition needs at least this many plies.
const SHORTEST_REPETITION: usize = 4;
/// Depths and move numbers that the table of reductions tells apart.
const REDUCTION_ENTRIES: usize = 64;

/// What a search thread keeps between searches.
pub struct ThreadData<E> {
    pub(super) evaluation: E,
    pub(super) histories: Box<Histories>,
    stack: Vec<StackEntry>,
    pvs: Vec<Line>,
}

impl<E: Evaluate> ThreadData<E> {
    pub fn new(evaluation: E) -> ThreadData<E> {
        ThreadData {
            evaluation,
            histories: Box::default(),
            stack: vec![StackEntry::default(); STACK_BEFORE_ROOT + MAX_PLY + STACK_BEYOND_LEAVES],
            pvs: vec![Line::new(); MAX_PLY + 2],
        }
    }
}

/// An entry of the search stack: one node on the path from the root.
#[derive(Copy, Clone, Debug)]
pub struct StackEntry {
    /// The move being searched from this node.
    pub mv: Move,
    /// Its index in continuation histories.
    pub piece_to: PieceTo,
    /// Its index in the quiet history; `None` for noisy moves.
    pub quiet_index: Option<QuietIndex>,
    /// The static evaluation after correction; `None` in check.
    pub evaluation: Option<Value>,
    /// The excluded move of a singular search.
    pub excluded: Move,
    /// The last quiet move that caused a cut-off at this ply.
    pub killer: Move,
    /// Beta cut-offs among the nodes of this ply since the grandparent was entered.
    pub cutoffs: u32,
    /// Double extensions on the path to this node.
    pub double_extensions: i32,
    /// Whether this is, or once was, a PV node (Stockfish's `ttPv`).
    pub pv: bool,
}

impl Default for StackEntry {
    fn default() -> StackEntry {
        StackEntry {
            mv: Move::NONE,
            piece_to: PieceTo::NONE,
            quiet_index: None,
            evaluation: None,
            excluded: Move::NONE,
            killer: Move::NONE,
            cutoffs: 0,
            double_extensions: 0,
            pv: false,
        }
    }
}

/// What all threads of one search share (lazy SMP).
pub struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) params: &'a Params,
    pub(super) reductions: &'a Reductions,
    pub(super) limits: &'a Limits,
    pub(super) stop: &'a Stop,
    pub(super) time: TimeManager,
    /// Set when the main thread has finished; helper threads then stop.
    pub(super) done: AtomicBool,
    /// Nodes of each thread, published whenever it reads the clock.
    pub(super) nodes: Vec<AtomicU64>,
    pub(super) tables: Option<&'a dyn Tablebases>,
    /// Positions with at most this many pieces are probed; 0 (never) when the tablebases already decide the root.
    pub(super) tb_pieces: usize,
    /// How much the root's side to move dislikes a draw, in centipawns.
    pub(super) contempt: Value,
    pub(super) multipv: usize,
    /// An evaluation's field that helps to order quiet moves.
    pub(super) guide: Option<SquareValueFn>,
}

/// Late-move reductions by depth and move number, in 1024ths of a ply: `base + slope · ln(depth) · ln(number)`.
pub struct Reductions {
    quiet: Vec<[i32; REDUCTION_ENTRIES]>,
    noisy: Vec<[i32; REDUCTION_ENTRIES]>,
}

impl Reductions {
    pub fn new(params: &Params) -> Reductions {
        let table = |base: i32, slope: i32| {
            let mut rows = vec![[0; REDUCTION_ENTRIES]; REDUCTION_ENTRIES];
            for (depth, row) in rows.iter_mut().enumerate().skip(1) {
                for (number, entry) in row.iter_mut().enumerate().skip(1) {
                    let logs = (depth as f64).ln() * (number as f64).ln();
                    *entry = base + (f64::from(slope) * logs) as i32;
                }
            }
            rows
        };
        Reductions {
            quiet: table(params.lmr_base, params.lmr_slope),
            noisy: table(params.lmr_noisy_base, params.lmr_noisy_slope),
        }
    }

    /// The reduction of the `number`-th move at `depth`.
    #[inline]
    pub fn get(&self, noisy: bool, depth: i32, number: usize) -> i32 {
        let rows = if noisy { &self.noisy } else { &self.quiet };
        let last = REDUCTION_ENTRIES - 1;
        rows[(depth.max(0) as usize).min(last)][number.min(last)]
    }
}

/// One thread's search in progress.
pub struct Searcher<'a, E> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) data: &'a mut ThreadData<E>,
    pub(super) thread: usize,
    /// Keys of the game's positions and of those on the path from the root, the current one last.
    path: Vec<u64>,
    game_length: usize,
    pub(super) root_moves: Vec<RootMove>,
    /// The MultiPV line being searched, from 0.
    pub(super) pv_index: usize,
    pub(super) root_depth: i32,
    pub(super) selective_depth: usize,
    pub(super) nodes: u64,
    pub(super) table_hits: u64,
    /// No null moves before this ply: a null-move cut-off is being verified.
    pub(super) null_move_from: usize,
    /// The next mate search, and the node count at which it runs.
    pub(super) mate_schedule: Option<MateSchedule>,
    pub(super) mate_search_from: u64,
    pub(super) stopped: bool,
}

impl<'a, E: Evaluate> Searcher<'a, E> {
    /// `path` holds the keys of the game's positions, the root's last.
    pub fn new(
        shared: &'a Shared<'a>,
        data: &'a mut ThreadData<E>,
        thread: usize,
        path: Vec<u64>,
        root_moves: Vec<RootMove>,
    ) -> Searcher<'a, E> {
        data.stack.fill(StackEntry::default());
        data.evaluation.restart();
        Searcher {
            shared,
            data,
            thread,
            game_length: path.len(),
            path,
            root_moves,
            pv_index: 0,
            root_depth: 0,
            selective_depth: 0,
            nodes: 0,
            table_hits: 0,
            null_move_from: 0,
            mate_schedule: None,
            mate_search_from: u64::MAX,
            stopped: false,
        }
    }

    /// The stack entry of a ply.
    #[inline]
    pub(super) fn stack(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.data.stack[ply + STACK_BEFORE_ROOT]
    }

    /// The stack entry `back` plies before `ply`.
    #[inline]
    pub(super) fn stack_back(&self, ply: usize, back: usize) -> &StackEntry {
        &self.data.stack[ply + STACK_BEFORE_ROOT - back]
    }

    /// The node's context in the history tables.
    #[inline]
    pub(super) fn context(&self, position: &Position, ply: usize) -> Context {
        let before = CONTINUATION_PLIES.map(|back| self.stack_back(ply, back).piece_to);
        Context::new(position, before)
    }

    /// The principal variation of `ply`.
    pub(super) fn pv_at(&mut self, ply: usize) -> &mut Line {
        &mut self.data.pvs[ply]
    }

    /// Sets the principal variation of `ply` to `mv` followed by that of the next ply.
    pub(super) fn record_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.data.pvs.split_at_mut(ply + 1);
        let here = &mut here[ply];
        here.clear();
        here.push(mv);
        for next in below[0].iter().take(MAX_PLY - 1) {
            here.push(*next);
        }
    }

    /// Makes a move: returns the successor and updates stack, path and evaluation.
    #[inline]
    pub(super) fn make_move(&mut self, position: &Position, ply: usize, mv: Move) -> Position {
        self.shared.table.prefetch(position.key_after(mv));
        let piece_to = PieceTo::new(position, mv);
        let quiet_index = if position.is_noisy(mv) { None } else { Some(QuietIndex::new(position, mv)) };
        let entry = self.stack(ply);
        entry.mv = mv;
        entry.piece_to = piece_to;
        entry.quiet_index = quiet_index;
        let next = position.after(mv);
        self.data.evaluation.push();
        self.path.push(next.key());
        self.count_node();
        next
    }

    /// Makes a null move.
    pub(super) fn make_null_move(&mut self, position: &Position, ply: usize) -> Position {
        let entry = self.stack(ply);
        entry.mv = Move::NONE;
        entry.piece_to = PieceTo::NONE;
        entry.quiet_index = None;
        let next = position.after_null();
        self.shared.table.prefetch(next.key());
        self.data.evaluation.push();
        self.path.push(next.key());
        self.count_node();
        next
    }

    /// Undoes [`Searcher::make_move`] or [`Searcher::make_null_move`].
    #[inline]
    pub(super) fn unmake_move(&mut self) {
        self.path.pop();
        self.data.evaluation.pop();
    }

    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.mate_search_from {
            self.run_mate_search();
            self.read_clock();
        }
        if self.nodes.is_multiple_of(NODES_BETWEEN_CLOCK_READINGS) {
            self.publish_nodes();
            self.read_clock();
        }
        if let Some(limit) = self.shared.limits.nodes
            && self.thread == 0
            && (self.nodes >= limit
                || (self.shared.nodes.len() > 1
                    && self.nodes.is_multiple_of(NODES_BETWEEN_CLOCK_READINGS)
                    && self.all_nodes() >= limit))
        {
            self.stopped = true;
        }
    }

    pub(super) fn publish_nodes(&self) {
        self.shared.nodes[self.thread].store(self.nodes, Ordering::Relaxed);
    }

    /// Nodes of all threads so far.
    pub(super) fn all_nodes(&self) -> u64 {
        self.publish_nodes();
        self.shared.nodes.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum()
    }

    fn read_clock(&mut self) {
        self.stopped |= self.is_over();
    }

    /// Whether somebody said stop, or the time is up.
    pub(super) fn is_over(&self) -> bool {
        let stop = self.shared.stop;
        // The first iteration is always completed, so that there is a move to play.
        let may_end = self.thread == 0 && self.root_depth > 1 && !stop.is_pondering();
        stop.is_stopped()
            || self.shared.done.load(Ordering::Relaxed)
            || (may_end && self.shared.time.is_over())
    }

    /// The value of a draw: contempt from the root's point of view, and ±1 so that the search does not treat all
    /// draws alike (as Stockfish's `value_draw` does, to avoid blindness to threefold repetition).
    #[inline]
    pub(super) fn draw_value(&self, ply: usize) -> Value {
        let contempt = if ply.is_multiple_of(2) { -self.shared.contempt } else { self.shared.contempt };
        contempt + 1 - (self.nodes as Value & 2)
    }

    /// Whether the position at this ply is drawn by repetition, the fifty-move rule or lack of material.
    pub(super) fn is_draw(&self, position: &Position) -> bool {
        self.is_repetition(position)
            || position.is_insufficient_material()
            || (position.halfmove_clock() >= FIFTY_MOVES
                && (!position.in_check() || position.has_legal_move()))
    }

    /// One earlier occurrence within the search counts as a draw: what was forced once can be forced again. An
    /// occurrence before the root must be the second one.
    fn is_repetition(&self, position: &Position) -> bool {
        let current = self.path.len() - 1;
        let key = self.path[current];
        let furthest = position.reversible_plies().min(current);
        let mut earlier = 0;
        for back in (SHORTEST_REPETITION..=furthest).step_by(2) {
            if self.path[current - back] == key {
                earlier += 1;
                let before_root = current - back < self.game_length;
                if !before_root || earlier == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// The raw static evaluation for the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> Value {
        self.data.evaluation.relative(position.view()).raw()
    }

    /// The static evaluation after correction history, faded as the fifty-move rule approaches.
    #[inline]
    pub(super) fn correct(&self, position: &Position, ply: usize, evaluation: Value) -> Value {
        let params = self.shared.params;
        let weights = CorrectionWeights {
            pawns: params.correction_pawns,
            minors: params.correction_minors,
            pieces: params.correction_pieces,
            continuation: params.correction_replies,
        };
        let faded = evaluation * (FADE - i32::from(position.halfmove_clock().min(FIFTY_MOVES))) / FADE;
        self.data.histories.correct(position, self.stack_back(ply, 1).piece_to, faded, weights)
    }

    /// The tablebases' value of a position, if they cover it. WDL tables are exact only where the fifty-move counter
    /// is zero.
    pub(super) fn probe_tablebases(&mut self, position: &Position, ply: usize) -> Option<Value> {
        let tables = self.shared.tables?;
        let pieces = position.board().occupied().count();
        if pieces > self.shared.tb_pieces
            || position.halfmove_clock() != 0
            || position.castling() != Bitboard::EMPTY
        {
            return None;
        }
        let result = tables.result(&to_chess(position)?)?;
        self.table_hits += 1;
        Some(match result {
            TablebaseResult::Win => TABLEBASE_WIN - ply as Value,
            TablebaseResult::Draw => self.draw_value(ply),
            TablebaseResult::Loss => ply as Value - TABLEBASE_WIN,
        })
    }

    /// Mate distance pruning: the window within what a mate at this ply could still reach.
    pub(super) fn mate_distance_window(ply: usize, alpha: Value, beta: Value) -> (Value, Value) {
        (alpha.max(value::mated_in(ply)), beta.min(value::mate_in(ply + 1)))
    }
}

/// shakmaty's form of a position without castling rights.
fn to_chess(position: &Position) -> Option<Chess> {
    let setup = Setup {
        board: position.board().clone(),
        turn: position.turn(),
        castling_rights: Bitboard::EMPTY,
        ep_square: position.en_passant(),
        ..Setup::empty()
    };
    Chess::from_setup(setup, shakmaty::CastlingMode::Chess960)
        .or_else(shakmaty::PositionError::ignore_impossible_check)
        .ok()
}
