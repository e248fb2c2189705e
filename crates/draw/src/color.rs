//! Colours, mixed in the perceptually uniform space Oklab.
//!
//! In Oklab (Björn Ottosson, 2020) equal steps look equal: the midpoint of two colours looks like their midpoint, which
//! it does not in sRGB. Scales are mixed in it and converted once, to 8-bit sRGB.

use std::fmt;

/// An 8-bit sRGB colour.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub struct Rgb {
    pub red: u8,
    pub green: u8,
    pub blue: u8,
}

pub const INK: Rgb = Rgb { red: 0x23, green: 0x25, blue: 0x2b };
/// Colour of secondary text.
pub(crate) const PALE_INK: Rgb = Rgb { red: 0x5d, green: 0x61, blue: 0x6b };
pub const PAPER: Rgb = Rgb { red: 0xff, green: 0xff, blue: 0xff };

/// `#d0750a`.
impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.red, self.green, self.blue)
    }
}

/// A colour in Oklab.
#[derive(Copy, Clone, Debug, PartialEq)]
pub struct Oklab {
    /// From black, 0, to white, 1.
    pub lightness: f64,
    /// From green to red.
    pub a: f64,
    /// From blue to yellow.
    pub b: f64,
}

impl Oklab {
    /// From lightness, chroma and hue (Oklch).
    pub fn from_polar(lightness: f64, chroma: f64, hue_degrees: f64) -> Oklab {
        let (sin, cos) = hue_degrees.to_radians().sin_cos();
        Oklab { lightness, a: chroma * cos, b: chroma * sin }
    }

    /// Linear interpolation towards another colour.
    #[must_use]
    pub fn mix(self, other: Oklab, share: f64) -> Oklab {
        let between = |from: f64, to: f64| from + (to - from) * share;
        Oklab {
            lightness: between(self.lightness, other.lightness),
            a: between(self.a, other.a),
            b: between(self.b, other.b),
        }
    }

    /// Linear RGB; outside 0 to 1 for colours out of gamut.
    pub fn to_linear(self) -> [f64; 3] {
        let Oklab { lightness, a, b } = self;
        let long = (lightness + 0.396_337_777_4 * a + 0.215_803_757_3 * b).powi(3);
        let medium = (lightness - 0.105_561_345_8 * a - 0.063_854_172_8 * b).powi(3);
        let short = (lightness - 0.089_484_177_5 * a - 1.291_485_548_0 * b).powi(3);
        [
            4.076_741_662_1 * long - 3.307_711_591_3 * medium + 0.230_969_929_2 * short,
            -1.268_438_004_6 * long + 2.609_757_401_1 * medium - 0.341_319_396_5 * short,
            -0.004_196_086_3 * long - 0.703_418_614_7 * medium + 1.707_614_701_0 * short,
        ]
    }

    /// Converts to sRGB, clamped to the gamut.
    pub fn to_rgb(self) -> Rgb {
        let [red, green, blue] = self.to_linear().map(|light| {
            let light = light.clamp(0.0, 1.0);
            let encoded =
                if light <= 0.003_130_8 { 12.92 * light } else { 1.055 * light.powf(1.0 / 2.4) - 0.055 };
            (encoded * 255.0).round() as u8
        });
        Rgb { red, green, blue }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_colours_come_out() {
        assert_eq!(Oklab { lightness: 1.0, a: 0.0, b: 0.0 }.to_rgb().to_string(), "#ffffff");
        assert_eq!(Oklab { lightness: 0.0, a: 0.0, b: 0.0 }.to_rgb().to_string(), "#000000");
        // CSS Color 4: oklab(62.7955% 0.22486 0.12585) is red, oklab(45.201% -0.03246 -0.31153) blue.
        let red = Oklab { lightness: 0.627_955, a: 0.224_86, b: 0.125_85 };
        assert_eq!(red.to_rgb().to_string(), "#ff0000");
        let blue = Oklab { lightness: 0.452_01, a: -0.032_46, b: -0.311_53 };
        assert_eq!(blue.to_rgb().to_string(), "#0000ff");
    }

    #[test]
    fn half_way_is_as_far_from_both_ends() {
        let (dark, light) = (Oklab::from_polar(0.2, 0.1, 30.0), Oklab::from_polar(0.8, 0.1, 210.0));
        let middle = dark.mix(light, 0.5);
        assert!((middle.lightness - 0.5).abs() < 1e-12 && middle.a.abs() < 1e-12 && middle.b.abs() < 1e-12);
    }
}
