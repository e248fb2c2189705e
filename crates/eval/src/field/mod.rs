//! `field`: a learned evaluation over influence on squares, trained by gradient descent on self-play games.
//!
//! Seed 000 claims that influence fields are interpretable and could be learned; this is the test of that claim. The
//! score is a sum of counted features (a piece on a square, a controlled square, an attacked piece, a passed pawn's
//! way) times learned weights, with a middlegame and an endgame weight each, tapered by phase. Two parts are not
//! linear: king danger is a squared sum, because attackers strengthen one another, and a small hidden layer lets all
//! features interact.
//!
//! | file       | what                                                                     |
//! | ---------- | ------------------------------------------------------------------------ |
//! | [`groups`] | every feature there is, and the layout of the weights                    |
//! | `pieces`   | piece-square tables relative to both kings, mobility, lines, control     |
//! | `threats`  | attacked pieces, safe threats, restriction                               |
//! | `king`     | shelter, storm and king danger                                           |
//! | `pawns`    | pawn structure, cached in `cache`                                        |
//! | `passed`   | passed pawns                                                             |
//! | [`hidden_layer`] | how features interact                                              |
//! | [`scale`]  | scaling of endgame advantages that are hard to win                       |
//! | `joint`    | precomputed sums of rows that always occur together                      |
//! | `sink`     | where features go: a sum for playing, a list for explaining and training |
//!
//! Everything is integers in quantisation units of 1/16 centipawn, so that exchanging colours negates the score exactly.
//! Sums over sets of squares are looked up a rank at a time: a field over the whole board costs eight additions.

mod board;
mod cache;
mod explain;
pub mod file;
pub mod groups;
pub mod hidden_layer;
mod joint;
mod king;
mod passed;
mod pawns;
mod pieces;
pub mod scale;
mod side;
mod sink;
mod threats;
mod tuning;
pub mod weights;

use std::sync::{Arc, LazyLock};

use shakmaty::{Bitboard, Board, Color, Square};
use tabia_core::Score;

use crate::evaluate::Evaluate;
use crate::explain::Explanation;
use crate::pst;
use crate::view::View;

use cache::Cache;
use pawns::Structure;
use pieces::{Context, Mirrors};
use side::{PAWN, Side};
use sink::{FeatureTrace, Part, Sink, Sum};
pub use weights::Weights;
use weights::{Compiled, MgEg, QUANTISATION};

/// Divisor of squared danger in the middlegame: danger of 16 points costs a centipawn, 160 points cost a pawn.
const DANGER_SQUARE: i64 = 256 * QUANTISATION as i64;
/// Divisor of danger in the endgame, where it counts linearly.
const DANGER_LINE: i32 = 8;
/// Cap of king danger, in quantisation units.
const DANGER_BOUND: i32 = 640 * QUANTISATION;

/// Bound of the score, in centipawns.
const BOUND: i32 = 20_000;

/// The evaluation `field` with its weights and caches.
///
/// ```
/// use shakmaty::Chess;
/// use tabia_eval::{Evaluate, View, field::FieldEval};
///
/// let start = Chess::default();
/// let explanation = FieldEval::default().explain(View::from(&start));
/// assert_eq!(explanation.sum(), explanation.score.raw());
/// ```
#[derive(Clone, Debug)]
pub struct FieldEval {
    weights: Arc<Weights>,
    compiled: Arc<Compiled>,
    cache: Cache,
}

static SHIPPED: LazyLock<(Arc<Weights>, Arc<Compiled>)> = LazyLock::new(|| {
    let weights = file::read(include_str!("weights.json")).expect("the shipped weights are tested");
    let compiled = Compiled::new(&weights);
    (Arc::new(weights), Arc::new(compiled))
});

impl Default for FieldEval {
    fn default() -> FieldEval {
        let (weights, compiled) = &*SHIPPED;
        FieldEval { weights: weights.clone(), compiled: compiled.clone(), cache: Cache::default() }
    }
}

