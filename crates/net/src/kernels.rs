//! The arithmetic that takes the time: convolutions of 3×3 over boards, forwards and backwards.
//!
//! A board is 10×10 squares with a border of zeros, and a square is a row of channels, so that a convolution is nine matrix products whose
//! rows are neighbours: no copy is made first. Tiles of eight squares by some channels are summed in registers.
//!
//! The same source is compiled three times: for any processor, for AVX2 and for AVX-512, and the best one is chosen when the program runs.
//! Calling what is compiled for some processors only is the one thing here that is not safe Rust. Sums with fused operations are rounded
//! once instead of twice, so that processors of different kinds may differ in the last bits; the same processor always says the same.

use std::sync::OnceLock;

/// Squares of a rank.
const RANK: usize = 8;
/// Squares of a bordered rank.
const BORDERED: usize = 10;
/// Squares of a board with its border.
pub const BORDERED_SQUARES: usize = BORDERED * BORDERED;
/// Squares of a board.
pub const SQUARES: usize = RANK * RANK;
/// Places of a 3×3 window.
pub const TAPS: usize = 9;
/// Channels come in multiples of this.
pub const LANES: usize = 16;

/// What the processor can do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Level {
    /// Nothing that every processor of its kind cannot do.
    Any,
    /// 256 bits and fused operations.
    Avx2,
    /// 512 bits.
    Avx512,
}

/// The best level of this processor.
pub fn best_level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") {
                return Level::Avx512;
            }
            if is_x86_feature_detected!("avx2") && is_x86_feature_detected!("fma") {
                return Level::Avx2;
            }
        }
        Level::Any
    })
}

/// Where a square is on a bordered board.
pub const fn bordered(square: usize) -> usize {
    (square / RANK + 1) * BORDERED + square % RANK + 1
}

/// A convolution of one board: `out[square][co] = Σ weights[tap][ci][co] · input[square + tap][ci]`, with a bordered input and an output without border.
pub fn convolve(level: Level, input: &[f32], weights: &[f32], (cin, cout): (usize, usize), out: &mut [f32]) {
    assert_eq!(input.len(), BORDERED_SQUARES * cin);
    assert_eq!(weights.len(), TAPS * cin * cout);
    assert_eq!(out.len(), SQUARES * cout);
    assert_eq!(cout % LANES, 0);
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the level says that the processor has what the function was compiled for.
        #[allow(unsafe_code)]
        Level::Avx512 if best_level() == Level::Avx512 => unsafe {
            convolve_avx512(input, weights, cin, cout, out);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above; what has AVX-512 has AVX2 and fused operations.
        #[allow(unsafe_code)]
        Level::Avx2 if best_level() != Level::Any => unsafe { convolve_avx2(input, weights, cin, cout, out) },
        _ => convolve_body::<4, 8, false>(input, weights, cin, cout, out),
    }
}

