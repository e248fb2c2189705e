//! Options: the kernels, and the extensions of seed 000 §10.

use std::str::FromStr;

/// Where the weights in the kernels come from.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum Kernels {
    /// The seed's text.
    #[default]
    Doc,
    /// The public code behind the seed.
    Code,
}

/// The last move in which opening terms count. Seed 000 §3.4 says both "the first 15 moves" and t < 15.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum OpeningMoves {
    /// t < 15, as the formula has it.
    #[default]
    Fourteen,
    /// The first fifteen moves, as the sentence has it.
    Fifteen,
}

impl OpeningMoves {
    /// Whether opening terms count at a full-move number.
    #[inline]
    pub(super) fn include(self, move_number: u32) -> bool {
        move_number <= if self == OpeningMoves::Fifteen { 15 } else { 14 }
    }
}

/// Where enemy pawns keep a pawn from being passed, on its own file and those beside it.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash)]
pub enum PassedPawns {
    /// None strictly ahead: the usual definition.
    #[default]
    NoneAhead,
    /// None ahead and none on its own rank: the sum of seed 000 §3.5.1 as printed, which includes row r.
    NoneBeside,
}

/// How the evaluation is built. By default: the seed's text, and no extension.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Options {
    pub kernels: Kernels,
    /// Several kernel sizes at once (§10.2).
    pub multiscale: Option<Scales>,
    /// Attention to the strongest fields (§10.3).
    pub attention: bool,
    /// Kernels that change with the phase of the game (§10.4).
    pub phase: bool,
    pub opening_moves: OpeningMoves,
    pub passed_pawns: PassedPawns,
}

/// Weights of the kernel sizes 3, 5, 7 and 9 (the seed's α). They sum to one, so that a scale shifts influence
/// between near and far and leaves its size alone.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Scales {
    alphas: [f64; Scales::SIZES.len()],
}

/// Why kernel sizes or their weights cannot be used.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ScalesError {
    /// A size that is none of [`Scales::SIZES`], or is given twice.
    #[error("\"{0}\" cannot be a kernel size here; each of 3, 5, 7 and 9 may be named once")]
    Size(String),
    #[error(
        "kernel sizes cannot have the weights {0:?}; no weight may be negative, and at least one must be above zero"
    )]
    Weights([f64; Scales::SIZES.len()]),
}

impl Scales {
    /// Widths of the kernels.
    pub const SIZES: [usize; 4] = [3, 5, 7, 9];

    /// Sizes with weights of their own, in the order of [`Scales::SIZES`]; only their proportions matter.
    pub fn weighted(alphas: [f64; Scales::SIZES.len()]) -> Result<Scales, ScalesError> {
        let sum: f64 = alphas.iter().sum();
        if alphas.iter().any(|alpha| !alpha.is_finite() || *alpha < 0.0) || sum <= 0.0 || !sum.is_finite() {
            return Err(ScalesError::Weights(alphas));
        }
        Ok(Scales { alphas: alphas.map(|alpha| alpha / sum) })
    }

    /// Sizes with equal weights.
    pub fn equal(sizes: &[usize]) -> Result<Scales, ScalesError> {
        let mut alphas = [0.0; Scales::SIZES.len()];
        for &size in sizes {
            match Scales::SIZES.iter().position(|&known| known == size) {
                Some(index) if alphas[index] == 0.0 => alphas[index] = 1.0,
                _ => return Err(ScalesError::Size(size.to_string())),
            }
        }
        Scales::weighted(alphas)
    }

    /// The weights, in the order of [`Scales::SIZES`].
    pub fn alphas(&self) -> [f64; Scales::SIZES.len()] {
        self.alphas
    }

    /// The share of an influence that remains at a distance: the total weight of all kernels wide enough for it.
    pub(super) fn share(&self, distance: usize) -> f64 {
        let reaches = |&(size, _): &(usize, f64)| (size - 1) / 2 >= distance;
        // The neighbours are in every kernel; summing the weights would give slightly less than one.
        if Scales::SIZES.iter().all(|&size| (size - 1) / 2 >= distance) {
            return 1.0;
        }
        Scales::SIZES.into_iter().zip(self.alphas).filter(reaches).map(|(_, alpha)| alpha).sum()
    }
}

impl Default for Scales {
    /// All four sizes, equally.
    fn default() -> Scales {
        Scales { alphas: [1.0 / Scales::SIZES.len() as f64; Scales::SIZES.len()] }
    }
}

/// Reads sizes with equal weights, as agent specs write them: `3,5,7,9`.
impl FromStr for Scales {
    type Err = ScalesError;

    fn from_str(text: &str) -> Result<Scales, ScalesError> {
        let read = |size: &str| size.trim().parse().map_err(|_| ScalesError::Size(size.trim().to_owned()));
        let sizes: Vec<usize> = text.split(',').map(read).collect::<Result<_, _>>()?;
        Scales::equal(&sizes)
    }
}

#[cfg(test)]
mod tests {
    #![expect(clippy::float_cmp, reason = "quarters and halves are exact")]

    use super::*;

    #[test]
    fn sizes_are_read_as_specs_write_them() {
        assert_eq!("3,5,7,9".parse(), Ok(Scales::default()));
        assert_eq!("9, 3".parse::<Scales>().unwrap().alphas(), [0.5, 0.0, 0.0, 0.5]);
    }

    #[test]
    fn other_sizes_are_refused_with_what_would_be_right() {
        for text in ["4", "", "3,3", "three", "11"] {
            let error = text.parse::<Scales>().unwrap_err().to_string();
            assert!(error.contains(&format!("{:?}", text.split(',').next_back().unwrap())), "{error}");
            assert!(error.contains("3, 5, 7 and 9"), "{error}");
        }
        assert!(Scales::equal(&[]).is_err());
    }

    #[test]
    fn weights_count_by_proportion() {
        assert_eq!(Scales::weighted([2.0, 1.0, 1.0, 0.0]).unwrap().alphas(), [0.5, 0.25, 0.25, 0.0]);
        for bad in [[0.0; 4], [1.0, -1.0, 1.0, 1.0], [f64::NAN; 4], [f64::MAX; 4]] {
            assert!(Scales::weighted(bad).is_err(), "{bad:?}");
        }
    }

    #[test]
    fn less_is_left_of_influence_the_further_it_reaches() {
        let shares: Vec<f64> = (0..8).map(|distance| Scales::default().share(distance)).collect();
        assert_eq!(shares, [1.0, 1.0, 0.75, 0.5, 0.25, 0.0, 0.0, 0.0]);
    }
}
