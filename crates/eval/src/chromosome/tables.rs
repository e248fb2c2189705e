//! The initial piece-square tables of a chromosome, in pawns.
//!
//! They are ours (the seed prints its own as pictures only): numbers from 0 to 1, chosen by hand from common
//! knowledge as a starting point. The seed found that tables without structure are noise to its evolution.
//!
//! A table is read as White sees the board, rank 8 first, files a to d; files e to h mirror them, so that the
//! evaluation starts out the same on both wings. Evolved tables need not keep that.

/// A weight for every square, in pawns: a8 first, then b8, to h1.
pub type Table = [f64; 64];

/// Half a board: rank 8 first, files a to d.
type Half = [[f64; 4]; 8];

/// All tables, in the order of [`shakmaty::Role::ALL`].
pub(super) const CENTRES: [Table; 6] =
    [whole(&PAWN), whole(&KNIGHT), whole(&BISHOP), whole(&ROOK), whole(&QUEEN), whole(&KING)];

const fn whole(half: &Half) -> Table {
    let mut table = [0.0; 64];
    let mut index = 0;
    while index < 64 {
        let (row, column) = (index / 8, index % 8);
        table[index] = half[row][if column < 4 { column } else { 7 - column }];
        index += 1;
    }
    table
}

/// Pawns gain by advancing, most in the centre.
const PAWN: Half = [
    [0.00, 0.00, 0.00, 0.00],
    [0.80, 0.80, 0.85, 0.90],
    [0.45, 0.50, 0.55, 0.60],
    [0.25, 0.30, 0.38, 0.45],
    [0.15, 0.20, 0.30, 0.40],
    [0.12, 0.15, 0.20, 0.22],
    [0.15, 0.15, 0.12, 0.08],
    [0.00, 0.00, 0.00, 0.00],
];

/// Knights belong in the centre and in the enemy's half, not on the rim.
const KNIGHT: Half = [
    [0.00, 0.15, 0.25, 0.30],
    [0.15, 0.30, 0.50, 0.55],
    [0.25, 0.55, 0.75, 0.80],
    [0.30, 0.60, 0.80, 0.95],
    [0.30, 0.55, 0.75, 0.90],
    [0.25, 0.45, 0.65, 0.60],
    [0.15, 0.25, 0.40, 0.45],
    [0.00, 0.15, 0.20, 0.25],
];

/// Bishops belong on open diagonals, the long ones from b2 and g2 included.
const BISHOP: Half = [
    [0.20, 0.20, 0.20, 0.20],
    [0.25, 0.40, 0.40, 0.40],
    [0.30, 0.45, 0.55, 0.60],
    [0.35, 0.60, 0.60, 0.70],
    [0.35, 0.50, 0.70, 0.70],
    [0.40, 0.55, 0.60, 0.60],
    [0.35, 0.65, 0.45, 0.50],
    [0.20, 0.25, 0.25, 0.25],
];

/// Rooks belong on the seventh rank, and at home on the central files.
const ROOK: Half = [
    [0.60, 0.60, 0.65, 0.70],
    [0.80, 0.85, 0.85, 0.85],
    [0.45, 0.50, 0.55, 0.60],
    [0.40, 0.45, 0.50, 0.55],
    [0.35, 0.40, 0.45, 0.50],
    [0.30, 0.35, 0.45, 0.50],
    [0.25, 0.35, 0.45, 0.50],
    [0.35, 0.40, 0.55, 0.60],
];

/// Queens are well placed almost anywhere.
const QUEEN: Half = [
    [0.35, 0.40, 0.45, 0.45],
    [0.35, 0.40, 0.50, 0.55],
    [0.40, 0.50, 0.60, 0.65],
    [0.40, 0.50, 0.60, 0.65],
    [0.40, 0.50, 0.60, 0.60],
    [0.40, 0.50, 0.50, 0.50],
    [0.35, 0.45, 0.50, 0.50],
    [0.30, 0.35, 0.40, 0.45],
];

/// Kings belong in their corner. One set of weights has no phases: activity in the endgame is left to the principle of
/// centralisation.
const KING: Half = [
    [0.05, 0.05, 0.00, 0.00],
    [0.10, 0.10, 0.05, 0.05],
    [0.15, 0.15, 0.10, 0.10],
    [0.20, 0.20, 0.15, 0.15],
    [0.25, 0.25, 0.20, 0.20],
    [0.35, 0.35, 0.25, 0.20],
    [0.60, 0.60, 0.40, 0.30],
    [0.85, 0.95, 0.65, 0.45],
];