/// What the weights of a convolution did to its error: `slopes[tap][ci][co] += Σ input[square + tap][ci] · error[square][co]`.
pub fn correlate(
    level: Level,
    input: &[f32],
    error: &[f32],
    (cin, cout): (usize, usize),
    slopes: &mut [f32],
) {
    assert_eq!(input.len(), BORDERED_SQUARES * cin);
    assert_eq!(error.len(), SQUARES * cout);
    assert_eq!(slopes.len(), TAPS * cin * cout);
    assert!(cin.is_multiple_of(LANES) && cout.is_multiple_of(LANES));
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the level says that the processor has what the function was compiled for.
        #[allow(unsafe_code)]
        Level::Avx512 if best_level() == Level::Avx512 => unsafe {
            correlate_avx512(input, error, cin, cout, slopes);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above; what has AVX-512 has AVX2 and fused operations.
        #[allow(unsafe_code)]
        Level::Avx2 if best_level() != Level::Any => unsafe {
            correlate_avx2(input, error, cin, cout, slopes);
        },
        _ => correlate_body::<4, 8, false>(input, error, cin, cout, slopes),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn convolve_avx512(input: &[f32], weights: &[f32], cin: usize, cout: usize, out: &mut [f32]) {
    if cout.is_multiple_of(32) {
        convolve_body::<8, 32, true>(input, weights, cin, cout, out);
    } else if cout.is_multiple_of(48) {
        convolve_body::<8, 48, true>(input, weights, cin, cout, out);
    } else {
        convolve_body::<8, 16, true>(input, weights, cin, cout, out);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn convolve_avx2(input: &[f32], weights: &[f32], cin: usize, cout: usize, out: &mut [f32]) {
    convolve_body::<4, 16, true>(input, weights, cin, cout, out);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx2,fma")]
fn correlate_avx512(input: &[f32], error: &[f32], cin: usize, cout: usize, slopes: &mut [f32]) {
    if cout.is_multiple_of(32) {
        correlate_body::<8, 32, true>(input, error, cin, cout, slopes);
    } else if cout.is_multiple_of(48) {
        correlate_body::<8, 48, true>(input, error, cin, cout, slopes);
    } else {
        correlate_body::<8, 16, true>(input, error, cin, cout, slopes);
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2,fma")]
fn correlate_avx2(input: &[f32], error: &[f32], cin: usize, cout: usize, slopes: &mut [f32]) {
    correlate_body::<4, 16, true>(input, error, cin, cout, slopes);
}

/// Where a tap looks, in squares of a bordered board from the square itself less one rank and one file.
const fn tap_offset(tap: usize) -> usize {
    tap / 3 * BORDERED + tap % 3
}

#[inline(always)]
fn fused<const FUSED: bool>(a: f32, b: f32, sum: f32) -> f32 {
    if FUSED { a.mul_add(b, sum) } else { a * b + sum }
}

#[inline(always)]
fn convolve_body<const P: usize, const N: usize, const FUSED: bool>(
    input: &[f32],
    weights: &[f32],
    cin: usize,
    cout: usize,
    out: &mut [f32],
) {
    for block in 0..cout / N {
        let co = block * N;
        for first in (0..SQUARES).step_by(P) {
            // The square one rank and one file before the first.
            let corner = bordered(first) - BORDERED - 1;
            let mut sums = [[0.0f32; N]; P];
            for tap in 0..TAPS {
                let start = (corner + tap_offset(tap)) * cin;
                let rows: [&[f32]; P] = std::array::from_fn(|p| &input[start + p * cin..][..cin]);
                let taps = &weights[tap * cin * cout..][..cin * cout];
                for ci in 0..cin {
                    let row: &[f32; N] =
                        taps[ci * cout + co..][..N].first_chunk().expect("the slice is N long");
                    for p in 0..P {
                        let x = rows[p][ci];
                        for j in 0..N {
                            sums[p][j] = fused::<FUSED>(x, row[j], sums[p][j]);
                        }
                    }
                }
            }
            for p in 0..P {
                out[(first + p) * cout + co..][..N].copy_from_slice(&sums[p]);
            }
        }
    }
}

#[inline(always)]
fn correlate_body<const P: usize, const N: usize, const FUSED: bool>(
    input: &[f32],
    error: &[f32],
    cin: usize,
    cout: usize,
    slopes: &mut [f32],
) {
    for tap in 0..TAPS {
        for block in 0..cout / N {
            let co = block * N;
            for ci in (0..cin).step_by(P) {
                let mut sums = [[0.0f32; N]; P];
                for rank in 0..RANK {
                    let start = (rank * BORDERED + tap_offset(tap)) * cin + ci;
                    // One row a channel, so that each of its numbers meets a whole vector of errors.
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
                    let row = &mut slopes[(tap * cin + ci + p) * cout + co..][..N];
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

    fn numbers(count: usize, random: &mut seed::Random) -> Vec<f32> {
        (0..count).map(|_| random.random_range(-1.0f32..1.0)).collect()
    }

    /// A bordered board of random numbers.
    fn board(channels: usize, random: &mut seed::Random) -> Vec<f32> {
        let mut board = vec![0.0; BORDERED_SQUARES * channels];
        for square in 0..SQUARES {
            board[bordered(square) * channels..][..channels].copy_from_slice(&numbers(channels, random));
        }
        board
    }

    fn close(a: &[f32], b: &[f32]) {
        for (a, b) in a.iter().zip(b) {
            assert!((a - b).abs() < 1e-3, "{a} and {b}");
        }
    }

    #[test]
    fn every_processor_convolves_as_the_definition_says() {
        let mut random = seed::random(1);
        for (cin, cout) in [(32, 16), (16, 32), (48, 48), (32, 64)] {
            let (input, weights) = (board(cin, &mut random), numbers(TAPS * cin * cout, &mut random));
            let mut expected = vec![0.0f32; SQUARES * cout];
            for square in 0..SQUARES {
                for tap in 0..TAPS {
                    let from =
                        (bordered(square) as i32 + (tap as i32 / 3 - 1) * 10 + tap as i32 % 3 - 1) as usize;
                    for ci in 0..cin {
                        for co in 0..cout {
                            expected[square * cout + co] +=
                                input[from * cin + ci] * weights[(tap * cin + ci) * cout + co];
                        }
                    }
                }
            }
            for level in [Level::Any, Level::Avx2, Level::Avx512] {
                let mut out = vec![0.0; SQUARES * cout];
                convolve(level, &input, &weights, (cin, cout), &mut out);
                close(&out, &expected);
            }
        }
    }

    #[test]
    fn every_processor_correlates_as_the_definition_says() {
        let mut random = seed::random(2);
        for (cin, cout) in [(32, 16), (16, 32), (48, 48)] {
            let (input, error) = (board(cin, &mut random), numbers(SQUARES * cout, &mut random));
            let mut expected = vec![1.0f32; TAPS * cin * cout];
            for tap in 0..TAPS {
                for square in 0..SQUARES {
                    let from =
                        (bordered(square) as i32 + (tap as i32 / 3 - 1) * 10 + tap as i32 % 3 - 1) as usize;
                    for ci in 0..cin {
                        for co in 0..cout {
                            expected[(tap * cin + ci) * cout + co] +=
                                input[from * cin + ci] * error[square * cout + co];
                        }
                    }
                }
            }
            for level in [Level::Any, Level::Avx2, Level::Avx512] {
                let mut slopes = vec![1.0; TAPS * cin * cout];
                correlate(level, &input, &error, (cin, cout), &mut slopes);
                close(&slopes, &expected);
            }
        }
    }
}
