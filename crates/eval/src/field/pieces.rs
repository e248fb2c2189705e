//! Piece-square tables, mobility, files and outposts of knights, bishops, rooks and queens.

use shakmaty::{Bitboard, Rank, Square, attacks};

use super::board::{ahead, distance, files, own, rank, rank_of};
use super::groups;
use super::pawns::Structure;
use super::side::{BISHOP, KING, KNIGHT, PAWN, QUEEN, ROOK, Side};
use super::sink::{PlacedPiece, Sink};

/// What the features of a side's pieces depend on besides the side itself.
pub(super) struct Context<'a> {
    pub enemy: &'a Side,
    pub occupied: Bitboard,
    pub pawns: Structure,
    pub enemy_pawns: Structure,
}

/// The board relative to a king: mirrored so that it stands on files e to h, and divided into four king zones.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct KingPerspective {
    mirror: u8,
    zone: u8,
}

impl KingPerspective {
    /// The outlook of a side's king.
    #[inline(always)]
    const fn new<const WHITE: bool>(king: Square) -> KingPerspective {
        let at = own::<WHITE>(king) as u8;
        let mirror = if at & 4 == 0 { 7 } else { 0 };
        let zone = match ((at ^ mirror) & 3, at / 8) {
            (_, 2..) => 3,
            (0, _) => 2,
            (1, _) => 1,
            _ => 0,
        };
        KingPerspective { mirror, zone }
    }

    /// A square relative to a side, mirrored.
    #[inline(always)]
    const fn of(self, seen: usize) -> usize {
        seen ^ self.mirror as usize
    }

    /// A unique index, 0 to 7.
    #[inline(always)]
    const fn index(self) -> usize {
        self.zone as usize * 2 + (self.mirror & 1) as usize
    }
}

/// The outlooks of a side's own king and of the enemy's.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Mirrors {
    own: KingPerspective,
    enemy: KingPerspective,
}

impl Mirrors {
    /// For a side whose king stands on the first square.
    #[inline(always)]
    pub const fn new<const WHITE: bool>(own_king: Square, enemy_king: Square) -> Mirrors {
        if WHITE {
            Mirrors {
                own: KingPerspective::new::<true>(own_king),
                enemy: KingPerspective::new::<false>(enemy_king),
            }
        } else {
            Mirrors {
                own: KingPerspective::new::<false>(own_king),
                enemy: KingPerspective::new::<true>(enemy_king),
            }
        }
    }

    /// A unique index, 0 to 63.
    #[inline(always)]
    pub const fn index(self) -> usize {
        self.own.index() * 8 + self.enemy.index()
    }

    /// The same for the opponent.
    #[inline(always)]
    pub const fn of_enemy(self) -> Mirrors {
        Mirrors { own: self.enemy, enemy: self.own }
    }
}

