//! At the root: iterative deepening with aspiration windows, several lines, and when to stop.

use std::sync::atomic::Ordering;

use tabia_core::{Bound, Score};
use tabia_eval::Evaluate;

use super::MAX_PLY;
use super::moves::Move;
use super::position::Position;
use super::searcher::{Line, Searcher};
use super::time_manager::Stability;
use super::value::{INFINITE, MATE, Value, is_won};

/// Bounds are reported only by searches that take longer than this.
const REPORT_BOUNDS_AFTER_MS: u128 = 3_000;
/// Windows wider than this are opened altogether.
const WIDEST_WINDOW: Value = 800;

/// A move at the root, and what the search thinks of it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Its value in this iteration, or minus infinity if it did not beat the best.
    pub value: Value,
    /// Its value in the iteration before.
    pub previous: Value,
    /// What the value means.
    pub bound: Bound,
    /// The line it starts.
    pub line: Line,
    /// Deepest ply below it.
    pub selective_depth: usize,
    /// Nodes spent on it.
    pub nodes: u64,
    /// Standing by endgame tables; higher is better.
    pub tb_rank: i32,
    /// The tables' value, when they know it.
    pub tb_value: Option<Value>,
}

impl RootMove {
    /// A move nothing is known about.
    pub fn new(mv: Move) -> RootMove {
        let mut line = Line::new();
        line.push(mv);
        RootMove {
            mv,
            value: -INFINITE,
            previous: -INFINITE,
            bound: Bound::Exact,
            line,
            selective_depth: 0,
            nodes: 0,
            tb_rank: 0,
            tb_value: None,
        }
    }
}

/// A line worth telling: what [`Searcher::iterate`] hands to its caller.
pub struct Report<'a> {
    /// Nominal depth.
    pub depth: i32,
    /// Rank of the line, from 1.
    pub rank: usize,
    /// The move, its value and its line.
    pub root_move: &'a RootMove,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Endgame-table hits.
    pub table_hits: u64,
}

impl<E: Evaluate> Searcher<'_, E> {
    /// Searches deeper and deeper until something says stop; the root moves are then sorted, best first.
    /// Returns the depth finished.
    pub fn iterate(&mut self, position: &Position, report: &mut dyn FnMut(Report<'_>)) -> i32 {
        let limits = self.shared.limits;
        let deepest =
            limits.depth.map_or(MAX_PLY as i32 - 8, |depth| (depth as i32).clamp(1, MAX_PLY as i32 - 8));
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
        // Several lines are compared with one another, so that a depth counts only when all were searched to it.
        if self.stopped && !completed.is_empty() {
            self.root_moves = completed;
        }
        // An iteration cut short may have found a better move, or a mate: whoever listens should hear of it.
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

    /// Whether the main thread may end the search after a finished iteration.
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
            // Nothing to decide, or nothing more to find.
            if self.root_moves.len() == 1 && depth >= 4 {
                return true;
            }
            if score.plies_to_mate().is_some_and(|plies| plies.abs() + 4 < depth) {
                return true;
            }
        }
        time.is_spent(stability)
    }

    /// Searches one line at one depth: a narrow window around the last value, widened when the value escapes.
    fn aspiration_search(&mut self, position: &Position, depth: i32, report: &mut dyn FnMut(Report<'_>)) {
        let params = self.shared.params;
        let previous = self.root_moves[self.pv_index].previous;
        let mut window = params.aspiration_window;
        let (mut alpha, mut beta) = (-INFINITE, INFINITE);
        if depth >= 4 && previous.abs() < MATE - 1_000 {
            alpha = (previous - window).max(-INFINITE);
            beta = (previous + window).min(INFINITE);
        }
        let mut shallower = 0;
        loop {
            let asked = (depth - shallower).max(1);
            let value = self.node::<true, true>(position, 0, alpha, beta, asked, false);
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
                shallower += i32::from(shallower < 3 && value.abs() < 1_000);
            } else {
                best.bound = Bound::Exact;
                return;
            }
            window += window * (params.aspiration_growth - 100) / 100;
            if window > WIDEST_WINDOW {
                (alpha, beta) = (-INFINITE, INFINITE);
            }
            if self.shared.multipv == 1 && self.shared.time.elapsed().as_millis() > REPORT_BOUNDS_AFTER_MS {
                self.report_lines(depth, true, report);
            }
        }
    }

    /// Tells about every line found at this depth.
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

    /// Whether a root move is to be searched in this pass: not one of the better lines already found, and not
    /// one that endgame tables rule out.
    pub(super) fn is_root_candidate(&self, mv: Move) -> bool {
        let best_rank = self.root_moves[self.pv_index].tb_rank;
        self.root_moves[self.pv_index..]
            .iter()
            .any(|root_move| root_move.mv == mv && root_move.tb_rank == best_rank)
    }

    /// Notes what the search of one root move found.
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
            root_move.line.truncate(1);
            for next in below.iter().take(MAX_PLY - 1) {
                root_move.line.push(*next);
            }
        } else {
            root_move.value = -INFINITE;
        }
    }
}
