//! An efficiently updatable neural network (NNUE) whose score is exactly the sum of what each piece is worth.
//!
//! ```text
//! 768 inputs per side ──► 512 units per side ──► squared clipped ReLU ──► [side to move, other side] ──► 1 of 8 outputs
//! ```
//!
//! An input is a piece on a square, as one side sees it: its own pieces first, ranks counted from its own first rank,
//! and files mirrored where its king stands on files a to d. Both sides use the same input weights. The output is chosen
//! by the number of pieces on the board.
//!
//! A network may have 256, 384 or 512 units per side, and several tables of input weights, chosen by the square of the
//! side's own king (king buckets, [`features::KingBuckets`]). Its file says so; the shipped one has 512 and four tables.
//!
//! The input layer is never computed as a whole: a move changes two to four inputs, so that the sums of a position
//! follow from those of one shortly before it by adding and subtracting rows of weights ([`stack`]). With SCReLU the
//! output can be taken apart exactly by inputs (`explain`). Weights come from a file ([`mod@file`]); `tabia tune --eval
//! nnue` trains them.
//!
//! Everything is integers: input weights in units of 1/[`QA`], output weights in units of 1/[`QB`]. Sums do not depend
//! on order or on the processor: [`kernels`] has the same arithmetic for several instruction sets.

mod base64;
mod explain;
pub mod features;
pub mod file;
pub mod kernels;
mod short_form;
pub mod stack;

use std::borrow::Cow;
use std::sync::{Arc, LazyLock};

use shakmaty::{Board, Color};
use tabia_core::Score;

use crate::evaluate::Evaluate;
use crate::explain::Explanation;
use crate::view::View;

use features::{INPUTS, KingBuckets, Perspective};
use kernels::{Level, Row};
use stack::Stack;

/// Hidden units per side that networks can have; the code is compiled for each.
pub const HIDDEN_SIZES: [usize; 3] = [256, 384, 512];
/// Outputs, chosen by the number of pieces.
pub const BUCKETS: usize = 8;
/// Where a unit saturates; input weights and hidden biases are in units of 1/QA.
pub const QA: i32 = 255;
/// Output weights are in units of 1/QB. Fine enough: half of them are below 1/16, and in units of 1/64 rounding them
/// cost 4% of the loss.
pub const QB: i32 = 256;
/// Centipawns of an output of 1.
pub const SCALE: i32 = 400;
/// No position is worth more than this, in centipawns.
const BOUND: i64 = 20_000;
/// What an output of 1 is in the units of sums.
const ONE: i64 = QA as i64 * QA as i64 * QB as i64;

/// What networks may differ in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Shape {
    /// Hidden units per side, one of [`HIDDEN_SIZES`].
    pub hidden: usize,
    pub kings: KingBuckets,
}

impl Default for Shape {
    fn default() -> Shape {
        Shape { hidden: HIDDEN_SIZES[0], kings: KingBuckets::default() }
    }
}

impl Shape {
    /// Rows of input weights, of all king buckets.
    pub fn inputs(&self) -> usize {
        self.kings.count() * INPUTS
    }

    /// Input weights, hidden biases and output weights.
    pub fn small_numbers(&self) -> usize {
        (self.inputs() + 1 + 2 * BUCKETS) * self.hidden
    }
}

/// The numbers of a network with `N` hidden units per side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Weights<const N: usize> {
    pub(crate) kings: KingBuckets,
    /// A row of units for every input, one king bucket after another. Those of the shipped network lie in the program.
    pub(crate) inputs: Cow<'static, [Row<N>]>,
    pub(crate) hidden_bias: Row<N>,
    /// For every bucket: the side to move's units, then the other side's.
    pub(crate) outputs: Vec<[Row<N>; 2]>,
    /// In units of 1 / (QA² · QB).
    pub(crate) output_bias: [i32; BUCKETS],
    note: String,
}

/// A network of any shape. Copies share its numbers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Network {
    H256(Arc<Weights<256>>),
    H384(Arc<Weights<384>>),
    H512(Arc<Weights<512>>),
}

/// The same expression for every size of an enum with a variant for each.
macro_rules! for_any_size {
    ($of:ident, $value:expr, $bound:ident => $expression:expr) => {
        match $value {
            $of::H256($bound) => $expression,
            $of::H384($bound) => $expression,
            $of::H512($bound) => $expression,
        }
    };
}

