//! The steps of a node before any move is searched: tablebases, static evaluation, null-move pruning and ProbCut.
//! [`super::node`] gives the order.

use tabia_core::Bound;
use tabia_eval::Evaluate;

use super::move_picker::{MovePicker, Purpose};
use super::moves::Move;
use super::position::Position;
use super::searcher::Searcher;
use super::transposition::Entry;
use super::value::{MAX_PLY, Value, is_decisive, is_lost, is_won};

/// A null-move cut-off is verified without null moves in the first three quarters of the reduced depth.
const NO_NULL_MOVES: i32 = 3;
const NO_NULL_MOVES_DIVISOR: i32 = 4;
/// ProbCut is skipped if a table entry at most this much shallower says that it will fail.
const PROBCUT_SLACK: i32 = 3;
/// "Improving" compares with the evaluation two plies back, or four if that one is missing (in check).
const IMPROVING_PLIES: [usize; 2] = [2, 4];
/// A tablebase value is stored as if searched this many plies deeper.
const TABLES_DEPTH: i32 = 6;

/// What is known about a node before its moves are searched.
pub(super) struct NodeInfo {
    pub(super) in_check: bool,
    /// The static evaluation before correction, as the transposition table stores it.
    pub(super) raw_evaluation: Option<Value>,
    /// The corrected static evaluation; `None` in check.
    pub(super) evaluation: Option<Value>,
    /// The best estimate of the node's value: the static evaluation, or the table's value where its bound is tighter.
    pub(super) estimate: Value,
    /// Whether the static evaluation rose since the side's previous move.
    pub(super) improving: bool,
    pub(super) entry: Option<Entry>,
}

