//! Mate search: a full-width search that proves or refutes a mate in a given number of moves.
//!
//! The main search prunes moves that look hopeless, such as the quiet key move of a composed problem, and may miss a
//! short mate for many iterations. This search prunes nothing but quiet moves on the attacker's last move, which cannot
//! mate. Most wrong moves are refuted by the same reply (a killer heuristic), so mates in two and three cost thousands
//! of nodes, not millions.
//!
//! It runs only without a game clock: in analysis, under a limit of nodes or of time for one move, or for `go mate`.

use shakmaty::{Bitboard, attacks};

use super::moves::{Move, MoveList};
use super::position::Position;
use super::time_manager::NODES_BETWEEN_CLOCK_READINGS;

/// From-square times to-square.
const FROM_TO: usize = 64 * 64;
/// The longest mate that is looked for, in full moves.
pub const MAX_MOVES: usize = 6;
/// Entries in the table of refuted nodes; a power of two.
const REMEMBERED: usize = 1 << 16;
/// Ordering score of the attacker's checks, above that of all other moves.
const CHECK_FIRST: i32 = 1 << 20;
/// The line of a proven mate may cost this many times the nodes of its proof. It is about as much work: the replies are
/// searched again, for the shortest mate against each.
const LINE_COST: u64 = 4;
/// It may always cost this many nodes: a fraction of a second.
const MIN_LINE_BUDGET: u64 = 100_000;

/// The result of a mate search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MateResult {
    /// Mate is forced; the line shows one of the longest defences.
    Mate(Vec<Move>),
    /// There is no mate in this many moves.
    NoMate,
    /// The node budget ran out, or the search is over.
    OutOfNodes,
}

/// The next mate search of a root position.
#[derive(Clone, Debug)]
pub struct MateSchedule {
    pub(super) root: Position,
    /// The length to look for, in full moves; shorter mates are refuted.
    pub(super) moves: usize,
}

/// A full-width mate search with a node budget.
pub struct MateSearch<'a> {
    pub nodes: u64,
    budget: u64,
    is_over: &'a dyn Fn() -> bool,
    /// The reply that last refuted an attack (killer move), by attacker's moves left.
    refutations: [Move; MAX_MOVES + 1],
    /// How often a from-to pair refuted an attack (history).
    refuted: Vec<u32>,
    /// Attacker nodes known to contain no mate: position key mixed with the moves left.
    no_mate: Vec<u64>,
}

