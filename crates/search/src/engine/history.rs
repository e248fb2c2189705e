//! What the search learned about moves and evaluations: which quiet moves cut, which captures paid, which reply
//! followed which move well, and by how much the evaluation tends to err.
//!
//! Every number is pulled toward its limit by bonuses and away by maluses ([`apply_gravity`]), so that recent experience
//! counts most and nothing overflows.

use shakmaty::{Bitboard, Color};

use super::moves::Move;
use super::position::Position;
use super::position::piece::{PIECES, PieceCode};
use super::value::{EVALUATION_BOUND, Value};

/// No history is further from zero.
pub const HISTORY_LIMIT: i32 = 16_384;
/// Piece and target square as one index.
const PIECE_TO: usize = PIECES * 64;
/// From-square and to-square as one index.
const SQUARE_PAIRS: usize = 64 * 64;
/// The row of continuations after no move (the root, or a null move).
const NO_MOVE: u16 = PIECE_TO as u16;
/// Pawn structures told apart by quiet histories.
const PAWN_ROWS: usize = 512;
/// Kinds of captured piece, "none" (queen promotions) included.
const VICTIMS: usize = 7;

const CORRECTIONS: usize = 16_384;
const CORRECTION_LIMIT: i32 = 1_024;
/// Weighted corrections are divided by this to give centipawns.
const CORRECTION_SCALE: i32 = 1_024;

