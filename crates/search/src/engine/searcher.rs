//! One thread at work: its data, its quiet_index in the tree, and the small questions every node asks.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Chess, FromSetup, Setup};
use tabia_core::{Limits, Stop};
use tabia_eval::Evaluate;

use super::history::{Context, CorrectionWeights, Histories, PieceTo, QuietIndex};
use super::mate_schedule::MateSchedule;
use super::move_picker::Guide;
use super::moves::Move;
use super::params::Params;
use super::position::Position;
use super::root::RootMove;
use super::tablebases::{TablebaseResult, Tablebases};
use super::time_manager::TimeManager;
use super::transposition::TranspositionTable;
use super::value::{self, TABLEBASE_WIN, Value};
use super::{MAX_PLY, STACK_BEFORE_ROOT};

/// The clock is read once in so many nodes.
pub(super) const NODES_BETWEEN_CLOCK_READINGS: u64 = 1_024;
/// Half-moves without progress that draw.
const FIFTY_MOVES: u16 = 100;

/// What a thread keeps between searches.
pub struct ThreadData<E> {
    pub(super) evaluation: E,
    pub(super) histories: Box<Histories>,
    stack: Vec<StackEntry>,
    pvs: Vec<Line>,
}

impl<E: Evaluate> ThreadData<E> {
    /// Nothing learned yet.
    pub fn new(evaluation: E) -> ThreadData<E> {
        ThreadData {
            evaluation,
            histories: Box::default(),
            stack: vec![StackEntry::default(); MAX_PLY + STACK_BEFORE_ROOT + 4],
            pvs: vec![Line::new(); MAX_PLY + 2],
        }
    }
}

/// A line of play.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// What is known about one node on the way from the root.
#[derive(Copy, Clone, Debug)]
pub struct StackEntry {
    /// The move being searched.
    pub mv: Move,
    /// The same, as histories see it.
    pub piece_to: PieceTo,
    /// Where its history lies, if it is quiet.
    pub quiet_index: Option<QuietIndex>,
    /// The corrected evaluation; `None` in check.
    pub evaluation: Option<Value>,
    /// A move left out, while it is tested for being the only good one.
    pub excluded: Move,
    /// A quiet move that cut a sibling.
    pub killer: Move,
    /// How often children were cut since the grandparent began.
    pub cutoffs: u32,
    /// Double extensions on the way here.
    pub double_extensions: i32,
    /// Whether this is on or beside a principal variation.
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

/// What all threads of one search share.
pub struct Shared<'a> {
    pub(super) table: &'a TranspositionTable,
    pub(super) params: &'a Params,
    pub(super) reductions: &'a Reductions,
    pub(super) limits: &'a Limits,
    pub(super) stop: &'a Stop,
    pub(super) time: TimeManager,
    /// The main thread is done; the others may stop.
    pub(super) done: AtomicBool,
    /// Nodes of each thread, updated now and then.
    pub(super) nodes: Vec<AtomicU64>,
    pub(super) tables: Option<&'a dyn Tablebases>,
    /// Fewest pieces already decided at the root, where probing in the tree is pointless.
    pub(super) tb_pieces: usize,
    /// A draw's value for the side to move at the root.
    pub(super) contempt: Value,
    /// Lines to report.
    pub(super) multipv: usize,
    /// What helps to order quiet moves, if anything.
    pub(super) guide: Option<Guide>,
}

/// Reductions by depth and move number, in 1024ths of a ply: quiet moves, then captures.
pub struct Reductions {
    quiet: Vec<[i32; 64]>,
    noisy: Vec<[i32; 64]>,
}

impl Reductions {
    /// From the parameters.
    pub fn new(params: &Params) -> Reductions {
        let table = |base: i32, slope: i32| {
            let mut rows = vec![[0; 64]; 64];
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
        rows[depth.clamp(0, 63) as usize][number.min(63)]
    }
}

/// A thread in the middle of a search.
pub struct Searcher<'a, E> {
    pub(super) shared: &'a Shared<'a>,
    pub(super) data: &'a mut ThreadData<E>,
    pub(super) thread: usize,
    /// Keys of the game's positions and of those on the way from the root, the current one last.
    path: Vec<u64>,
    game_length: usize,
    pub(super) root_moves: Vec<RootMove>,
    /// The line being searched, of several.
    pub(super) pv_index: usize,
    pub(super) root_depth: i32,
    pub(super) selective_depth: usize,
    pub(super) nodes: u64,
    pub(super) table_hits: u64,
    /// No null moves before this ply: a cut-off by passing is being verified.
    pub(super) null_move_from: usize,
    /// The mate to look for beside the search, and after how many nodes.
    pub(super) mate_schedule: Option<MateSchedule>,
    pub(super) mate_search_from: u64,
    pub(super) stopped: bool,
}

