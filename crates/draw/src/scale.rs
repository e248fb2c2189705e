//! Colour scales.
//!
//! Orange is White's, blue is Black's, zero is almost white. The two are distinguishable with every kind of colour
//! blindness, because they differ in blue against yellow more than in red against green; and as they have equal lightness
//! and chroma, neither side looks stronger than it is. A field of both signs goes from blue to orange (a diverging
//! scale). A field of one sign has half of that: orange, or blue where it is Black's or negative.
//!
//! Comparable fields (the same unit, and both of one sign or both of two) share one scale, so that the same colour means
//! the same number on every board of a picture.

use shakmaty::Square;
use tabia_eval::Field;

use crate::color::{Oklab, Rgb};
use crate::numbers;

/// Lightness, chroma and hue of the ends.
const END_LIGHTNESS: f64 = 0.68;
const END_CHROMA: f64 = 0.155;
const WHITE_HUE: f64 = 60.0;
const BLACK_HUE: f64 = 252.0;

const ZERO_LIGHTNESS: f64 = 0.975;

/// How far a dark square is mixed towards black; small beside the field's colour.
const SHADE: f64 = 0.04;

/// The side that a colour stands for.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Pole {
    /// Orange.
    White,
    /// Blue.
    Black,
}

impl Pole {
    /// Its colour at a fraction of full strength.
    fn color(self, share: f64) -> Oklab {
        let hue = match self {
            Pole::White => WHITE_HUE,
            Pole::Black => BLACK_HUE,
        };
        let nothing = Oklab { lightness: ZERO_LIGHTNESS, a: 0.0, b: 0.0 };
        nothing.mix(Oklab::from_polar(END_LIGHTNESS, END_CHROMA, hue), share)
    }
}

/// Maps numbers to colours: from `low` over zero to `high`.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Scale {
    /// At most zero.
    pub low: f64,
    /// At least zero.
    pub high: f64,
    /// The side whose colour positive numbers have; negative ones are Black's.
    pub above: Pole,
}

impl Scale {
    /// The scale of a single field.
    pub fn of(field: &Field) -> Scale {
        Scale::reaching(field, largest(field))
    }

    fn reaching(field: &Field, largest: f64) -> Scale {
        let limit = round_up(largest);
        let (negative, positive) = signs(field);
        let low = if negative { -limit } else { 0.0 };
        let high = if positive || !negative { limit } else { 0.0 };
        let above = if !negative && is_blacks(&field.name) { Pole::Black } else { Pole::White };
        Scale { low, high, above }
    }

    pub fn is_diverging(&self) -> bool {
        self.low < 0.0 && self.high > 0.0
    }

    /// The colour of a number, clamped to the ends.
    pub fn color(&self, value: f64) -> Rgb {
        self.mixed(value).to_rgb()
    }

    /// The same, slightly darker on a dark square, so that the board stays visible under the field.
    pub fn on_square(&self, value: f64, square: Square) -> Rgb {
        let color = self.mixed(value);
        if square.is_dark() { shaded(color).to_rgb() } else { color.to_rgb() }
    }

    fn mixed(&self, value: f64) -> Oklab {
        let (pole, end) = if value < 0.0 { (Pole::Black, self.low) } else { (self.above, self.high) };
        let share = value / end;
        // Zero, or not a number: neutral.
        let share = if share.is_finite() { share.clamp(0.0, 1.0) } else { 0.0 };
        pole.color(share)
    }

    /// A number as written on a square, with no more digits than the scale needs.
    pub fn label(&self, value: f64) -> String {
        numbers::on_square(value, self.high.max(-self.low))
    }

    /// Labels of the ends: the numbers, and the sides where the scale is diverging.
    pub fn ends(&self) -> (String, String) {
        if self.is_diverging() {
            (format!("Black {}", numbers::short(self.low)), format!("{} White", numbers::signed(self.high)))
        } else {
            (numbers::short(self.low), numbers::short(self.high))
        }
    }

    /// The numbers of a legend, in order: the ends, zero, and the midpoints.
    pub fn ticks(&self) -> Vec<f64> {
        let halves = |end: f64| [end / 2.0, end];
        let below = halves(self.low).into_iter().rev().filter(|_| self.low < 0.0);
        let above = halves(self.high).into_iter().filter(|_| self.high > 0.0);
        below.chain([0.0]).chain(above).collect()
    }
}

fn shaded(color: Oklab) -> Oklab {
    color.mix(Oklab { lightness: 0.0, a: 0.0, b: 0.0 }, SHADE)
}

/// The number of a field on a square.
pub fn value(field: &Field, square: Square) -> f64 {
    field.values[7 - square.rank() as usize][square.file() as usize]
}

/// A scale for each of several fields, shared by comparable ones.
pub fn scales(fields: &[&Field]) -> Vec<Scale> {
    let kind = |field: &Field| (field.unit.clone(), signs(field) == (true, true));
    fields
        .iter()
        .map(|field| {
            let comparable = fields.iter().filter(|other| kind(other) == kind(field));
            Scale::reaching(field, comparable.map(|other| largest(other)).fold(0.0, f64::max))
        })
        .collect()
}

