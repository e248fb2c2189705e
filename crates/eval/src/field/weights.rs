//! The weights as learned (centipawns), and quantised for play.

use std::ops::{AddAssign, Mul, SubAssign};

use shakmaty::Bitboard;

use super::groups::{self, danger};
use super::hidden_layer::{self, Row};
use super::joint;
use crate::view::half_board;

/// Quantisation units per centipawn.
pub const QUANTISATION: i32 = 16;

/// Number of parameters: two per feature, one per input of danger, and those of the hidden layer.
pub const PARAMETERS: usize = HIDDEN_LAYER + hidden_layer::COUNT;
/// Index of the first parameter of the hidden layer.
pub const HIDDEN_LAYER: usize = 2 * groups::COUNT + danger::COUNT;

/// Weights as learned, in centipawns.
#[derive(Clone, Debug, PartialEq)]
pub struct Weights {
    /// Middlegame and endgame weight of each feature.
    pub linear: Vec<[f64; 2]>,
    /// Weight of each input of king danger, in points.
    pub danger: Vec<f64>,
    /// Parameters of the hidden layer, laid out as [`hidden_layer`] says.
    pub hidden_layer: Vec<f64>,
}

impl Weights {
    /// Initial weights: material, and a rough guess of king danger. Danger must start above zero somewhere, because the
    /// squared clipped sum has no gradient at zero.
    pub fn initial() -> Weights {
        const MATERIAL: [f64; 5] = [100.0, 320.0, 330.0, 500.0, 950.0];
        let mut linear = vec![[0.0; 2]; groups::COUNT];
        for (role, worth) in MATERIAL.into_iter().enumerate() {
            linear[groups::MATERIAL + role] = [worth; 2];
        }
        let mut inputs = vec![0.0; danger::COUNT];
        for (input, points) in [
            (danger::ATTACKERS, 8.0),
            (danger::ATTACKERS + 1, 6.0),
            (danger::ATTACKERS + 2, 8.0),
            (danger::ATTACKERS + 3, 8.0),
            (danger::RING_ATTACKS, 6.0),
            (danger::RING_WEAK, 10.0),
            (danger::SAFE_CHECK, 20.0),
            (danger::SAFE_CHECK + 1, 15.0),
            (danger::SAFE_CHECK + 2, 25.0),
            (danger::SAFE_CHECK + 3, 20.0),
            (danger::CHECK, 4.0),
            (danger::NO_QUEEN, -40.0),
            (danger::FLANK_ATTACKS, 1.0),
            (danger::FLANK_DEFENCE, -1.0),
        ] {
            inputs[input] = points;
        }
        Weights { linear, danger: inputs, hidden_layer: hidden_layer::initial() }
    }

    /// All parameters in one list: middlegame and endgame weight of each feature, then danger, then the hidden layer.
    pub fn parameters(&self) -> Vec<f64> {
        self.linear.iter().flatten().chain(&self.danger).chain(&self.hidden_layer).copied().collect()
    }

    /// From such a list; `None` if the length is wrong.
    pub fn from_parameters(parameters: &[f64]) -> Option<Weights> {
        if parameters.len() != PARAMETERS {
            return None;
        }
        let (linear, others) = parameters.split_at(2 * groups::COUNT);
        let (danger, hidden_layer) = others.split_at(danger::COUNT);
        Some(Weights {
            linear: linear.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect(),
            danger: danger.to_vec(),
            hidden_layer: hidden_layer.to_vec(),
        })
    }
}

/// A middlegame and an endgame value in quantisation units, packed into one `i64` so that one addition adds both.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq)]
pub struct MgEg(i64);

impl MgEg {
    pub const fn new(middlegame: i32, endgame: i32) -> MgEg {
        MgEg(((endgame as i64) << 32) + middlegame as i64)
    }

    pub const fn middlegame(self) -> i32 {
        self.0 as i32
    }