/// Counts one side's pieces, and records their attacks in `side`.
#[inline(always)]
pub(super) fn count<const WHITE: bool, S: Sink>(side: &mut Side, context: &Context<'_>, sink: &mut S) {
    let Context { enemy, occupied, .. } = *context;
    let mirrors = Mirrors::new::<WHITE>(side.king, enemy.king);
    let blocked = side.of[PAWN] & if WHITE { Bitboard(occupied.0 >> 8) } else { Bitboard(occupied.0 << 8) };
    let area = !(blocked | side.of[KING] | enemy.attacks[PAWN]);
    let see_through = side.of[QUEEN] | enemy.of[QUEEN];

    for square in side.of[KNIGHT] {
        let reach = attacks::knight_attacks(square);
        piece::<WHITE, S>(side, enemy, mirrors, KNIGHT, square, reach, area, sink);
    }
    let pawns = side.of[PAWN] | enemy.of[PAWN];
    for square in side.of[BISHOP] {
        if (attacks::bishop_attacks(square, pawns) & enemy.ring).any() {
            sink.add::<WHITE>(groups::RING_LINES, 1, square);
        }
        let reach = attacks::bishop_attacks(square, occupied ^ see_through);
        piece::<WHITE, S>(side, enemy, mirrors, BISHOP, square, reach, area, sink);
    }
    for square in side.of[ROOK] {
        if (attacks::rook_attacks(square, pawns) & enemy.ring).any() {
            sink.add::<WHITE>(groups::RING_LINES + 1, 1, square);
        }
        let reach = attacks::rook_attacks(square, occupied ^ see_through ^ side.of[ROOK]);
        if (reach & area).count() <= SHUT_IN && is_beside(square, side.king) {
            sink.add::<WHITE>(groups::TRAPPED_ROOK, 1, square);
        }
        piece::<WHITE, S>(side, enemy, mirrors, ROOK, square, reach, area, sink);
    }
    for square in side.of[QUEEN] {
        let reach = attacks::queen_attacks(square, occupied);
        piece::<WHITE, S>(side, enemy, mirrors, QUEEN, square, reach, area, sink);
    }
    minors::<WHITE, S>(side, context, sink);
    rooks::<WHITE, S>(side, context, blocked, sink);
    queen_lines::<WHITE, S>(side, enemy, occupied, sink);
}

/// A rook with no more reachable squares than this may be trapped.
const SHUT_IN: usize = 3;

/// Whether a rook stands between its king and the near edge of the board.
#[inline(always)]
const fn is_beside(rook: Square, king: Square) -> bool {
    let (rook, king) = (rook as u8 % 8, king as u8 % 8);
    if king < 4 { rook < king } else { rook > king }
}

/// Counts a piece's material and its piece-square values relative to both kings.
#[inline(always)]
pub(super) fn place<const WHITE: bool, S: Sink>(role: usize, square: Square, mirrors: Mirrors, sink: &mut S) {
    let seen = own::<WHITE>(square) as usize;
    let piece = PlacedPiece {
        role,
        own_view: mirrors.own.of(seen),
        enemy_view: mirrors.enemy.of(seen),
        own_zone: mirrors.own.zone.into(),
        enemy_zone: mirrors.enemy.zone.into(),
    };
    sink.add_piece::<WHITE>(piece, square);
}

/// Counts the features of one piece.
#[inline(always)]
#[allow(clippy::too_many_arguments, reason = "one call a kind of piece, all of it inlined")]
fn piece<const WHITE: bool, S: Sink>(
    side: &mut Side,
    enemy: &Side,
    mirrors: Mirrors,
    role: usize,
    square: Square,
    mut reach: Bitboard,
    area: Bitboard,
    sink: &mut S,
) {
    place::<WHITE, S>(role, square, mirrors, sink);
    if side.pinned.contains(square) {
        reach &= attacks::ray(side.king, square);
    }
    side.note(role, reach);
    let kind = role - KNIGHT;
    sink.add_mobility::<WHITE>(kind, (reach & area).count(), side.of[PAWN].count().min(8), square);
    let (own_king, enemy_king) = (distance(side.king, square), distance(enemy.king, square));
    sink.add_near::<WHITE>(kind, own_king, enemy_king, side.attacks[PAWN].contains(square), square);
    if (reach & enemy.ring).any() {
        side.attackers[kind] += 1;
        side.ring_attacks += (reach & enemy.attacks[KING]).count() as i32;
    }
}

