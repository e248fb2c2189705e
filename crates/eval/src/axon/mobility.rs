//! What pieces can reach (seed 002 §III.A).
//!
//! A piece's mobility is the number of squares it controls that neither its own men stand on nor a cheaper
//! opposing man controls: pawns bar a square for every piece, minor pieces bar it for rooks and queens, rooks for
//! queens. What is usual for its kind is taken off, so that an ordinary piece counts nothing and a cramped one
//! counts against its side.
//!
//! A piece is **masked** when it has no move at all: every square it controls is held by its own men or barred by
//! enemy pawns. It is **doubly masked** when both are needed to hold it: some squares are blocked by its own men,
//! others barred by pawns. The knight of the seed's Fig. 1, splendidly placed and unable to move, is that; its two
//! restrictions and its missing mobility together outweigh the best square of Table III.
//!
//! The same pass sees which pieces bear on the kings, and leaves that to [`super::king`].

use shakmaty::{Bitboard, ByColor, Color, Role, Square, attacks};

use super::king::{self, Pressure};
use super::outlook::Army;
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
    let beside = super::outlook::beside(pawns);
    match color {
        Color::White => super::outlook::up(beside),
        Color::Black => super::outlook::down(beside),
    }
}

/// What one piece controls and where it can go.
#[derive(Copy, Clone, Debug)]
pub(super) struct Reach {
    /// Squares it controls.
    pub control: Bitboard,
    /// Those it can go to without being taken by something cheaper.
    pub safe: Bitboard,
    /// It has no move that a pawn does not bar.
    pub masked: bool,
    /// And both its own men and pawns see to that.
    pub doubly_masked: bool,
}

/// What holds the pieces of one side.
#[derive(Copy, Clone, Debug)]
struct Restraint {
    own: Bitboard,
    /// Squares that enemy pawns control.
    pawns: Bitboard,
    /// Squares that cheaper enemies control, pawns among them.
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

/// The pass over all pieces, from the cheapest kind to the dearest.
struct Survey<'a, See> {
    armies: &'a ByColor<Army>,
    tally: &'a mut Tally,
    see: See,
    pawn_control: ByColor<Bitboard>,
    zones: ByColor<Bitboard>,
    pressure: ByColor<Pressure>,
}

impl<See: FnMut(Color, Square, Reach)> Survey<'_, See> {
    /// Counts the pieces of one kind against what `cheaper` enemies control; gives back what they control.
    #[inline]
    fn kind(
        &mut self,
        role: Role,
        pieces: impl Fn(&Army) -> Bitboard,
        cheaper: &ByColor<Bitboard>,
        reaches: impl Fn(Square) -> Bitboard,
    ) -> ByColor<Bitboard> {
        ByColor::new_with(|color| {
            let army = self.armies.get(color);
            let held = Restraint {
                own: army.occupied,
                pawns: *self.pawn_control.get(!color),
                cheaper: *cheaper.get(!color),
            };
            let (own_zone, enemy_zone) = (*self.zones.get(color), *self.zones.get(!color));
            let (mut squares, mut masked, mut doubly_masked) = (0, 0, 0);
            let mut control = Bitboard::EMPTY;
            for from in pieces(army) {
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

/// Counts mobility and masked pieces; calls `see` with every piece's reach, and gives back how the pieces bear
/// on the kings.
#[inline]
pub(super) fn count(
    armies: &ByColor<Army>,
    tally: &mut Tally,
    see: impl FnMut(Color, Square, Reach),
) -> ByColor<Pressure> {
    let occupied = armies.white.occupied | armies.black.occupied;
    let pawn_control = ByColor::new_with(|color| pawn_control(color, armies.get(color).pawns));
    let zones = ByColor::new_with(|color| king::zone(color, armies.get(color).king));
    let mut survey = Survey { armies, tally, see, pawn_control, zones, pressure: ByColor::default() };

    let pawns = pawn_control;
    let knights = survey.kind(Role::Knight, |army| army.knights, &pawns, attacks::knight_attacks);
    let bishop_attacks = |from| attacks::bishop_attacks(from, occupied);
    let bishops = survey.kind(Role::Bishop, |army| army.bishops, &pawns, bishop_attacks);

    let minors = together(pawns, together(knights, bishops));
    let rook_attacks = |from| attacks::rook_attacks(from, occupied);
    let rooks = survey.kind(Role::Rook, |army| army.rooks, &minors, rook_attacks);

    let below_queens = together(minors, rooks);
    let queen_attacks = |from| attacks::queen_attacks(from, occupied);
    survey.kind(Role::Queen, |army| army.queens, &below_queens, queen_attacks);
    survey.pressure
}

/// Counts the bishop pair: worth more the more pawns are gone, for it needs open lines.
#[inline]
pub(super) fn count_bishop_pairs(armies: &ByColor<Army>, tally: &mut Tally) {
    let pawns_gone = ALL_PAWNS - (armies.white.pawns | armies.black.pawns).count() as i32;
    for color in Color::ALL {
        let bishops = armies.get(color).bishops;
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
