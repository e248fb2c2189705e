//! The king: a target while the opponent has pieces, an active piece when they are gone (seed 002 §III.B).
//!
//! Two evaluations, tapered by the *opponent's* pieces (pawns excluded): above 1500 only safety counts, below 1200
//! only centralisation, in between both in part. "In purely pawn endings the value of the king centralization is
//! maximum": below 1200 a second term with the same matrix grows as the opponent's last pieces go.
//!
//! Safety is castling and broken castling, pawns before the king, open files at it, pieces that guard its zone,
//! and the attack: the pieces that reach the zone times their strength, so that each further attacker makes all
//! of them count more. The zone is the king's square, those around it, and the next rank towards the enemy.
//!
//! A queen against a naked king counts whatever the stage: "the opening of one side's king can be decisive".

use shakmaty::{Bitboard, Color, File, Rank, Role, Square, attacks};

use super::matrices;
use super::perspective::{Perspective, Side, beside, down, files, up};
use super::share::{self, FULL};
use super::tally::Tally;
use super::weights::Weight;

/// How strong a piece is in an attack on the king.
const fn strength(role: Role) -> i32 {
    match role {
        Role::Knight | Role::Bishop => 2,
        Role::Rook => 3,
        Role::Queen => 5,
        Role::Pawn | Role::King => 0,
    }
}

/// A king with fewer pawns and pieces around it than this counts as exposed.
const CLOTHES: usize = 2;

/// Squares of a castled king: the wings of the first rank, the corners of the second.
const WINGS: Bitboard = {
    let center = Bitboard::from_file(File::D).with_const(Bitboard::from_file(File::E));
    let wider = center.with_const(Bitboard::from_file(File::C)).with_const(Bitboard::from_file(File::F));
    let first = Bitboard::from_rank(Rank::First).without_const(center);
    let second = Bitboard::from_rank(Rank::Second).without_const(wider);
    first.with_const(second)
};

/// Attacks of one side's pieces on both king zones.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Pressure {
    attackers: i32,
    strength: i32,
    defenders: i32,
}

impl Pressure {
    /// Adds a piece of a side by its controlled squares.
    #[inline]
    pub fn add(&mut self, role: Role, control: Bitboard, own_zone: Bitboard, enemy_zone: Bitboard) {
        let attacks = i32::from((control & enemy_zone).any());
        self.attackers += attacks;
        self.strength += attacks * strength(role);
        self.defenders += i32::from((control & own_zone).any());
    }
}

/// The king zone: the squares around a king that matter for its safety, not flipped.
#[inline]
pub(super) fn zone(color: Color, king: Bitboard) -> Bitboard {
    let Some(square) = king.first() else { return Bitboard::EMPTY };
    let around = attacks::king_attacks(square) | square;
    around
        | match color {
            Color::White => up(around),
            Color::Black => down(around),
        }
}

/// The squares of a king's rank on its file and the two adjacent ones, shifted inwards at the edge.
#[inline]
fn front(king: Square) -> Bitboard {
    let middle = match king.file() {
        File::A => Square::from_coords(File::B, king.rank()),
        File::H => Square::from_coords(File::G, king.rank()),
        _ => king,
    };
    let middle = Bitboard::from_square(middle);
    middle | beside(middle)
}

/// Whether a king stands as after castling, without a rook of its own trapped between it and the edge.
#[inline]
fn is_castled(side: &Side, king: Square) -> bool {
    let rank = Bitboard::from_rank(king.rank());
    let before = Bitboard((1u64 << king.to_u32()) - 1);
    let outside = if king.file() < File::E { rank & before } else { rank & !before };
    WINGS.contains(king) && (outside & side.rooks & Bitboard::from_rank(Rank::First)).is_empty()
}

/// Counts the safety and activity of one side's king, and its attack on the enemy king.
#[inline]
pub(super) fn count(side: &Perspective, own: Pressure, tally: &mut Tally) {
    let color = side.color;
    if let Some(king) = side.own.king_square() {
        count_safety(side, king, own, tally);
        let matrix = matrices::of(Role::King, king);
        let activity = FULL - share::danger(side.enemy.pieces);
        tally.add(color, Weight::KingCentralization, matrix * activity);
        tally.add(color, Weight::KingPawnEnding, matrix * share::pawn_ending(side.enemy.pieces));
    }
    let attack = own.attackers * own.strength;
    tally.add(color, Weight::KingAttack, attack * share::danger(side.own.pieces));
}

#[inline]
fn count_safety(side: &Perspective, king: Square, own: Pressure, tally: &mut Tally) {
    let (color, danger) = (side.color, share::danger(side.enemy.pieces));
    let front = front(king);
    let near = (up(front) & side.own.pawns).count();
    let far = (up(up(front)) & side.own.pawns).count();
    if side.enemy.queens.any() && near + far + (own.defenders as usize) < CLOTHES {
        tally.add(!color, Weight::NakedKing, 1);
    }
    if danger == 0 {
        return;
    }
    let open = (front & !files(side.own.pawns)).count();
    tally.add(color, Weight::ShelterNear, near as i32 * danger);
    tally.add(color, Weight::ShelterFar, far as i32 * danger);
    tally.add(color, Weight::ShelterOpen, open as i32 * danger);
    tally.add(color, Weight::KingDefenders, own.defenders * danger);
    if is_castled(&side.own, king) {
        tally.add(color, Weight::Castled, danger);
    } else if !side.may_castle {
        tally.add(color, Weight::CastlingBroken, danger);
    }
}