impl<E: Evaluate> Searcher<'_, E> {
    /// Step 4: whether a tablebase value decides the window; if so, it is stored.
    pub(super) fn tablebase_cutoff(
        &mut self,
        position: &Position,
        ply: usize,
        value: Value,
        alpha: Value,
        beta: Value,
        depth: i32,
    ) -> bool {
        let bound = if is_won(value) {
            Bound::Lower
        } else if is_lost(value) {
            Bound::Upper
        } else {
            Bound::Exact
        };
        let entry = Entry {
            mv: Move::NONE,
            value,
            evaluation: None,
            depth: (depth + TABLES_DEPTH).min(MAX_PLY as i32 - 1),
            bound,
            pv: self.stack(ply).pv,
        };
        let settled = entry.allows_cutoff(alpha, beta);
        if settled {
            self.shared.table.store(position.key(), ply, entry);
        }
        settled
    }

    /// Step 5: the static evaluation.
    pub(super) fn evaluation_step(
        &mut self,
        position: &Position,
        ply: usize,
        entry: Option<Entry>,
        singular_search: bool,
    ) -> NodeInfo {
        let in_check = position.in_check();
        let (raw, evaluation) = if in_check {
            (None, None)
        } else if singular_search {
            (None, self.stack(ply).evaluation)
        } else {
            let raw = match entry.and_then(|entry| entry.evaluation) {
                Some(known) => known,
                None => self.evaluate(position),
            };
            (Some(raw), Some(self.correct(position, ply, raw)))
        };
        self.stack(ply).evaluation = evaluation;
        self.update_from_evaluation(ply, singular_search);
        let mut estimate = evaluation.unwrap_or(0);
        if let Some(entry) = entry
            && evaluation.is_some()
            && !is_decisive(entry.value)
        {
            let says_more = match entry.bound {
                Bound::Exact => true,
                Bound::Lower => entry.value > estimate,
                Bound::Upper => entry.value < estimate,
            };
            if says_more {
                estimate = entry.value;
            }
        }
        let earlier = IMPROVING_PLIES.into_iter().find_map(|back| self.stack_back(ply, back).evaluation);
        let improving = match (evaluation, earlier) {
            (Some(now), Some(then)) => now > then,
            (Some(_), None) => true,
            (None, _) => false,
        };
        NodeInfo { in_check, raw_evaluation: raw, evaluation, estimate, improving, entry }
    }

    /// Step 8: null-move pruning. Returns a value if it causes a cut-off, or if the search was stopped.
    pub(super) fn null_move_step(
        &mut self,
        position: &Position,
        ply: usize,
        beta: Value,
        depth: i32,
        cut_node: bool,
        info: &NodeInfo,
    ) -> Option<Value> {
        let params = self.shared.params;
        let worth_trying = depth >= params.null_depth
            && info.estimate >= beta
            && info.evaluation.is_some_and(|evaluation| {
                info.estimate >= evaluation
                    && evaluation + params.null_slack * depth >= beta + params.null_margin
            })
            && self.stack_back(ply, 1).mv.is_some()
            && position.has_pieces()
            && ply >= self.null_move_from
            && !is_lost(beta);
        if !worth_trying {
            return None;
        }
        let margin = ((info.estimate - beta) / params.null_evaluation).min(params.null_evaluation_most);
        let reduced = depth - params.null_base - depth / params.null_divisor - margin;
        let next = self.make_null_move(position, ply);
        let value = -self.node::<false, false>(&next, ply + 1, -beta, -beta + 1, reduced, !cut_node);
        self.unmake_move();
        if self.stopped {
            return Some(0);
        }
        if value < beta {
            return None;
        }
        // A mate found after a null move proves nothing.
        let value = if is_won(value) { beta } else { value };
        if self.null_move_from > 0 || depth < params.null_verify_depth {
            return Some(value);
        }
        // At high depth, verify against zugzwang: search again without null moves near the root of this subtree.
        self.null_move_from = ply + (NO_NULL_MOVES * reduced.max(1) / NO_NULL_MOVES_DIVISOR) as usize;
        let verified = self.node::<false, false>(position, ply, beta - 1, beta, reduced, false);
        self.null_move_from = 0;
        (verified >= beta || self.stopped).then_some(value)
    }

    /// Step 9: ProbCut. Returns a value if a capture causes a cut-off, or if the search was stopped.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn probcut_step(
        &mut self,
        position: &Position,
        ply: usize,
        beta: Value,
        depth: i32,
        cut_node: bool,
        tt_move: Move,
        info: &NodeInfo,
    ) -> Option<Value> {
        let params = self.shared.params;
        let raised = beta + params.probcut_margin;
        let hopeless =
            info.entry.is_some_and(|entry| entry.depth >= depth - PROBCUT_SLACK && entry.value < raised);
        let evaluation = info.evaluation?;
        if depth < params.probcut_depth || is_decisive(beta) || hopeless {
            return None;
        }
        let threshold = raised - evaluation;
        let usable =
            tt_move.is_some() && position.is_noisy(tt_move) && position.see_at_least(tt_move, threshold);
        let context = self.context(position, ply);
        let first = if usable { tt_move } else { Move::NONE };
        let mut picker = MovePicker::new(Purpose::Winning(threshold), first, Move::NONE);
        while let Some(mv) = picker.next(position, &self.data.histories, &context) {
            let next = self.make_move(position, ply, mv);
            let mut value = -self.quiescence::<false>(&next, ply + 1, -raised, -raised + 1);
            if value >= raised {
                let reduced = depth - params.probcut_reduction;
                value = -self.node::<false, false>(&next, ply + 1, -raised, -raised + 1, reduced, !cut_node);
            }
            self.unmake_move();
            if self.stopped {
                return Some(0);
            }
            if value >= raised {
                let entry = Entry {
                    mv,
                    value,
                    evaluation: info.raw_evaluation,
                    depth: depth - params.probcut_reduction + 1,
                    bound: Bound::Lower,
                    pv: self.stack(ply).pv,
                };
                self.shared.table.store(position.key(), ply, entry);
                return Some(if is_decisive(value) { value } else { value - params.probcut_margin });
            }
        }
        None
    }
}
