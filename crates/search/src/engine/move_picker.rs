//! Staged move ordering.
//!
//! Most nodes are cut off by the table move or a capture, so quiet moves are generated and scored only when the stages
//! before them are exhausted: table move, good noisy moves (MVV plus capture history, SEE at least the threshold),
//! killer, quiet moves by history, bad noisy moves.

use super::history::{Context, Histories};
use super::moves::{Move, MoveList};
use super::position::{Position, see_value};
use shakmaty::Role;
use tabia_eval::View;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Stage {
    TtMove,
    MakeNoisy,
    GoodNoisy,
    Killer,
    MakeQuiet,
    Quiet,
    BadNoisy,
    Done,
}

/// Which moves are wanted.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    Search,
    /// Captures and queen promotions only.
    Noisy,
    /// Captures whose static exchange evaluation is at least this many centipawns.
    Winning(i32),
}

/// The value of each square for the side to move, in units of `axiomx`'s control field: quiet moves towards better
/// squares are tried sooner (seed 000 §10.5).
pub type SquareValueFn = fn(View<'_>) -> [i32; SQUARES];

/// Yields the moves of one position, best first.
pub struct MovePicker {
    stage: Stage,
    purpose: Purpose,
    tt_move: Move,
    killer: Move,
    list: MoveList,
    next: usize,
    /// Noisy moves that lose material, kept for the last stage.
    bad: arrayvec::ArrayVec<Move, MAX_BAD_NOISY>,
    skip_quiet: bool,
    guide: Option<SquareValueFn>,
}

const SQUARES: usize = 64;
/// Losing captures that can be put off; any beyond are tried in the order they come.
const MAX_BAD_NOISY: usize = 64;
/// This much capture history lowers the SEE threshold of a good capture by one centipawn.
const CAPTURE_HISTORY_WEIGHT: i32 = 128;
/// Factor on the victim's value in the ordering of captures (MVV).
const VICTIM_WEIGHT: i32 = 20;
/// Bonus for a quiet move that gives a direct check on a square no cheaper piece attacks.
const CHECK_BONUS: i32 = 8_000;
/// This many units of a guide count as one of history.
const GUIDE_SCALE: i32 = 64;
/// Bonus for leaving a square attacked by a cheaper piece, and malus for entering one, from pawn to king.
const ESCAPE_BONUS: [i32; 6] = [0, 3_000, 3_100, 4_700, 9_000, 0];

impl MovePicker {
    /// `tt_move` and `killer` must be legal here or [`Move::NONE`].
    pub fn new(purpose: Purpose, tt_move: Move, killer: Move) -> MovePicker {
        MovePicker {
            stage: if tt_move.is_some() { Stage::TtMove } else { Stage::MakeNoisy },
            purpose,
            tt_move,
            killer: if killer == tt_move { Move::NONE } else { killer },
            list: MoveList::new(),
            next: 0,
            bad: arrayvec::ArrayVec::new(),
            skip_quiet: false,
            guide: None,
        }
    }

    /// Adds a guide to the ordering of quiet moves.
    #[must_use]
    pub fn with_square_values(mut self, guide: Option<SquareValueFn>) -> MovePicker {
        self.guide = guide;
        self
    }

    /// Skips all further quiet moves.
    pub fn skip_quiet(&mut self) {
        self.skip_quiet = true;
    }

    /// Whether the picker is at its last stage, losing captures.
    pub fn in_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// The next move, or `None` at the end.
    pub fn next(&mut self, position: &Position, histories: &Histories, context: &Context) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::MakeNoisy;
                    return Some(self.tt_move);
                }
                Stage::MakeNoisy => {
                    self.make_noisy(position, histories);
                    self.stage = Stage::GoodNoisy;
                }
                Stage::GoodNoisy => match self.pop_best() {
                    Some(mv) if mv == self.tt_move => {}
                    Some(mv) => match self.purpose {
                        Purpose::Noisy => return Some(mv),
                        Purpose::Winning(threshold) => {
                            if position.see_at_least(mv, threshold) {
                                return Some(mv);
                            }
                        }
                        Purpose::Search => {
                            let threshold = -histories.capture(position, mv) / CAPTURE_HISTORY_WEIGHT;
                            if position.see_at_least(mv, threshold) || self.bad.is_full() {
                                return Some(mv);
                            }
                            self.bad.push(mv);
                        }
                    },
                    None if self.purpose == Purpose::Search => self.stage = Stage::Killer,
                    None => self.stage = Stage::Done,
                },
                Stage::Killer => {
                    self.stage = Stage::MakeQuiet;
                    if self.killer.is_some() && !self.skip_quiet {
                        return Some(self.killer);
                    }
                }
                Stage::MakeQuiet => {
                    self.list.clear();
                    self.next = 0;
                    if !self.skip_quiet {
                        self.make_quiet(position, histories, context);
                    }
                    self.stage = Stage::Quiet;
                }
                Stage::Quiet => match if self.skip_quiet { None } else { self.pop_best() } {
                    Some(mv) if mv == self.tt_move || mv == self.killer => {}
                    Some(mv) => return Some(mv),
                    None => {
                        self.next = 0;
                        self.stage = Stage::BadNoisy;
                    }
                },
                Stage::BadNoisy => {
                    if let Some(mv) = self.bad.get(self.next) {
                        self.next += 1;
                        return Some(*mv);
                    }
                    self.stage = Stage::Done;
                }
                Stage::Done => return None,
            }
        }
    }

    /// Takes the highest-scored of the remaining moves (one step of selection sort).
    #[inline]
    fn pop_best(&mut self) -> Option<Move> {
        let rest = self.list.get_mut(self.next..)?;
        let mut best = *rest.first()?;
        let mut at = 0;
        for (index, scored) in rest.iter().enumerate().skip(1) {
            if scored.score > best.score {
                best = *scored;
                at = index;
            }
        }
        rest[at] = rest[0];
        self.next += 1;
        Some(best.mv)
    }

    // Both are kept out of line: inlined into `next`, they would make every call save more registers.
    #[inline(never)]
    fn make_noisy(&mut self, position: &Position, histories: &Histories) {
        position.generate_noisy(&mut self.list);
        for scored in &mut self.list {
            let victim = position.captured(scored.mv).map_or(0, see_value);
            let promotion = match scored.mv.promotion_role() {
                Some(Role::Queen) => see_value(Role::Queen),
                Some(_) => -see_value(Role::Queen),
                None => 0,
            };
            scored.score = (victim + promotion) * VICTIM_WEIGHT + histories.capture(position, scored.mv);
        }
    }

    #[inline(never)]
    fn make_quiet(&mut self, position: &Position, histories: &Histories, context: &Context) {
        position.generate_quiet(&mut self.list);
        let rows = histories.quiet_rows(context);
        let checks = position.check_squares();
        let attacked = position.attacked_by_lesser();
        for scored in &mut self.list {
            let mv = scored.mv;
            scored.score = rows.get(position, mv);
            let kind = position.at(mv.from()).kind();
            if attacked[kind].contains(mv.from()) {
                scored.score += ESCAPE_BONUS[kind];
            }
            if attacked[kind].contains(mv.to()) {
                scored.score -= ESCAPE_BONUS[kind];
            } else if checks.of_kind(kind).contains(mv.to()) {
                scored.score += CHECK_BONUS;
            }
        }
        if let Some(guide) = self.guide {
            let worth = guide(position.view());
            for scored in &mut self.list {
                let mv = scored.mv;
                let to = if mv.is_castle() { mv.castling_side().king_to(position.turn()) } else { mv.to() };
                let gain = worth[to as usize] - worth[mv.from() as usize];
                scored.score += gain / GUIDE_SCALE;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::history::PieceTo;
    use super::*;
    use tabia_core::ChessGame;

    fn picked(fen: &str, purpose: Purpose, table: &str, killer: &str) -> Vec<String> {
        let game = ChessGame::from_fen(fen).unwrap();
        let read = |text: &str| game.read_move(text).map_or(Move::NONE, Move::from_shakmaty);
        let position = Position::new(game.position());
        let histories = Histories::default();
        let context = Context::new(&position, [PieceTo::NONE; 3]);
        let mut picker = MovePicker::new(purpose, read(table), read(killer));
        std::iter::from_fn(|| picker.next(&position, &histories, &context)).map(|a| a.to_string()).collect()
    }

    const KIWIPETE: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    #[test]
    fn every_legal_move_comes_exactly_once() {
        let mut moves = picked(KIWIPETE, Purpose::Search, "e5f7", "a2a3");
        assert_eq!(moves.len(), 48);
        assert_eq!(moves[0], "e5f7");
        moves.sort();
        moves.dedup();
        assert_eq!(moves.len(), 48);
    }

    #[test]
    fn table_move_then_captures_then_killer_then_quiet_then_losing_captures() {
        let moves = picked(KIWIPETE, Purpose::Search, "e1g1", "a2a3");
        let place = |m: &str| moves.iter().position(|x| x == m).unwrap();
        assert_eq!(moves[0], "e1h1");
        assert!(place("e2a6") < place("a2a3"), "a capture that wins comes before the killer");
        assert!(place("a2a3") < place("a2a4"), "the killer comes before other quiet moves");
        assert!(place("f3f6") > place("a2a4"), "a capture that loses the queen comes last");
    }

    #[test]
    fn noisy_moves_are_captures_and_queen_promotions() {
        let moves = picked("3k4/P7/8/8/8/2p5/1P6/K7 w - - 0 1", Purpose::Noisy, "", "");
        assert_eq!(moves, ["a7a8q", "b2c3"]);
        let moves = picked("3k4/8/3p4/4p3/3P4/8/1P6/K7 w - - 0 1", Purpose::Winning(50), "", "");
        assert!(moves.is_empty());
    }
}