impl<'a, E: Evaluate> Searcher<'a, E> {
    /// A thread ready to search; `path` holds the keys of the game's positions, the root's last.
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

    #[inline]
    pub(super) fn stack(&mut self, ply: usize) -> &mut StackEntry {
        &mut self.data.stack[ply + STACK_BEFORE_ROOT]
    }

    /// The entry so many plies before `ply`.
    #[inline]
    pub(super) fn stack_back(&self, ply: usize, back: usize) -> &StackEntry {
        &self.data.stack[ply + STACK_BEFORE_ROOT - back]
    }

    /// Where the histories are looked up at this node.
    #[inline]
    pub(super) fn context(&self, position: &Position, ply: usize) -> Context {
        let before = [1, 2, 4].map(|back| self.stack_back(ply, back).piece_to);
        Context::new(position, before)
    }

    /// The principal variation below `ply`.
    pub(super) fn pv_at(&mut self, ply: usize) -> &mut Line {
        &mut self.data.pvs[ply]
    }

    /// `mv`, followed by the line below it, is the best line at `ply`.
    pub(super) fn record_pv(&mut self, ply: usize, mv: Move) {
        let (here, below) = self.data.pvs.split_at_mut(ply + 1);
        let here = &mut here[ply];
        here.clear();
        here.push(mv);
        for next in below[0].iter().take(MAX_PLY - 1) {
            here.push(*next);
        }
    }

    /// Plays `mv`: the successor, with the bookkeeping of the path.
    #[inline]
    pub(super) fn enter(&mut self, position: &Position, ply: usize, mv: Move) -> Position {
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

    /// Passes.
    pub(super) fn enter_null(&mut self, position: &Position, ply: usize) -> Position {
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

    /// Returns to the position before.
    #[inline]
    pub(super) fn leave(&mut self) {
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
        let stop = self.shared.stop;
        if stop.is_stopped() || self.shared.done.load(Ordering::Relaxed) {
            self.stopped = true;
        }
        // The first iteration is always finished, so that there is a move to play.
        if self.thread == 0 && self.root_depth > 1 && !stop.is_pondering() && self.shared.time.is_over() {
            self.stopped = true;
        }
    }

    /// A draw's value at this ply: contempt counts for the side to move at the root, and a little noise keeps
    /// the search from seeing all draws as one.
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

    /// Once before within the search is enough: if it could be forced once, it can be forced again. Before the
    /// root it must have happened twice.
    fn is_repetition(&self, position: &Position) -> bool {
        let current = self.path.len() - 1;
        let key = self.path[current];
        let furthest = position.reversible_plies().min(current);
        let mut earlier = 0;
        for back in (4..=furthest).step_by(2) {
            if self.path[current - back] == key {
                earlier += 1;
                if current - back >= self.game_length || earlier == 2 {
                    return true;
                }
            }
        }
        false
    }

    /// The evaluation for the side to move, before correction.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> Value {
        self.data.evaluation.relative(position.view()).raw()
    }

    /// The evaluation with known errors taken off, fading as the fifty-move rule comes near.
    #[inline]
    pub(super) fn correct(&self, position: &Position, ply: usize, evaluation: Value) -> Value {
        let params = self.shared.params;
        let weights = CorrectionWeights {
            pawns: params.correction_pawns,
            minors: params.correction_minors,
            pieces: params.correction_pieces,
            replies: params.correction_replies,
        };
        let faded = evaluation * (200 - i32::from(position.halfmove_clock().min(100))) / 200;
        self.data.histories.correct(position, self.stack_back(ply, 1).piece_to, faded, weights)
    }

    /// The endgame tables' word on a position, if they have it.
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

    /// Whether a value found so far may still be a mate that the fifty-move rule spoils.
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
