//! The genome: every weight a chromosome has, declared once.
//!
//! Eighteen principles and six tables of 64 squares make 402 genes. (Seed 003 says 403 and lists seventeen
//! principles; the eighteenth, which its algorithms do have, is the passed pawn.) A gene's place in the flat
//! genome is its place here: first the principles in the order of the list below, then the tables of pawn,
//! knight, bishop, rook, queen and king, each from a8 to h1. The list is also what is counted: a principle
//! added to it is evaluated, explained, written to files and evolved.
//!
//! All weights are in pawns. Where a first generation is drawn from is part of the declaration: `centre` ±
//! `spread`, uniformly.

use shakmaty::{Color, Rank, Role, Square};

use super::facts::Facts;
use super::tables::CENTRES;
use super::{king, mobility, pawns, pieces};

/// Genes of a chromosome.
pub const GENES: usize = SCALARS + TABLES * SQUARES;

/// Number of principles, each with one weight.
pub const SCALARS: usize = PRINCIPLES.len();

/// Number of tables, one for each kind of piece.
pub const TABLES: usize = TABLE_NAMES.len();

pub const SQUARES: usize = 64;

/// Largest magnitude of a weight, in pawns: far beyond sense, and small enough that no sum overflows.
pub const LARGEST: f64 = 1000.0;

/// Half-width of the random variation of table weights in a first generation, in pawns.
pub const TABLE_SPREAD: f64 = 0.1;

/// The tables' names, in the order of [`Role::ALL`].
pub const TABLE_NAMES: [&str; 6] = ["pawn", "knight", "bishop", "rook", "queen", "king"];

/// A principle of chess: a feature counted for each side, with the initial range of its weight.
#[derive(Copy, Clone, Debug)]
pub struct Principle {
    /// Its name in files and explanations.
    pub name: &'static str,
    pub meaning: &'static str,
    /// Centre of the initial range of its weight, in pawns per point.
    pub centre: f64,
    /// Half-width of that range.
    pub spread: f64,
    /// Number of steps per point; counts are integers.
    pub steps_a_point: u32,
}

macro_rules! principles {
    ($($name:ident {
        centre: $centre:literal, spread: $spread:literal, steps: $steps:literal,
        meaning: $meaning:literal, count: $count:path
    })+) => {
        /// All principles, in the order of the genome.
        pub const PRINCIPLES: &[Principle] = &[$(Principle {
            name: stringify!($name),
            meaning: $meaning,
            centre: $centre,
            spread: $spread,
            steps_a_point: $steps,
        }),+];

        /// Counts every principle for one side, in steps, in the order of the genome.
        pub(super) fn count(facts: &Facts<'_>, color: Color) -> [i32; SCALARS] {
            [$($count(facts, color)),+]
        }
    };
}

