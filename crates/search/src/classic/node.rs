//! The node function: negamax with alpha-beta, as seed 001 §3.3.1 prints it, and seed 000's additions in place.

use shakmaty::{Bitboard, Chess, EnPassantMode, Move, Position, Role, attacks, zobrist::Zobrist64};
use tabia_core::Score;
use tabia_eval::{Evaluate, View};

use super::budget::Budget;
use super::counts::Counts;
use super::ordering::{Killers, MovePicker, OrderingContext, SquareValueFn, sort_for_side_to_move};
use super::settings::Settings;
use super::table::{Entry, Table};
use super::window::Window;

/// Half-moves without progress after which the game is drawn.
const FIFTY_MOVES: u32 = 100;

/// One search while it runs.
pub(super) struct Searcher<'a, E> {
    pub evaluation: &'a mut E,
    pub settings: Settings,
    /// How deep it looks at the root.
    pub depth: u32,
    pub table: Option<&'a mut Table>,
    pub guide: Option<&'a SquareValueFn>,
    pub budget: Budget<'a>,
    pub counts: Counts,
    /// Killers by distance from the root.
    pub killers: Vec<Killers>,
    /// Keys of the game's positions and of the line being searched, the current one last.
    pub keys: Vec<u64>,
    /// Moves allowed at the root; empty means all.
    pub root_moves: &'a [Move],
    /// The best line known for the root: of the last iteration, then of this one as it grows.
    pub best_line: Vec<Move>,
    /// Deepest ply reached.
    pub deepest: u16,
}

