//! History tables: quiet history, capture history, continuation history, pawn history, and correction history.
//!
//! All entries are updated with the "gravity" formula (`apply_gravity`): a bonus moves an entry towards ±limit by an
//! amount proportional to its distance from there, so that recent results count most and nothing overflows.

use shakmaty::{Bitboard, Color};

use super::moves::Move;
use super::position::Position;
use super::position::piece::{PIECES, PieceCode};
use super::value::{EVALUATION_BOUND, Value};

/// The largest magnitude of a history entry.
pub const HISTORY_LIMIT: i32 = 16_384;
const SQUARES: usize = 64;
/// Pairs of piece and to-square.
const PIECE_TO: usize = PIECES * SQUARES;
/// Pairs of from-square and to-square.
const SQUARE_PAIRS: usize = SQUARES * SQUARES;
/// The row of continuation history after no move (the root, or a null move).
const NO_MOVE: u16 = PIECE_TO as u16;
/// Rows of pawn history, indexed by the pawn key.
const PAWN_ROWS: usize = 512;
/// Rows of the quiet history for each side: from-square attacked or not, times to-square attacked or not.
const THREAT_ROWS: usize = 4;
/// Earlier moves that continuation history looks at: one, two and four plies back.
pub(super) const CONTINUATIONS: usize = 3;
/// Kinds of captured piece, including none (queen promotions).
const VICTIMS: usize = 7;

/// Entries of a correction-history table.
const CORRECTIONS: usize = 16_384;
const CORRECTION_LIMIT: i32 = 1_024;
/// One update of a correction is at most this.
const MAX_CORRECTION_BONUS: i32 = CORRECTION_LIMIT / 4;
/// A correction's bonus is the error times the depth divided by this.
const CORRECTION_DEPTH_DIVISOR: i32 = 8;
/// The sum of weighted corrections is divided by this to give centipawns.
const CORRECTION_SCALE: i32 = 1_024;

/// History gravity: `entry += bonus - entry * |bonus| / limit`.
#[inline]
fn apply_gravity(entry: &mut i16, bonus: i32, limit: i32) {
    let bonus = bonus.clamp(-limit, limit);
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / limit) as i16;
}

/// Index of a move in continuation history: moving piece and to-square.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct PieceTo(u16);

impl PieceTo {
    /// No move: the root, or a null move.
    pub const NONE: PieceTo = PieceTo(NO_MOVE);

    /// The index of `mv` in `position`, before it is made.
    #[inline]
    pub fn new(position: &Position, mv: Move) -> PieceTo {
        PieceTo((position.at(mv.from()).index() * SQUARES + mv.to() as usize) as u16)
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0)
    }
}

/// Index of a quiet move in the quiet history; kept on the search stack, because it depends on the position before
/// the move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct QuietIndex {
    row: u8,
    from_to: u16,
}

impl QuietIndex {
    /// Indexed by side, by whether the from- and to-squares are attacked, and by from-to.
    #[inline]
    pub fn new(position: &Position, mv: Move) -> QuietIndex {
        let threats = position.threats();
        let row = u8::from(position.turn() == Color::Black) * THREAT_ROWS as u8
            + u8::from(threats.contains(mv.from())) * 2
            + u8::from(threats.contains(mv.to()));
        QuietIndex { row, from_to: mv.from_to() as u16 }
    }
}

/// What selects a node's rows in the history tables: attacked squares, pawn structure and the previous moves.
#[derive(Copy, Clone, Debug)]
pub struct Context {
    turn: usize,
    threats: Bitboard,
    pawn_row: usize,
    /// The moves one, two and four plies ago.
    pub(super) before: [PieceTo; CONTINUATIONS],
}

impl Context {
    /// The context of a position reached by `before` (one, two and four plies ago).
    pub fn new(position: &Position, before: [PieceTo; CONTINUATIONS]) -> Context {
        Context {
            turn: usize::from(position.turn() == Color::Black),
            threats: position.threats(),
            pawn_row: position.keys().pawns as usize % PAWN_ROWS,
            before,
        }
    }
}