impl FieldEval {
    /// Uses other weights than the shipped ones.
    pub fn with_weights(weights: Weights) -> FieldEval {
        let compiled = Arc::new(Compiled::new(&weights));
        FieldEval { weights: Arc::new(weights), compiled, cache: Cache::default() }
    }

    pub fn weights(&self) -> &Weights {
        &self.weights
    }

    /// The sum over all features, without caches.
    fn sum(&self, view: View<'_>) -> MgEg {
        let mut sum = Sum::new(&self.compiled);
        let structures = count_pawns_and_kings(view.board, &mut sum);
        count(view, structures, &mut sum);
        total(&sum)
    }
}

/// Counts all features except those that depend on pawns and kings alone.
#[inline(always)]
fn count<S: Sink>(view: View<'_>, structures: [Structure; 2], sink: &mut S) {
    let occupied = view.board.occupied();
    let mut white = Side::of::<true>(view.board);
    let mut black = Side::of::<false>(view.board);
    white.find_pins(&black, occupied);
    black.find_pins(&white, occupied);
    let [white_pawns, black_pawns] = structures;
    let context = Context { enemy: &black, occupied, pawns: white_pawns, enemy_pawns: black_pawns };
    pieces::count::<true, S>(&mut white, &context, sink);
    let context = Context { enemy: &white, occupied, pawns: black_pawns, enemy_pawns: white_pawns };
    pieces::count::<false, S>(&mut black, &context, sink);

    side::<true, S>(view, &white, &black, white_pawns.passed, sink);
    side::<false, S>(view, &black, &white, black_pawns.passed, sink);
}

/// Counts the features that need both sides' attack maps.
#[inline(always)]
fn side<const WHITE: bool, S: Sink>(
    view: View<'_>,
    side: &Side,
    enemy: &Side,
    passed: Bitboard,
    sink: &mut S,
) {
    let occupied = view.board.occupied();
    threats::count::<WHITE, S>(side, enemy, occupied, sink);
    pieces::control::<WHITE, S>(side, enemy, sink);
    king::count::<WHITE, S>(side, enemy, occupied, view.castling, sink);
    let to_move = view.turn.is_white() == WHITE;
    passed::count::<WHITE, S>(passed, side, enemy, occupied, to_move, sink);
    if to_move {
        sink.add::<WHITE>(groups::TEMPO, 1, side.king);
    }
}

/// The slowly changing part of a position: White's pawns and king, and Black's.
#[derive(Copy, Clone, Debug)]
struct PawnsAndKings {
    pawns: [Bitboard; 2],
    kings: [Square; 2],
}

impl PawnsAndKings {
    #[inline(always)]
    fn of(board: &Board) -> PawnsAndKings {
        let sides = [board.white(), board.black()];
        PawnsAndKings {
            pawns: sides.map(|side| board.pawns() & side),
            kings: sides.map(|side| (board.kings() & side).first().unwrap_or(Square::A1)),
        }
    }

    /// Both kings' mirrors as White's pieces see them.
    #[inline(always)]
    fn mirrors(&self) -> Mirrors {
        Mirrors::new::<true>(self.kings[0], self.kings[1])
    }

    /// Counts pawn features; they depend on pawns, and on the wings the kings are on.
    #[inline(always)]
    fn count_pawns<S: Sink>(&self, sink: &mut S) -> [Structure; 2] {
        let ([white, black], mirrors) = (self.pawns, self.mirrors());
        for pawn in white {
            pieces::place::<true, S>(PAWN, pawn, mirrors, sink);
        }
        for pawn in black {
            pieces::place::<false, S>(PAWN, pawn, mirrors.of_enemy(), sink);
        }
        [pawns::count::<true, S>(white, black, sink), pawns::count::<false, S>(black, white, sink)]
    }

