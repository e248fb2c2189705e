//! Which moves to try first: the better the first guess, the more alpha-beta skips.

use arrayvec::ArrayVec;
use shakmaty::{Bitboard, Color, Move, MoveList, Rank, Role, Square};
use tabia_eval::{View, simple};

use super::settings::MoveOrdering;

/// Two quiet moves that refuted something at one distance from the root, the newer first. Seed 000 keeps them by
/// remaining depth, which is the same thing in a search of fixed depth.
pub type Killers = [Option<Move>; 2];

/// What each square is worth to the side to move, by which quiet moves may be ordered: a move's priority is the
/// worth of its destination less that of its origin (seed 000 §10.5).
pub type SquareValueFn = Box<dyn Fn(View<'_>) -> [i32; 64] + Send>;

/// Everything beside the move itself that its place in the order may depend on.
pub struct OrderingContext<'a> {
    /// Whose moves these are.
    pub turn: Color,
    /// Tried before everything else (unless ordering is off): the best move known from a table or before.
    pub first: Option<Move>,
    /// Quiet refutations, when they are used.
    pub killers: Killers,
    /// The worth of squares to the side to move, when quiet moves are guided by it.
    pub guide: Option<&'a [i32; 64]>,
}

impl OrderingContext<'_> {
    /// Nothing but the move itself.
    pub fn none(turn: Color) -> OrderingContext<'static> {
        OrderingContext { turn, first: None, killers: Killers::default(), guide: None }
    }
}

/// More moves than any position has.
const MAX_MOVES: usize = 256;

/// Behind every other score: nothing is left to try.
const GIVEN_OUT: i32 = i32::MIN;
/// Ahead of every other score.
const FIRST: i32 = i32::MAX;
/// Seed 001: added to a captured piece's value.
const VICTIM_BASE: i32 = 100;
/// MVV-LVA: how much the victim counts against the attacker.
const VICTIM_FACTOR: i32 = 10;
/// Seed 000 §4.3, for captures, killers, moves to the centre, development, and a pawn's step by rank.
const CAPTURE: i32 = 1000;
const KILLER: i32 = 900;
const CENTER: i32 = 50;
const DEVELOPMENT: i32 = 30;
const PAWN_RANK: i32 = 2;
/// A killer where the seed gives it no place: after every capture (the least of which scores 100 by MVV-LVA),
/// before every quiet move.
const KILLER_ELSEWHERE: i32 = 50;
/// Far below killers and captures, whatever the unit of the guide.
const GUIDED_BASE: i32 = -1_000_000;

/// Moves best guess first; ties keep the order they are listed in. Each is looked for only when it is asked for:
/// where the first one refutes everything, the others need no order.
pub struct MovePicker<'a> {
    moves: &'a [Move],
    scores: ArrayVec<i32, MAX_MOVES>,
    /// The score of the last move given out, and the moves not listed after it.
    last: (i32, usize),
}

impl<'a> MovePicker<'a> {
    /// Guesses what the moves are worth. Inlined, so that the scores are written where they stay.
    #[inline(always)]
    pub fn new(moves: &'a [Move], ordering: MoveOrdering, context: &OrderingContext<'_>) -> MovePicker<'a> {
        let mut picker = MovePicker { moves, scores: ArrayVec::new(), last: (GIVEN_OUT, moves.len()) };
        picker.guess(ordering, context);
        picker
    }

    fn guess(&mut self, ordering: MoveOrdering, context: &OrderingContext<'_>) {
        let (moves, scores) = (self.moves, &mut self.scores);
        scores.extend(moves.iter().map(|m| score(*m, ordering, context)));
        let index_of = |m: &Option<Move>| moves.iter().position(|listed| Some(*listed) == *m);
        for killer in context.killers.iter().filter(|killer| killer.is_some()).filter_map(index_of) {
            scores[killer] = if ordering == MoveOrdering::Seed000 { KILLER } else { KILLER_ELSEWHERE };
        }
        if ordering != MoveOrdering::Off
            && context.first.is_some()
            && let Some(first) = index_of(&context.first)
        {
            scores[first] = FIRST;
        }
    }
}

