//! Move generation: the union over the branches.
//!
//! Every branch adds the target squares of its pieces to one table of bitboards; moves are listed once, from the table.
//! So the cost grows with the number of pieces in all branches, not with their moves, and no move is listed twice.

use shakmaty::{Bitboard, CastlingSide, Color, Rank, Role, Square, attacks};

use crate::action::{Action, Kind, Move};
use crate::branch::{Branch, Effect};
use crate::castling;
use crate::superposition::{MAX_BRANCHES, MAX_TOTAL};

const UNDERPROMOTIONS: [Role; 3] = [Role::Knight, Role::Bishop, Role::Rook];

/// Target squares by origin.
struct Reach {
    /// Squares with own pieces that can move.
    from: Bitboard,
    /// Targets of classical moves.
    classical: [Bitboard; 64],
    /// Targets of splits: no captures, no castling.
    split: [Bitboard; 64],
    /// Promotions, by file.
    promoting: [Bitboard; 8],
    /// Promotions of splits, by file.
    promoting_split: [Bitboard; 8],
    /// In how many branches each split applies, where that matters.
    crowd: Option<Box<SplitCounts>>,
}

pub(crate) fn moves(branches: &[Branch], total: u64, turn: Color, out: &mut Vec<Action>) {
    let mut reach = Reach {
        from: Bitboard::EMPTY,
        classical: [Bitboard::EMPTY; 64],
        split: [Bitboard::EMPTY; 64],
        promoting: [Bitboard::EMPTY; 8],
        promoting_split: [Bitboard::EMPTY; 8],
        crowd: None,
    };
    let room = room(branches, total);
    if (1..branches.len()).contains(&room) {
        reach.crowd = Some(Box::default());
    }
    for branch in branches {
        reach.add(branch, turn);
    }
    reach.list(turn, room, out);
}

/// How many branches a split may add (rule 6).
pub(crate) fn room(branches: &[Branch], total: u64) -> usize {
    if total > MAX_TOTAL / 2 { 0 } else { MAX_BRANCHES.saturating_sub(branches.len()) }
}

/// In how many branches a split applies.
pub(crate) fn splits(branches: &[Branch], m: Move, turn: Color) -> usize {
    branches.iter().filter(|branch| branch.effect(m, turn) == Some(Effect::Quiet)).count()
}

/// In how many branches each split applies; computed only where not every split may fit.
struct SplitCounts {
    /// By origin and target.
    splits: [[u16; 64]; 64],
    /// By the file of the promoting pawn.
    promoting: [u16; 8],
}

impl Default for SplitCounts {
    fn default() -> SplitCounts {
        SplitCounts { splits: [[0; 64]; 64], promoting: [0; 8] }
    }
}

impl SplitCounts {
    fn add(&mut self, from: Square, quiet: Bitboard) {
        for to in quiet {
            self.splits[from.to_usize()][to.to_usize()] += 1;
        }
    }

    fn count(&self, m: Move) -> usize {
        usize::from(match m.underpromotion() {
            Some(_) => self.promoting[m.from().file().to_usize()],
            None => self.splits[m.from().to_usize()][m.to().to_usize()],
        })
    }
}

impl Reach {
    #[inline]
    fn add(&mut self, branch: &Branch, turn: Color) {
        let board = branch.board();
        let (own, occupied) = (board.by_color(turn), board.occupied());
        for from in board.pawns() & own {
            self.add_pawn(branch, from, turn);
        }
        for from in board.knights() & own {
            self.put(from, attacks::knight_attacks(from), own, occupied);
        }
        for from in board.bishops() & own {
            self.put(from, attacks::bishop_attacks(from, occupied), own, occupied);
        }
        for from in board.rooks() & own {
            self.put(from, attacks::rook_attacks(from, occupied), own, occupied);
        }
        for from in board.queens() & own {
            self.put(from, attacks::queen_attacks(from, occupied), own, occupied);
        }
        for from in board.kings() & own {
            self.put(from, attacks::king_attacks(from), own, occupied);
        }
        if !branch.castling().is_empty() {
            for side in CastlingSide::ALL {
                if branch.can_castle(turn, side) {
                    let king = castling::king_home(turn);
                    self.from.add(king);
                    self.classical[king.to_usize()].add(side.king_to(turn));
                }
            }
        }
    }

    #[inline]
    fn put(&mut self, from: Square, reached: Bitboard, own: Bitboard, occupied: Bitboard) {
        let reached = reached & !own;
        if reached.any() {
            self.from.add(from);
            self.classical[from.to_usize()] |= reached;
            self.split[from.to_usize()] |= reached & !occupied;
            if let Some(crowd) = &mut self.crowd {
                crowd.add(from, reached & !occupied);
            }
        }
    }

    #[inline]
    fn add_pawn(&mut self, branch: &Branch, from: Square, turn: Color) {
        let enemy = branch.board().by_color(turn.other());
        let takes = enemy | branch.en_passant().map_or(Bitboard::EMPTY, Bitboard::from_square);
        let pushes = branch.pushes(from, turn);
        let reached = pushes | (attacks::pawn_attacks(turn, from) & takes);
        if reached.is_empty() {
            return;
        }
        self.from.add(from);
        self.classical[from.to_usize()] |= reached;
        self.split[from.to_usize()] |= pushes;
        let last = Bitboard::from_rank(turn.other().backrank());
        self.promoting[from.file().to_usize()] |= reached & last;
        self.promoting_split[from.file().to_usize()] |= pushes & last;
        if let Some(crowd) = &mut self.crowd {
            crowd.add(from, pushes);
            crowd.promoting[from.file().to_usize()] += u16::from((pushes & last).any());
        }
    }

    fn list(&self, turn: Color, room: usize, out: &mut Vec<Action>) {
        let last_but_one = Bitboard::from_rank(turn.relative_rank(Rank::Seventh));
        for from in self.from {
            let (at, file) = (from.to_usize(), from.file().to_usize());
            let promotes = last_but_one.contains(from) && self.promoting[file].any();
            let roles = if promotes { &UNDERPROMOTIONS[..] } else { &[] };
            for to in self.classical[at] {
                out.push(Action::Move(Move::known(Kind::Classical, from, to, None)));
            }
            for role in roles {
                for to in self.promoting[file] {
                    out.push(Action::Move(Move::known(Kind::Classical, from, to, Some(*role))));
                }
            }
            if room == 0 {
                continue;
            }
            let fits = |m: Move| self.crowd.as_ref().is_none_or(|crowd| crowd.count(m) <= room);
            for to in self.split[at] {
                let m = Move::known(Kind::Split, from, to, None);
                if fits(m) {
                    out.push(Action::Move(m));
                }
            }
            for role in roles {
                for to in self.promoting_split[file] {
                    let m = Move::known(Kind::Split, from, to, Some(*role));
                    if fits(m) {
                        out.push(Action::Move(m));
                    }
                }
            }
        }
    }
}