impl<E: Evaluate> Searcher<'_, E> {
    /// The value of a position for the side to move, `depth` plies deep. `line` receives the best play. Once the
    /// budget is spent, neither means anything.
    pub fn negamax(
        &mut self,
        position: &Chess,
        depth: u32,
        ply: u16,
        window: Window,
        line: &mut Vec<Move>,
    ) -> Score {
        // Step 1. Is there time for another node?
        if !self.budget.allows(self.counts.all_nodes()) {
            return Score::DRAW;
        }
        self.counts.nodes += 1;
        self.deepest = self.deepest.max(ply);

        // Step 2. The end of the game.
        let is_root = ply == 0;
        if !is_root && let Some(score) = self.verdict(position, ply) {
            return score;
        }

        // Step 3. Known from other moves that led here?
        let key = self.keys[self.keys.len() - 1];
        let known = self.probe(key);
        if !is_root && let Some(score) = known.and_then(|entry| entry.cutoff_score(depth, ply, window)) {
            self.counts.table_hits += 1;
            line.extend(known.and_then(|entry| entry.best));
            return score;
        }

        // Step 4. The horizon.
        if depth == 0 {
            let score = self.quiescence(position, self.settings.quiescence, ply, window);
            self.store(key, ply, Entry { depth, score, bound: window.bound(score), best: None });
            return score;
        }

        // Step 5. List the moves and put them in order.
        let mut moves = position.legal_moves();
        if is_root && !self.root_moves.is_empty() {
            moves.retain(|m| self.root_moves.contains(m));
        }
        let best_before = if is_root { self.best_line.first().copied() } else { None };
        let first = best_before.or(known.and_then(|entry| entry.best));
        if self.guide.is_some() {
            sort_for_side_to_move(&mut moves, position.turn());
        }
        let killers = self.killers[usize::from(ply)];
        let worth = self.guide.map(|guide| guide(View::from(position)));
        let context = OrderingContext { turn: position.turn(), first, killers, guide: worth.as_ref() };
        let picker = MovePicker::new(&moves, self.settings.ordering, &context);

        // Step 6. Try them.
        let (mut best, mut best_move, mut alpha) = (-Score::INFINITE, None, window.alpha);
        let mut child_line = Vec::new();
        for (index, m) in picker.enumerate() {
            child_line.clear();
            let child_window = self.child_window(alpha, window.beta);
            let child = after(position, m);
            self.keys.push(key_after(position, key, m, &child));
            // A check is not counted, as long as the line has not been lengthened enough.
            let counts = u32::from(ply) + depth >= self.depth + self.settings.checks || !child.is_check();
            let depth_left = depth - u32::from(counts);
            let score = -self.negamax(&child, depth_left, ply + 1, child_window, &mut child_line);
            self.keys.pop();
            if self.budget.is_spent() {
                return Score::DRAW;
            }
            if score > best {
                (best, best_move) = (score, Some(m));
            }
            if score > alpha {
                alpha = score;
                line.clear();
                line.push(m);
                line.append(&mut child_line);
                if is_root {
                    self.best_line.clone_from(line);
                }
            }
            if self.cuts_off(alpha, window.beta, index) {
                self.remember_killer(m, ply);
                break;
            }
        }

        // Step 7. Remember the result.
        self.store(key, ply, Entry { depth, score: best, bound: window.bound(best), best: best_move });
        best
    }

    /// The value of a finished game: mate by its distance, and every draw; a repetition counts at once.
    pub(super) fn verdict(&self, position: &Chess, ply: u16) -> Option<Score> {
        let drawn = position.halfmoves() >= FIFTY_MOVES || self.is_repetition(position.halfmoves());
        self.verdict_after_capture(position, ply).or_else(|| drawn.then(|| self.draw(ply)))
    }

    /// The value of a finished game after a capture or promotion, which neither repeats a position nor is the fiftieth
    /// move: mate, stalemate or too little material.
    pub(super) fn verdict_after_capture(&self, position: &Chess, ply: u16) -> Option<Score> {
        if !can_move(position) {
            return Some(if position.is_check() { Score::mated_in_plies(ply) } else { self.draw(ply) });
        }
        position.is_insufficient_material().then(|| self.draw(ply))
    }

    /// A draw as the side to move sees it: less than nothing to the side that searches, by its contempt.
    fn draw(&self, ply: u16) -> Score {
        let contempt = self.settings.contempt;
        Score::cp(if ply.is_multiple_of(2) { -contempt } else { contempt })
    }

    /// Whether the current position occurred before, in the game or in the searched line. The rules require a third
    /// occurrence, but a single repetition can be repeated again, and a table entry for the position would hide the
    /// third one.
    fn is_repetition(&self, halfmoves: u32) -> bool {
        let current = self.keys[self.keys.len() - 1];
        let reversible = halfmoves as usize + 1;
        self.keys.iter().rev().take(reversible).step_by(2).skip(1).any(|key| *key == current)
    }

    /// What a child may assume: nothing at all without pruning.
    pub fn child_window(&self, alpha: Score, beta: Score) -> Window {
        if self.settings.pruning { Window { alpha, beta }.flipped() } else { Window::FULL }
    }

    /// Whether the other side will avoid this position, so that its remaining moves do not matter.
    pub fn cuts_off(&mut self, alpha: Score, beta: Score, index: usize) -> bool {
        let cuts = self.settings.pruning && alpha >= beta;
        self.counts.cutoffs += u64::from(cuts);
        self.counts.first_move_cutoffs += u64::from(cuts && index == 0);
        cuts
    }

    fn probe(&mut self, key: u64) -> Option<Entry> {
        let table = self.table.as_ref()?;
        self.counts.table_probes += 1;
        table.get(key)
    }

    /// A root restricted to some moves says nothing about its position, and a search cut short nothing at all.
    fn store(&mut self, key: u64, ply: u16, entry: Entry) {
        let restricted = ply == 0 && !self.root_moves.is_empty();
        if let Some(table) = self.table.as_mut().filter(|_| !restricted && !self.budget.is_spent()) {
            table.store(key, ply, entry);
        }
    }

    fn remember_killer(&mut self, m: Move, ply: u16) {
        let killers = &mut self.killers[usize::from(ply)];
        if self.settings.killers && !m.is_capture() && killers[0] != Some(m) {
            *killers = [Some(m), killers[0]];
        }
    }
}

/// Whether there is a legal move. Out of check, a piece that stands on no line with its king can be moved freely;
/// nearly always there is one, and the moves need not be listed.
fn can_move(position: &Chess) -> bool {
    let (board, own) = (position.board(), position.us());
    let king_lines = position
        .our(Role::King)
        .first()
        .map_or(Bitboard::FULL, |king| attacks::queen_attacks(king, Bitboard::EMPTY));
    let free = own & !king_lines & !board.kings();
    let ahead = (free & board.pawns()).shift(position.turn().fold_wb(8, -8));
    let is_mobile = |from| (board.attacks_from(from) & !own).any();
    let something_moves =
        !ahead.is_subset(board.occupied()) || (free & !board.pawns()).into_iter().any(is_mobile);
    (something_moves && !position.is_check()) || !position.legal_moves().is_empty()
}

/// The position after a legal move.
pub(super) fn after(position: &Chess, m: Move) -> Chess {
    let mut child = position.clone();
    child.play_unchecked(m);
    child
}

/// The key of `child`, from that of the position before where it is quick to say what the move changed.
pub(super) fn key_after(position: &Chess, key: u64, m: Move, child: &Chess) -> u64 {
    let changed = position.update_zobrist_hash(Zobrist64(key), m, EnPassantMode::Legal);
    changed.unwrap_or_else(|| child.zobrist_hash(EnPassantMode::Legal)).0
}
