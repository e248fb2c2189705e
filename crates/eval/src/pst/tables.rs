//! The numbers of `Pst`, and how they were got.
//!
//! They are a logistic regression on the results of about 323,000 quiet positions from public games, a third of
//! them from TCEC (programs) and two thirds between masters; 36,000 more were held out. The chance that White
//! wins is modelled as the logistic function of the evaluation, each source with its own scale and its own bias
//! towards White (openings are not fair), both dropped afterwards. The average value of each piece is held near
//! common lore (82/340/360/480/1000 in the middlegame, 100/290/310/520/950 in the endgame), because positions
//! in which material was given up for something tell little about material; placement is free but for a pull
//! towards its neighbours and, for the king, towards a castled corner early and the centre late, so that squares
//! seldom seen stay sane.
//!
//! Held-out cross-entropy in nats a position (mean squared error in brackets):
//!
//! | source  | no evaluation   | material alone  | these tables    |
//! | ------- | --------------- | --------------- | --------------- |
//! | TCEC    | 0.6728 (0.1059) | 0.6703 (0.1047) | 0.6643 (0.1018) |
//! | masters | 0.6855 (0.1797) | 0.6546 (0.1649) | 0.6397 (0.1583) |
//!
//! A table is read as White sees the board, rank 8 first, files a to d; files e to h mirror them. What a piece is
//! value on a square is its material plus the entry; rounding to whole centipawns cost nothing measurable.

/// A number for each end of the game, in centipawns.
#[derive(Copy, Clone, Debug)]
pub(super) struct Phases {
    pub middlegame: i32,
    pub endgame: i32,
}

/// Placement on half a board: rank 8 first, files a to d.
type Half = [[i32; 4]; 8];

/// Values of one kind of piece, in centipawns.
#[derive(Copy, Clone, Debug)]
pub(super) struct Table {
    /// Average value.
    pub material: Phases,
    /// Added for where it stands while all pieces are on the board.
    pub middlegame: Half,
    /// Added for where it stands when the pieces are gone.
    pub endgame: Half,
}

/// Bonus of the side to move, in centipawns.
pub(super) const TEMPO: i32 = 6;

/// All tables, in the order of [`shakmaty::Role::ALL`].
pub(super) const ALL: [Table; 6] = [PAWN, KNIGHT, BISHOP, ROOK, QUEEN, KING];

/// The pawn (never on the first or last rank).
pub(super) const PAWN: Table = Table {
    material: Phases { middlegame: 78, endgame: 107 },
    middlegame: [
        [0, 0, 0, 0],
        [80, 97, 100, 104],
        [42, 45, 71, 67],
        [7, 20, 15, 42],
        [-8, 11, 7, 10],
        [-18, 4, -10, 1],
        [-22, 1, -4, -17],
        [0, 0, 0, 0],
    ],
    endgame: [
        [0, 0, 0, 0],
        [89, 80, 70, 48],
        [63, 66, 51, 29],
        [23, 18, -1, -27],
        [0, 10, -12, -20],
        [-6, 3, -4, -5],
        [-2, 6, 3, 15],
        [0, 0, 0, 0],
    ],
};

pub(super) const KNIGHT: Table = Table {
    material: Phases { middlegame: 337, endgame: 291 },
    middlegame: [
        [-23, 10, 29, 43],
        [16, 21, 38, 61],
        [15, 39, 61, 77],
        [11, 18, 36, 31],
        [1, 23, 20, 17],
        [-19, -3, -1, 15],
        [-17, -12, -13, -8],
        [-28, -31, -21, -36],
    ],
    endgame: [
        [-18, 1, 14, 19],
        [3, 12, 16, 27],
        [5, 34, 39, 38],
        [27, 18, 34, 40],
        [-1, 13, 26, 40],
        [-51, -20, -9, 21],
        [-57, -42, -24, -29],
        [-70, -67, -51, -28],
    ],
};

pub(super) const BISHOP: Table = Table {
    material: Phases { middlegame: 363, endgame: 311 },
    middlegame: [
        [-8, 2, 8, 10],
        [3, 15, 25, 21],
        [39, 25, 39, 50],
        [24, 14, 33, 44],
        [12, 6, 6, 20],
        [8, 8, -6, 4],
        [-2, 5, 12, -14],
        [-6, 4, -18, -34],
    ],
    endgame: [
        [-11, 3, 2, 9],
        [2, 9, 3, 18],
        [13, 8, 25, 18],
        [-5, 11, 26, 18],
        [-18, -2, 14, 20],
        [-4, -10, 2, 14],
        [-22, -14, -22, 4],
        [-14, -32, -24, -27],
    ],
};

pub(super) const ROOK: Table = Table {
    material: Phases { middlegame: 478, endgame: 520 },
    middlegame: [
        [36, 42, 60, 77],
        [22, 39, 61, 77],
        [43, 47, 65, 72],
        [23, 30, 30, 34],
        [-4, -1, 5, 28],
        [-15, 2, -2, 24],
        [-35, -18, -12, -5],
        [-15, -3, -1, 10],
    ],
    endgame: [
        [14, 15, 25, 33],
        [35, 37, 43, 39],
        [36, 41, 43, 23],
        [39, 40, 44, 33],
        [15, 21, 22, 19],
        [-7, -7, -6, -21],
        [-24, -19, -2, -13],
        [-18, -12, -7, -15],
    ],
};

pub(super) const QUEEN: Table = Table {
    material: Phases { middlegame: 1000, endgame: 950 },
    middlegame: [
        [14, 9, 10, 14],
        [9, 6, 9, 26],
        [24, 25, 11, 23],
        [29, 0, 4, 2],
        [9, 3, 3, -15],
        [12, -1, -4, -14],
        [-2, 11, 4, 1],
        [-3, 1, -9, -5],
    ],
    endgame: [
        [21, 25, 31, 31],
        [19, 30, 34, 39],
        [22, 33, 47, 42],
        [22, 36, 43, 50],
        [-1, 5, 26, 37],
        [-20, 1, 11, 11],
        [-22, -25, -14, -25],
        [-23, -34, -42, -22],
    ],
};

/// The king (priceless: only its place counts).
pub(super) const KING: Table = Table {
    material: Phases { middlegame: 0, endgame: 0 },
    middlegame: [
        [-81, -81, -83, -84],
        [-80, -81, -82, -85],
        [-81, -78, -81, -83],
        [-80, -80, -81, -89],
        [-66, -59, -66, -74],
        [-46, -44, -57, -52],
        [-5, -13, -34, -49],
        [5, 10, -9, -6],
    ],
    endgame: [
        [28, 33, 29, 33],
        [30, 43, 42, 40],
        [27, 54, 54, 65],
        [34, 52, 65, 53],
        [14, 39, 46, 54],
        [-2, 21, 30, 36],
        [-16, -2, 8, 18],
        [-73, -26, -25, -41],
    ],
};
