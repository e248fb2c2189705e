//! Defence, control and their weighted sums: seed 000 §3.2, §3.3 and §3.5.2.
//!
//! A side's defence D is its attack A, three times where it has a piece; control C is (A + D) of White less (A + D)
//! of Black. So A + D is twice A on every square, and four times A under a side's own pieces: sums over the board
//! need the two attack fields and no others. The fields of §3.2 and §3.3 themselves are for people, and for a
//! search that orders moves by control.

use shakmaty::{Bitboard, Board, Color, Square};

use super::influence::Units;

/// Weight of each square in control, a1 first; the seed's W. The seed prints 2s inside its last row, where its
/// first has 1s; here it is the same from both sides of the board.
pub(super) static SQUARE_WEIGHTS: Units = {
    let mut weights = [0; 64];
    let mut square = 0;
    while square < 64 {
        let (rank, file) = (square as i32 / 8, square as i32 % 8);
        let to_edge_of_ranks = if rank < 4 { rank } else { 7 - rank };
        let to_edge_of_files = if file < 4 { file } else { 7 - file };
        let to_edge = if to_edge_of_ranks < to_edge_of_files { to_edge_of_ranks } else { to_edge_of_files };
        weights[square] = to_edge + 1;
        square += 1;
    }
    weights
};

/// Defence: attack, and twice more under own pieces.
pub(super) fn defence(attack: &Units, own: Bitboard) -> Units {
    std::array::from_fn(|index| {
        let square = Square::new(index as u32);
        attack[index] * if own.contains(square) { 3 } else { 1 }
    })
}

/// A side's half of weighted control: Σ (A + D)·W.
#[inline]
pub(super) fn weighted(attack: &Units, own: Bitboard) -> i32 {
    from_sum(sum(attack), attack, own)
}

/// The attack field weighed by square: Σ A·W.
#[inline]
pub(super) fn sum(attack: &Units) -> i32 {
    attack.iter().zip(&SQUARE_WEIGHTS).map(|(units, weight)| units * weight).sum()
}

/// As [`weighted`], from a known sum and the field on squares with own pieces.
#[inline]
pub(super) fn from_sum(everywhere: i32, attack: &Units, own: Bitboard) -> i32 {
    2 * (everywhere + own.into_iter().map(|square| at_home(attack, square)).sum::<i32>())
}

/// Contribution of a piece's own square.
#[inline]
fn at_home(attack: &Units, square: Square) -> i32 {
    attack[usize::from(square)] * SQUARE_WEIGHTS[usize::from(square)]
}

/// Control under a side's pieces, pawns left out, where it is that side's: Σ max(0, ±C).
#[inline]
pub(super) fn coordination(attack: &[Units; 2], board: &Board, color: Color) -> i32 {
    let pieces = board.by_color(color) & !board.pawns();
    pieces.into_iter().map(|square| coordinated(attack, color, square)).sum()
}

#[inline]
fn coordinated(attack: &[Units; 2], color: Color, square: Square) -> i32 {
    let [own, other] = [color, !color].map(|side| attack[side as usize][usize::from(square)]);
    (4 * own - 2 * other).max(0)
}

/// [`from_sum`] and [`coordination`] in one pass over a side's pieces.
#[inline]
pub(super) fn both(everywhere: i32, attack: &[Units; 2], board: &Board, color: Color) -> (i32, i32) {
    let own = board.by_color(color);
    let field = &attack[color as usize];
    let mut home: i32 = (own & board.pawns()).into_iter().map(|square| at_home(field, square)).sum();
    let mut held = 0;
    for square in own & !board.pawns() {
        home += at_home(field, square);
        held += coordinated(attack, color, square);
    }
    (2 * (everywhere + home), held)
}

/// The control field of a position: positive where White's influence prevails.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Control(Units);

impl Control {
    pub(super) fn of(attack: &[Units; 2], board: &Board) -> Control {
        let [black, white] = [Color::Black, Color::White].map(|color| {
            let attack = &attack[color as usize];
            let defence = defence(attack, board.by_color(color));
            std::array::from_fn::<i32, 64, _>(|square| attack[square] + defence[square])
        });
        Control(std::array::from_fn(|square| white[square] - black[square]))
    }

    /// Control of a square in White's view, in units of a twenty-thousandth of an influence.
    #[inline]
    pub fn at(&self, square: Square) -> i32 {
        self.0[usize::from(square)]
    }

    /// What a side gains in control by going from one square to another, C(dest) − C(src) seen from its side:
    /// the priority of §10.5.
    #[inline]
    pub fn gain(&self, color: Color, from: Square, to: Square) -> i32 {
        let gain = self.at(to) - self.at(from);
        color.fold_wb(gain, -gain)
    }

    pub(super) fn units(&self) -> &Units {
        &self.0
    }
}
