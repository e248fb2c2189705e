//! Iterative deepening at the root: aspiration windows, MultiPV, and the decision to stop.

use std::sync::atomic::Ordering;

use tabia_core::{Bound, Score};
use tabia_eval::Evaluate;

use super::moves::Move;
use super::position::Position;
use super::root_move::{Line, RootMove};
use super::searcher::Searcher;
use super::time_manager::Stability;
use super::value::{INFINITE, MATE, MAX_PLY, Value, is_won};

/// A fail-high or fail-low is reported only after this many milliseconds, so that short searches stay quiet.
const REPORT_BOUNDS_AFTER_MS: u128 = 3_000;
/// The deepest iteration; the plies beyond it are left for extensions and quiescence search.
const DEEPEST: i32 = MAX_PLY as i32 - 8;
/// From this depth on, a single legal move is played at once under a clock.
const FORCED_MOVE_DEPTH: i32 = 4;
/// Under a clock, a mate is final when the search is deeper than the mate by more than this.
const MATE_MARGIN: i32 = 4;
/// The first iteration with an aspiration window.
const ASPIRATION_DEPTH: i32 = 4;
/// After a fail high the next search is a ply shallower, at most this many times, unless the score is beyond
/// `CLEAR_ADVANTAGE` centipawns.
const MAX_SHALLOWER: i32 = 3;
const CLEAR_ADVANTAGE: Value = 1_000;
/// No aspiration window around scores this close to mate, in centipawns.
const NEAR_MATE: Value = MATE - 1_000;
const PERCENT: i32 = 100;
/// An aspiration window wider than this, in centipawns, becomes infinite.
const WIDEST_WINDOW: Value = 800;

/// A principal variation to report: what `Searcher::iterate` passes to its caller.
pub struct Report<'a> {
    pub depth: i32,
    /// MultiPV rank, from 1.
    pub rank: usize,
    pub root_move: &'a RootMove,
    /// Nodes of all threads.
    pub nodes: u64,
    pub table_hits: u64,
}