principles! {
    material {
        centre: 1.0, spread: 0.5, steps: 1,
        meaning: "pieces, in pawns: 1, 3, 3, 5, 9",
        count: pieces::material
    }
    mobility {
        centre: 0.1, spread: 0.05, steps: 1,
        meaning: "legal moves to squares attacked no more often than defended",
        count: mobility::safe_moves
    }
    castling {
        centre: 0.5, spread: 0.3, steps: 1,
        meaning: "1 while castling is possible, 2 once castled",
        count: king::castling
    }
    development {
        centre: 0.2, spread: 0.1, steps: 2,
        meaning: "pieces off the first rank, and half the pawns off the second",
        count: pieces::development
    }
    doubled_pawns {
        centre: -0.3, spread: 0.2, steps: 1,
        meaning: "pawns beyond the first on a file",
        count: pawns::doubled
    }
    isolated_pawns {
        centre: -0.3, spread: 0.2, steps: 1,
        meaning: "pawns without a friend on the files beside them",
        count: pawns::isolated
    }
    connected_pawns {
        centre: 0.2, spread: 0.1, steps: 1,
        meaning: "times a pawn guards a pawn",
        count: pawns::connected
    }
    passed_pawns {
        centre: 0.4, spread: 0.2, steps: 1,
        meaning: "pawns with no enemy pawn ahead on three files",
        count: pawns::passed
    }
    enemy_king_pressure {
        centre: 0.4, spread: 0.3, steps: 1,
        meaning: "attacked squares around the enemy's king, and pieces aimed at it",
        count: king::enemy_pressure
    }
    defended_pieces {
        centre: 0.2, spread: 0.1, steps: 1,
        meaning: "pieces other than the king that a friend defends",
        count: pieces::defended
    }
    bishop_pair {
        centre: 0.2, spread: 0.1, steps: 1,
        meaning: "1 for two bishops or more",
        count: pieces::bishop_pair
    }
    connected_rooks {
        centre: 0.3, spread: 0.1, steps: 1,
        meaning: "pairs of rooks that see each other",
        count: pieces::connected_rooks
    }
    king_centralisation {
        centre: 0.1, spread: 0.05, steps: 4,
        meaning: "minus the king's steps to the centre and a quarter of the ranks before it",
        count: king::centralisation
    }
    knight_outposts {
        centre: 0.3, spread: 0.2, steps: 1,
        meaning: "knights in the enemy's half that a pawn guards and none attacks",
        count: pieces::outposts
    }
    blocked_pieces {
        centre: -0.3, spread: 0.2, steps: 1,
        meaning: "pieces with nowhere to go for their own side's",
        count: pieces::blocked
    }
    space {
        centre: 0.2, spread: 0.1, steps: 1,
        meaning: "attacked squares in the enemy's half",
        count: pieces::space
    }
    king_shield {
        centre: 0.3, spread: 0.1, steps: 1,
        meaning: "before the king, 1 for each pawn and 2 for each piece of its own",
        count: king::shield
    }
    king_pressure {
        centre: -0.5, spread: 0.2, steps: 1,
        meaning: "attacked squares around the own king, and pieces aimed at it",
        count: king::pressure
    }
}

/// One weight of the genome.
#[derive(Clone, Debug, PartialEq)]
pub struct Gene {
    /// Its name: a principle's, or a table's and a square (`knight.f3`).
    pub name: String,
    /// What a unit of it stands for.
    pub meaning: String,
    /// Centre of its initial range, in pawns.
    pub centre: f64,
    /// Half-width of that range; zero for squares where no pawn can stand.
    pub spread: f64,
}

/// The gene at an index of the flat genome; `None` from [`GENES`] on.
pub fn gene(index: usize) -> Option<Gene> {
    if let Some(principle) = PRINCIPLES.get(index) {
        let Principle { name, meaning, centre, spread, .. } = *principle;
        return Some(Gene { name: name.to_owned(), meaning: meaning.to_owned(), centre, spread });
    }
    let (table, square_index) = ((index - SCALARS) / SQUARES, (index - SCALARS) % SQUARES);
    let (&name, &role, square) = (TABLE_NAMES.get(table)?, Role::ALL.get(table)?, square_at(square_index));
    let inert = role == Role::Pawn && [Rank::First, Rank::Eighth].contains(&square.rank());
    Some(Gene {
        name: format!("{name}.{square}"),
        meaning: format!("a white {name} on {square}, or a black one on {}", square.flip_vertical()),
        centre: CENTRES[table][square_index],
        spread: if inert { 0.0 } else { TABLE_SPREAD },
    })
}

/// All genes, in the order of the genome.
pub fn genes() -> impl Iterator<Item = Gene> {
    (0..GENES).filter_map(gene)
}

/// The index of a gene in the flat genome.
pub fn index_of(name: &str) -> Option<usize> {
    if let Some(index) = PRINCIPLES.iter().position(|principle| principle.name == name) {
        return Some(index);
    }
    let (table, square) = name.split_once('.')?;
    let table = TABLE_NAMES.iter().position(|&known| known == table)?;
    let square: Square = square.parse().ok()?;
    Some(SCALARS + table * SQUARES + square_index(square))
}

/// Tables start with rank 8, square numbers with rank 1.
pub(super) fn square_at(index: usize) -> Square {
    Square::new(index as u32).flip_vertical()
}

/// The table index of a white piece's square.
pub(super) fn square_index(square: Square) -> usize {
    usize::from(square.flip_vertical())
}
