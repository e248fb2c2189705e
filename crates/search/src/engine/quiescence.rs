//! Quiescence search: captures and queen promotions until the position is quiet; all evasions when in check.

use tabia_core::Bound;
use tabia_eval::Evaluate;

use super::move_picker::{MovePicker, Purpose};
use super::moves::Move;
use super::position::{Position, see_value};
use super::searcher::Searcher;
use super::transposition::Entry;
use super::value::{self, INFINITE, MAX_PLY, Value, is_decisive, is_lost};

impl<E: Evaluate> Searcher<'_, E> {
    /// The value of `position` after all good captures are resolved.
    pub(super) fn quiescence<const PV: bool>(
        &mut self,
        position: &Position,
        ply: usize,
        mut alpha: Value,
        beta: Value,
    ) -> Value {
        debug_assert!(-INFINITE <= alpha && alpha < beta && beta <= INFINITE, "window {alpha}..{beta}");
        debug_assert!(PV || alpha == beta - 1, "a non-PV node has a null window: {alpha}..{beta}");
        debug_assert!(ply < MAX_PLY, "ply {ply}");
        // Step 1. Draws and the maximum ply, as in the node function.
        if self.stopped {
            return 0;
        }
        if PV {
            self.pv_at(ply).clear();
            self.selective_depth = self.selective_depth.max(ply);
        }
        if self.is_draw(position) {
            return self.draw_value(ply);
        }
        let in_check = position.in_check();
        if ply >= MAX_PLY - 1 {
            return if in_check { self.draw_value(ply) } else { self.evaluate(position) };
        }

        // Step 2. The transposition table.
        let shared = self.shared;
        let entry = shared.table.probe(position.key(), ply);
        let was_pv = PV || entry.is_some_and(|entry| entry.pv);
        if !PV
            && let Some(entry) = entry
            && entry.allows_cutoff(alpha, beta)
        {
            return entry.value;
        }

        // Step 3. Stand pat: the side to move need not capture.
        let mut best = -INFINITE;
        let mut raw_evaluation = None;
        let mut futility = -INFINITE;
        if !in_check {
            let raw = match entry.and_then(|entry| entry.evaluation) {
                Some(known) => known,
                None => self.evaluate(position),
            };
            raw_evaluation = Some(raw);
            best = self.correct(position, ply, raw);
            futility = best + shared.params.quiescence_futility;
            if let Some(entry) = entry
                && !is_decisive(entry.value)
                && entry.allows_cutoff(best, best)
            {
                best = entry.value;
            }
            if best >= beta {
                if entry.is_none() {
                    let entry = Entry {
                        mv: Move::NONE,
                        value: best,
                        evaluation: raw_evaluation,
                        depth: 0,
                        bound: Bound::Lower,
                        pv: false,
                    };
                    shared.table.store(position.key(), ply, entry);
                }
                return best;
            }
            alpha = alpha.max(best);
        }

        // Step 4. Captures, best first; evasions when in check.
        let tt_move = entry
            .map(|entry| entry.mv)
            .filter(|a| a.is_some() && (in_check || position.is_noisy(*a)) && position.is_legal(*a))
            .unwrap_or(Move::NONE);
        let purpose = if in_check { Purpose::Search } else { Purpose::Noisy };
        let context = self.context(position, ply);
        let mut picker = MovePicker::new(purpose, tt_move, Move::NONE);
        let last_to = self.stack_back(ply, 1).mv.to();
        let mut best_move = Move::NONE;
        let mut number = 0;
        while let Some(mv) = picker.next(position, &self.data.histories, &context) {
            number += 1;
            // Step 5. Pruning: move count, futility and SEE.
            if !is_lost(best) {
                if in_check {
                    // After one evasion, quiet ones are skipped.
                    if number > 1 && !position.is_noisy(mv) {
                        picker.skip_quiet();
                        continue;
                    }
                } else {
                    // Late captures: only promotions, recaptures and checks.
                    if number > shared.params.quiescence_most
                        && mv.promotion_role().is_none()
                        && mv.to() != last_to
                        && !position.check_squares().direct_check(position, mv)
                    {
                        continue;
                    }
                    let gain = position.captured(mv).map_or(0, see_value);
                    if mv.promotion_role().is_none() && futility + gain <= alpha {
                        best = best.max(futility + gain);
                        continue;
                    }
                    if futility <= alpha && !position.see_at_least(mv, 1) {
                        best = best.max(futility);
                        continue;
                    }
                }
                let params = shared.params;
                let most = if in_check { params.quiescence_see_evasion } else { params.quiescence_see };
                if !position.see_at_least(mv, -most) {
                    continue;
                }
            }
            let next = self.make_move(position, ply, mv);
            let value = -self.quiescence::<PV>(&next, ply + 1, -beta, -alpha);
            self.unmake_move();
            if self.stopped {
                return 0;
            }
            if value > best {
                best = value;
                if value > alpha {
                    best_move = mv;
                    if PV {
                        self.record_pv(ply, mv);
                    }
                    if value >= beta {
                        break;
                    }
                    alpha = value;
                }
            }
        }
        if in_check && number == 0 {
            return value::mated_in(ply);
        }
        if best == -INFINITE {
            best = alpha;
        }
        if best >= beta && !is_decisive(best) {
            best = i32::midpoint(best, beta);
        }

        // Step 6. Store the result; captures alone never prove an exact value.
        let entry = Entry {
            mv: best_move,
            value: best,
            evaluation: raw_evaluation,
            depth: 0,
            bound: if best >= beta { Bound::Lower } else { Bound::Upper },
            pv: was_pv,
        };
        shared.table.store(position.key(), ply, entry);
        best
    }
}