impl<E: Evaluate> Searcher<'_, E> {
    /// Iterative deepening until a limit or the stop flag ends it. The root moves are then sorted, best first.
    /// Returns the last depth that was completed.
    pub fn iterate(&mut self, position: &Position, report: &mut dyn FnMut(Report<'_>)) -> i32 {
        let limits = self.shared.limits;
        let deepest = limits.depth.map_or(DEEPEST, |depth| (depth as i32).clamp(1, DEEPEST));
        let multipv = self.shared.multipv.min(self.root_moves.len());
        let mut finished = 0;
        let mut settled = 0;
        let mut last: Option<(Move, Value)> = None;
        let mut completed = Vec::new();

        for depth in 1..=deepest {
            self.root_depth = depth;
            for root_move in &mut self.root_moves {
                root_move.previous = root_move.value;
            }
            for pv_index in 0..multipv {
                self.pv_index = pv_index;
                self.selective_depth = 0;
                self.aspiration_search(position, depth, report);
                if self.stopped {
                    break;
                }
                self.root_moves[..=pv_index].sort_by_key(|root_move| (-root_move.tb_rank, -root_move.value));
                self.report_lines(depth, pv_index + 1 == multipv, report);
            }
            if self.stopped {
                break;
            }
            finished = depth;
            if multipv > 1 {
                completed.clone_from(&self.root_moves);
            }
            if depth == 1 {
                self.schedule_mate_search(position);
            }
            if limits.nodes.is_some_and(|limit| self.nodes >= limit) {
                break;
            }

            let best = &self.root_moves[0];
            let (mv, value, nodes) = (best.mv, best.value, best.nodes);
            let drop = last.map_or(0, |(_, previous)| previous - value);
            settled = match last {
                Some((previous, _)) if previous == mv => settled + 1,
                _ => 0,
            };
            last = Some((mv, value));
            let effort = nodes as f64 / self.nodes.max(1) as f64;
            if self.thread == 0 && self.is_enough(depth, value, Stability { settled, effort, drop }) {
                break;
            }
        }
        self.publish_nodes();
        // MultiPV lines are compared with one another, so an iteration counts only when all lines completed it.
        if self.stopped && !completed.is_empty() {
            self.root_moves = completed;
        }
        // An interrupted iteration may have found a better move or a mate; report it.
        let best = &self.root_moves[0];
        let news =
            last.is_some_and(|(mv, value)| mv != best.mv || (is_won(best.value) && best.value > value));
        if self.stopped && news {
            self.report_lines(self.root_depth, true, report);
        }
        if self.thread == 0 {
            self.shared.done.store(true, Ordering::Relaxed);
        }
        finished
    }

    /// Whether the main thread may end the search after a completed iteration.
    fn is_enough(&self, depth: i32, value: Value, stability: Stability) -> bool {
        if self.shared.stop.is_pondering() {
            return false;
        }
        let score = Score::from_raw(value);
        if let (Some(moves), Some(found)) = (self.shared.limits.mate, score.moves_to_mate())
            && found.unsigned_abs() <= moves
        {
            return true;
        }
        let time = &self.shared.time;
        if time.is_clocked() {
            // A single legal move, or a mate that deeper iterations cannot shorten.
            if self.root_moves.len() == 1 && depth >= FORCED_MOVE_DEPTH {
                return true;
            }
            if score.plies_to_mate().is_some_and(|plies| plies.abs() + MATE_MARGIN < depth) {
                return true;
            }
        }
        time.is_spent(stability)
    }

    /// Searches one MultiPV line at one depth: an aspiration window around the previous value, widened on fail
    /// high or fail low.
    fn aspiration_search(&mut self, position: &Position, depth: i32, report: &mut dyn FnMut(Report<'_>)) {
        let params = self.shared.params;
        let previous = self.root_moves[self.pv_index].previous;
        let mut window = params.aspiration_window;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= ASPIRATION_DEPTH && previous.abs() < NEAR_MATE {
            alpha = (previous - window).max(-INFINITE);
            beta = (previous + window).min(INFINITE);
        }
        let mut shallower = 0;
        loop {
            let reduced = (depth - shallower).max(1);
            let value = self.node::<true, true>(position, 0, alpha, beta, reduced, false);
            self.root_moves[self.pv_index..].sort_by_key(|root_move| (-root_move.tb_rank, -root_move.value));
            if self.stopped {
                return;
            }
            let best = &mut self.root_moves[self.pv_index];
            if value <= alpha {
                best.bound = Bound::Upper;
                beta = i32::midpoint(alpha, beta);
                alpha = (value - window).max(-INFINITE);
                shallower = 0;
            } else if value >= beta {
                best.bound = Bound::Lower;
                beta = (value + window).min(INFINITE);
                shallower += i32::from(shallower < MAX_SHALLOWER && value.abs() < CLEAR_ADVANTAGE);
            } else {
                best.bound = Bound::Exact;
                return;
            }
            window += window * (params.aspiration_growth - PERCENT) / PERCENT;
            if window > WIDEST_WINDOW {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            if self.shared.multipv == 1 && self.shared.time.elapsed().as_millis() > REPORT_BOUNDS_AFTER_MS {
                self.report_lines(depth, true, report);
            }
        }
    }

    /// Reports every line found at this depth.
    fn report_lines(&mut self, depth: i32, all: bool, report: &mut dyn FnMut(Report<'_>)) {
        if self.thread != 0 || !all {
            return;
        }
        let nodes = self.all_nodes();
        for rank in 1..=self.shared.multipv.min(self.root_moves.len()) {
            let root_move = &self.root_moves[rank - 1];
            report(Report { depth, rank, root_move, nodes, table_hits: self.table_hits });
        }
    }

    /// Whether a root move is searched for this MultiPV line: not one of the better lines already found, and not
    /// one that the tablebases rank lower.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        let best_rank = self.root_moves[self.pv_index].tb_rank;
        self.root_moves[self.pv_index..]
            .iter()
            .any(|root_move| root_move.mv == mv && root_move.tb_rank == best_rank)
    }

    /// Records the result of searching one root move.
    pub(super) fn record_root_move(&mut self, mv: Move, value: Value, better: bool, nodes_before: u64) {
        let spent = self.nodes - nodes_before;
        let selective_depth = self.selective_depth;
        let below = if better { self.pv_at(1).clone() } else { Line::new() };
        let Some(root_move) = self.root_moves.iter_mut().find(|root_move| root_move.mv == mv) else {
            return;
        };
        root_move.nodes += spent;
        if better {
            root_move.value = value;
            root_move.selective_depth = selective_depth;
            root_move.set_line(&below);
        } else {
            root_move.value = -INFINITE;
        }
    }
}
