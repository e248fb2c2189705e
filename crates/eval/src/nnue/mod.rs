//! An efficiently updatable neural network (NNUE) whose score is exactly the sum of what each piece is worth.
//!
//! ```text
//! 768 inputs per side ──► 256 units per side ──► squared clipped ReLU ──► [side to move, other side] ──► 1 of 8 outputs
//! ```
//!
//! An input is a piece on a square, as one side sees it: its own pieces first, ranks counted from its own first rank,
//! and files mirrored where its king stands on files a to d. Both sides use the same input weights. The output is chosen
//! by the number of pieces on the board.
//!
//! The input layer is never computed as a whole: a move changes two to four inputs, so that the sums of a position
//! follow from those of one shortly before it by adding and subtracting rows of weights ([`stack`]). With SCReLU the
//! output can be taken apart exactly by inputs (`explain`). Weights come from a file ([`mod@file`]); `tabia tune --eval
//! nnue` trains them.
//!
//! Everything is integers: input weights in units of 1/[`QA`], output weights in units of 1/[`QB`]. Sums do not depend
//! on order or on the processor: [`kernels`] has the same arithmetic for several instruction sets.

mod explain;
pub mod features;
pub mod file;
pub mod kernels;
pub mod stack;

use std::sync::{Arc, LazyLock};

use shakmaty::{Board, Color};
use tabia_core::Score;

use crate::evaluate::Evaluate;
use crate::explain::Explanation;
use crate::view::View;

use features::INPUTS;
use kernels::{Level, Row};
use stack::Stack;

/// Hidden units per side.
pub const HIDDEN: usize = kernels::LANES;
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

/// The numbers of a network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    /// A row of units for every input.
    pub(crate) inputs: Vec<Row>,
    pub(crate) hidden_bias: Row,
    /// For every bucket: the side to move's units, then the other side's.
    pub(crate) outputs: Vec<[Row; 2]>,
    /// In units of 1 / (QA² · QB).
    pub(crate) output_bias: [i32; BUCKETS],
    /// Where it comes from.
    pub note: String,
}

impl Network {
    /// From numbers in the order of the [`mod@file`]: input weights, hidden biases and output weights, then output biases. None
    /// if they are too many or too few.
    pub fn from_numbers(small: &[i16], output_bias: [i32; BUCKETS], note: String) -> Option<Network> {
        let mut rows = small.chunks_exact(HIDDEN).map(|chunk| {
            let mut row = Row::default();
            row.0.copy_from_slice(chunk);
            row
        });
        let inputs: Vec<Row> = rows.by_ref().take(INPUTS).collect();
        let hidden_bias = rows.next()?;
        let outputs = (0..BUCKETS).map(|_| Some([rows.next()?, rows.next()?])).collect::<Option<_>>()?;
        let exact = small.len().is_multiple_of(HIDDEN) && rows.next().is_none();
        exact.then_some(Network { inputs, hidden_bias, outputs, output_bias, note })
    }

    /// Its numbers, in the same order.
    pub fn numbers(&self) -> (Vec<i16>, [i32; BUCKETS]) {
        let rows = self.inputs.iter().chain([&self.hidden_bias]).chain(self.outputs.iter().flatten());
        (rows.flat_map(|row| row.0).collect(), self.output_bias)
    }

    /// The output for a number of pieces.
    #[inline]
    fn bucket(pieces: usize) -> usize {
        (pieces.saturating_sub(2) / 4).min(BUCKETS - 1)
    }

    /// The units of a side, computed from nothing.
    fn refreshed(&self, board: &Board, side: Color) -> Row {
        let mut units = self.hidden_bias.clone();
        let flip = features::flip(board, side);
        for (square, piece) in board {
            let row = &self.inputs[features::index(side, flip, piece, square)];
            for (unit, weight) in units.0.iter_mut().zip(&row.0) {
                *unit = unit.wrapping_add(*weight);
            }
        }
        units
    }

    /// The output for the side to move, in units of 1 / (QA² · QB).
    #[inline]
    fn output(&self, level: Level, [own, other]: [&Row; 2], bucket: usize) -> i64 {
        let [own_weights, other_weights] = &self.outputs[bucket];
        let own = kernels::dot(level, own, own_weights);
        let other = kernels::dot(level, other, other_weights);
        i64::from(own) + i64::from(other) + i64::from(self.output_bias[bucket])
    }
}

/// Centipawns of an output.
#[inline]
fn centipawns(output: i64) -> i32 {
    (output * i64::from(SCALE) / ONE).clamp(-BOUND, BOUND) as i32
}

/// The evaluation by a network.
#[derive(Clone, Debug)]
pub struct Nnue {
    network: Arc<Network>,
    level: Level,
    stack: Stack,
}

static SHIPPED: LazyLock<Arc<Network>> = LazyLock::new(|| {
    Arc::new(file::read(include_str!("weights.nnue")).expect("the shipped weights are tested"))
});

impl Default for Nnue {
    fn default() -> Nnue {
        Nnue::from_shared(Arc::clone(&SHIPPED))
    }
}

impl Nnue {
    /// With another network than the shipped one.
    pub fn new(network: Network) -> Nnue {
        Nnue::from_shared(Arc::new(network))
    }

    fn from_shared(network: Arc<Network>) -> Nnue {
        Nnue { network, level: kernels::best_level(), stack: Stack::default() }
    }

    /// The same on other instructions, if the processor has them: slower, with the same scores.
    #[must_use]
    pub fn at_level(self, level: Level) -> Nnue {
        Nnue { level: level.min(kernels::best_level()), ..self }
    }

    pub fn network(&self) -> &Network {
        &self.network
    }
}

impl Evaluate for Nnue {
    fn evaluate(&mut self, view: View<'_>) -> Score {
        let score = self.relative(view);
        view.turn.fold_wb(score, -score)
    }

    #[inline]
    fn relative(&mut self, view: View<'_>) -> Score {
        let [white, black] = self.stack.units(&self.network, self.level, view.board);
        let sides = view.turn.fold_wb([white, black], [black, white]);
        let bucket = Network::bucket(view.board.occupied().count());
        Score::cp(centipawns(self.network.output(self.level, sides, bucket)))
    }

    fn explain(&self, view: View<'_>) -> Explanation {
        explain::explain(&self.network, view)
    }

    #[inline]
    fn push(&mut self) {
        self.stack.push();
    }

    #[inline]
    fn pop(&mut self) {
        self.stack.pop();
    }

    fn restart(&mut self) {
        self.stack.restart();
    }
}

const _: () = assert!(INPUTS == 2 * 6 * 64);

#[cfg(test)]
mod tests;
