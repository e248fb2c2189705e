//! When the mate search runs beside the main search, and for how many nodes.

use tabia_core::Bound;
use tabia_eval::Evaluate;

use super::mate_search::{self, MateResult, MateSchedule, MateSearch};
use super::moves::Move;
use super::position::Position;
use super::root_move::RootMove;
use super::searcher::Searcher;
use super::value::{Value, mate_in};

/// Nodes the main search must have visited before a mate in 0, 1, 2, … moves is looked for.
const NODES_BEFORE: [u64; mate_search::MAX_MOVES + 1] =
    [0, 0, 4_000, 30_000, 1_000_000, 30_000_000, 1_000_000_000];
/// Half-moves without a capture or pawn move that draw the game.
const FIFTY_MOVES: usize = 100;
/// A mate search may visit as many nodes as the main search before it, but where a move has a time only this part of them.
const MOVE_TIME_SHARE: u64 = 4;
/// With `go mate` the mate search may always spend this many nodes.
const MIN_BUDGET_ON_REQUEST: u64 = 20_000;

impl<E: Evaluate> Searcher<'_, E> {
    /// Schedules mate searches, unless the search runs under a game's clock or to a fixed depth.
    pub(super) fn schedule_mate_search(&mut self, root: &Position) {
        let limits = self.shared.limits;
        let waiting = limits.clock.is_some() || limits.depth.is_some();
        if self.thread == 0 && self.shared.multipv == 1 && (!waiting || limits.mate.is_some()) {
            self.look_for(MateSchedule { root: root.clone(), moves: 1 }, 0);
        }
    }

    /// Schedules the search for the next length, not before `not_before` nodes and not where the fifty-move rule would
    /// interfere.
    fn look_for(&mut self, schedule: MateSchedule, not_before: u64) {
        let near_fifty = usize::from(schedule.root.halfmove_clock()) + 2 * schedule.moves >= FIFTY_MOVES;
        if schedule.moves <= mate_search::MAX_MOVES && !near_fifty {
            let due = if self.shared.limits.mate.is_some() { 0 } else { NODES_BEFORE[schedule.moves] };
            self.mate_search_from = due.max(not_before);
            self.mate_schedule = Some(schedule);
        }
    }

    /// Runs the scheduled mate search. It also runs in the middle of an iteration, because a single iteration may cost
    /// more than all before it. A proven shortest mate becomes the first root move and ends the search.
    #[cold]
    pub(super) fn run_mate_search(&mut self) {
        self.mate_search_from = u64::MAX;
        let Some(mut schedule) = self.mate_schedule.take() else { return };
        if self.root_moves[0].value >= mate_in(2 * schedule.moves - 1) {
            // The main search claims a mate as short; look again later, for the claim may be withdrawn.
            self.look_for(schedule, 2 * self.nodes);
            return;
        }
        let limits = self.shared.limits;
        let floor = if limits.mate.is_some() { MIN_BUDGET_ON_REQUEST } else { 0 };
        let left = limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let first: Vec<Move> = if limits.search_moves.is_empty() {
            Vec::new()
        } else {
            self.root_moves.iter().map(|root_move| root_move.mv).collect()
        };
        let budget = if limits.movetime.is_some() { self.nodes / MOVE_TIME_SHARE } else { self.nodes };
        let is_over = || self.is_over();
        let mut mate_search = MateSearch::new(budget.max(floor).min(left), &is_over);
        let verdict = mate_search.search(&schedule.root, schedule.moves, &first);
        let nodes = mate_search.nodes;
        self.nodes += nodes;
        match verdict {
            MateResult::NoMate => {
                schedule.moves += 1;
                self.look_for(schedule, 0);
            }
            MateResult::OutOfNodes => self.look_for(schedule, 2 * self.nodes),
            MateResult::Mate(line) => {
                self.put_first(&line, mate_in(2 * schedule.moves - 1));
                self.stopped = true;
            }
        }
    }

    /// Makes a proven line the first root move.
    fn put_first(&mut self, line: &[Move], value: Value) {
        let Some(index) = self.root_moves.iter().position(|root_move| root_move.mv == line[0]) else {
            return;
        };
        let known = &self.root_moves[index];
        let mut proven = RootMove {
            value,
            bound: Bound::Exact,
            selective_depth: line.len(),
            nodes: known.nodes,
            tb_rank: known.tb_rank,
            ..RootMove::new(line[0])
        };
        proven.set_line(&line[1..]);
        self.root_moves[index] = proven;
        self.root_moves[..=index].rotate_right(1);
    }
}