    /// Counts a king and the pawns around it.
    #[inline(always)]
    fn count_king<const WHITE: bool, S: Sink>(&self, sink: &mut S) {
        let ([white, black], mirrors) = (self.pawns, self.mirrors());
        if WHITE {
            king::shelter::<WHITE, S>(self.kings[0], white, black, mirrors, sink);
        } else {
            king::shelter::<WHITE, S>(self.kings[1], black, white, mirrors.of_enemy(), sink);
        }
    }
}

/// Counts all features that depend on pawns and kings alone.
fn count_pawns_and_kings<S: Sink>(board: &Board, sink: &mut S) -> [Structure; 2] {
    let pawns_and_kings = PawnsAndKings::of(board);
    pawns_and_kings.count_king::<true, S>(sink);
    pawns_and_kings.count_king::<false, S>(sink);
    pawns_and_kings.count_pawns(sink)
}

fn trace(view: View<'_>) -> FeatureTrace {
    let mut trace = FeatureTrace::default();
    let structures = count_pawns_and_kings(view.board, &mut trace);
    count(view, structures, &mut trace);
    trace
}

/// Cost of king danger to its side, in quantisation units.
#[inline(always)]
fn cost_of_danger(danger: i32) -> MgEg {
    let danger = danger.clamp(0, DANGER_BOUND);
    MgEg::new((i64::from(danger) * i64::from(danger) / DANGER_SQUARE) as i32, danger / DANGER_LINE)
}

/// The total, including king danger and the hidden layer.
#[inline(always)]
fn total(sum: &Sum<'_>) -> MgEg {
    let Part { mut total, danger, units: accumulator } = sum.part;
    total -= cost_of_danger(danger[0]);
    total += cost_of_danger(danger[1]);
    let units = &sum.weights().units;
    total += accumulator.output(false, units);
    total -= accumulator.output(true, units);
    total
}

/// Tapering between middlegame and endgame, with endgame scaling.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
struct Taper {
    /// Of [`pst::FULL_PHASE`].
    phase: i32,
    /// Of [`scale::FULL`].
    scale: i32,
}

impl Taper {
    /// The taper of a board whose endgame sum is `endgame` in White's view.
    #[inline(always)]
    fn of(board: &Board, endgame: i32) -> Taper {
        Taper { phase: pst::phase(board), scale: scale::of(board, Color::from_white(endgame >= 0)) }
    }

    /// The tapered value in quantisation units times full phase and full scale.
    #[inline(always)]
    fn apply(self, sum: MgEg) -> i64 {
        let middlegame = i64::from(sum.middlegame()) * i64::from(self.phase * scale::FULL);
        let endgame = i64::from(sum.endgame()) * i64::from((pst::FULL_PHASE - self.phase) * self.scale);
        middlegame + endgame
    }

    /// The tapered value of fractional quantisation units, in centipawns.
    fn centipawns(self, [middlegame, endgame]: [f64; 2]) -> f64 {
        let phase = f64::from(self.phase) / f64::from(pst::FULL_PHASE);
        let scale = f64::from(self.scale) / f64::from(scale::FULL);
        (middlegame * phase + endgame * (1.0 - phase) * scale) / f64::from(QUANTISATION)
    }
}

/// Value of one centipawn in the units of [`Taper::apply`].
const TAPERED_CENTIPAWN: i64 = (QUANTISATION * pst::FULL_PHASE * scale::FULL) as i64;

#[inline(always)]
fn score(sum: MgEg, taper: Taper) -> Score {
    let centipawns = taper.apply(sum) / TAPERED_CENTIPAWN;
    Score::cp(centipawns.clamp(i64::from(-BOUND), i64::from(BOUND)) as i32)
}

impl Evaluate for FieldEval {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        let mut sum = Sum::new(&self.compiled);
        let structures = self.cache.get(view.board, &mut sum);
        count(view, structures, &mut sum);
        let total = total(&sum);
        score(total, Taper::of(view.board, total.endgame()))
    }

    fn explain(&self, view: View<'_>) -> Explanation {
        explain::explain(self, view)
    }
}

#[cfg(test)]
mod tests;
