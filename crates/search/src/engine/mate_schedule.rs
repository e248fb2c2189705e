//! When the mate scout is sent out beside the main search, and for how many nodes.

use tabia_core::Bound;
use tabia_eval::Evaluate;

use super::mate_search::{self, MateResult, MateSearch};
use super::moves::Move;
use super::position::Position;
use super::root::RootMove;
use super::searcher::{Line, Searcher};
use super::value::{Value, mate_in};

/// Nodes the main search must have seen before the scout looks for a mate in so many moves.
const NODES_BEFORE: [u64; mate_search::MAX_MOVES + 1] =
    [0, 0, 4_000, 30_000, 1_000_000, 30_000_000, 1_000_000_000];
/// When asked for a mate the scout may always spend this much.
const LEAST_BUDGET_ON_REQUEST: u64 = 20_000;

/// What the scout has refuted so far, and when to try again.
#[derive(Clone, Debug)]
pub struct MateSchedule {
    root: Position,
    /// The next length to look for, in full moves.
    moves: usize,
}

impl<E: Evaluate> Searcher<'_, E> {
    /// Sends the scout along with this search, if nobody is waiting for its move.
    pub(super) fn schedule_mate_search(&mut self, root: &Position) {
        let limits = self.shared.limits;
        let waiting = limits.clock.is_some() || limits.movetime.is_some() || limits.depth.is_some();
        if self.thread == 0 && self.shared.multipv == 1 && (!waiting || limits.mate.is_some()) {
            self.look_for(MateSchedule { root: root.clone(), moves: 1 }, 0);
        }
    }

    /// Looks for a mate of the schedule's length, but not before so many nodes.
    fn look_for(&mut self, schedule: MateSchedule, not_before: u64) {
        let near_fifty = usize::from(schedule.root.halfmove_clock()) + 2 * schedule.moves > 99;
        if schedule.moves <= mate_search::MAX_MOVES && !near_fifty {
            let due = if self.shared.limits.mate.is_some() { 0 } else { NODES_BEFORE[schedule.moves] };
            self.mate_search_from = due.max(not_before);
            self.mate_schedule = Some(schedule);
        }
    }

    /// Looks for the next mate of the schedule, in the middle of an iteration too: a single one may cost more than
    /// all before it. When the shortest mate is proven it is the first root move, with its line, and the search
    /// is over.
    #[cold]
    pub(super) fn run_mate_search(&mut self) {
        self.mate_search_from = u64::MAX;
        let Some(mut schedule) = self.mate_schedule.take() else { return };
        if self.root_moves[0].value >= mate_in(2 * schedule.moves - 1) {
            // One as short is known; it may turn out to be longer.
            self.look_for(schedule, 2 * self.nodes);
            return;
        }
        let limits = self.shared.limits;
        let floor = if limits.mate.is_some() { LEAST_BUDGET_ON_REQUEST } else { 0 };
        let left = limits.nodes.map_or(u64::MAX, |limit| limit.saturating_sub(self.nodes));
        let first: Vec<Move> = if limits.search_moves.is_empty() {
            Vec::new()
        } else {
            self.root_moves.iter().map(|root_move| root_move.mv).collect()
        };
        let mut scout = MateSearch::new(self.nodes.max(floor).min(left), self.shared.stop);
        let verdict = scout.search(&schedule.root, schedule.moves, &first);
        self.nodes += scout.nodes;
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

    /// Puts a proven line first.
    fn put_first(&mut self, line: &[Move], value: Value) {
        let Some(index) = self.root_moves.iter().position(|root_move| root_move.mv == line[0]) else {
            return;
        };
        let nodes = self.root_moves[index].nodes;
        let tb_rank = self.root_moves[index].tb_rank;
        let mut proven = RootMove::new(line[0]);
        proven.line = line.iter().copied().collect::<Line>();
        proven.value = value;
        proven.bound = Bound::Exact;
        proven.selective_depth = line.len();
        proven.nodes = nodes;
        proven.tb_rank = tb_rank;
        self.root_moves[index] = proven;
        self.root_moves[..=index].rotate_right(1);
    }
}
