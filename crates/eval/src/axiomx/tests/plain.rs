//! The evaluation as the seed writes it: a tensor, printed kernels, loops over rows and columns, real numbers. It is
//! slow and reads like the text; the fast one is held against it.

use super::super::{Kernels, OpeningMoves, Options, PassedPawns, Scales, Tensor};

/// Weights on the board, rank 8 first.
pub(super) type Plane = [[f64; 8]; 8];

/// A kernel as printed, the piece in its middle.
type Printed = [[f64; 5]; 5];

/// Channels of one side.
const PAWN: usize = 0;
const KNIGHT: usize = 1;
const BISHOP: usize = 2;
const ROOK: usize = 3;
const QUEEN: usize = 4;
const KING: usize = 5;

const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const WIDEST: i32 = 7;

#[rustfmt::skip]
const KNIGHT_KERNEL: Printed = [
    [0.0, 3.0,  0.0, 3.0, 0.0],
    [3.0, 0.0,  0.0, 0.0, 3.0],
    [0.0, 0.0, 10.0, 0.0, 0.0],
    [3.0, 0.0,  0.0, 0.0, 3.0],
    [0.0, 3.0,  0.0, 3.0, 0.0],
];

#[rustfmt::skip]
const WHITE_PAWN_KERNEL: Printed = [
    [0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 2.0, 4.0, 2.0, 0.0],
    [0.0, 0.0, 5.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0],
    [0.0, 0.0, 0.0, 0.0, 0.0],
];

#[rustfmt::skip]
pub(super) const W: Plane = [
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
    [1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0],
    [1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 2.0, 1.0],
    [1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0],
    [1.0, 2.0, 3.0, 4.0, 4.0, 3.0, 2.0, 1.0],
    [1.0, 2.0, 3.0, 3.0, 3.0, 3.0, 2.0, 1.0],
    [1.0, 2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0],
    [1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0, 1.0],
];

pub(super) struct Plain<'a> {
    pub options: &'a Options,
    /// Whether decayed influence is rounded as the fast evaluation's is.
    pub rounded: bool,
    pub board: &'a Tensor,
    pub move_number: u32,
}

/// One side of the board.
#[derive(Copy, Clone, PartialEq)]
pub(super) enum Side {
    White,
    Black,
}
use Side::{Black, White};

