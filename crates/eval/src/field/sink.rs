//! Where features go: into a sum when playing, into a list when explaining or training.
//!
//! Features are counted by one implementation, generic over this trait, so that playing, explaining and training can
//! never disagree.

use std::ops::AddAssign;

use shakmaty::{Bitboard, Color, Square};

use super::groups;
use super::hidden_layer::{Accumulator, Row};
use super::joint;
use super::side::KING;
use super::weights::{Compiled, MgEg};
use crate::view::half_board;

/// A piece on a square relative to its own king and to the enemy's: mirrored squares and king zones.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct PlacedPiece {
    pub role: usize,
    pub own_view: usize,
    pub enemy_view: usize,
    pub own_zone: usize,
    pub enemy_zone: usize,
}

/// Receives features as they are counted. `WHITE` is the side they belong to.
pub(super) trait Sink {
    /// A feature that occurs `count` times, drawn on a square.
    fn add<const WHITE: bool>(&mut self, feature: usize, count: i32, at: Square);

    /// A feature that occurs once for every square of a set.
    fn add_each<const WHITE: bool>(&mut self, feature: usize, set: Bitboard);

    /// A feature for every square of a set; the square (files e to h mirrored) selects one of 32 weights.
    fn add_set<const WHITE: bool>(&mut self, kernel: usize, set: Bitboard);

    /// A piece: its material and its piece-square values relative to both kings.
    #[inline(always)]
    fn add_piece<const WHITE: bool>(&mut self, piece: PlacedPiece, at: Square) {
        let PlacedPiece { role, own_view, enemy_view, own_zone, enemy_zone } = piece;
        self.add::<WHITE>(groups::OWN_KING_PST + role * 64 + own_view, 1, at);
        if role != KING {
            self.add::<WHITE>(groups::MATERIAL + role, 1, at);
            self.add::<WHITE>(groups::ENEMY_KING_PST + role * 64 + enemy_view, 1, at);
            self.add::<WHITE>(groups::OWN_KING_PST_BY_ZONE + (own_zone * 5 + role) * 64 + own_view, 1, at);
            self.add::<WHITE>(
                groups::ENEMY_KING_PST_BY_ZONE + (enemy_zone * 5 + role) * 64 + enemy_view,
                1,
                at,
            );
        }
    }

    /// A knight, bishop, rook or queen (0 to 3) at these distances from both kings, guarded by a pawn or not.
    #[inline(always)]
    fn add_near<const WHITE: bool>(
        &mut self,
        piece: usize,
        own_king: usize,
        enemy_king: usize,
        guarded: bool,
        at: Square,
    ) {
        self.add::<WHITE>(groups::NEAR_OWN_KING + piece * 8 + own_king, 1, at);
        self.add::<WHITE>(groups::NEAR_ENEMY_KING + piece * 8 + enemy_king, 1, at);
        self.add::<WHITE>(groups::GUARDED + piece, i32::from(guarded), at);
    }

    /// A knight, bishop, rook or queen (0 to 3) with this number of reachable squares and of own pawns.
    #[inline(always)]
    fn add_mobility<const WHITE: bool>(&mut self, piece: usize, squares: usize, pawns: usize, at: Square) {
        self.add::<WHITE>(groups::MOBILITY[piece] + squares, 1, at);
        self.add::<WHITE>(groups::WITH_PAWNS + piece * 9 + pawns, 1, at);
    }

    /// An input of the danger of this side's king.
    fn add_danger<const WHITE: bool>(&mut self, input: usize, count: i32);
}

/// The colour that a const parameter stands for.
pub(super) const fn color<const WHITE: bool>() -> Color {
    if WHITE { Color::White } else { Color::Black }
}

/// A partial sum of features, White's view.
#[derive(Copy, Clone, Debug, Default)]
pub(super) struct Part {
    /// All linear features.
    pub total: MgEg,
    /// Danger of White's king and of Black's, in quantisation units.
    pub danger: [i32; 2],
    /// Accumulated inputs of the hidden layer.
    pub units: Accumulator,
}

