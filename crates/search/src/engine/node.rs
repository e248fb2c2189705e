//! The node function: fail-soft principal-variation search in numbered steps.
//!
//! `PV` nodes have an open window, all others a null window. [`super::params`] documents every tunable number.

use arrayvec::ArrayVec;
use tabia_core::Bound;
use tabia_eval::Evaluate;

use super::history::PieceTo;
use super::move_picker::{MovePicker, Purpose};
use super::moves::Move;
use super::position::Position;
use super::pruning::NodeInfo;
use super::searcher::{Searcher, StackEntry};
use super::transposition::Entry;
use super::value::{self, INFINITE, MAX_PLY, Value, is_decisive, is_lost, is_won};

/// Reverse futility pruning returns beta plus this fraction of the surplus.
const REVERSE_FUTILITY_DIVISOR: i32 = 3;
/// The singular margin is given in 16ths of a centipawn per ply.
const SINGULAR_SCALE: i32 = 16;
/// One ply in the units of reductions.
const PLY: i32 = 1_024;
/// Moves tried before a cut-off that get a malus: at most this many quiet and this many noisy ones.
const REMEMBERED: usize = 32;
/// From this half-move counter on, no transposition-table cut-offs: the stored value may ignore the fifty-move rule.
const FIFTY_MOVES_NEAR: u16 = 90;
/// A table entry at most this much shallower than the node is deep enough for a singular extension.
const SINGULAR_SLACK: i32 = 3;
/// More beta cut-offs than this in the child's siblings increase the reduction.
const MANY_CUTOFFS: u32 = 3;