/// Whether there are negative and positive numbers.
fn signs(field: &Field) -> (bool, bool) {
    let values = || field.values.iter().flatten();
    (values().any(|value| *value < 0.0), values().any(|value| *value > 0.0))
}

fn largest(field: &Field) -> f64 {
    let sizes = field.values.iter().flatten().map(|value| value.abs());
    sizes.filter(|size| size.is_finite()).fold(0.0, f64::max)
}

fn is_blacks(name: &str) -> bool {
    name.split(|c: char| !c.is_alphanumeric()).any(|word| word.eq_ignore_ascii_case("black"))
}

/// The next round number whose half is round too; one for zero.
fn round_up(value: f64) -> f64 {
    const SHORT: [f64; 10] = [1.0, 1.2, 1.6, 2.0, 2.4, 3.0, 4.0, 5.0, 6.0, 8.0];
    if value <= 0.0 {
        return 1.0;
    }
    let exponent = value.log10().floor() as i32;
    // Division, not multiplication: 3 / 10 is 0.3, and 3 * 0.1 is slightly more.
    let scaled = |short: f64| match exponent {
        0.. => short * 10f64.powi(exponent),
        _ => short / 10f64.powi(-exponent),
    };
    SHORT.into_iter().chain([10.0]).map(scaled).find(|limit| *limit >= value).unwrap_or(value)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn field(name: &str, unit: &str, corner: f64, other: f64) -> Field {
        let mut values = [[0.0; 8]; 8];
        (values[0][0], values[7][7]) = (corner, other);
        Field { name: name.to_owned(), unit: unit.to_owned(), values }
    }

    #[test]
    fn both_ends_are_shown_by_every_screen() {
        for pole in [Pole::White, Pole::Black] {
            for step in 0..=10 {
                let color = pole.color(f64::from(step) / 10.0);
                for light in [color.to_linear(), shaded(color).to_linear()] {
                    assert!(light.iter().all(|part| (0.0..=1.0).contains(part)), "{pole:?} {step} {light:?}");
                }
            }
        }
    }

    proptest! {
        #[test]
        fn opposite_numbers_are_equally_strong_colours(share in 0.0..=1.0f64) {
            let (white, black) = (Pole::White.color(share), Pole::Black.color(share));
            prop_assert!((white.lightness - black.lightness).abs() < 1e-12);
            prop_assert!((white.a.hypot(white.b) - black.a.hypot(black.b)).abs() < 1e-12);
        }

        #[test]
        fn a_limit_is_near_and_never_below(value in 1e-6..1e6f64) {
            let limit = round_up(value);
            prop_assert!(limit >= value * (1.0 - 1e-6) && limit < value * 1.4, "{value} {limit}");
        }
    }

    #[test]
    fn more_is_darker_and_nothing_is_neutral() {
        let scale = Scale { low: -10.0, high: 10.0, above: Pole::White };
        let brightness = |value| {
            let Rgb { red, green, blue } = scale.color(value);
            u32::from(red) + u32::from(green) + u32::from(blue)
        };
        for side in [1.0, -1.0] {
            let steps: Vec<u32> = (0..=10).map(|value| brightness(side * f64::from(value))).collect();
            assert!(steps.is_sorted_by(|less, more| less > more), "{steps:?}");
        }
        let Rgb { red, green, blue } = scale.color(0.0);
        assert!(red == green && green == blue);
        assert_eq!(scale.color(f64::NAN), scale.color(0.0));
        assert_eq!(scale.color(99.0), scale.color(10.0));
    }

    #[test]
    fn a_field_of_one_sign_has_half_the_scale_in_the_colour_of_its_side() {
        let white = Scale::of(&field("white attack", "influence", 7.0, 0.0));
        assert_eq!(white, Scale { low: 0.0, high: 8.0, above: Pole::White });
        let black = Scale::of(&field("attackers Black", "pieces", 3.0, 1.0));
        assert_eq!(black, Scale { low: 0.0, high: 3.0, above: Pole::Black });
        let below = Scale::of(&field("debt", "pawns", -0.25, -0.1));
        assert_eq!((below.low, below.high), (-0.3, 0.0));
        assert_eq!(below.ticks(), [-0.3, -0.15, 0.0]);
        let nothing = Scale::of(&field("none", "pawns", 0.0, 0.0));
        assert_eq!(nothing, Scale { low: 0.0, high: 1.0, above: Pole::White });
    }

    #[test]
    fn what_can_be_compared_shares_a_scale() {
        let fields = [
            field("control", "influence", 90.0, -20.0),
            field("white attack", "influence", 31.0, 2.0),
            field("black attack", "influence", 18.0, 2.0),
            field("tables", "pawns", 0.5, 0.0),
        ];
        let shared = scales(&fields.each_ref());
        assert_eq!((shared[0].low, shared[0].high), (-100.0, 100.0));
        assert_eq!((shared[1].high, shared[2].high), (40.0, 40.0));
        assert_eq!((shared[1].above, shared[2].above), (Pole::White, Pole::Black));
        assert_eq!((shared[3].low, shared[3].high), (0.0, 0.5));
    }
}