impl Plain<'_> {
    /// E of §3.6, in centipawns.
    pub fn evaluate(&self) -> f64 {
        self.terms().iter().map(|(_, white, black)| white - black).sum()
    }

    /// What each term gives White and Black, in centipawns.
    pub fn terms(&self) -> Vec<(&'static str, f64, f64)> {
        let last = if self.options.opening_moves == OpeningMoves::Fifteen { 15 } else { 14 };
        let beta = if self.move_number <= last { 0.3 } else { 0.0 };
        let attacks = [self.attack(White), self.attack(Black)];
        let halves =
            [self.attack_and_defence(White, &attacks[0]), self.attack_and_defence(Black, &attacks[1])];
        let control = over_board(|r, c| halves[0][r][c] - halves[1][r][c]);
        let weighted = |half: &Plane| sum(|r, c| half[r][c] * W[r][c]);
        let both =
            |name, weight: f64, of: &dyn Fn(Side) -> f64| (name, weight * of(White), weight * of(Black));
        let mut terms = vec![
            both("material", 1.0, &|side| self.material(side)),
            ("control", 0.5 * weighted(&halves[0]), 0.5 * weighted(&halves[1])),
            both("centre pawns", beta, &|side| self.center(side)),
            both("knight development", beta, &|side| self.knights(side)),
            both("bishop development", beta, &|side| self.bishops(side)),
            both("castling", beta, &|side| self.castled(side)),
            both("doubled", 0.2, &|side| self.doubled(side)),
            both("isolated", 0.2, &|side| self.isolated(side)),
            both("passed", 0.2, &|side| self.passed(side)),
            both("coordination", 0.2, &|side| self.coordination(side, &control)),
        ];
        if self.options.attention {
            terms.push(both("attention", 0.5, &|side| self.attention(side)));
        }
        terms
    }

    pub fn control(&self) -> Plane {
        let [white, black] = [White, Black].map(|side| self.attack_and_defence(side, &self.attack(side)));
        over_board(|r, c| white[r][c] - black[r][c])
    }

    fn attack(&self, side: Side) -> Plane {
        let fields: Vec<Plane> = (PAWN..=KING).map(|piece| self.influence(side, piece)).collect();
        over_board(|r, c| fields.iter().map(|field| field[r][c]).sum())
    }

    /// A + D, with D = A·(1 + 2P).
    fn attack_and_defence(&self, side: Side, attack: &Plane) -> Plane {
        over_board(|r, c| {
            let present: f64 = (PAWN..=KING).map(|piece| self.at(side, piece, r, c)).sum();
            attack[r][c] + attack[r][c] * (1.0 + 2.0 * present)
        })
    }

    /// The field of a side's pieces of one type: §3.1.2, with §10.2 and §10.4.
    pub fn influence(&self, side: Side, piece: usize) -> Plane {
        let scaled = |late: bool| match &self.options.multiscale {
            None => self.field(side, piece, late, WIDEST),
            Some(scales) => {
                let fields = Scales::SIZES.map(|size| self.field(side, piece, late, (size as i32 - 1) / 2));
                let alphas = scales.alphas();
                over_board(|r, c| (0..4).map(|s| alphas[s] * fields[s][r][c]).sum())
            }
        };
        if !self.options.phase {
            return scaled(false);
        }
        let weights = [(KNIGHT, 1.0), (BISHOP, 1.0), (ROOK, 2.0), (QUEEN, 4.0)];
        let left: f64 =
            weights.iter().map(|(p, w)| w * (self.count(White, *p) + self.count(Black, *p))).sum();
        let t = 1.0 - left.min(24.0) / 24.0;
        let (opening, endgame) = (scaled(false), scaled(true));
        over_board(|r, c| (1.0 - t) * opening[r][c] + t * endgame[r][c])
    }

    /// Every piece of a type scatters its kernel, cut to a radius; nothing beyond the board.
    fn field(&self, side: Side, piece: usize, late: bool, radius: i32) -> Plane {
        let mut field = [[0.0; 8]; 8];
        for (r, c) in squares().filter(|&(r, c)| self.at(side, piece, r, c) == 1.0) {
            match piece {
                BISHOP => self.scatter_rays(
                    &mut field,
                    (r, c),
                    &DIAGONAL,
                    5.0,
                    if late { 0.8 } else { 0.7 },
                    radius,
                ),
                ROOK => self.scatter_rays(
                    &mut field,
                    (r, c),
                    &STRAIGHT,
                    7.0,
                    if late { 0.9 } else { 0.8 },
                    radius,
                ),
                QUEEN => {
                    self.scatter_rays(&mut field, (r, c), &DIAGONAL, 10.0, 0.9, radius);
                    self.scatter_rays(&mut field, (r, c), &STRAIGHT, 10.0, 0.9, radius);
                }
                _ => {
                    let kernel = self.printed(side, piece, late);
                    for m in -radius.min(2)..=radius.min(2) {
                        for n in -radius.min(2)..=radius.min(2) {
                            if let Some((i, j)) = on_board(r as i32 + m, c as i32 + n) {
                                let needs_room = self.is_code() && piece == PAWN && n == 0;
                                if !(needs_room && self.occupied(i, j)) {
                                    field[i][j] += kernel[(m + 2) as usize][(n + 2) as usize];
                                }
                            }
                        }
                    }
                }
            }
        }
        field
    }

    /// I₀·λ^d (in the code λ^(d−1)) up to and including the first occupied square.
    fn scatter_rays(
        &self,
        field: &mut Plane,
        (r, c): (usize, usize),
        directions: &[(i32, i32)],
        strength: f64,
        decay: f64,
        radius: i32,
    ) {
        for (dr, dc) in directions {
            for d in 1..=radius {
                let Some((i, j)) = on_board(r as i32 + d * dr, c as i32 + d * dc) else { break };
                let exact = strength * decay.powi(if self.is_code() { d - 1 } else { d });
                field[i][j] += if self.rounded { (exact * 20_000.0).round() / 20_000.0 } else { exact };
                if self.occupied(i, j) {
                    break;
                }
            }
        }
    }

    /// Kernels of pieces that do not slide.
    fn printed(&self, side: Side, piece: usize, late: bool) -> Printed {
        let mut kernel = match piece {
            KNIGHT => KNIGHT_KERNEL,
            PAWN => WHITE_PAWN_KERNEL,
            _ => self.king(late),
        };
        if self.is_code() && piece == KNIGHT {
            kernel = kernel.map(|row| row.map(|x| if x == 3.0 { 6.0 } else { 0.0 }));
        }
        if self.is_code() && piece == PAWN {
            kernel[1] = [0.0, 4.0, 2.0, 4.0, 0.0];
            kernel[2][2] = 0.0;
        }
        if piece == PAWN && self.options.phase && late {
            kernel[1][2] *= 2.0;
        }
        if piece == PAWN && side == Black {
            kernel.reverse();
        }
        kernel
    }

    fn king(&self, late: bool) -> Printed {
        let (own, near, far) = match (self.options.phase, late) {
            (false, _) => (0.0, 8.0, 0.0),
            (true, false) => (-10.0, 4.0, 0.0),
            (true, true) => (5.0, 8.0, 4.0),
        };
        let mut kernel = [[far; 5]; 5];
        for row in &mut kernel[1..4] {
            row[1..4].fill(near);
        }
        kernel[2][2] = own;
        kernel
    }

    fn material(&self, side: Side) -> f64 {
        let values = [(PAWN, 100.0), (KNIGHT, 320.0), (BISHOP, 330.0), (ROOK, 500.0), (QUEEN, 900.0)];
        values.iter().map(|(piece, value)| value * self.count(side, *piece)).sum()
    }

    fn center(&self, side: Side) -> f64 {
        50.0 * [(3, 3), (3, 4), (4, 3), (4, 4)].map(|(r, c)| self.at(side, PAWN, r, c)).iter().sum::<f64>()
    }

    fn knights(&self, side: Side) -> f64 {
        30.0 * (1..=6).map(|r| (0..8).map(|c| self.at(side, KNIGHT, r, c)).sum::<f64>()).sum::<f64>()
    }

    fn bishops(&self, side: Side) -> f64 {
        let rows = if side == White { 1..=5 } else { 2..=6 };
        25.0 * rows.map(|r| (0..8).map(|c| self.at(side, BISHOP, r, c)).sum::<f64>()).sum::<f64>()
    }

    fn castled(&self, side: Side) -> f64 {
        let home = if side == White { 7 } else { 0 };
        60.0 * (self.at(side, KING, home, 6) + self.at(side, KING, home, 2))
    }

    fn pawns_on(&self, side: Side, file: i32) -> f64 {
        if (0..8).contains(&file) { (0..8).map(|r| self.at(side, PAWN, r, file as usize)).sum() } else { 0.0 }
    }

    fn doubled(&self, side: Side) -> f64 {
        -20.0 * (0..8).map(|f| (self.pawns_on(side, f) - 1.0).max(0.0)).sum::<f64>()
    }

    fn isolated(&self, side: Side) -> f64 {
        let alone = |f: &i32| {
            self.pawns_on(side, *f) > 0.0
                && self.pawns_on(side, f - 1) == 0.0
                && self.pawns_on(side, f + 1) == 0.0
        };
        -15.0 * (0..8).filter(alone).count() as f64
    }

    fn passed(&self, side: Side) -> f64 {
        let enemy = if side == White { Black } else { White };
        let from = usize::from(self.options.passed_pawns == PassedPawns::NoneAhead);
        let is_passed = |r: usize, c: usize| {
            let ahead = |&(row, column): &(usize, usize)| {
                column.abs_diff(c) <= 1 && if side == White { row + from <= r } else { row >= r + from }
            };
            squares().filter(ahead).all(|(row, column)| self.at(enemy, PAWN, row, column) == 0.0)
        };
        let own = squares().filter(|&(r, c)| self.at(side, PAWN, r, c) == 1.0 && is_passed(r, c));
        own.map(|(r, _)| 30.0 * if side == White { 6.0 - r as f64 } else { r as f64 - 1.0 }).sum()
    }

    fn coordination(&self, side: Side, control: &Plane) -> f64 {
        let sign = if side == White { 1.0 } else { -1.0 };
        let pieces = |r, c| (KNIGHT..=KING).map(|piece| self.at(side, piece, r, c)).sum::<f64>();
        5.0 * sum(|r, c| pieces(r, c) * (sign * control[r][c]).max(0.0))
    }

    /// Σ softmax(‖I‖₁/τ)·‖I‖₁ over the types a side has, §10.3.
    fn attention(&self, side: Side) -> f64 {
        let norms: Vec<f64> = (PAWN..=KING)
            .filter(|&piece| self.count(side, piece) > 0.0)
            .map(|piece| {
                let field = self.influence(side, piece);
                sum(|r, c| field[r][c].abs())
            })
            .collect();
        let total: f64 = norms.iter().map(|norm| (norm / 64.0).exp()).sum();
        norms.iter().map(|norm| (norm / 64.0).exp() / total * norm).sum()
    }

    fn is_code(&self) -> bool {
        self.options.kernels == Kernels::Code
    }

    fn at(&self, side: Side, piece: usize, r: usize, c: usize) -> f64 {
        f64::from(self.board[r][c][if side == White { piece } else { piece + 6 }])
    }

    fn count(&self, side: Side, piece: usize) -> f64 {
        sum(|r, c| self.at(side, piece, r, c))
    }

    fn occupied(&self, r: usize, c: usize) -> bool {
        self.board[r][c][12] == 1.0
    }
}

fn squares() -> impl Iterator<Item = (usize, usize)> {
    (0..64).map(|square| (square / 8, square % 8))
}

fn sum(f: impl Fn(usize, usize) -> f64) -> f64 {
    squares().map(|(r, c)| f(r, c)).sum()
}

fn over_board(f: impl Fn(usize, usize) -> f64) -> Plane {
    std::array::from_fn(|r| std::array::from_fn(|c| f(r, c)))
}

fn on_board(r: i32, c: i32) -> Option<(usize, usize)> {
    ((0..8).contains(&r) && (0..8).contains(&c)).then_some((r as usize, c as usize))
}