impl Iterator for MovePicker<'_> {
    type Item = Move;

    fn next(&mut self) -> Option<Move> {
        // What ties with the last move is listed after it, and nothing that is left beats it.
        let (last, after) = self.last;
        let tie = self.scores[after..].iter().position(|score| *score == last).map(|index| after + index);
        let best = tie.or_else(|| {
            let (index, score) = self.scores.iter().enumerate().rev().max_by_key(|(_, score)| **score)?;
            (*score != GIVEN_OUT).then_some(index)
        })?;
        self.last = (self.scores[best], best + 1);
        self.scores[best] = GIVEN_OUT;
        Some(self.moves[best])
    }
}

/// The worth of a move by itself; killers and the move to be tried first are put in their places afterwards.
#[inline]
fn score(m: Move, ordering: MoveOrdering, context: &OrderingContext<'_>) -> i32 {
    if ordering == MoveOrdering::Off {
        return 0;
    }
    match m.capture() {
        Some(victim) => match ordering {
            MoveOrdering::Off => 0,
            MoveOrdering::Victim => VICTIM_BASE + simple::value(victim),
            MoveOrdering::MvvLva => mvv_lva(victim, m.role()),
            MoveOrdering::Seed000 => CAPTURE + mvv_lva(victim, m.role()),
        },
        None => match context.guide {
            Some(worth) => guided(m, context.turn, worth),
            None if ordering == MoveOrdering::Seed000 => quiet(m, context.turn),
            None => 0,
        },
    }
}

fn mvv_lva(victim: Role, attacker: Role) -> i32 {
    VICTIM_FACTOR * worth(victim) - worth(attacker)
}

/// Seed 000's piece values. Its king is worth 20,000, which as an attacker would put the one capture that cannot
/// be answered behind all quiet moves; here a king that captures risks nothing.
fn worth(role: Role) -> i32 {
    match role {
        Role::Pawn => 100,
        Role::Knight => 320,
        Role::Bishop => 330,
        Role::Rook => 500,
        Role::Queen => 900,
        Role::King => 0,
    }
}

/// Seed 000 §4.3 for a move that neither captures nor refuted anything: the highest case that applies.
fn quiet(m: Move, turn: Color) -> i32 {
    let home = turn.fold_wb(Rank::First, Rank::Eighth);
    let develops = matches!(m.role(), Role::Knight | Role::Bishop)
        && m.from().is_some_and(|from| from.rank() == home)
        && m.to().rank() != home;
    if Bitboard::CENTER.contains(m.to()) {
        CENTER
    } else if develops {
        DEVELOPMENT
    } else if m.role() == Role::Pawn {
        let rank = i32::from(turn.fold_wb(m.to().rank(), m.to().rank().flip_vertical())) + 1;
        PAWN_RANK * rank
    } else {
        0
    }
}

/// Where quiet moves are guided they all are: only their order among themselves matters. Castling is a move of
/// the king to where it then stands; `to` is its rook's square.
fn guided(m: Move, turn: Color, worth: &[i32; 64]) -> i32 {
    let to = m.castling_side().map_or(m.to(), |side| side.king_to(turn));
    let from = m.from().map_or(0, |from| worth[usize::from(from)]);
    let gain = worth[usize::from(to)] - from;
    GUIDED_BASE + gain.clamp(GUIDED_BASE, -GUIDED_BASE)
}

/// Sorts moves by their squares as the side to move sees them. Moves that tie then come in the same order in a
/// position and in its colour swap, so that both take the same number of nodes.
pub fn sort_for_side_to_move(moves: &mut MoveList, turn: Color) {
    let seen = |square: Square| turn.fold_wb(square, square.flip_vertical());
    moves.sort_by_key(|m| (m.from().map(seen), seen(m.to()), m.promotion()));
}