/// Moves an entry toward ±`limit`, the less the nearer it is.
#[inline]
fn apply_gravity(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// A move as continuation histories see it: which piece went where.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// No move came before.
    pub const NONE: PieceTo = PieceTo(NO_MOVE);

    /// The piece that `mv` moves in `position`, and where to.
    #[inline]
    pub fn new(position: &Position, mv: Move) -> PieceTo {
        PieceTo((position.at(mv.from()).index() * 64 + mv.to() as usize) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Where the history of a quiet move lies, to be found again once it has been made.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct QuietIndex {
    row: u8,
    from_to: u16,
}

impl QuietIndex {
    /// By side, whether the squares left and entered are threatened, and from-to.
    #[inline]
    pub fn new(position: &Position, mv: Move) -> QuietIndex {
        let threats = position.threats();
        let row = u8::from(position.turn() == Color::Black) * 4
            + u8::from(threats.contains(mv.from())) * 2
            + u8::from(threats.contains(mv.to()));
        QuietIndex { row, from_to: mv.from_to() as u16 }
    }
}

/// Where in the histories a node looks: its threats, its pawns and the moves that led to it.
#[derive(Copy, Clone, Debug)]
pub struct Context {
    turn: usize,
    threats: Bitboard,
    pawn_row: usize,
    /// The moves one, two and four plies ago.
    before: [PieceTo; 3],
}

impl Context {
    /// The context of a position reached by `before` (one, two and four plies ago).
    pub fn new(position: &Position, before: [PieceTo; 3]) -> Context {
        Context {
            turn: usize::from(position.turn() == Color::Black),
            threats: position.threats(),
            pawn_row: position.keys().pawns as usize % PAWN_ROWS,
            before,
        }
    }
}

/// How the evaluation errs, by what stands on the board.
struct Corrections {
    pawns: Vec<[i16; 2]>,
    minors: Vec<[i16; 2]>,
    pieces: [Vec<[i16; 2]>; 2],
    /// By the move that led here.
    replies: Vec<[i16; 2]>,
}

/// All histories of one thread.
pub struct Histories {
    /// By side, whether the squares left and entered are threatened, and from-to.
    quiet: Vec<[i16; SQUARE_PAIRS]>,
    /// By piece and target, and what is captured.
    capture: Vec<[i16; VICTIMS]>,
    /// By an earlier move and this one.
    continuation: Vec<[i16; PIECE_TO]>,
    /// By pawn structure and move.
    pawn: Vec<[i16; PIECE_TO]>,
    corrections: Corrections,
}

impl Default for Histories {
    fn default() -> Histories {
        let corrections = || vec![[0; 2]; CORRECTIONS];
        Histories {
            quiet: vec![[0; SQUARE_PAIRS]; 8],
            capture: vec![[0; VICTIMS]; PIECE_TO],
            continuation: vec![[0; PIECE_TO]; PIECE_TO + 1],
            pawn: vec![[0; PIECE_TO]; PAWN_ROWS],
            corrections: Corrections {
                pawns: corrections(),
                minors: corrections(),
                pieces: [corrections(), corrections()],
                replies: vec![[0; 2]; PIECE_TO + 1],
            },
        }
    }
}

/// What the histories say about the quiet moves of one node.
pub struct QuietRows<'a> {
    threats: Bitboard,
    quiet: &'a [[i16; SQUARE_PAIRS]],
    one: &'a [i16; PIECE_TO],
    two: &'a [i16; PIECE_TO],
    four: &'a [i16; PIECE_TO],
    pawn: &'a [i16; PIECE_TO],
}

impl QuietRows<'_> {
    /// How well a quiet move did.
    #[inline]
    pub fn get(&self, position: &Position, mv: Move) -> i32 {
        let row =
            usize::from(self.threats.contains(mv.from())) * 2 + usize::from(self.threats.contains(mv.to()));
        let piece_to = PieceTo::new(position, mv).index();
        i32::from(self.quiet[row][mv.from_to()])
            + i32::from(self.one[piece_to])
            + i32::from(self.two[piece_to])
            + i32::from(self.four[piece_to]) / 2
            + i32::from(self.pawn[piece_to])
    }
}

/// Weights of the corrections.
#[derive(Copy, Clone, Debug)]
pub struct CorrectionWeights {
    /// Of the pawns' structure.
    pub pawns: i32,
    /// Of knights and bishops.
    pub minors: i32,
    /// Of each side's pieces.
    pub pieces: i32,
    /// Of the move that led here.
    pub replies: i32,
}

impl Histories {
    /// Rewards or punishes a quiet move wherever it is made.
    #[inline]
    pub fn update_quiet_entry(&mut self, quiet_index: QuietIndex, bonus: i32) {
        apply_gravity(
            &mut self.quiet[usize::from(quiet_index.row)][usize::from(quiet_index.from_to)],
            bonus,
            HISTORY_LIMIT,
        );
    }

    /// Rewards or punishes a move as a reply to those before it.
    #[inline]
    pub fn update_continuation(&mut self, before: [PieceTo; 3], piece_to: PieceTo, bonus: i32) {
        for before in before {
            if before != PieceTo::NONE {
                apply_gravity(&mut self.continuation[before.index()][piece_to.index()], bonus, HISTORY_LIMIT);
            }
        }
    }

    /// How well a quiet move did, for ordering.
    #[inline]
    pub fn quiet(&self, context: &Context, position: &Position, mv: Move) -> i32 {
        self.quiet_rows(context).get(position, mv)
    }

    /// The rows in which one node looks up all its quiet moves.
    #[inline]
    pub fn quiet_rows(&self, context: &Context) -> QuietRows<'_> {
        let [one, two, four] = context.before.map(|before| &self.continuation[before.index()]);
        QuietRows {
            threats: context.threats,
            quiet: &self.quiet[context.turn * 4..context.turn * 4 + 4],
            one,
            two,
            four,
            pawn: &self.pawn[context.pawn_row],
        }
    }

    /// How well a move did as a reply, for pruning.
    #[inline]
    pub fn reply(&self, context: &Context, position: &Position, mv: Move) -> i32 {
        let piece_to = PieceTo::new(position, mv).index();
        let [one, two, _] = context.before;
        i32::from(self.continuation[one.index()][piece_to])
            + i32::from(self.continuation[two.index()][piece_to])
            + i32::from(self.pawn[context.pawn_row][piece_to])
    }

    /// Rewards or punishes a quiet move.
    pub fn update_quiet(&mut self, context: &Context, position: &Position, mv: Move, bonus: i32) {
        self.update_quiet_entry(QuietIndex::new(position, mv), bonus);
        let piece_to = PieceTo::new(position, mv);
        apply_gravity(&mut self.pawn[context.pawn_row][piece_to.index()], bonus, HISTORY_LIMIT);
        self.update_reply(context, piece_to, bonus);
    }

    /// Rewards or punishes a move as a reply to the ones before.
    pub fn update_reply(&mut self, context: &Context, piece_to: PieceTo, bonus: i32) {
        self.update_continuation(context.before, piece_to, bonus);
    }

    #[inline]
    fn victim(position: &Position, mv: Move) -> usize {
        position.captured(mv).map_or(0, |role| role as usize)
    }

    /// How well a capture did.
    #[inline]
    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        let piece_to = PieceTo::new(position, mv);
        i32::from(self.capture[piece_to.index()][Self::victim(position, mv)])
    }

    /// Rewards or punishes a capture.
    pub fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let piece_to = PieceTo::new(position, mv);
        let victim = Self::victim(position, mv);
        apply_gravity(&mut self.capture[piece_to.index()][victim], bonus, HISTORY_LIMIT);
    }

    /// An evaluation with the errors seen in similar positions taken off.
    pub fn correct(
        &self,
        position: &Position,
        before: PieceTo,
        evaluation: Value,
        weights: CorrectionWeights,
    ) -> Value {
        let keys = position.keys();
        let turn = usize::from(position.turn() == Color::Black);
        let corrections = &self.corrections;
        let CorrectionWeights { pawns, minors, pieces, replies } = weights;
        let sum = pawns * i32::from(corrections.pawns[correction_index(keys.pawns)][turn])
            + minors * i32::from(corrections.minors[correction_index(keys.minors)][turn])
            + pieces * i32::from(corrections.pieces[0][correction_index(keys.pieces[0])][turn])
            + pieces * i32::from(corrections.pieces[1][correction_index(keys.pieces[1])][turn])
            + replies * i32::from(corrections.replies[before.index()][turn]);
        (evaluation + sum / CORRECTION_SCALE).clamp(-EVALUATION_BOUND, EVALUATION_BOUND)
    }

    /// Learns from a search whose value differed from the evaluation by `error`.
    pub fn update_correction(&mut self, position: &Position, before: PieceTo, error: Value, depth: i32) {
        let bonus = (error * depth / 8).clamp(-CORRECTION_LIMIT / 4, CORRECTION_LIMIT / 4);
        let keys = *position.keys();
        let turn = usize::from(position.turn() == Color::Black);
        let corrections = &mut self.corrections;
        apply_gravity(&mut corrections.pawns[correction_index(keys.pawns)][turn], bonus, CORRECTION_LIMIT);
        apply_gravity(&mut corrections.minors[correction_index(keys.minors)][turn], bonus, CORRECTION_LIMIT);
        apply_gravity(&mut corrections.replies[before.index()][turn], bonus, CORRECTION_LIMIT);
        for (side, entries) in corrections.pieces.iter_mut().enumerate() {
            apply_gravity(&mut entries[correction_index(keys.pieces[side])][turn], bonus, CORRECTION_LIMIT);
        }
    }
}

