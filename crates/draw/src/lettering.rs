//! A stroke font, so that drawings need no font files.
//!
//! One stroke width, ten units high, lower case seven. Digits have equal widths, so that numbers align in columns. A
//! character without a [glyph](glyphs) is drawn as a box.

mod glyphs;

use crate::color::Rgb;
use crate::svg::{Paint, Svg};
use glyphs::Glyph;

/// Cap height in units.
const CAPITAL: f64 = 10.0;
const SPACING: f64 = 2.15;
/// Stroke width in units.
const REGULAR: f64 = 1.15;
const BOLD: f64 = 1.6;

/// Text anchor, as in SVG's `text-anchor`.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Anchor {
    /// Text starts at the point.
    Start,
    /// Text is centred at the point.
    Middle,
    /// Text ends at the point.
    End,
}

#[derive(Copy, Clone, Debug)]
pub struct TextStyle {
    /// Cap height.
    pub height: f64,
    pub bold: bool,
    pub ink: Rgb,
    pub anchor: Anchor,
}

impl TextStyle {
    /// The style scaled down so that a text is no wider than this.
    #[must_use]
    pub fn within(self, text: &str, width: f64) -> TextStyle {
        let wide = self.width(text);
        if wide <= width { self } else { TextStyle { height: self.height * width / wide, ..self } }
    }

    /// Width of a text.
    pub fn width(self, text: &str) -> f64 {
        let units: f64 = text.chars().map(|c| Glyph::of(c).width + SPACING).sum();
        (units - SPACING).max(0.0) * self.height / CAPITAL
    }

    /// Writes a text on a line through `y`.
    pub(crate) fn write(self, svg: &mut Svg, text: &str, [x, y]: [f64; 2]) {
        let left = match self.anchor {
            Anchor::Start => x,
            Anchor::Middle => x - self.width(text) / 2.0,
            Anchor::End => x - self.width(text),
        };
        let pen = if self.bold { BOLD } else { REGULAR };
        svg.group([left, y], self.height / CAPITAL, Paint::stroke(self.ink, pen), |svg| {
            let mut at = 0.0;
            for c in text.chars() {
                let Glyph { width, path } = Glyph::of(c);
                if !path.is_empty() {
                    svg.shifted_path(path, at);
                }
                at += width + SPACING;
            }
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: TextStyle = TextStyle {
        height: 10.0,
        bold: false,
        ink: Rgb { red: 0, green: 0, blue: 0 },
        anchor: Anchor::Start,
    };

    #[test]
    fn every_printable_character_of_ascii_has_a_glyph_of_its_own() {
        let mut seen = Vec::new();
        for c in (' '..='~').chain("−±×·–—’…°".chars()) {
            let glyph = Glyph::of(c);
            assert!(!std::ptr::eq(glyph, Glyph::of('\u{3042}')), "{c:?} is drawn as a box");
            assert!(!seen.contains(&(glyph.path, glyph.width.to_bits())), "{c:?} looks like another");
            seen.push((glyph.path, glyph.width.to_bits()));
        }
    }

    #[test]
    fn figures_are_equally_wide() {
        let zero = Glyph::of('0').width.to_bits();
        assert!(('0'..='9').all(|figure| Glyph::of(figure).width.to_bits() == zero));
    }

    #[test]
    fn a_text_too_wide_is_written_smaller() {
        let text = "a rather long text";
        let wide = STYLE.width(text);
        assert!((STYLE.within(text, wide / 2.0).width(text) - wide / 2.0).abs() < 1e-9);
        assert!((STYLE.within(text, wide * 2.0).height - STYLE.height).abs() < 1e-9);
        assert!(STYLE.width("").abs() < 1e-9);
    }
}