#[inline(always)]
fn minors<const WHITE: bool, S: Sink>(side: &Side, context: &Context<'_>, sink: &mut S) {
    let guard = side.attacks[PAWN];
    let ranks =
        rank_of::<WHITE>(Rank::Fourth) | rank_of::<WHITE>(Rank::Fifth) | rank_of::<WHITE>(Rank::Sixth);
    let outposts = ranks & !context.enemy_pawns.span;
    let under_pawns = if WHITE { Bitboard(side.of[PAWN].0 >> 8) } else { Bitboard(side.of[PAWN].0 << 8) };
    for (number, role) in [KNIGHT, BISHOP].into_iter().enumerate() {
        let posted = side.of[role] & outposts;
        if posted.any() {
            sink.add_each::<WHITE>(groups::OUTPOST + number * 2, posted & !guard);
            sink.add_each::<WHITE>(groups::OUTPOST + number * 2 + 1, posted & guard);
        }
        sink.add_each::<WHITE>(groups::BEHIND_PAWN + number, side.of[role] & under_pawns);
        let in_reach = side.attacks[role] & outposts & guard & !side.occupied;
        if in_reach.any() {
            sink.add::<WHITE>(groups::POST_IN_REACH + number, 1, in_reach.first().unwrap_or(side.king));
        }
    }
    let (light, dark) = (side.of[BISHOP] & Bitboard::LIGHT_SQUARES, side.of[BISHOP] & Bitboard::DARK_SQUARES);
    if light.any() && dark.any() {
        sink.add::<WHITE>(groups::BISHOP_PAIR, 1, side.of[BISHOP].first().unwrap_or(side.king));
    }
    for (bishops, squares) in [(light, Bitboard::LIGHT_SQUARES), (dark, Bitboard::DARK_SQUARES)] {
        if bishops.any() {
            sink.add_each::<WHITE>(groups::BISHOP_PAWNS + (side.of[PAWN] & squares).count(), bishops);
        }
    }
}

#[inline(always)]
fn rooks<const WHITE: bool, S: Sink>(side: &Side, context: &Context<'_>, blocked: Bitboard, sink: &mut S) {
    let (rooks, enemy) = (side.of[ROOK], context.enemy);
    if rooks.is_empty() {
        return;
    }
    let (own_files, enemy_files) = (context.pawns.files, context.enemy_pawns.files);
    sink.add_each::<WHITE>(groups::ROOK_FILE, rooks & !own_files & !enemy_files);
    sink.add_each::<WHITE>(groups::ROOK_FILE + 1, rooks & !own_files & enemy_files);
    sink.add_each::<WHITE>(groups::ROOK_FILE + 2, rooks & files(blocked));
    let seventh = rank_of::<WHITE>(Rank::Seventh);
    if rank::<WHITE>(enemy.king) == 7 || (enemy.of[PAWN] & seventh).any() {
        sink.add_each::<WHITE>(groups::ROOK_SEVENTH, rooks & seventh);
    }
    sink.add_each::<WHITE>(groups::DOUBLED_ROOKS, rooks & ahead::<true>(Bitboard(rooks.0 << 8)));
}

#[inline(always)]
fn queen_lines<const WHITE: bool, S: Sink>(side: &Side, enemy: &Side, occupied: Bitboard, sink: &mut S) {
    for queen in enemy.of[QUEEN] {
        let slanted = attacks::bishop_attacks(queen, Bitboard::EMPTY) & side.of[BISHOP];
        let straight = attacks::rook_attacks(queen, Bitboard::EMPTY) & side.of[ROOK];
        for (number, pieces) in [slanted, straight].into_iter().enumerate() {
            for from in pieces {
                let between = attacks::between(from, queen) & occupied;
                if between.any() && !between.more_than_one() {
                    sink.add::<WHITE>(groups::QUEEN_LINES + number, 1, from);
                }
            }
        }
    }
}

/// Counts control of squares; squares controlled by pawns are counted with the pawns.
#[inline(always)]
pub(super) fn control<const WHITE: bool, S: Sink>(side: &Side, enemy: &Side, sink: &mut S) {
    let by_pieces = side.all & !side.attacks[PAWN];
    sink.add_set::<WHITE>(groups::CONTROL + 32, by_pieces & !enemy.all);
    sink.add_set::<WHITE>(groups::CONTROL + 64, by_pieces & enemy.all & !enemy.attacks[PAWN]);
}
