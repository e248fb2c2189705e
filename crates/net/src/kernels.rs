//! 3×3 convolutions over boards, forward and backward: where the time goes.
//!
//! A board is 10×10 squares with zero padding, and a square is a row of channels. A convolution is then nine matrix products over
//! neighbouring rows, without an im2col copy. Tiles of eight squares by some channels are summed in registers, one tap after another
//! for all boards of a batch, so that a tap's weights are read from the first-level cache.
//!
//! The same source is compiled three times, portable, for AVX2 and for AVX-512, and dispatched at run time. Calling a
//! `target_feature` function is the only unsafe code here. Fused multiply-add rounds once instead of twice, so processors with
//! different instruction sets may differ in the last bits; the same processor always gives the same result.

use std::sync::OnceLock;

const RANK: usize = 8;
const PADDED: usize = 10;
/// Squares of a padded board.
pub const PADDED_SQUARES: usize = PADDED * PADDED;
/// Squares of a board.
pub const SQUARES: usize = RANK * RANK;
/// Taps of a 3×3 kernel.
pub const TAPS: usize = 9;
/// Channels must be a multiple of this.
pub const LANES: usize = 16;

/// SIMD instruction sets with a kernel of their own.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum SimdLevel {
    /// The target's baseline.
    Portable,
    /// AVX2 and FMA.
    Avx2,
    /// AVX-512F.
    Avx512,
}

/// The best instruction set of this processor.
pub fn detect() -> SimdLevel {
    static LEVEL: OnceLock<SimdLevel> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return SimdLevel::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return SimdLevel::Avx2;
            }
        }
        SimdLevel::Portable
    })
}

/// Index of a square on a padded board.
pub const fn padded_square(square: usize) -> usize {
    (square / RANK + 1) * PADDED + square % RANK + 1
}

/// The weights of a 3×3 convolution, packed for an instruction set.
///
/// Output channels are divided into blocks of a tile's width, and a block's weights lie one after another, `[block][tap][ci][co]`: what
/// one tap needs is then contiguous and stays in the first-level cache while it is applied to all boards of a batch.
#[derive(Clone, Debug)]
pub struct Kernel {
    level: SimdLevel,
    cin: usize,
    cout: usize,
    packed: Vec<f32>,
}

impl Kernel {
    /// Packs weights `[tap][ci][co]`.
    pub fn new(level: SimdLevel, weights: &[f32], (cin, cout): (usize, usize)) -> Kernel {
        assert_eq!(weights.len(), TAPS * cin * cout);
        assert_eq!(cout % LANES, 0);
        let level = available(level);
        let width = tile_width(level, cout);
        let mut packed = Vec::with_capacity(weights.len());
        for co in (0..cout).step_by(width) {
            for row in weights.chunks_exact(cout) {
                packed.extend_from_slice(&row[co..co + width]);
            }
        }
        Kernel { level, cin, cout, packed }
    }

    /// Convolution of a batch of boards: `out[square][co] = Σ weights[tap][ci][co] · input[square + tap][ci]` for each, with padded
    /// inputs and outputs without padding. Every board's sums are added in the same order whatever the size of the batch.
    pub fn convolve(&self, boards: &[f32], out: &mut [f32]) {
        let (cin, cout) = (self.cin, self.cout);
        assert_eq!(boards.len() / (PADDED_SQUARES * cin), out.len() / (SQUARES * cout));
        assert!(
            boards.len().is_multiple_of(PADDED_SQUARES * cin) && out.len().is_multiple_of(SQUARES * cout)
        );
        match self.level {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: `available` found the instructions that the function is compiled for.
            #[allow(unsafe_code)]
            SimdLevel::Avx512 => unsafe { convolve_avx512(boards, &self.packed, cin, cout, out) },
            #[cfg(target_arch = "x86_64")]
            // SAFETY: as above; AVX-512 implies AVX2 and FMA.
            #[allow(unsafe_code)]
            SimdLevel::Avx2 => unsafe { convolve_avx2(boards, &self.packed, cin, cout, out) },
            #[cfg(not(target_arch = "x86_64"))]
            SimdLevel::Avx512 | SimdLevel::Avx2 => {
                convolve_body::<4, 8, false>(boards, &self.packed, cin, cout, out)
            }
            SimdLevel::Portable => convolve_body::<4, 8, false>(boards, &self.packed, cin, cout, out),
        }
    }
}

/// The level itself, or what this processor has instead.
fn available(level: SimdLevel) -> SimdLevel {
    match (level, detect()) {
        (SimdLevel::Avx512, SimdLevel::Avx512) => SimdLevel::Avx512,
        (SimdLevel::Avx2, SimdLevel::Avx512 | SimdLevel::Avx2) => SimdLevel::Avx2,
        _ => SimdLevel::Portable,
    }
}

