//! The arithmetic that takes the time: rows of `i16` added and subtracted, and the output layer.
//!
//! Each function exists in portable Rust and for some instruction sets of x86-64; the best one is chosen when the program
//! runs. All arithmetic is on integers with wrapping sums, so that every version gives the same bits. Other processors
//! (NEON) use the portable version, which compilers vectorise.
//!
//! Calling what is compiled for some processors only, and loading vectors, are the two things here that are not safe
//! Rust. Loads are from arrays of a fixed size that are aligned to 64 bytes.

use std::fmt;
use std::sync::OnceLock;

use super::features::Seen;

/// A row of numbers, one for each of a side's hidden units, aligned for vectors. Their number is a multiple of 64, which
/// every vector here divides.
#[derive(Clone, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Row<const N: usize>(pub [i16; N]);

impl<const N: usize> Default for Row<N> {
    fn default() -> Row<N> {
        Row([0; N])
    }
}

impl<const N: usize> fmt::Debug for Row<N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(&self.0[..4]).finish_non_exhaustive()
    }
}

/// Rows that lie in these bytes; none where they cannot, because the bytes are no whole number of rows, are not aligned
/// or have another order than the processor's.
pub fn rows<const N: usize>(bytes: &[u8]) -> Option<&[Row<N>]> {
    const { assert!(size_of::<Row<N>>() == 2 * N) };
    let is_possible = cfg!(target_endian = "little")
        && bytes.as_ptr().addr().is_multiple_of(align_of::<Row<N>>())
        && bytes.len().is_multiple_of(size_of::<Row<N>>());
    // SAFETY: the bytes are aligned and a whole number of rows, and any bytes are a row's numbers.
    #[allow(unsafe_code)]
    is_possible.then(|| unsafe {
        std::slice::from_raw_parts(bytes.as_ptr().cast(), bytes.len() / size_of::<Row<N>>())
    })
}

/// Where units saturate.
const SATURATED: i16 = super::QA as i16;
/// The largest output weight: a unit times its weight fits 16 bits, and the sum of 256 units 32.
pub const LARGEST_OUTPUT: i16 = 127;
/// Units whose sum fits 32 bits, whatever the weights are. Longer rows are summed in two halves.
const SUMMED: usize = 256;
const _: () = assert!(SATURATED as i64 * LARGEST_OUTPUT as i64 <= i16::MAX as i64);
const _: () =
    assert!(SATURATED as i64 * SATURATED as i64 * LARGEST_OUTPUT as i64 * SUMMED as i64 <= i32::MAX as i64);

/// Checks, when compiled, that rows have a length that the functions here can do.
const fn check_length<const N: usize>() {
    assert!(N.is_multiple_of(64) && N <= 2 * SUMMED, "rows of this length are not supported");
}

/// What the processor can do, from least to most.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Level {
    /// Nothing that every processor of its kind cannot do.
    Portable,
    Avx2,
    /// AVX-512 with instructions for 16-bit numbers.
    Avx512,
}

/// The best level of this processor.
pub fn best_level() -> Level {
    static LEVEL: OnceLock<Level> = OnceLock::new();
    *LEVEL.get_or_init(|| {
        #[cfg(target_arch = "x86_64")]
        {
            if is_x86_feature_detected!("avx512f") && is_x86_feature_detected!("avx512bw") {
                return Level::Avx512;
            }
            if is_x86_feature_detected!("avx2") {
                return Level::Avx2;
            }
        }
        Level::Portable
    })
}

/// `out = from + Σ table[plus] − Σ table[minus]`, with inputs as a side sees them. The level must not be above
/// [`best_level`], which is checked where levels are chosen.
#[inline]
pub fn update<const N: usize>(
    level: Level,
    out: &mut Row<N>,
    from: &Row<N>,
    table: &[Row<N>],
    seen: Seen,
    plus: &[u16],
    minus: &[u16],
) {
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has what the function was compiled for.
        #[allow(unsafe_code)]
        Level::Avx512 if best_level() == Level::Avx512 => unsafe {
            update_avx512(out, from, table, seen, plus, minus);
        },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above; what has AVX-512 has AVX2.
        #[allow(unsafe_code)]
        Level::Avx2 if best_level() >= Level::Avx2 => unsafe {
            update_avx2(out, from, table, seen, plus, minus);
        },
        _ => update_body(out, from, table, seen, plus, minus),
    }
}