/// Correction history: the average difference between search result and static evaluation, by keys of the position.
struct Corrections {
    pawns: Vec<[i16; 2]>,
    minors: Vec<[i16; 2]>,
    pieces: [Vec<[i16; 2]>; 2],
    /// By the previous move (continuation correction history).
    continuation: Vec<[i16; 2]>,
}

/// All histories of one thread.
pub struct Histories {
    /// By side, by whether the from- and to-squares are attacked, and by from-to.
    quiet: Vec<[i16; SQUARE_PAIRS]>,
    /// By piece and to-square, and by captured piece.
    capture: Vec<[i16; VICTIMS]>,
    /// By an earlier move's piece and to-square, and this one's.
    continuation: Vec<[i16; PIECE_TO]>,
    /// By pawn structure, and by piece and to-square.
    pawn: Vec<[i16; PIECE_TO]>,
    corrections: Corrections,
}

impl Default for Histories {
    fn default() -> Histories {
        let corrections = || vec![[0; 2]; CORRECTIONS];
        Histories {
            quiet: vec![[0; SQUARE_PAIRS]; 2 * THREAT_ROWS],
            capture: vec![[0; VICTIMS]; PIECE_TO],
            continuation: vec![[0; PIECE_TO]; PIECE_TO + 1],
            pawn: vec![[0; PIECE_TO]; PAWN_ROWS],
            corrections: Corrections {
                pawns: corrections(),
                minors: corrections(),
                pieces: [corrections(), corrections()],
                continuation: vec![[0; 2]; PIECE_TO + 1],
            },
        }
    }
}

/// The history rows of one node's quiet moves.
pub struct QuietRows<'a> {
    threats: Bitboard,
    quiet: &'a [[i16; SQUARE_PAIRS]],
    one: &'a [i16; PIECE_TO],
    two: &'a [i16; PIECE_TO],
    four: &'a [i16; PIECE_TO],
    pawn: &'a [i16; PIECE_TO],
}

impl QuietRows<'_> {
    /// The summed history of a quiet move.
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

/// Weights of the correction histories, in 1024ths.
#[derive(Copy, Clone, Debug)]
pub struct CorrectionWeights {
    pub pawns: i32,
    pub minors: i32,
    /// For each side's pieces.
    pub pieces: i32,
    /// For the previous move.
    pub continuation: i32,
}

impl Histories {
    /// Updates the quiet history alone.
    #[inline]
    pub fn update_quiet_entry(&mut self, quiet_index: QuietIndex, bonus: i32) {
        apply_gravity(
            &mut self.quiet[usize::from(quiet_index.row)][usize::from(quiet_index.from_to)],
            bonus,
            HISTORY_LIMIT,
        );
    }

    /// Updates continuation history after the moves `before`.
    #[inline]
    pub fn update_continuation(&mut self, before: [PieceTo; CONTINUATIONS], piece_to: PieceTo, bonus: i32) {
        for before in before {
            if before != PieceTo::NONE {
                apply_gravity(&mut self.continuation[before.index()][piece_to.index()], bonus, HISTORY_LIMIT);
            }
        }
    }

    /// The summed history of one quiet move.
    #[inline]
    pub fn quiet(&self, context: &Context, position: &Position, mv: Move) -> i32 {
        self.quiet_rows(context).get(position, mv)
    }