/// Output channels of a tile.
fn tile_width(level: SimdLevel, cout: usize) -> usize {
    match level {
        SimdLevel::Avx512 if cout.is_multiple_of(32) => 32,
        SimdLevel::Avx512 if cout.is_multiple_of(48) => 48,
        SimdLevel::Avx512 | SimdLevel::Avx2 => 16,
        SimdLevel::Portable => 8,
    }
}

/// Gradient of a convolution's weights: `gradients[tap][ci][co] += Σ input[square + tap][ci] · error[square][co]`.
pub fn weight_gradient(
    level: SimdLevel,
    input: &[f32],
    error: &[f32],
    (cin, cout): (usize, usize),
    gradients: &mut [f32],
) {
    assert_eq!(input.len(), PADDED_SQUARES * cin);
    assert_eq!(error.len(), SQUARES * cout);
    assert_eq!(gradients.len(), TAPS * cin * cout);
    assert!(cin.is_multiple_of(LANES) && cout.is_multiple_of(LANES));
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: `detect` found the instructions that the function is compiled for.
        #[allow(unsafe_code)]
        SimdLevel::Avx512 if detect() == SimdLevel::Avx512 => unsafe {
            weight_gradient_avx512(input, error, cin, cout, gradients);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above; AVX-512 implies AVX2 and FMA.
        #[allow(unsafe_code)]
        SimdLevel::Avx2 if detect() != SimdLevel::Portable => unsafe {
            weight_gradient_avx2(input, error, cin, cout, gradients);
        },
        _ => weight_gradient_body::<4, 8, false>(input, error, cin, cout, gradients),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn convolve_avx512(boards: &[f32], packed: &[f32], cin: usize, cout: usize, out: &mut [f32]) {
    match tile_width(SimdLevel::Avx512, cout) {
        32 => convolve_body::<8, 32, true>(boards, packed, cin, cout, out),
        48 => convolve_body::<8, 48, true>(boards, packed, cin, cout, out),
        _ => convolve_body::<8, 16, true>(boards, packed, cin, cout, out),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn convolve_avx2(boards: &[f32], packed: &[f32], cin: usize, cout: usize, out: &mut [f32]) {
    convolve_body::<4, 16, true>(boards, packed, cin, cout, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn weight_gradient_avx512(input: &[f32], error: &[f32], cin: usize, cout: usize, gradients: &mut [f32]) {
    if cout.is_multiple_of(32) {
        weight_gradient_body::<8, 32, true>(input, error, cin, cout, gradients);
    } else if cout.is_multiple_of(48) {
        weight_gradient_body::<8, 48, true>(input, error, cin, cout, gradients);
    } else {
        weight_gradient_body::<8, 16, true>(input, error, cin, cout, gradients);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn weight_gradient_avx2(input: &[f32], error: &[f32], cin: usize, cout: usize, gradients: &mut [f32]) {
    weight_gradient_body::<4, 16, true>(input, error, cin, cout, gradients);
}

/// Offset of a tap on a padded board, from the square one rank and one file before.
const fn tap_offset(tap: usize) -> usize {
    tap / 3 * PADDED + tap % 3
}

#[inline(always)]
fn fused<const FUSED: bool>(a: f32, b: f32, sum: f32) -> f32 {
    if FUSED { a.mul_add(b, sum) } else { a * b + sum }
}

#[inline(always)]
fn convolve_body<const P: usize, const N: usize, const FUSED: bool>(
    boards: &[f32],
    packed: &[f32],
    cin: usize,
    cout: usize,
    out: &mut [f32],
) {
    for (block, weights) in packed.chunks_exact(TAPS * cin * N).enumerate() {
        let co = block * N;
        for (tap, weights) in weights.chunks_exact(cin * N).enumerate() {
            let pairs = boards.chunks_exact(PADDED_SQUARES * cin).zip(out.chunks_exact_mut(SQUARES * cout));
            for (board, out) in pairs {
                for first in (0..SQUARES).step_by(P) {
                    // From the square one rank and one file before the first.
                    let start = (padded_square(first) - PADDED - 1 + tap_offset(tap)) * cin;
                    let rows: [&[f32]; P] = std::array::from_fn(|p| &board[start + p * cin..][..cin]);
                    let mut sums = [[0.0f32; N]; P];
                    if tap > 0 {
                        for p in 0..P {
                            sums[p].copy_from_slice(&out[(first + p) * cout + co..][..N]);
                        }
                    }
                    for (ci, row) in weights.chunks_exact(N).enumerate() {
                        let row: &[f32; N] = row.first_chunk().expect("the slice is N long");
                        for p in 0..P {
                            let x = rows[p][ci];
                            for j in 0..N {
                                sums[p][j] = fused::<FUSED>(x, row[j], sums[p][j]);
                            }
                        }
                    }
                    for p in 0..P {
                        out[(first + p) * cout + co..][..N].copy_from_slice(&sums[p]);
                    }
                }
            }
        }
    }
}

#[inline(always)]
fn weight_gradient_body<const P: usize, const N: usize, const FUSED: bool>(
    input: &[f32],
    error: &[f32],
    cin: usize,
    cout: usize,
    gradients: &mut [f32],
) {
    for tap in 0..TAPS {
        for block in 0..cout / N {
            let co = block * N;
            for ci in (0..cin).step_by(P) {
                let mut sums = [[0.0f32; N]; P];
                for rank in 0..RANK {
                    let start = (rank * PADDED + tap_offset(tap)) * cin + ci;
                    // One row per channel, so that each value is multiplied with a whole vector of errors.
                    let rows: [&[f32]; P] = std::array::from_fn(|p| &input[start + p..][..=(RANK - 1) * cin]);
                    for file in 0..RANK {
                        let y: &[f32; N] = error[(rank * RANK + file) * cout + co..][..N]
                            .first_chunk()
                            .expect("the slice is N long");
                        for p in 0..P {
                            let x = rows[p][file * cin];
                            for j in 0..N {
                                sums[p][j] = fused::<FUSED>(x, y[j], sums[p][j]);
                            }
                        }
                    }
                }
                for p in 0..P {
                    let row = &mut gradients[(tap * cin + ci + p) * cout + co..][..N];
                    for j in 0..N {
                        row[j] += sums[p][j];
                    }
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use tabia_core::seed;

    fn numbers(count: usize, rng: &mut seed::Random) -> Vec<f32> {
        (0..count).map(|_| rng.random_range(-1.0f32..1.0)).collect()
    }

    /// A padded board of rng numbers.
    fn board(channels: usize, rng: &mut seed::Random) -> Vec<f32> {
        let mut board = vec![0.0; PADDED_SQUARES * channels];
        for square in 0..SQUARES {
            board[padded_square(square) * channels..][..channels].copy_from_slice(&numbers(channels, rng));
        }
        board
    }

    fn close(a: &[f32], b: &[f32]) {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-3, "{a} and {b}");
        }
    }

    #[test]
    fn every_instruction_set_convolves_as_defined() {
        let mut rng = seed::random(1);
        for (cin, cout) in [(32, 16), (16, 32), (48, 48), (32, 64)] {
            let (input, weights) = (board(cin, &mut rng), numbers(TAPS * cin * cout, &mut rng));
            let mut expected = vec![0.0f32; SQUARES * cout];
            for square in 0..SQUARES {
                for tap in 0..TAPS {
                    let from = (padded_square(square) as i32 + (tap as i32 / 3 - 1) * 10 + tap as i32 % 3 - 1)
                        as usize;
                    for ci in 0..cin {
                        for co in 0..cout {
                            expected[square * cout + co] +=
                                input[from * cin + ci] * weights[(tap * cin + ci) * cout + co];
                        }
                    }
                }
            }
            for level in [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512] {
                let kernel = Kernel::new(level, &weights, (cin, cout));
                let mut out = vec![0.0; SQUARES * cout];
                kernel.convolve(&input, &mut out);
                close(&out, &expected);
                // A batch is its boards, bit for bit.
                let other = board(cin, &mut rng);
                let mut alone = vec![0.0; SQUARES * cout];
                kernel.convolve(&other, &mut alone);
                let mut both = vec![0.0; 2 * SQUARES * cout];
                kernel.convolve(&[&*input, &*other].concat(), &mut both);
                assert_eq!(both, [out, alone].concat());
            }
        }
    }

    #[test]
    fn every_instruction_set_computes_weight_gradients_as_defined() {
        let mut rng = seed::random(2);
        for (cin, cout) in [(32, 16), (16, 32), (48, 48)] {
            let (input, error) = (board(cin, &mut rng), numbers(SQUARES * cout, &mut rng));
            let mut expected = vec![1.0f32; TAPS * cin * cout];
            for tap in 0..TAPS {
                for square in 0..SQUARES {
                    let from = (padded_square(square) as i32 + (tap as i32 / 3 - 1) * 10 + tap as i32 % 3 - 1)
                        as usize;
                    for ci in 0..cin {
                        for co in 0..cout {
                            expected[(tap * cin + ci) * cout + co] +=
                                input[from * cin + ci] * error[square * cout + co];
                        }
                    }
                }
            }
            for level in [SimdLevel::Portable, SimdLevel::Avx2, SimdLevel::Avx512] {
                let mut gradients = vec![1.0; TAPS * cin * cout];
                weight_gradient(level, &input, &error, (cin, cout), &mut gradients);
                close(&gradients, &expected);
            }
        }
    }
}
