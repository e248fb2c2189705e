//! The steps of a node that may settle it before any move is tried: endgame tables, the evaluation, passing, and
//! a capture that is too good. [`super::node`] says in which order.

use tabia_core::Bound;
use tabia_eval::Evaluate;

use super::MAX_PLY;
use super::move_picker::{MovePicker, Purpose};
use super::moves::Move;
use super::node::allows_cutoff;
use super::position::Position;
use super::searcher::Searcher;
use super::transposition::Entry;
use super::value::{Value, is_decisive, is_lost, is_won};

/// What endgame tables say counts as searched so much deeper.
const TABLES_DEPTH: i32 = 6;

/// What one step of the node made of it.
pub(super) enum Verdict {
    /// The node is settled.
    Return(Value),
    /// Go on.
    Continue,
}

/// A node after its first steps, before moves are tried.
pub(super) struct NodeInfo {
    pub(super) in_check: bool,
    /// The evaluation as stored, before correction.
    pub(super) raw_evaluation: Option<Value>,
    /// The corrected evaluation; nothing in check.
    pub(super) evaluation: Option<Value>,
    /// The best guess at the node's value: the evaluation, or the table's value where it says more.
    pub(super) estimate: Value,
    pub(super) improving: bool,
    pub(super) entry: Option<Entry>,
}

impl<E: Evaluate> Searcher<'_, E> {
    /// Step 4: whether the tables' value answers the question of this window; if so, it is remembered.
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
        let settled = allows_cutoff(&entry, alpha, beta);
        if settled {
            self.shared.table.store(position.key(), ply, entry);
        }
        settled
    }

    /// Step 5.
    pub(super) fn evaluation_step(
        &mut self,
        position: &Position,
        ply: usize,
        entry: Option<Entry>,
        testing_singular: bool,
    ) -> NodeInfo {
        let in_check = position.in_check();
        let (raw, evaluation) = if in_check {
            (None, None)
        } else if testing_singular {
            (None, self.stack(ply).evaluation)
        } else {
            let raw = match entry.and_then(|entry| entry.evaluation) {
                Some(known) => known,
                None => self.evaluate(position),
            };
            (Some(raw), Some(self.correct(position, ply, raw)))
        };
        self.stack(ply).evaluation = evaluation;
        self.update_from_evaluation(ply, testing_singular);
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
        let earlier = self.stack_back(ply, 2).evaluation.or(self.stack_back(ply, 4).evaluation);
        let improving = match (evaluation, earlier) {
            (Some(now), Some(then)) => now > then,
            (Some(_), None) => true,
            (None, _) => false,
        };
        NodeInfo { in_check, raw_evaluation: raw, evaluation, estimate, improving, entry }
    }

    /// Step 8.
    pub(super) fn null_move_step(
        &mut self,
        position: &Position,
        ply: usize,
        beta: Value,
        depth: i32,
        cut_node: bool,
        info: &NodeInfo,
    ) -> Verdict {
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
            return Verdict::Continue;
        }
        let margin = ((info.estimate - beta) / params.null_evaluation).min(params.null_evaluation_most);
        let reduced = depth - params.null_base - depth / params.null_divisor - margin;
        let next = self.enter_null(position, ply);
        let value = -self.node::<false, false>(&next, ply + 1, -beta, -beta + 1, reduced, !cut_node);
        self.leave();
        if self.stopped {
            return Verdict::Return(0);
        }
        if value < beta {
            return Verdict::Continue;
        }
        // A mate found after passing is no proof.
        let value = if is_won(value) { beta } else { value };
        if self.null_move_from > 0 || depth < params.null_verify_depth {
            return Verdict::Return(value);
        }
        // Deep down zugzwang is costly: check without passing for a while.
        self.null_move_from = ply + (3 * reduced.max(1) / 4) as usize;
        let verified = self.node::<false, false>(position, ply, beta - 1, beta, reduced, false);
        self.null_move_from = 0;
        if verified >= beta || self.stopped { Verdict::Return(value) } else { Verdict::Continue }
    }

    /// Step 9.
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
    ) -> Verdict {
        let params = self.shared.params;
        let raised = beta + params.probcut_margin;
        let hopeless = info.entry.is_some_and(|entry| entry.depth >= depth - 3 && entry.value < raised);
        let Some(evaluation) = info.evaluation else { return Verdict::Continue };
        if depth < params.probcut_depth || is_decisive(beta) || hopeless {
            return Verdict::Continue;
        }
        let threshold = raised - evaluation;
        let usable =
            tt_move.is_some() && position.is_noisy(tt_move) && position.see_at_least(tt_move, threshold);
        let context = self.context(position, ply);
        let first = if usable { tt_move } else { Move::NONE };
        let mut picker = MovePicker::new(Purpose::Winning(threshold), first, Move::NONE);
        while let Some(mv) = picker.next(position, &self.data.histories, &context) {
            let next = self.enter(position, ply, mv);
            let mut value = -self.quiescence::<false>(&next, ply + 1, -raised, -raised + 1);
            if value >= raised {
                let reduced = depth - params.probcut_reduction;
                value = -self.node::<false, false>(&next, ply + 1, -raised, -raised + 1, reduced, !cut_node);
            }
            self.leave();
            if self.stopped {
                return Verdict::Return(0);
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
                return Verdict::Return(if is_decisive(value) {
                    value
                } else {
                    value - params.probcut_margin
                });
            }
        }
        Verdict::Continue
    }
}