impl<E: Evaluate> Searcher<'_, E> {
    /// The value of `position` for its side to move, searched `depth` plies deep within the window.
    pub(super) fn node<const PV: bool, const ROOT: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: Value,
        mut beta: Value,
        mut depth: i32,
        cut_node: bool,
    ) -> Value {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE, "window {alpha}..{beta}");
        debug_assert!(PV || alpha == beta - 1, "a non-PV node has a null window: {alpha}..{beta}");
        debug_assert!(ROOT == (ply == 0) && (PV || !ROOT), "ply {ply}");
        debug_assert!(ply < MAX_PLY, "ply {ply}");
        // Step 1. At the horizon, quiescence search.
        if depth <= 0 {
            return self.quiescence::<PV>(position, ply, alpha, beta);
        }
        if self.stopped {
            return 0;
        }
        let shared = self.shared;
        let params = shared.params;
        if PV {
            self.pv_at(ply).clear();
            self.selective_depth = self.selective_depth.max(ply);
        }

        // Step 2. Draws, the maximum ply, and mate distance pruning.
        if !ROOT {
            if self.is_draw(position) {
                return self.draw_value(ply);
            }
            if ply >= MAX_PLY - 1 {
                return if position.in_check() { self.draw_value(ply) } else { self.evaluate(position) };
            }
            (alpha, beta) = Self::mate_distance_window(ply, alpha, beta);
            if alpha >= beta {
                return alpha;
            }
        }
        let initial_depth = depth;
        let initial_alpha = alpha;
        let excluded = self.stack(ply).excluded;
        let singular_search = excluded.is_some();
        self.stack(ply + 1).excluded = Move::NONE;
        *self.stack(ply + 2) =
            StackEntry { evaluation: self.stack(ply + 2).evaluation, ..Default::default() };

        // Step 3. The transposition table.
        let entry = if singular_search { None } else { shared.table.probe(position.key(), ply) };
        if !singular_search {
            self.stack(ply).pv = PV || entry.is_some_and(|entry| entry.pv);
        }
        let tt_move = if ROOT {
            self.root_moves[self.pv_index].mv
        } else {
            entry
                .map(|entry| entry.mv)
                .filter(|mv| mv.is_some() && position.is_legal(*mv))
                .unwrap_or(Move::NONE)
        };
        let tt_noisy = tt_move.is_some() && position.is_noisy(tt_move);
        if !PV
            && let Some(entry) = entry
            && entry.depth >= depth
            && position.halfmove_clock() < FIFTY_MOVES_NEAR
            && entry.allows_cutoff(alpha, beta)
        {
            if entry.value >= beta && tt_move.is_some() && !tt_noisy {
                let context = self.context(position, ply);
                let bonus = self.bonus(depth);
                self.data.histories.update_quiet(&context, position, tt_move, bonus);
            }
            return entry.value;
        }

        // Step 4. Tablebases: a proven result cuts off, or at least bounds the value of a PV node.
        let mut floor = -INFINITE;
        let mut ceiling = INFINITE;
        if !ROOT
            && !singular_search
            && let Some(value) = self.probe_tablebases(position, ply)
        {
            if self.tablebase_cutoff(position, ply, value, alpha, beta, depth) {
                return value;
            }
            if PV && is_won(value) {
                floor = value;
                alpha = alpha.max(value);
            } else if PV {
                ceiling = value;
            }
        }

        // Step 5. The static evaluation, adjusted by correction history and by the table's value.
        let info = self.evaluation_step(position, ply, entry, singular_search);
        let NodeInfo { in_check, evaluation, improving, .. } = info;

        if !PV && !in_check && !singular_search {
            // Step 6. Razoring: far below alpha, only captures can help.
            if depth <= params.razoring_depth
                && info.estimate + params.razoring_base + params.razoring_slope * depth <= alpha
            {
                let value = self.quiescence::<false>(position, ply, alpha, alpha + 1);
                if value <= alpha || self.stopped {
                    return value;
                }
            }

            // Step 7. Reverse futility pruning (static null move): far enough above beta.
            let margin = params.reverse_futility_slope * depth
                - if improving { params.reverse_futility_improving } else { 0 };
            if depth <= params.reverse_futility_depth
                && !self.stack(ply).pv
                && info.estimate - margin >= beta
                && !is_lost(beta)
                && !is_won(info.estimate)
            {
                return beta + (info.estimate - beta) / REVERSE_FUTILITY_DIVISOR;
            }

            // Step 8. Null-move pruning.
            if let Some(value) = self.null_move_step(position, ply, beta, depth, cut_node, &info) {
                return value;
            }

            // Step 9. ProbCut: a capture that beats a raised beta in a shallow search.
            if let Some(value) = self.probcut_step(position, ply, beta, depth, cut_node, tt_move, &info) {
                return value;
            }
        }

        // Step 10. Internal iterative reduction: without a table move, move ordering is poor.
        if depth >= params.iir_depth && tt_move.is_none() && (PV || cut_node) && !singular_search {
            depth -= 1;
        }

        // Step 11. Loop over the moves.
        let context = self.context(position, ply);
        let checks = position.check_squares();
        let killer = self.stack(ply).killer;
        let killer = if killer.is_some() && !position.is_noisy(killer) && position.is_legal(killer) {
            killer
        } else {
            Move::NONE
        };
        let mut picker = MovePicker::new(Purpose::Search, tt_move, killer).with_square_values(shared.guide);
        let mut best = floor;
        let mut best_move = Move::NONE;
        let mut number = 0;
        let mut quiet_tried: ArrayVec<Move, REMEMBERED> = ArrayVec::new();
        let mut noisy_tried: ArrayVec<Move, REMEMBERED> = ArrayVec::new();

        while let Some(mv) = picker.next(position, &self.data.histories, &context) {
            if mv == excluded || (ROOT && !self.is_root_candidate(mv)) {
                continue;
            }
            number += 1;
            let noisy = position.is_noisy(mv);
            let mut reduction = shared.reductions.get(noisy, depth, number);

            // Step 12. Pruning at shallow depth.
            if !ROOT && !is_lost(best) && position.has_pieces() {
                let reduced_depth = (depth - reduction / PLY).max(0);
                if noisy {
                    let slack = self.data.histories.capture(position, mv) / params.see_noisy_history;
                    if !position.see_at_least(mv, -params.see_noisy_slope * depth - slack) {
                        continue;
                    }
                } else {
                    // Late move pruning.
                    let max_moves = (params.late_move_base + depth * depth) / if improving { 1 } else { 2 };
                    if depth <= params.late_move_depth && number as i32 > max_moves {
                        picker.skip_quiet();
                    }
                    // History pruning.
                    let history = self.data.histories.continuation(&context, position, mv);
                    if reduced_depth <= params.history_prune_depth
                        && history < -params.history_prune_slope * depth
                    {
                        continue;
                    }
                    // Futility pruning.
                    if let Some(evaluation) = evaluation
                        && reduced_depth <= params.futility_depth
                        && evaluation + params.futility_base + params.futility_slope * reduced_depth <= alpha
                        && !checks.direct_check(position, mv)
                    {
                        picker.skip_quiet();
                        continue;
                    }
                    // SEE pruning.
                    if !position.see_at_least(mv, -params.see_quiet_slope * reduced_depth * reduced_depth) {
                        continue;
                    }
                }
            }

            // Step 13. Singular extension: is the table move much better than all others?
            let mut extension = 0;
            if !ROOT
                && mv == tt_move
                && !singular_search
                && depth >= params.singular_depth
                && ply < 2 * self.root_depth as usize
                && let Some(entry) = entry
                && entry.depth >= depth - SINGULAR_SLACK
                && entry.bound != Bound::Upper
                && !is_decisive(entry.value)
            {
                let bound = entry.value - params.singular_margin * depth / SINGULAR_SCALE;
                self.stack(ply).excluded = mv;
                let value =
                    self.node::<false, false>(position, ply, bound - 1, bound, (depth - 1) / 2, cut_node);
                self.stack(ply).excluded = Move::NONE;
                if self.stopped {
                    return 0;
                }
                if value < bound {
                    extension = 1;
                    if !PV
                        && value < bound - params.double_extension_margin
                        && self.stack(ply).double_extensions < params.double_extensions_most
                    {
                        extension = 2;
                    }
                } else if bound >= beta {
                    // Multi-cut: at least two moves beat beta.
                    return bound;
                } else if entry.value >= beta {
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            }

            // Check extension: at high depth, a direct check that loses no material.
            if !ROOT
                && extension == 0
                && depth >= params.check_depth
                && checks.direct_check(position, mv)
                && position.see_at_least(mv, 0)
            {
                extension = 1;
            }

            // Step 14. Make the move.
            let nodes_before = self.nodes;
            let doubles = self.stack(ply).double_extensions + i32::from(extension == 2);
            self.stack(ply + 1).double_extensions = doubles;
            let next = self.make_move(position, ply, mv);
            let new_depth = depth - 1 + extension;
            let mut value = -INFINITE;

            // Step 15. Late move reductions, with a re-search if the reduced search beats alpha.
            if depth >= 2 && number > 1 + usize::from(ROOT) {
                let history = if noisy {
                    self.data.histories.capture(position, mv)
                } else {
                    self.data.histories.quiet(&context, position, mv)
                };
                reduction -= history * PLY / params.lmr_history;
                reduction += if cut_node { params.lmr_cut_node } else { 0 };
                reduction += if improving { 0 } else { params.lmr_not_improving };
                reduction += if tt_noisy && !noisy { params.lmr_table_noisy } else { 0 };
                reduction -= if self.stack(ply).pv { params.lmr_pv } else { 0 };
                reduction -= if next.in_check() { params.lmr_check } else { 0 };
                reduction -= if mv == killer { params.lmr_killer } else { 0 };
                reduction += if self.stack(ply + 1).cutoffs > MANY_CUTOFFS { params.lmr_cutoffs } else { 0 };
                let reduced = (new_depth - reduction / PLY).clamp(1, new_depth.max(1));
                value = -self.node::<false, false>(&next, ply + 1, -alpha - 1, -alpha, reduced, true);
                if value > alpha && reduced < new_depth {
                    let deeper = i32::from(!ROOT && value > best + params.lmr_deeper);
                    let shallower = i32::from(!ROOT && value < best + new_depth);
                    let again = new_depth + deeper - shallower;
                    if again > reduced {
                        value =
                            -self.node::<false, false>(&next, ply + 1, -alpha - 1, -alpha, again, !cut_node);
                    }
                    let bonus = if value >= beta { self.bonus(depth) } else { 0 };
                    if !noisy && bonus > 0 {
                        let piece_to = PieceTo::new(position, mv);
                        self.data.histories.update_continuation(context.before, piece_to, bonus);
                    }
                }
            }
            // Step 16. Full depth, null window.
            else if !PV || number > 1 {
                value = -self.node::<false, false>(&next, ply + 1, -alpha - 1, -alpha, new_depth, !cut_node);
            }
            // Step 17. Full depth, open window: the first move, or one that beat alpha.
            if PV && (number == 1 || value > alpha) {
                value = -self.node::<true, false>(&next, ply + 1, -beta, -alpha, new_depth, false);
            }
            self.unmake_move();
            if self.stopped {
                return 0;
            }
            if ROOT {
                self.record_root_move(mv, value, number == 1 || value > alpha, nodes_before);
            }

            // Step 18. A new best move.
            if value > best {
                best = value;
                if value > alpha {
                    best_move = mv;
                    if PV && !ROOT {
                        self.record_pv(ply, mv);
                    }
                    if value >= beta {
                        self.stack(ply).cutoffs += 1;
                        break;
                    }
                    alpha = value;
                    // The other moves have to beat a better one; search them a ply shallower.
                    if depth > 2 && depth < params.alpha_raised_most && !is_decisive(value) {
                        depth -= 1;
                    }
                }
            }
            if mv != best_move {
                let _ = if noisy { noisy_tried.try_push(mv) } else { quiet_tried.try_push(mv) };
            }
        }

        // Step 19. No legal move: checkmate or stalemate.
        if number == 0 {
            return if singular_search {
                alpha
            } else if in_check {
                value::mated_in(ply)
            } else {
                0
            };
        }
        if best == -INFINITE {
            // Every move was pruned.
            best = initial_alpha;
        }
        best = best.min(ceiling);

        // Step 20. Update histories and correction history, and store the result.
        if best_move.is_some() && best >= beta {
            self.update_cutoff_histories(position, ply, best_move, initial_depth, &quiet_tried, &noisy_tried);
        } else if best_move.is_none() && !singular_search && !ROOT {
            self.update_previous_move(ply, initial_depth);
        }
        if !singular_search {
            let bound = if best >= beta {
                Bound::Lower
            } else if PV && best_move.is_some() {
                Bound::Exact
            } else {
                Bound::Upper
            };
            if let Some(evaluation) = evaluation
                && (best_move.is_none() || !position.is_noisy(best_move))
                && !is_decisive(best)
                && !(bound == Bound::Lower && best <= evaluation)
                && !(bound == Bound::Upper && best >= evaluation)
            {
                let before = self.stack_back(ply, 1).piece_to;
                self.data.histories.update_correction(position, before, best - evaluation, depth);
            }
            if !ROOT || self.pv_index == 0 {
                let entry = Entry {
                    mv: best_move,
                    value: best,
                    evaluation: info.raw_evaluation,
                    depth: initial_depth,
                    bound,
                    pv: self.stack(ply).pv,
                };
                shared.table.store(position.key(), ply, entry);
            }
        }
        best
    }
}