/// The output layer of one side: squared clipped units times weights. Weights are at most [`LARGEST_OUTPUT`].
#[inline]
pub fn dot<const N: usize>(level: Level, units: &Row<N>, weights: &Row<N>) -> i64 {
    const { check_length::<N>() };
    match level {
        #[cfg(target_arch = "x86_64")]
        // SAFETY: the processor has what the function was compiled for.
        #[allow(unsafe_code)]
        Level::Avx512 if best_level() == Level::Avx512 => unsafe { dot_avx512(units, weights) },
        #[cfg(target_arch = "x86_64")]
        // SAFETY: as above; what has AVX-512 has AVX2.
        #[allow(unsafe_code)]
        Level::Avx2 if best_level() >= Level::Avx2 => unsafe { dot_avx2(units, weights) },
        _ => dot_body(units, weights),
    }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
fn update_avx512<const N: usize>(
    out: &mut Row<N>,
    from: &Row<N>,
    table: &[Row<N>],
    seen: Seen,
    plus: &[u16],
    minus: &[u16],
) {
    update_body(out, from, table, seen, plus, minus);
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
fn update_avx2<const N: usize>(
    out: &mut Row<N>,
    from: &Row<N>,
    table: &[Row<N>],
    seen: Seen,
    plus: &[u16],
    minus: &[u16],
) {
    update_body(out, from, table, seen, plus, minus);
}

/// A quiet move, a capture, castling and two moves at once go in one pass over the row; whatever else, four rows a pass.
#[inline(always)]
fn update_body<const N: usize>(
    out: &mut Row<N>,
    from: &Row<N>,
    table: &[Row<N>],
    seen: Seen,
    plus: &[u16],
    minus: &[u16],
) {
    let row = |input: u16| &table[seen.index(input)];
    match (plus, minus) {
        (&[a], &[x]) => pass(out, from, [row(a)], [row(x)]),
        (&[a], &[x, y]) => pass(out, from, [row(a)], [row(x), row(y)]),
        (&[a, b], &[x, y]) => pass(out, from, [row(a), row(b)], [row(x), row(y)]),
        (&[a, b], &[x, y, ..]) => {
            pass(out, from, [row(a), row(b)], [row(x), row(y)]);
            minus[2..].iter().for_each(|&more| add(out, [], [row(more)]));
        }
        _ => {
            out.0 = from.0;
            let mut quads = plus.chunks_exact(4);
            for quad in quads.by_ref() {
                add(out, [row(quad[0]), row(quad[1]), row(quad[2]), row(quad[3])], []);
            }
            quads.remainder().iter().for_each(|&one| add(out, [row(one)], []));
            let mut pairs = minus.chunks_exact(2);
            for pair in pairs.by_ref() {
                add(out, [], [row(pair[0]), row(pair[1])]);
            }
            pairs.remainder().iter().for_each(|&one| add(out, [], [row(one)]));
        }
    }
}

/// One pass: `out = from + Σ plus − Σ minus`.
#[inline(always)]
fn pass<const N: usize, const P: usize, const M: usize>(
    out: &mut Row<N>,
    from: &Row<N>,
    plus: [&Row<N>; P],
    minus: [&Row<N>; M],
) {
    for (i, (out, from)) in out.0.iter_mut().zip(&from.0).enumerate() {
        let gained = plus.iter().fold(*from, |sum, row| sum.wrapping_add(row.0[i]));
        *out = minus.iter().fold(gained, |sum, row| sum.wrapping_sub(row.0[i]));
    }
}

/// One pass in place: `out += Σ plus − Σ minus`.
#[inline(always)]
fn add<const N: usize, const P: usize, const M: usize>(
    out: &mut Row<N>,
    plus: [&Row<N>; P],
    minus: [&Row<N>; M],
) {
    for (i, out) in out.0.iter_mut().enumerate() {
        let gained = plus.iter().fold(*out, |sum, row| sum.wrapping_add(row.0[i]));
        *out = minus.iter().fold(gained, |sum, row| sum.wrapping_sub(row.0[i]));
    }
}

#[inline(always)]
fn dot_body<const N: usize>(units: &Row<N>, weights: &Row<N>) -> i64 {
    let halves = units.0.chunks(SUMMED).zip(weights.0.chunks(SUMMED));
    let sums = halves.map(|(units, weights)| {
        let mut sum = 0_i32;
        for (unit, weight) in units.iter().zip(weights) {
            let unit = (*unit).clamp(0, SATURATED);
            // The product fits 16 bits, see LARGEST_OUTPUT.
            let weighed = unit.wrapping_mul(*weight);
            sum = sum.wrapping_add(i32::from(weighed) * i32::from(unit));
        }
        i64::from(sum)
    });
    sums.sum()
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
#[allow(unsafe_code)]
#[allow(clippy::cast_ptr_alignment, reason = "rows are aligned to 64 bytes, and steps are of 32")]
fn dot_avx2<const N: usize>(units: &Row<N>, weights: &Row<N>) -> i64 {
    use std::arch::x86_64::{
        __m256i, _mm_add_epi32, _mm_cvtsi128_si32, _mm_shuffle_epi32, _mm256_add_epi32,
        _mm256_castsi256_si128, _mm256_extracti128_si256, _mm256_load_si256, _mm256_madd_epi16,
        _mm256_max_epi16, _mm256_min_epi16, _mm256_mullo_epi16, _mm256_set1_epi16, _mm256_setzero_si256,
    };
    const STEP: usize = 16;
    let (zero, full) = (_mm256_setzero_si256(), _mm256_set1_epi16(SATURATED));
    let mut sums = [zero; 2];
    for at in (0..N).step_by(2 * STEP) {
        for (half, sum) in sums.iter_mut().enumerate() {
            let at = at + half * STEP;
            // SAFETY: a row has N numbers, of which `at` and the 15 after it are some, and begins at a multiple of 64
            // bytes.
            let (unit, weight) = unsafe {
                (
                    _mm256_load_si256(units.0.as_ptr().add(at).cast::<__m256i>()),
                    _mm256_load_si256(weights.0.as_ptr().add(at).cast::<__m256i>()),
                )
            };
            let unit = _mm256_min_epi16(_mm256_max_epi16(unit, zero), full);
            let products = _mm256_madd_epi16(_mm256_mullo_epi16(unit, weight), unit);
            *sum = _mm256_add_epi32(*sum, products);
        }
    }
    let total = |sum: __m256i| {
        let four = _mm_add_epi32(_mm256_castsi256_si128(sum), _mm256_extracti128_si256::<1>(sum));
        let two = _mm_add_epi32(four, _mm_shuffle_epi32::<0b01_00_11_10>(four));
        i64::from(_mm_cvtsi128_si32(_mm_add_epi32(two, _mm_shuffle_epi32::<0b10_11_00_01>(two))))
    };
    if N <= SUMMED { total(_mm256_add_epi32(sums[0], sums[1])) } else { total(sums[0]) + total(sums[1]) }
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx512f,avx512bw")]
#[allow(unsafe_code)]
#[allow(clippy::cast_ptr_alignment, reason = "rows are aligned to 64 bytes, and steps are of 64")]
fn dot_avx512<const N: usize>(units: &Row<N>, weights: &Row<N>) -> i64 {
    use std::arch::x86_64::{
        __m512i, _mm512_add_epi32, _mm512_load_si512, _mm512_madd_epi16, _mm512_max_epi16, _mm512_min_epi16,
        _mm512_mullo_epi16, _mm512_reduce_add_epi32, _mm512_set1_epi16, _mm512_setzero_si512,
    };
    const STEP: usize = 32;
    let (zero, full) = (_mm512_setzero_si512(), _mm512_set1_epi16(SATURATED));
    let mut sums = [zero; 2];
    for at in (0..N).step_by(2 * STEP) {
        for (half, sum) in sums.iter_mut().enumerate() {
            let at = at + half * STEP;
            // SAFETY: a row has N numbers, of which `at` and the 31 after it are some, and begins at a multiple of 64
            // bytes.
            let (unit, weight) = unsafe {
                (
                    _mm512_load_si512(units.0.as_ptr().add(at).cast::<__m512i>()),
                    _mm512_load_si512(weights.0.as_ptr().add(at).cast::<__m512i>()),
                )
            };
            let unit = _mm512_min_epi16(_mm512_max_epi16(unit, zero), full);
            let products = _mm512_madd_epi16(_mm512_mullo_epi16(unit, weight), unit);
            *sum = _mm512_add_epi32(*sum, products);
        }
    }
    let total = |sum: __m512i| i64::from(_mm512_reduce_add_epi32(sum));
    if N <= SUMMED { total(_mm512_add_epi32(sums[0], sums[1])) } else { total(sums[0]) + total(sums[1]) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use shakmaty::Color;
    use tabia_core::seed::derive;

    const SEEN: Seen = Seen { side: Color::White, flip: 0 };
    const LEVELS: [Level; 3] = [Level::Portable, Level::Avx2, Level::Avx512];

    fn row<const N: usize>(seed: u64, bound: i16) -> Row<N> {
        let number = |i| ((derive(seed, i as u64) % (2 * bound as u64 + 1)) as i32 - i32::from(bound)) as i16;
        Row(std::array::from_fn(number))
    }

    fn check_levels<const N: usize>(seed: u64, plus: usize, minus: usize) {
        let table: Vec<Row<N>> = (0..20).map(|number| row(derive(seed, number), 1_000)).collect();
        let chosen = |count: usize, salt: u64| -> Vec<u16> {
            (0..count as u64).map(|i| (derive(seed ^ salt, i) % 20) as u16).collect()
        };
        let (plus, minus) = (chosen(plus, 1), chosen(minus, 2));
        let (from, weights) = (row::<N>(seed, 20_000), row::<N>(!seed, LARGEST_OUTPUT));
        let plain: Vec<i16> = (0..N)
            .map(|i| {
                let add = |sum: i16, rows: &[u16], sign: i16| {
                    rows.iter().fold(sum, |sum, r| sum.wrapping_add(sign * table[usize::from(*r)].0[i]))
                };
                add(add(from.0[i], &plus, 1), &minus, -1)
            })
            .collect();
        let exact: i64 = plain
            .iter()
            .zip(&weights.0)
            .map(|(unit, weight)| i64::from((*unit).clamp(0, 255)).pow(2) * i64::from(*weight))
            .sum();
        for level in LEVELS.into_iter().filter(|level| *level <= best_level()) {
            let mut out = Row::default();
            update(level, &mut out, &from, &table, SEEN, &plus, &minus);
            assert_eq!(&out.0[..], &plain[..], "{level:?}");
            assert_eq!(dot(level, &out, &weights), exact, "{level:?}");
        }
    }

    proptest! {
        #[test]
        fn every_level_gives_the_same_bits(seed: u64, plus in 0usize..9, minus in 0usize..9) {
            check_levels::<256>(seed, plus, minus);
            check_levels::<384>(seed, plus, minus);
            check_levels::<512>(seed, plus, minus);
        }
    }

    fn check_largest<const N: usize>() {
        let units = Row([i16::MAX; N]);
        for (weight, sign) in [(LARGEST_OUTPUT, 1), (-LARGEST_OUTPUT, -1)] {
            let expected = sign * 255 * 255 * i64::from(LARGEST_OUTPUT) * N as i64;
            for level in LEVELS {
                assert_eq!(dot(level, &units, &Row([weight; N])), expected, "{level:?}");
            }
        }
        let low = Row([i16::MIN; N]);
        assert_eq!(dot(best_level(), &low, &Row([LARGEST_OUTPUT; N])), 0);
    }

    #[test]
    fn the_largest_numbers_do_not_overflow() {
        check_largest::<256>();
        check_largest::<384>();
        check_largest::<512>();
    }
}
