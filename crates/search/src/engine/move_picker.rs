//! Moves one at a time, best first, and no sooner than they are asked for.
//!
//! Most nodes are cut by the table's move or a capture; generating and sorting quiet moves there would be wasted.
//! So moves come in stages, each prepared when the one before has run dry.

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

/// What the moves are for.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Purpose {
    /// All moves.
    Search,
    /// Captures and queen promotions only.
    Noisy,
    /// Captures that win at least so many centipawns in exchanges.
    Winning(i32),
}

/// Says what each square is worth to the side to move, so that moves towards better squares come sooner (seed 000
/// §10.5). In units of the control field.
pub type Guide = fn(View<'_>) -> [i32; 64];

/// Hands out the moves of one position.
pub struct MovePicker {
    stage: Stage,
    purpose: Purpose,
    tt_move: Move,
    killer: Move,
    list: MoveList,
    next: usize,
    /// Losing captures, for the end.
    bad: arrayvec::ArrayVec<Move, 64>,
    skip_quiet: bool,
    guide: Option<Guide>,
}

/// So much capture history makes up for a centipawn lost in the exchange.
const CAPTURE_HISTORY_WEIGHT: i32 = 128;
/// Victims outweigh histories in ordering by this factor.
const VICTIM_WEIGHT: i32 = 20;
/// Direct checks that lose nothing come before most quiet moves.
const CHECK_BONUS: i32 = 8_000;
/// So many units of a guide count as one of history.
const GUIDE_SCALE: i32 = 64;
/// For leaving a square where a cheaper piece attacks, and against entering one, by kind of piece.
const ESCAPE_BONUS: [i32; 6] = [0, 3_000, 3_100, 4_700, 9_000, 0];

impl MovePicker {
    /// Prepares to hand out moves; `tt_move` and `killer` must be legal here or none.
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

    /// The same, with quiet moves towards squares a guide prefers tried sooner.
    #[must_use]
    pub fn guided_by(mut self, guide: Option<Guide>) -> MovePicker {
        self.guide = guide;
        self
    }

    /// From now on, no more quiet moves.
    pub fn skip_quiet(&mut self) {
        self.skip_quiet = true;
    }

    /// Whether the moves handed out now are losing captures, the last of all.
    pub fn in_bad_noisy(&self) -> bool {
        self.stage == Stage::BadNoisy
    }

    /// The next move, or none when all were handed out.
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

    /// Takes the highest-scored of the remaining moves.
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

    // Both are kept out of `next`, which is called for every move and would save registers for them each time.
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
        let danger = position.danger();
        for scored in &mut self.list {
            let mv = scored.mv;
            scored.score = rows.get(position, mv);
            let kind = position.at(mv.from()).kind();
            if danger[kind].contains(mv.from()) {
                scored.score += ESCAPE_BONUS[kind];
            }
            if danger[kind].contains(mv.to()) {
                scored.score -= ESCAPE_BONUS[kind];
            } else if checks.of_kind(kind).contains(mv.to()) {
                scored.score += CHECK_BONUS;
            }
        }
        if let Some(guide) = self.guide {
            let worth = guide(position.view());
            for scored in &mut self.list {
                let gain = worth[scored.mv.to() as usize] - worth[scored.mv.from() as usize];
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
