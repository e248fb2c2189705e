//! Beyond the horizon: captures are followed until none is worth making, so that no position is evaluated in the
//! middle of an exchange (seed 000 §4.4). Seed 002 also follows promotions and some checks.

use shakmaty::{Chess, MoveList, Position};
use tabia_core::Score;
use tabia_eval::{Evaluate, View};

use super::captures;
use super::node::{Searcher, after, key_after};
use super::ordering::{MovePicker, OrderingContext, sort_for_side_to_move};
use super::window::Window;

impl<E: Evaluate> Searcher<'_, E> {
    /// The value of a position for the side to move, which may stand pat or make a tactical move, for at most
    /// `plies` moves in a row. With no plies it is the evaluation.
    pub(super) fn quiescence(&mut self, position: &Chess, plies: u32, ply: u16, window: Window) -> Score {
        self.deepest = self.deepest.max(ply);
        // Checks and evasions, unlike captures, can repeat a position or be the fiftieth move.
        let follows_quiet_moves = self.settings.quiescence_checks > 0;
        let tries_checks = plies + self.settings.quiescence_checks > self.settings.quiescence;
        // Where checks are tried their answers must be too: a side in check cannot stand pat.
        let evades = position.is_check() && plies > 0 && follows_quiet_moves;
        let mut best = if evades {
            -Score::INFINITE
        } else {
            self.counts.evaluations += 1;
            self.evaluation.relative(View::from(position))
        };
        let mut alpha = window.alpha.max(best);
        if plies == 0 || (self.settings.pruning && alpha >= window.beta) {
            return best;
        }

        let mut moves = MoveList::new();
        if evades {
            moves = position.legal_moves();
        } else {
            captures::list(position, &mut moves);
            self.add_quiet_tactics(position, tries_checks, &mut moves);
        }
        if self.guide.is_some() {
            sort_for_side_to_move(&mut moves, position.turn());
        }
        let picker = MovePicker::new(&moves, self.settings.ordering, &OrderingContext::none(position.turn()));
        for (index, m) in picker.enumerate() {
            if !self.budget.allows(self.counts.all_nodes()) {
                return Score::DRAW;
            }
            self.counts.quiescence_nodes += 1;
            let child_window = self.child_window(alpha, window.beta);
            let child = after(position, m);
            let ended = if follows_quiet_moves {
                let key = self.keys[self.keys.len() - 1];
                self.keys.push(key_after(position, key, m, &child));
                self.verdict(&child, ply + 1)
            } else {
                self.verdict_after_capture(&child, ply + 1)
            };
            let score = match ended {
                Some(score) => -score,
                None => -self.quiescence(&child, plies - 1, ply + 1, child_window),
            };
            if follows_quiet_moves {
                self.keys.pop();
            }
            best = best.max(score);
            alpha = alpha.max(score);
            if self.cuts_off(alpha, window.beta, index) {
                break;
            }
        }
        best
    }

    /// Adds what is tried beside captures: promotions, and quiet moves that give check.
    fn add_quiet_tactics(&self, position: &Chess, checks: bool, moves: &mut MoveList) {
        let promotions = self.settings.quiescence_promotions;
        if !checks && !promotions {
            return;
        }
        let is_tactical = |m: &shakmaty::Move| {
            (promotions && m.is_promotion()) || (checks && after(position, *m).is_check())
        };
        moves.extend(position.legal_moves().into_iter().filter(|m| !m.is_capture() && is_tactical(m)));
    }
}