    /// The rows for all quiet moves of one node.
    #[inline]
    pub fn quiet_rows(&self, context: &Context) -> QuietRows<'_> {
        let [one, two, four] = context.before.map(|before| &self.continuation[before.index()]);
        QuietRows {
            threats: context.threats,
            quiet: &self.quiet[context.turn * THREAT_ROWS..(context.turn + 1) * THREAT_ROWS],
            one,
            two,
            four,
            pawn: &self.pawn[context.pawn_row],
        }
    }

    /// Continuation and pawn history of a quiet move, for pruning.
    #[inline]
    pub fn continuation(&self, context: &Context, position: &Position, mv: Move) -> i32 {
        let piece_to = PieceTo::new(position, mv).index();
        let [one, two, _] = context.before;
        i32::from(self.continuation[one.index()][piece_to])
            + i32::from(self.continuation[two.index()][piece_to])
            + i32::from(self.pawn[context.pawn_row][piece_to])
    }

    /// Updates all histories of a quiet move.
    pub fn update_quiet(&mut self, context: &Context, position: &Position, mv: Move, bonus: i32) {
        self.update_quiet_entry(QuietIndex::new(position, mv), bonus);
        let piece_to = PieceTo::new(position, mv);
        apply_gravity(&mut self.pawn[context.pawn_row][piece_to.index()], bonus, HISTORY_LIMIT);
        self.update_continuation(context.before, piece_to, bonus);
    }

    #[inline]
    fn victim(position: &Position, mv: Move) -> usize {
        position.captured(mv).map_or(0, |role| role as usize)
    }

    /// The capture history of a move.
    #[inline]
    pub fn capture(&self, position: &Position, mv: Move) -> i32 {
        let piece_to = PieceTo::new(position, mv);
        i32::from(self.capture[piece_to.index()][Self::victim(position, mv)])
    }

    /// Updates the capture history.
    pub fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let piece_to = PieceTo::new(position, mv);
        let victim = Self::victim(position, mv);
        apply_gravity(&mut self.capture[piece_to.index()][victim], bonus, HISTORY_LIMIT);
    }

    /// The static evaluation plus the weighted corrections of similar positions.
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
        let CorrectionWeights { pawns, minors, pieces, continuation } = weights;
        let sum = pawns * i32::from(corrections.pawns[correction_index(keys.pawns)][turn])
            + minors * i32::from(corrections.minors[correction_index(keys.minors)][turn])
            + pieces * i32::from(corrections.pieces[0][correction_index(keys.pieces[0])][turn])
            + pieces * i32::from(corrections.pieces[1][correction_index(keys.pieces[1])][turn])
            + continuation * i32::from(corrections.continuation[before.index()][turn]);
        (evaluation + sum / CORRECTION_SCALE).clamp(-EVALUATION_BOUND, EVALUATION_BOUND)
    }

    /// Updates the correction histories with the difference `error` between a node's value and its static evaluation.
    pub fn update_correction(&mut self, position: &Position, before: PieceTo, error: Value, depth: i32) {
        let bonus =
            (error * depth / CORRECTION_DEPTH_DIVISOR).clamp(-MAX_CORRECTION_BONUS, MAX_CORRECTION_BONUS);
        let keys = *position.keys();
        let turn = usize::from(position.turn() == Color::Black);
        let corrections = &mut self.corrections;
        apply_gravity(&mut corrections.pawns[correction_index(keys.pawns)][turn], bonus, CORRECTION_LIMIT);
        apply_gravity(&mut corrections.minors[correction_index(keys.minors)][turn], bonus, CORRECTION_LIMIT);
        apply_gravity(&mut corrections.continuation[before.index()][turn], bonus, CORRECTION_LIMIT);
        for (side, entries) in corrections.pieces.iter_mut().enumerate() {
            apply_gravity(&mut entries[correction_index(keys.pieces[side])][turn], bonus, CORRECTION_LIMIT);
        }
    }
}

#[inline]
fn correction_index(key: u64) -> usize {
    key as usize % CORRECTIONS
}

// Rows are indexed by pieces; an empty square has no row.
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
        let context = Context::new(&position, [PieceTo::NONE; CONTINUATIONS]);
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
        let weights = CorrectionWeights { pawns: 0, minors: 0, pieces: 0, continuation: 64 };
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
        let weights = CorrectionWeights { pawns: 64, minors: 64, pieces: 64, continuation: 0 };
        assert_eq!(histories.correct(&position, PieceTo::NONE, 10, weights), 10);
        for _ in 0..50 {
            histories.update_correction(&position, PieceTo::NONE, 40, 8);
        }
        assert!(histories.correct(&position, PieceTo::NONE, 10, weights) > 20);
    }
}