impl Part {
    /// The sum of the features that `count` counts.
    pub fn of(weights: &Compiled, count: impl FnOnce(&mut Sum<'_>)) -> Part {
        let mut sum = Sum::new(weights);
        count(&mut sum);
        sum.part
    }
}

impl AddAssign<&Part> for Part {
    #[inline(always)]
    fn add_assign(&mut self, other: &Part) {
        self.total += other.total;
        self.danger[0] += other.danger[0];
        self.danger[1] += other.danger[1];
        self.units.add_all(&other.units);
    }
}

pub(super) struct Sum<'a> {
    weights: &'a Compiled,
    rows: &'a [Row; joint::ROWS],
    pub part: Part,
}

impl<'a> Sum<'a> {
    pub fn new(weights: &'a Compiled) -> Sum<'a> {
        Sum { weights, rows: &weights.rows, part: Part::default() }
    }

    pub fn weights(&self) -> &'a Compiled {
        self.weights
    }

    #[inline(always)]
    fn add_row<const WHITE: bool>(&mut self, row: usize, count: i32) {
        let row = &self.rows[row];
        let value = row.value * count;
        if WHITE {
            self.part.total += value;
        } else {
            self.part.total -= value;
        }
        self.part.units.add(!WHITE, row, count);
    }
}

impl Sink for Sum<'_> {
    #[inline(always)]
    fn add<const WHITE: bool>(&mut self, feature: usize, count: i32, _at: Square) {
        self.add_row::<WHITE>(feature, count);
    }

    #[inline(always)]
    fn add_each<const WHITE: bool>(&mut self, feature: usize, set: Bitboard) {
        self.add::<WHITE>(feature, set.count() as i32, Square::A1);
    }

    #[inline(always)]
    fn add_set<const WHITE: bool>(&mut self, kernel: usize, set: Bitboard) {
        let set = if WHITE { set } else { set.flip_vertical() };
        let value = self.weights.kernel_sum(kernel, set);
        if WHITE {
            self.part.total += value;
        } else {
            self.part.total -= value;
        }
    }

    #[inline(always)]
    fn add_piece<const WHITE: bool>(&mut self, piece: PlacedPiece, _at: Square) {
        self.add_row::<WHITE>(joint::piece(piece), 1);
    }

    #[inline(always)]
    fn add_near<const WHITE: bool>(
        &mut self,
        piece: usize,
        own_king: usize,
        enemy_king: usize,
        guarded: bool,
        _at: Square,
    ) {
        self.add_row::<WHITE>(joint::near(piece, own_king, enemy_king, guarded), 1);
    }

    #[inline(always)]
    fn add_mobility<const WHITE: bool>(&mut self, piece: usize, squares: usize, pawns: usize, _at: Square) {
        self.add_row::<WHITE>(joint::mobility(piece, squares, pawns), 1);
    }

    #[inline(always)]
    fn add_danger<const WHITE: bool>(&mut self, input: usize, count: i32) {
        self.part.danger[usize::from(!WHITE)] += self.weights.danger[input] * count;
    }
}

/// One counted feature.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub(super) struct FoundFeature {
    pub color: Color,
    pub feature: usize,
    pub count: i32,
    pub at: Square,
}

#[derive(Clone, Debug, Default)]
pub(super) struct FeatureTrace {
    pub found: Vec<FoundFeature>,
    /// Inputs of the danger of White's king and of Black's, with their counts.
    pub danger: [Vec<(usize, i32)>; 2],
}

impl Sink for FeatureTrace {
    fn add<const WHITE: bool>(&mut self, feature: usize, count: i32, at: Square) {
        if count != 0 {
            self.found.push(FoundFeature { color: color::<WHITE>(), feature, count, at });
        }
    }

    fn add_each<const WHITE: bool>(&mut self, feature: usize, set: Bitboard) {
        for at in set {
            self.add::<WHITE>(feature, 1, at);
        }
    }

    fn add_set<const WHITE: bool>(&mut self, kernel: usize, set: Bitboard) {
        for at in set {
            let own = if WHITE { at } else { at.flip_vertical() };
            self.add::<WHITE>(kernel + half_board(own), 1, at);
        }
    }

    fn add_danger<const WHITE: bool>(&mut self, input: usize, count: i32) {
        if count != 0 {
            self.danger[usize::from(!WHITE)].push((input, count));
        }
    }
}
