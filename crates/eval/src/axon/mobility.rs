//! Mobility (seed 002 §III.A).
//!
//! The mobility of a piece is the number of squares it controls that are neither occupied by its own side nor controlled
//! by a less valuable enemy piece: pawns bar a square to every piece, minor pieces to rooks and queens, rooks to queens.
//! The average of its kind is subtracted, so that an ordinary piece counts zero and a cramped one negatively.
//!
//! A piece is **masked** when it has no move: every square it controls is occupied by its own side or controlled by
//! enemy pawns. It is **doubly masked** when both are needed: some squares are blocked by own pieces, others barred by
//! pawns. The knight of the seed's Fig. 1, well placed and unable to move, is an example; both penalties and its missing
//! mobility together outweigh the best square of Table III.
//!
//! The same pass collects attacks on the kings for [`super::king`].

use shakmaty::{Bitboard, ByColor, Color, Role, Square, attacks};

use super::king::{self, Pressure};
use super::perspective::Side;
use super::tally::Tally;
use super::weights::Weight;

/// Pawns on the board at the start.
const ALL_PAWNS: i32 = 16;

/// Squares a piece of this kind usually has, near the average over quiet positions of master games.
const fn usual(role: Role) -> i32 {
    match role {
        Role::Knight => 4,
        Role::Bishop => 6,
        Role::Rook => 7,
        Role::Queen => 12,
        Role::Pawn | Role::King => 0,
    }
}

const fn weight(role: Role) -> Weight {
    match role {
        Role::Knight => Weight::KnightMobility,
        Role::Bishop => Weight::BishopMobility,
        Role::Rook => Weight::RookMobility,
        _ => Weight::QueenMobility,
    }
}

/// Squares the pawns of a side control, as they stand.
#[inline]
pub(super) fn pawn_control(color: Color, pawns: Bitboard) -> Bitboard {
    let beside = super::perspective::beside(pawns);
    match color {
        Color::White => super::perspective::up(beside),
        Color::Black => super::perspective::down(beside),
    }
}

/// The squares that one piece controls and can go to.
#[derive(Copy, Clone, Debug)]
pub(super) struct Reach {
    pub control: Bitboard,
    /// Controlled squares where nothing less valuable can take it.
    pub safe: Bitboard,
    /// It has no move that enemy pawns do not bar.
    pub masked: bool,
    /// Both its own pieces and enemy pawns hold it in.
    pub doubly_masked: bool,
}

/// What restricts the pieces of one side.
#[derive(Copy, Clone, Debug)]
struct Restraint {
    own: Bitboard,
    /// Squares that enemy pawns control.
    pawns: Bitboard,
    /// Squares that less valuable enemies control, pawns included.
    cheaper: Bitboard,
}

#[inline]
fn reach(control: Bitboard, held: Restraint) -> Reach {
    let free = control & !held.own;
    let masked = (free & !held.pawns).is_empty();
    Reach {
        control,
        safe: free & !held.cheaper,
        masked,
        doubly_masked: masked && free.any() && (control & held.own).any(),
    }
}

/// The pass over all pieces, from the least to the most valuable kind.
struct Survey<'a, See> {
    sides: &'a ByColor<Side>,
    tally: &'a mut Tally,
    see: See,
    pawn_control: ByColor<Bitboard>,
    zones: ByColor<Bitboard>,
    pressure: ByColor<Pressure>,
}

impl<See: FnMut(Color, Square, Reach)> Survey<'_, See> {
    /// Counts the pieces of one kind against the control of `cheaper` enemies; returns their own control.
    #[inline]
    fn kind(
        &mut self,
        role: Role,
        pieces: impl Fn(&Side) -> Bitboard,
        cheaper: &ByColor<Bitboard>,
        reaches: impl Fn(Square) -> Bitboard,
    ) -> ByColor<Bitboard> {
        ByColor::new_with(|color| {
            let side = self.sides.get(color);
            let held = Restraint {
                own: side.occupied,
                pawns: *self.pawn_control.get(!color),
                cheaper: *cheaper.get(!color),
            };
            let (own_zone, enemy_zone) = (*self.zones.get(color), *self.zones.get(!color));
            let (mut squares, mut masked, mut doubly_masked) = (0, 0, 0);
            let mut control = Bitboard::EMPTY;
            for from in pieces(side) {
                let reach = reach(reaches(from), held);
                squares += reach.safe.count() as i32 - usual(role);
                masked += i32::from(reach.masked);
                doubly_masked += i32::from(reach.doubly_masked);
                control |= reach.control;
                self.pressure.get_mut(color).add(role, reach.control, own_zone, enemy_zone);
                (self.see)(color, from, reach);
            }
            self.tally.add(color, weight(role), squares);
            self.tally.add(color, Weight::Masked, masked);
            self.tally.add(color, Weight::DoublyMasked, doubly_masked);
            control
        })
    }
}

/// Counts mobility and masked pieces; calls `see` with every piece's reach, and returns the attacks on the king zones.
#[inline]
pub(super) fn count(
    sides: &ByColor<Side>,
    tally: &mut Tally,
    see: impl FnMut(Color, Square, Reach),
) -> ByColor<Pressure> {
    let occupied = sides.white.occupied | sides.black.occupied;
    let pawn_control = ByColor::new_with(|color| pawn_control(color, sides.get(color).pawns));
    let zones = ByColor::new_with(|color| king::zone(color, sides.get(color).king));
    let mut survey = Survey { sides, tally, see, pawn_control, zones, pressure: ByColor::default() };

    let pawns = pawn_control;
    let knights = survey.kind(Role::Knight, |side| side.knights, &pawns, attacks::knight_attacks);
    let bishop_attacks = |from| attacks::bishop_attacks(from, occupied);
    let bishops = survey.kind(Role::Bishop, |side| side.bishops, &pawns, bishop_attacks);

    let minors = together(pawns, together(knights, bishops));
    let rook_attacks = |from| attacks::rook_attacks(from, occupied);
    let rooks = survey.kind(Role::Rook, |side| side.rooks, &minors, rook_attacks);

    let below_queens = together(minors, rooks);
    let queen_attacks = |from| attacks::queen_attacks(from, occupied);
    survey.kind(Role::Queen, |side| side.queens, &below_queens, queen_attacks);
    survey.pressure
}

/// Counts the bishop pair; its value grows as pawns leave, because it needs open lines.
#[inline]
pub(super) fn count_bishop_pairs(sides: &ByColor<Side>, tally: &mut Tally) {
    let pawns_gone = ALL_PAWNS - (sides.white.pawns | sides.black.pawns).count() as i32;
    for color in Color::ALL {
        let bishops = sides.get(color).bishops;
        if (bishops & Bitboard::LIGHT_SQUARES).any() && (bishops & Bitboard::DARK_SQUARES).any() {
            tally.add(color, Weight::BishopPair, 1);
            tally.add(color, Weight::BishopPairOpen, pawns_gone.max(0));
        }
    }
}

#[inline]
fn together(one: ByColor<Bitboard>, other: ByColor<Bitboard>) -> ByColor<Bitboard> {
    ByColor { white: one.white | other.white, black: one.black | other.black }
}
