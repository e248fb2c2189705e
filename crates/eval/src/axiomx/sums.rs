//! Weighted sums of control without computing its fields, by precomputed tables.
//!
//! An evaluation needs two things from the attack fields: their weighted sum over the board, and their values on
//! occupied squares. The contribution of a ray to the sum depends only on its origin, direction and length, and a ray
//! meets at most one piece, so rays need not be walked. A property test compares the result with the plain fields.

use shakmaty::{Bitboard, Board, Color, Role, Square, attacks};

use super::control::SQUARE_WEIGHTS;
use super::influence::{DISTANCE, TWO_STEPS, Units};
use super::kernel::Kernel;

/// Possible lengths of a ray, zero included.
const LENGTHS: usize = 8;
/// File and rank offset of one step along each ray.
const DIAGONAL: [(i32, i32); 4] = [(1, 1), (1, -1), (-1, 1), (-1, -1)];
const STRAIGHT: [(i32, i32); 4] = [(1, 0), (0, 1), (-1, 0), (0, -1)];

/// Squares at one distance around a square.
type Ring = (usize, fn(Square) -> Bitboard);

/// The four rays of a bishop or rook from each square.
#[derive(Clone, Debug)]
struct Rays {
    squares: [[Bitboard; 4]; 64],
    /// Contribution of each ray by its length.
    sums: [[[i32; LENGTHS]; 4]; 64],
}

impl Rays {
    fn new(steps: [(i32, i32); 4], reach: &[i32; LENGTHS]) -> Rays {
        let mut rays = Rays { squares: [[Bitboard::EMPTY; 4]; 64], sums: [[[0; LENGTHS]; 4]; 64] };
        for from in Square::ALL {
            let here = usize::from(from);
            for (ray, (file, rank)) in steps.into_iter().enumerate() {
                let sums = &mut rays.sums[here][ray];
                let mut at = from;
                for length in 1..LENGTHS {
                    let next = at.file().offset(file).zip(at.rank().offset(rank));
                    let Some((file, rank)) = next else { break };
                    at = Square::from_coords(file, rank);
                    rays.squares[here][ray].add(at);
                    sums[length] = sums[length - 1] + reach[length] * SQUARE_WEIGHTS[usize::from(at)];
                }
            }
        }
        rays
    }

    /// Contribution of the rays that reach these squares.
    #[inline]
    fn sum(&self, from: Square, reached: Bitboard) -> i32 {
        let (squares, sums) = (&self.squares[usize::from(from)], &self.sums[usize::from(from)]);
        squares.iter().zip(sums).map(|(ray, sums)| sums[(*ray & reached).count() & (LENGTHS - 1)]).sum()
    }
}

/// The tables of one kernel.
#[derive(Clone, Debug)]
pub(super) struct Sums {
    knight: Units,
    king: Units,
    bishop: Rays,
    rook: Rays,
    queen_diagonal: Rays,
    queen_straight: Rays,
}

impl Sums {
    pub fn of(kernel: &Kernel) -> Sums {
        let leaper = |role, rings: &[Ring]| {
            let reach = kernel.reach(role);
            std::array::from_fn(|from| {
                let own = reach[0] * SQUARE_WEIGHTS[from];
                let from = Square::new(from as u32);
                let ring = |(distance, squares): &Ring| reach[*distance] * weight(squares(from));
                own + rings.iter().map(ring).sum::<i32>()
            })
        };
        let queen = kernel.reach(Role::Queen);
        Sums {
            knight: leaper(Role::Knight, &[(2, attacks::knight_attacks)]),
            king: leaper(Role::King, &[(1, attacks::king_attacks), (2, |from| TWO_STEPS[usize::from(from)])]),
            bishop: Rays::new(DIAGONAL, kernel.reach(Role::Bishop)),
            rook: Rays::new(STRAIGHT, kernel.reach(Role::Rook)),
            queen_diagonal: Rays::new(DIAGONAL, queen),
            queen_straight: Rays::new(STRAIGHT, queen),
        }
    }

    /// The weighted sum of one side's influence without pawns; also adds the influence to the side's field on occupied
    /// squares.
    #[inline]
    pub fn add_pieces(&self, field: &mut Units, board: &Board, kernel: &Kernel, color: Color) -> i32 {
        let (own, occupied) = (board.by_color(color), board.occupied());
        let mut sum = 0;
        let reach = kernel.reach(Role::Knight);
        for from in own & board.knights() {
            sum += self.knight[usize::from(from)];
            field[usize::from(from)] += reach[0];
            for to in attacks::knight_attacks(from) & occupied {
                field[usize::from(to)] += reach[2];
            }
        }
        let mut along = |from: Square, reached: Bitboard, reach: &[i32; LENGTHS]| {
            let distance = &DISTANCE[usize::from(from)];
            for to in reached & occupied {
                field[usize::from(to)] += reach[usize::from(distance[usize::from(to)] & 7)];
            }
        };
        for from in own & board.bishops() {
            let reached = attacks::bishop_attacks(from, occupied);
            sum += self.bishop.sum(from, reached);
            along(from, reached, kernel.reach(Role::Bishop));
        }
        for from in own & board.rooks() {
            let reached = attacks::rook_attacks(from, occupied);
            sum += self.rook.sum(from, reached);
            along(from, reached, kernel.reach(Role::Rook));
        }
        for from in own & board.queens() {
            let reached = attacks::queen_attacks(from, occupied);
            sum += self.queen_diagonal.sum(from, reached) + self.queen_straight.sum(from, reached);
            along(from, reached, kernel.reach(Role::Queen));
        }
        let reach = kernel.reach(Role::King);
        for from in own & board.kings() {
            sum += self.king[usize::from(from)];
            field[usize::from(from)] += reach[0];
            for to in attacks::king_attacks(from) & occupied {
                field[usize::from(to)] += reach[1];
            }
            if kernel.king_reaches_far {
                for to in TWO_STEPS[usize::from(from)] & occupied {
                    field[usize::from(to)] += reach[2];
                }
            }
        }
        sum
    }
}

/// The sum of the weights of some squares.
fn weight(squares: Bitboard) -> i32 {
    squares.into_iter().map(|square| SQUARE_WEIGHTS[usize::from(square)]).sum()
}
