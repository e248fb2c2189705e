//! One node of the tree, from the first question to the last: read it as a table of contents.
//!
//! Fail-soft principal-variation search. `PV` nodes have an open window; all others ask only "better than
//! alpha?". Each step either allows_cutoff the node early, narrows the question, or decides how much the next move
//! deserves. What every number means, [`super::params`] says.

use arrayvec::ArrayVec;
use tabia_core::Bound;
use tabia_eval::Evaluate;

use super::MAX_PLY;
use super::history::PieceTo;
use super::move_picker::{MovePicker, Purpose};
use super::moves::Move;
use super::position::Position;
use super::pruning::{NodeInfo, Verdict};
use super::searcher::{Searcher, StackEntry};
use super::transposition::Entry;
use super::value::{self, INFINITE, Value, is_decisive, is_lost, is_won};

/// A ply in the units of reductions.
const PLY: i32 = 1_024;
/// Moves of one kind remembered for punishment when another cuts.
const REMEMBERED: usize = 32;
/// Transposition-table cut-offs are not trusted so close to the fifty-move rule.
const FIFTY_MOVES_NEAR: u16 = 90;
/// The table move is tested for being the only good one if its entry is at most this much shallower.
const SINGULAR_SLACK: i32 = 3;
/// Replies cut more often than this make the rest of the moves look bad.
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
        // Step 1. At the horizon, only captures are looked at.
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

        // Step 2. Draws, the end of the board, and mates too far away to matter.
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
        let depth_asked = depth;
        let alpha_asked = alpha;
        let excluded = self.stack(ply).excluded;
        let testing_singular = excluded.is_some();
        self.stack(ply + 1).excluded = Move::NONE;
        *self.stack(ply + 2) =
            StackEntry { evaluation: self.stack(ply + 2).evaluation, ..Default::default() };

        // Step 3. The transposition table.
        let entry = if testing_singular { None } else { shared.table.probe(position.key(), ply) };
        if !testing_singular {
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
            && allows_cutoff(&entry, alpha, beta)
        {
            if entry.value >= beta && tt_move.is_some() && !tt_noisy {
                let context = self.context(position, ply);
                let bonus = self.bonus(depth);
                self.data.histories.update_quiet(&context, position, tt_move, bonus);
            }
            return entry.value;
        }

        // Step 4. Endgame tables: a proven result allows_cutoff the node, or at least bounds it.
        let mut floor = -INFINITE;
        let mut ceiling = INFINITE;
        if !ROOT
            && !testing_singular
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

        // Step 5. The evaluation, corrected by experience and by the table.
        let info = self.evaluation_step(position, ply, entry, testing_singular);
        let NodeInfo { in_check, evaluation, improving, .. } = info;

        if !PV && !in_check && !testing_singular {
            // Step 6. Razoring: so far below alpha that only captures can help.
            if depth <= params.razoring_depth
                && info.estimate + params.razoring_base + params.razoring_slope * depth <= alpha
            {
                let value = self.quiescence::<false>(position, ply, alpha, alpha + 1);
                if value <= alpha || self.stopped {
                    return value;
                }
            }

            // Step 7. Reverse futility: so far above beta that the opponent will not come here.
            let margin = params.reverse_futility_slope * depth
                - if improving { params.reverse_futility_improving } else { 0 };
            if depth <= params.reverse_futility_depth
                && !self.stack(ply).pv
                && info.estimate - margin >= beta
                && !is_lost(beta)
                && !is_won(info.estimate)
            {
                return beta + (info.estimate - beta) / 3;
            }

            // Step 8. Null move: good enough even after passing.
            if let Verdict::Return(value) = self.null_move_step(position, ply, beta, depth, cut_node, &info) {
                return value;
            }

            // Step 9. ProbCut: a capture that already beats a raised beta in a shallow search.
            if let Verdict::Return(value) =
                self.probcut_step(position, ply, beta, depth, cut_node, tt_move, &info)
            {
                return value;
            }
        }

        // Step 10. Internal iterative reduction: without a table move the order is bad; come back later.
        if depth >= params.iir_depth && tt_move.is_none() && (PV || cut_node) && !testing_singular {
            depth -= 1;
        }

        // Step 11. The moves, one by one.
        let context = self.context(position, ply);
        let checks = position.check_squares();
        let killer = self.stack(ply).killer;
        let killer = if killer.is_some() && !position.is_noisy(killer) && position.is_legal(killer) {
            killer
        } else {
            Move::NONE
        };
        let mut picker = MovePicker::new(Purpose::Search, tt_move, killer).guided_by(shared.guide);
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

            // Step 12. Pruning: moves that will hardly raise alpha are not tried at all.
            if !ROOT && !is_lost(best) && position.has_pieces() {
                let reduced_depth = (depth - reduction / PLY).max(0);
                if noisy {
                    let slack = self.data.histories.capture(position, mv) / params.see_noisy_history;
                    if !position.see_at_least(mv, -params.see_noisy_slope * depth - slack) {
                        continue;
                    }
                } else {
                    // Late moves.
                    let most = (params.late_move_base + depth * depth) / if improving { 1 } else { 2 };
                    if depth <= params.late_move_depth && number as i32 > most {
                        picker.skip_quiet();
                    }
                    // Moves that seldom worked.
                    let history = self.data.histories.reply(&context, position, mv);
                    if reduced_depth <= params.history_prune_depth
                        && history < -params.history_prune_slope * depth
                    {
                        continue;
                    }
                    // Hopelessly below alpha.
                    if let Some(evaluation) = evaluation
                        && reduced_depth <= params.futility_depth
                        && evaluation + params.futility_base + params.futility_slope * reduced_depth <= alpha
                        && !checks.direct_check(position, mv)
                    {
                        picker.skip_quiet();
                        continue;
                    }
                    // Moves that lose material.
                    if !position.see_at_least(mv, -params.see_quiet_slope * reduced_depth * reduced_depth) {
                        continue;
                    }
                }
            }

            // Step 13. Extensions: is the table move the only good one?
            let mut extension = 0;
            if !ROOT
                && mv == tt_move
                && !testing_singular
                && depth >= params.singular_depth
                && ply < 2 * self.root_depth as usize
                && let Some(entry) = entry
                && entry.depth >= depth - SINGULAR_SLACK
                && entry.bound != Bound::Upper
                && !is_decisive(entry.value)
            {
                let bound = entry.value - params.singular_margin * depth / 16;
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
                    // Several moves beat beta: cut now.
                    return bound;
                } else if entry.value >= beta {
                    extension = -2;
                } else if cut_node {
                    extension = -1;
                }
            }

            // Deep down a check that loses nothing is worth a ply.
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
            let next = self.enter(position, ply, mv);
            let new_depth = depth - 1 + extension;
            let mut value = -INFINITE;

            // Step 15. Late move reductions: later moves are searched less deep, and again if they surprise.
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
                        self.data.histories.update_reply(&context, piece_to, bonus);
                    }
                }
            }
            // Step 16. Full depth, closed window.
            else if !PV || number > 1 {
                value = -self.node::<false, false>(&next, ply + 1, -alpha - 1, -alpha, new_depth, !cut_node);
            }
            // Step 17. Full depth, open window: the first move, or one that turned out better.
            if PV && (number == 1 || value > alpha) {
                value = -self.node::<true, false>(&next, ply + 1, -beta, -alpha, new_depth, false);
            }
            self.leave();
            if self.stopped {
                return 0;
            }
            if ROOT {
                self.record_root_move(mv, value, number == 1 || value > alpha, nodes_before);
            }

            // Step 18. A new best move?
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
                    // The rest has to beat a better move; a little less depth will do.
                    if depth > 2 && depth < params.alpha_raised_most && !is_decisive(value) {
                        depth -= 1;
                    }
                }
            }
            if mv != best_move {
                let _ = if noisy { noisy_tried.try_push(mv) } else { quiet_tried.try_push(mv) };
            }
        }

        // Step 19. No move at all: mate or stalemate.
        if number == 0 {
            return if testing_singular {
                alpha
            } else if in_check {
                value::mated_in(ply)
            } else {
                0
            };
        }
        if best == -INFINITE {
            // Everything was pruned.
            best = alpha_asked;
        }
        best = best.min(ceiling);

        // Step 20. Learn: which moves worked, and how far off the evaluation was.
        if best_move.is_some() && best >= beta {
            self.update_cutoff_histories(position, ply, best_move, depth_asked, &quiet_tried, &noisy_tried);
        } else if best_move.is_none() && !testing_singular && !ROOT {
            self.update_previous_move(ply, depth_asked);
        }
        if !testing_singular {
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
                    depth: depth_asked,
                    bound,
                    pv: self.stack(ply).pv,
                };
                shared.table.store(position.key(), ply, entry);
            }
        }
        best
    }
}

/// Whether a table entry of sufficient depth answers the question of this window.
#[inline]
pub(super) fn allows_cutoff(entry: &Entry, alpha: Value, beta: Value) -> bool {
    match entry.bound {
        Bound::Exact => true,
        Bound::Lower => entry.value >= beta,
        Bound::Upper => entry.value <= alpha,
    }
}