/// The [`Network`] with this number of hidden units; `None` if there is none, or if the expression has no weights.
macro_rules! network_of_size {
    ($hidden:expr, $weights:expr) => {
        match $hidden {
            256 => $weights.map(Arc::new).map(Network::H256),
            384 => $weights.map(Arc::new).map(Network::H384),
            512 => $weights.map(Arc::new).map(Network::H512),
            _ => None,
        }
    };
}

impl Network {
    /// From numbers in the order of the [`mod@file`]: input weights, hidden biases and output weights, then output
    /// biases. `None` if they are too many or too few, or if there is no such number of hidden units.
    pub fn from_numbers(
        shape: &Shape,
        small: &[i16],
        output_bias: [i32; BUCKETS],
        note: String,
    ) -> Option<Network> {
        let kings = shape.kings.clone();
        network_of_size!(shape.hidden, Weights::from_numbers(kings, small, output_bias, note))
    }

    /// From numbers in the same order that lie in the program, where they stay. `None` if they are too many or too few,
    /// or if rows cannot lie there.
    fn in_place(
        shape: &Shape,
        small: &'static [u8],
        output_bias: [i32; BUCKETS],
        note: String,
    ) -> Option<Network> {
        let kings = shape.kings.clone();
        network_of_size!(shape.hidden, Weights::in_place(kings, small, output_bias, note))
    }

    /// Its numbers, in the same order.
    pub fn numbers(&self) -> (Vec<i16>, [i32; BUCKETS]) {
        for_any_size!(Network, self, weights => weights.numbers())
    }

    pub fn shape(&self) -> Shape {
        for_any_size!(Network, self, weights => weights.shape())
    }

    /// Where it comes from.
    pub fn note(&self) -> &str {
        for_any_size!(Network, self, weights => &weights.note)
    }
}

/// The output for a number of pieces.
#[inline]
fn output_bucket(pieces: usize) -> usize {
    (pieces.saturating_sub(2) / 4).min(BUCKETS - 1)
}

impl<const N: usize> Weights<N> {
    fn from_numbers(
        kings: KingBuckets,
        small: &[i16],
        output_bias: [i32; BUCKETS],
        note: String,
    ) -> Option<Weights<N>> {
        let (rows, rest) = small.as_chunks::<N>();
        let (inputs, others) = rows.split_at_checked(kings.count() * INPUTS)?;
        let [inputs, others] = [inputs, others].map(|rows| rows.iter().copied().map(Row).collect::<Vec<_>>());
        let weights = Weights::from_rows(kings, Cow::Owned(inputs), &others, output_bias, note);
        weights.filter(|_| rest.is_empty())
    }

    fn in_place(
        kings: KingBuckets,
        small: &'static [u8],
        output_bias: [i32; BUCKETS],
        note: String,
    ) -> Option<Weights<N>> {
        let (inputs, others) = kernels::rows(small)?.split_at_checked(kings.count() * INPUTS)?;
        Weights::from_rows(kings, Cow::Borrowed(inputs), others, output_bias, note)
    }

    /// From rows of input weights, and those that follow.
    fn from_rows(
        kings: KingBuckets,
        inputs: Cow<'static, [Row<N>]>,
        others: &[Row<N>],
        output_bias: [i32; BUCKETS],
        note: String,
    ) -> Option<Weights<N>> {
        let (hidden_bias, outputs) = others.split_first()?;
        let (outputs, rest) = outputs.as_chunks::<2>();
        let exact = outputs.len() == BUCKETS && rest.is_empty();
        let (hidden_bias, outputs) = (hidden_bias.clone(), outputs.to_vec());
        exact.then_some(Weights { kings, inputs, hidden_bias, outputs, output_bias, note })
    }

    fn numbers(&self) -> (Vec<i16>, [i32; BUCKETS]) {
        let rows = self.inputs.iter().chain([&self.hidden_bias]).chain(self.outputs.iter().flatten());
        (rows.flat_map(|row| row.0).collect(), self.output_bias)
    }

    fn shape(&self) -> Shape {
        Shape { hidden: N, kings: self.kings.clone() }
    }

    /// The input weights of a king bucket.
    #[inline]
    fn bucket(&self, perspective: Perspective) -> &[Row<N>] {
        &self.inputs[perspective.first_input()..][..INPUTS]
    }