#[inline]
fn correction_index(key: u64) -> usize {
    key as usize % CORRECTIONS
}

/// Rows of [`Histories`] are indexed by [`PieceCode`]s of pieces that exist.
const _: () = assert!(PieceCode::EMPTY.index() == PIECES);

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::moves::MoveList;

    #[test]
    fn an_entry_never_leaves_its_limits() {
        let mut entry = 0;
        for _ in 0..1_000 {
            apply_gravity(&mut entry, 1_700, HISTORY_LIMIT);
        }
        assert!(i32::from(entry) <= HISTORY_LIMIT && i32::from(entry) > HISTORY_LIMIT * 9 / 10);
        apply_gravity(&mut entry, -1_700, HISTORY_LIMIT);
        assert!(i32::from(entry) < HISTORY_LIMIT * 9 / 10, "a malus counts fully against a high history");
    }

    #[test]
    fn a_move_is_rewarded_where_it_will_be_looked_up() {
        let mut histories = Histories::default();
        let position = Position::new(&shakmaty::Chess::default());
        let context = Context::new(&position, [PieceTo::NONE; 3]);
        let mut moves = MoveList::new();
        position.generate_quiet(&mut moves);
        let (first, second) = (moves[0].mv, moves[1].mv);
        histories.update_quiet_entry(QuietIndex::new(&position, first), 500);
        assert_eq!(histories.quiet(&context, &position, first), 500);
        assert_eq!(histories.quiet(&context, &position, second), 0);
    }

    #[test]
    fn the_last_move_corrects_what_follows_it() {
        let mut histories = Histories::default();
        let position = Position::new(&shakmaty::Chess::default());
        let weights = CorrectionWeights { pawns: 0, minors: 0, pieces: 0, replies: 64 };
        let mut moves = MoveList::new();
        position.generate_quiet(&mut moves);
        let piece_to = PieceTo::new(&position, moves[0].mv);
        (0..50).for_each(|_| histories.update_correction(&position, piece_to, 40, 8));
        assert!(histories.correct(&position, piece_to, 10, weights) > 20);
        assert_eq!(histories.correct(&position, PieceTo::NONE, 10, weights), 10);
    }

    #[test]
    fn repeated_errors_of_one_sign_are_corrected() {
        let mut histories = Histories::default();
        let position = Position::new(&shakmaty::Chess::default());
        let weights = CorrectionWeights { pawns: 64, minors: 64, pieces: 64, replies: 0 };
        assert_eq!(histories.correct(&position, PieceTo::NONE, 10, weights), 10);
        for _ in 0..50 {
            histories.update_correction(&position, PieceTo::NONE, 40, 8);
        }
        assert!(histories.correct(&position, PieceTo::NONE, 10, weights) > 20);
    }
}