impl<'a> MateSearch<'a> {
    /// A search limited to `budget` nodes; it also ends when `is_over` says so.
    pub fn new(budget: u64, is_over: &'a dyn Fn() -> bool) -> MateSearch<'a> {
        MateSearch {
            nodes: 0,
            budget,
            is_over,
            refutations: [Move::NONE; MAX_MOVES + 1],
            refuted: vec![0; FROM_TO],
            no_mate: vec![0; REMEMBERED],
        }
    }

    /// Whether the side to move mates in at most `moves` moves, starting with one of `first` (all when empty).
    pub fn search(&mut self, position: &Position, moves: usize, first: &[Move]) -> MateResult {
        debug_assert!((1..=MAX_MOVES).contains(&moves));
        match self.attack(position, moves, first) {
            None => MateResult::OutOfNodes,
            Some(mv) if mv.is_none() => MateResult::NoMate,
            Some(mv) => MateResult::Mate(self.mating_line(position, moves, mv)),
        }
    }

    /// A move that mates in `moves`, [`Move::NONE`] if there is none, or `None` when the nodes ran out.
    fn attack(&mut self, position: &Position, moves: usize, only: &[Move]) -> Option<Move> {
        let key = mix(position.key(), moves);
        if only.is_empty() && self.no_mate[key as usize % REMEMBERED] == key {
            return Some(Move::NONE);
        }
        let mut list = MoveList::new();
        position.generate_all(&mut list);
        let checks = position.check_squares();
        let discoverers = discoverers(position);
        for scored in &mut list {
            let mv = scored.mv;
            let special = mv.is_castle() || mv.is_en_passant() || mv.promotion_role().is_some();
            let may_check = special || discoverers.contains(mv.from()) || checks.direct_check(position, mv);
            scored.score = if may_check { CHECK_FIRST } else { 0 };
        }
        if moves == 1 {
            list.retain(|scored| scored.score == CHECK_FIRST);
        } else {
            // Moves close to the enemy king first.
            let king = position.king_of(position.turn().other());
            for scored in &mut list {
                scored.score -= scored.mv.to().distance(king) as i32;
            }
            list.sort_by_key(|scored| -scored.score);
        }
        for scored in &list {
            let mv = scored.mv;
            if !only.is_empty() && !only.contains(&mv) {
                continue;
            }
            if self.is_spent() {
                return None;
            }
            let next = position.after(mv);
            self.nodes += 1;
            if moves == 1 && !next.in_check() {
                continue;
            }
            if self.is_lost(&next, moves)? {
                return Some(mv);
            }
        }
        if only.is_empty() {
            self.no_mate[key as usize % REMEMBERED] = key;
        }
        Some(Move::NONE)
    }

    /// Whether the side to move is mated within the attacker's next `moves - 1` moves, whatever it plays.
    fn is_lost(&mut self, position: &Position, moves: usize) -> Option<bool> {
        if moves == 1 {
            return Some(!position.has_legal_move());
        }
        let mut list = MoveList::new();
        position.generate_all(&mut list);
        if list.is_empty() {
            return Some(position.in_check());
        }
        let known = self.refutations[moves];
        for scored in &mut list {
            scored.score = if scored.mv == known {
                i32::MAX
            } else {
                self.refuted[scored.mv.from_to()].min(i32::MAX as u32 - 1) as i32
            };
        }
        list.sort_by_key(|scored| -scored.score);
        for scored in &list {
            if self.is_spent() {
                return None;
            }
            let next = position.after(scored.mv);
            self.nodes += 1;
            if next.is_insufficient_material() || self.attack(&next, moves - 1, &[])?.is_none() {
                self.refutations[moves] = scored.mv;
                self.refuted[scored.mv.from_to()] += 1;
                return Some(false);
            }
        }
        Some(true)
    }

    fn is_spent(&self) -> bool {
        self.nodes >= self.budget
            || (self.nodes.is_multiple_of(NODES_BETWEEN_CLOCK_READINGS) && (self.is_over)())
    }

    /// The mating line that starts with `mv`, with the longest defence.
    ///
    /// It has a budget of its own: the mate is proven, and a shorter line than its value says would be wrong.
    fn mating_line(&mut self, position: &Position, moves: usize, mv: Move) -> Vec<Move> {
        let limits = (self.budget, self.is_over);
        self.budget = self.nodes.saturating_add(self.nodes.saturating_mul(LINE_COST).max(MIN_LINE_BUDGET));
        self.is_over = &|| false;
        let mut line = vec![mv];
        let mut next = position.after(mv);
        for left in (1..moves).rev() {
            let Some((reply, answer)) = self.longest_defence(&next, left) else { break };
            line.extend([reply, answer]);
            next = next.after(reply).after(answer);
        }
        (self.budget, self.is_over) = limits;
        line
    }

    /// The reply that is mated last, in at most `moves` moves, and the attacker's next move. `None` when there is no
    /// reply, or when the nodes ran out.
    fn longest_defence(&mut self, position: &Position, moves: usize) -> Option<(Move, Move)> {
        let mut replies = MoveList::new();
        position.generate_all(&mut replies);
        let mut longest: Option<(usize, Move, Move)> = None;
        for scored in &replies {
            let (length, answer) = self.shortest_mate(&position.after(scored.mv), moves)?;
            if longest.is_none_or(|(known, ..)| length >= known) {
                longest = Some((length, scored.mv, answer));
            }
        }
        longest.map(|(_, reply, answer)| (reply, answer))
    }

    /// The length of the shortest mate in at most `moves` moves, and its first move.
    fn shortest_mate(&mut self, position: &Position, moves: usize) -> Option<(usize, Move)> {
        for length in 1..=moves {
            let mv = self.attack(position, length, &[])?;
            if mv.is_some() {
                return Some((length, mv));
            }
        }
        None
    }
}

/// Pieces of the side to move that may give a discovered check: alone between one of its sliders and the enemy king.
fn discoverers(position: &Position) -> Bitboard {
    let board = position.board();
    let us = position.us();
    let king = position.king_of(position.turn().other());
    let sliders = (attacks::rook_attacks(king, Bitboard::EMPTY) & board.rooks_and_queens()
        | attacks::bishop_attacks(king, Bitboard::EMPTY) & board.bishops_and_queens())
        & us;
    let mut found = Bitboard::EMPTY;
    for slider in sliders {
        let between = attacks::between(king, slider) & board.occupied();
        if !between.more_than_one() {
            found |= between & us;
        }
    }
    found
}

/// Never zero, which marks an empty entry.
fn mix(key: u64, moves: usize) -> u64 {
    const GOLDEN_RATIO: u64 = 0x9e37_79b9_7f4a_7c15;
    (key ^ (moves as u64).wrapping_mul(GOLDEN_RATIO)) | 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_core::ChessGame;

    /// A composed mate in two whose key is quiet.
    const QUIET_KEY: &str = "1B6/2R2PN1/8/7P/2p1pk2/2Q1pN1P/8/1B5K w - - 0 1";

    fn search(fen: &str, moves: usize) -> MateResult {
        let game = ChessGame::from_fen(fen).unwrap();
        MateSearch::new(1_000_000, &|| false).search(&Position::new(game.position()), moves, &[])
    }

    #[test]
    fn quiet_keys_are_found_and_shorter_mates_excluded() {
        assert_eq!(search(QUIET_KEY, 1), MateResult::NoMate);
        let MateResult::Mate(line) = search(QUIET_KEY, 2) else { panic!("no mate found") };
        assert_eq!(line[0].to_string(), "g7f5");
        assert_eq!(line.len(), 3);
    }

    #[test]
    fn the_line_of_a_proven_mate_is_complete_when_time_and_nodes_have_run_out() {
        let MateResult::Mate(line) = search(QUIET_KEY, 2) else { panic!("no mate found") };
        let game = ChessGame::from_fen(QUIET_KEY).unwrap();
        let mut search = MateSearch::new(0, &|| true);
        assert_eq!(search.mating_line(&Position::new(game.position()), 2, line[0]), line);
        assert!(search.is_spent(), "the limits are those of the search again");
    }

    #[test]
    fn stalemate_is_no_mate() {
        assert_eq!(search("7k/8/5K2/8/8/8/8/1Q6 w - - 0 1", 1), MateResult::NoMate);
        assert!(matches!(search("7k/8/5K2/8/8/8/8/1Q6 w - - 0 1", 2), MateResult::Mate(_)));
        assert_eq!(search("k7/8/1QK5/8/8/8/8/8 b - - 0 1", 2), MateResult::NoMate);
    }

    #[test]
    fn the_budget_is_kept() {
        let start = Position::new(&shakmaty::Chess::default());
        let mut search = MateSearch::new(1_000, &|| false);
        assert_eq!(search.search(&start, 4, &[]), MateResult::OutOfNodes);
        assert_eq!(search.nodes, 1_000);
    }

    #[test]
    fn it_ends_when_the_search_is_over() {
        let start = Position::new(&shakmaty::Chess::default());
        assert_eq!(MateSearch::new(u64::MAX, &|| true).search(&start, 6, &[]), MateResult::OutOfNodes);
    }
}