    /// The units of a side, computed from nothing.
    fn refreshed(&self, board: &Board, side: Color) -> Row<N> {
        let mut units = self.hidden_bias.clone();
        let perspective = self.kings.perspective(board, side);
        for (square, piece) in board {
            let row = &self.inputs[perspective.index(side, piece, square)];
            for (unit, weight) in units.0.iter_mut().zip(&row.0) {
                *unit = unit.wrapping_add(*weight);
            }
        }
        units
    }

    /// The output for the side to move, in units of 1 / (QA² · QB).
    #[inline]
    fn output(&self, level: Level, [own, other]: [&Row<N>; 2], bucket: usize) -> i64 {
        let [own_weights, other_weights] = &self.outputs[bucket];
        let own = kernels::dot(level, own, own_weights);
        let other = kernels::dot(level, other, other_weights);
        own + other + i64::from(self.output_bias[bucket])
    }
}

/// Centipawns of an output.
#[inline]
fn centipawns(output: i64) -> i32 {
    (output * i64::from(SCALE) / ONE).clamp(-BOUND, BOUND) as i32
}

/// A network with the sums of a line of play.
#[derive(Clone, Debug)]
struct Player<const N: usize> {
    weights: Arc<Weights<N>>,
    stack: Stack<N>,
}

impl<const N: usize> Player<N> {
    fn new(weights: Arc<Weights<N>>) -> Player<N> {
        Player { weights, stack: Stack::default() }
    }

    #[inline]
    fn relative(&mut self, level: Level, view: View<'_>) -> Score {
        let [white, black] = self.stack.units(&self.weights, level, view.board);
        let sides = view.turn.fold_wb([white, black], [black, white]);
        let bucket = output_bucket(view.board.occupied().count());
        Score::cp(centipawns(self.weights.output(level, sides, bucket)))
    }
}

#[derive(Clone, Debug)]
enum AnyPlayer {
    H256(Player<256>),
    H384(Player<384>),
    H512(Player<512>),
}

/// The evaluation by a network.
#[derive(Clone, Debug)]
pub struct Nnue {
    level: Level,
    player: AnyPlayer,
}

static SHIPPED: LazyLock<Network> =
    LazyLock::new(|| file::shipped().expect("the shipped weights are tested"));

impl Default for Nnue {
    fn default() -> Nnue {
        Nnue::new(SHIPPED.clone())
    }
}

impl Nnue {
    /// With another network than the shipped one.
    pub fn new(network: Network) -> Nnue {
        let player = match network {
            Network::H256(weights) => AnyPlayer::H256(Player::new(weights)),
            Network::H384(weights) => AnyPlayer::H384(Player::new(weights)),
            Network::H512(weights) => AnyPlayer::H512(Player::new(weights)),
        };
        Nnue { level: kernels::best_level(), player }
    }

    /// The same on other instructions, if the processor has them: slower, with the same scores.
    #[must_use]
    pub fn at_level(self, level: Level) -> Nnue {
        Nnue { level: level.min(kernels::best_level()), ..self }
    }

    pub fn network(&self) -> Network {
        match &self.player {
            AnyPlayer::H256(player) => Network::H256(Arc::clone(&player.weights)),
            AnyPlayer::H384(player) => Network::H384(Arc::clone(&player.weights)),
            AnyPlayer::H512(player) => Network::H512(Arc::clone(&player.weights)),
        }
    }
}

impl Evaluate for Nnue {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        let score = self.relative(view);
        view.turn.fold_wb(score, -score)
    }

    #[inline]
    fn relative(&mut self, view: View<'_>) -> Score {
        let level = self.level;
        for_any_size!(AnyPlayer, &mut self.player, player => player.relative(level, view))
    }

    fn explain(&self, view: View<'_>) -> Explanation {
        for_any_size!(AnyPlayer, &self.player, player => explain::explain(&player.weights, view))
    }

    #[inline]
    fn push(&mut self) {
        for_any_size!(AnyPlayer, &mut self.player, player => player.stack.push());
    }

    #[inline]
    fn pop(&mut self) {
        for_any_size!(AnyPlayer, &mut self.player, player => player.stack.pop());
    }

    fn restart(&mut self) {
        for_any_size!(AnyPlayer, &mut self.player, player => player.stack.restart());
    }
}

const _: () = assert!(INPUTS == 2 * 6 * 64);

#[cfg(test)]
mod tests;
