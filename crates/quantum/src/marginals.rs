//! Marginal probabilities of pieces on squares, success probabilities of moves, and entanglement.

use shakmaty::{Bitboard, Color, Piece, Role, Square};

use crate::action::Move;
use crate::game::QuantumGame;

/// Kinds of pieces: White's pawn, knight, bishop, rook, queen and king, then Black's.
pub const PIECES: usize = 12;

/// For every piece and square, the total weight of the branches with the piece there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Marginals {
    weights: [[u64; 64]; PIECES],
    /// The squares where each piece may be.
    squares: [Bitboard; PIECES],
    total: u64,
}

/// A piece on a square whose probability depends on another piece being on its square.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Correlation {
    pub square: Square,
    pub piece: Piece,
    /// Probability if the first piece is on its square.
    pub if_present: f64,
    /// Probability if it is not.
    pub if_absent: f64,
}

/// Index of a piece, below [`PIECES`].
pub const fn piece_number(piece: Piece) -> usize {
    piece.role as usize - 1 + if matches!(piece.color, Color::White) { 0 } else { 6 }
}

/// All pieces in the order of their indices.
pub fn pieces() -> impl Iterator<Item = Piece> {
    [Color::White, Color::Black].into_iter().flat_map(|color| Role::ALL.map(|role| role.of(color)))
}

impl Marginals {
    /// The marginals of a state.
    ///
    /// ```
    /// use shakmaty::{Color, Piece, Role, Square};
    /// use tabia_core::Game;
    /// use tabia_quantum::{Action, Marginals, QuantumGame};
    ///
    /// let mut game = QuantumGame::default();
    /// let split = game.read_move("b1~c3")?;
    /// game.apply(Action::Move(split));
    /// let knight = Piece { color: Color::White, role: Role::Knight };
    /// assert_eq!(Marginals::new(&game).probability(knight, Square::C3), 0.5);
    /// # Ok::<(), tabia_quantum::PlayError>(())
    /// ```
    pub fn new(game: &QuantumGame) -> Marginals {
        let mut weights = [[0; 64]; PIECES];
        let mut everywhere = [Bitboard::EMPTY; PIECES];
        for branch in &game.branches {
            let board = branch.board();
            for piece in pieces() {
                let squares = &mut weights[piece_number(piece)];
                let there = board.by_piece(piece);
                everywhere[piece_number(piece)] |= there;
                for square in there {
                    squares[square.to_usize()] += branch.weight;
                }
            }
        }
        Marginals { weights, squares: everywhere, total: game.total }
    }

    /// The squares where a piece may be.
    pub fn squares(&self, piece: Piece) -> Bitboard {
        self.squares[piece_number(piece)]
    }

    /// Total weight of the branches with a piece on a square.
    pub fn weight(&self, piece: Piece, square: Square) -> u64 {
        self.weights[piece_number(piece)][square.to_usize()]
    }

    /// Total weight of all branches.
    pub fn total(&self) -> u64 {
        self.total
    }

    /// Probability of a piece on a square.
    pub fn probability(&self, piece: Piece, square: Square) -> f64 {
        self.weight(piece, square) as f64 / self.total as f64
    }

    /// The pieces that may be on a square, most likely first.
    pub fn on(&self, square: Square) -> Vec<(Piece, f64)> {
        let mut found: Vec<(Piece, f64)> = pieces()
            .filter(|piece| self.weight(*piece, square) > 0)
            .map(|piece| (piece, self.probability(piece, square)))
            .collect();
        found.sort_by(|a, b| b.1.total_cmp(&a.1));
        found
    }
}

impl QuantumGame {
    /// Success probability of a move as shown to players (rule 13): the share of the branches in which it is possible,
    /// halved for a split; zero for an illegal move.
    pub fn success_chance(&self, m: Move) -> f64 {
        self.odds(m).success()
    }

    /// Everything whose probability depends on whether `piece` is on `square`, by square; nothing if that is certain. The
    /// piece's own other squares are included: it cannot be in two places.
    pub fn entangled(&self, piece: Piece, square: Square) -> Vec<Correlation> {
        let with: Vec<bool> =
            self.branches.iter().map(|branch| branch.board().piece_at(square) == Some(piece)).collect();
        let all = Marginals::new(self);
        let mut present = [[0u64; 64]; PIECES];
        let mut weight = 0;
        for (branch, _) in self.branches.iter().zip(&with).filter(|(_, with)| **with) {
            weight += branch.weight;
            for (other, kind) in branch.board() {
                present[piece_number(kind)][other.to_usize()] += branch.weight;
            }
        }
        if weight == 0 || weight == self.total {
            return Vec::new();
        }
        let mut links = Vec::new();
        for other in Square::ALL.into_iter().filter(|other| *other != square) {
            for kind in pieces() {
                let both = present[piece_number(kind)][other.to_usize()];
                let either = all.weight(kind, other);
                // Independence means P(both) = P(one) · P(other), tested here without a division.
                if u128::from(both) * u128::from(self.total) != u128::from(either) * u128::from(weight) {
                    links.push(Correlation {
                        square: other,
                        piece: kind,
                        if_present: both as f64 / weight as f64,
                        if_absent: (either - both) as f64 / (self.total - weight) as f64,
                    });
                }
            }
        }
        links
    }
}