    pub const fn endgame(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }
}

impl AddAssign for MgEg {
    #[inline(always)]
    fn add_assign(&mut self, other: MgEg) {
        self.0 += other.0;
    }
}

impl SubAssign for MgEg {
    #[inline(always)]
    fn sub_assign(&mut self, other: MgEg) {
        self.0 -= other.0;
    }
}

impl Mul<i32> for MgEg {
    type Output = MgEg;
    #[inline(always)]
    fn mul(self, count: i32) -> MgEg {
        MgEg(self.0 * i64::from(count))
    }
}

/// Rounds centipawns to quantisation units.
pub(super) fn quantise(number: f64) -> i32 {
    (number * f64::from(QUANTISATION)).round() as i32
}

/// Control kernels: controlled by pawns, controlled by pieces alone, contested.
const KERNELS: usize = 3;

/// Quantised weights, and precomputed sums of kernels over ranks.
#[derive(Clone, Debug)]
pub struct Compiled {
    pub linear: Vec<MgEg>,
    /// Linear values with their weights to the hidden layer, where they have some; then the precomputed sums of `joint`.
    pub rows: Box<[Row; joint::ROWS]>,
    /// Biases and output weights of the hidden layer.
    pub units: hidden_layer::Units,
    /// Quantisation units per input of danger.
    pub danger: [i32; danger::COUNT],
    /// For each kernel and rank, the sum over any set of that rank's squares.
    ranks: Vec<[[MgEg; 256]; 8]>,
}

impl Compiled {
    /// Quantises weights.
    pub fn new(weights: &Weights) -> Compiled {
        let pair = |weight: &[f64; 2]| MgEg::new(quantise(weight[0]), quantise(weight[1]));
        let linear: Vec<MgEg> = weights.linear.iter().map(pair).collect();
        let mut danger = [0; danger::COUNT];
        for (compiled, weight) in danger.iter_mut().zip(&weights.danger) {
            *compiled = quantise(*weight);
        }
        let mut ranks = vec![[[MgEg::default(); 256]; 8]; KERNELS];
        for (kernel, ranks) in ranks.iter_mut().enumerate() {
            for (rank, sums) in ranks.iter_mut().enumerate() {
                for (bits, sum) in sums.iter_mut().enumerate() {
                    for square in Bitboard((bits as u64) << (8 * rank)) {
                        *sum += linear[groups::CONTROL + kernel * 32 + half_board(square)];
                    }
                }
            }
        }
        let (features, units) = hidden_layer::compiled(&linear, &weights.hidden_layer);
        let rows = joint::rows(&features, &linear);
        Compiled { linear, rows, units, danger, ranks }
    }

    /// The sum of a kernel over a set of squares, in White's view. `first` is the kernel's first feature.
    #[inline(always)]
    pub(super) fn kernel_sum(&self, first: usize, set: Bitboard) -> MgEg {
        let ranks = &self.ranks[(first - groups::CONTROL) / 32];
        let mut sum = MgEg::default();
        for (rank, bits) in set.0.to_le_bytes().into_iter().enumerate() {
            sum += ranks[rank][usize::from(bits)];
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn sums_of_pairs_are_pairs_of_sums(
            a in -500_000i32..500_000, b in -500_000i32..500_000, c in -500_000i32..500_000,
            d in -500_000i32..500_000, n in -40i32..40,
        ) {
            let mut sum = MgEg::new(a, b);
            sum += MgEg::new(c, d) * n;
            prop_assert_eq!((sum.middlegame(), sum.endgame()), (a + c * n, b + d * n));
        }
    }

    #[test]
    fn parameters_are_weights_in_a_row() {
        let weights = Weights::initial();
        assert_eq!(weights.parameters().len(), PARAMETERS);
        assert_eq!(Weights::from_parameters(&weights.parameters()), Some(weights));
        assert_eq!(Weights::from_parameters(&[1.0]), None);
    }
}
