//! What plots are made of: shapes that take their colours from the page, and axes with round numbers.

use std::fmt::{self, Display, Write};

use super::format::Escaped;

/// How wide every plot is: its letters are as large as the page's in half a desk, and still read on a phone.
pub(super) const WIDTH: f64 = 460.0;
/// About how wide a digit is.
pub(super) const DIGIT: f64 = 7.5;

/// Colours and letters, for a picture that stands alone; a page has the same rules in its own style.
pub(super) const STYLE: &str = include_str!("plot.css");

/// A picture being drawn.
#[derive(Default)]
pub(super) struct Chart {
    body: String,
}

/// Where letters stand by their point.
#[derive(Copy, Clone)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Chart {
    fn add(&mut self, element: fmt::Arguments<'_>) {
        self.body.write_fmt(element).expect("a String takes all text");
        self.body.push('\n');
    }

    pub(super) fn line(&mut self, class: &str, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2]) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(Number);
        self.add(format_args!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    /// A rectangle that says what it is when pointed at.
    pub(super) fn bar(&mut self, class: &str, [x, y, width, height]: [f64; 4], says: &str) {
        let ([x, y, width, height], says) = ([x, y, width, height].map(Number), Escaped(says));
        self.add(format_args!(
            r#"<rect class="{class}" x="{x}" y="{y}" width="{width}" height="{height}"><title>{says}</title></rect>"#
        ));
    }

    pub(super) fn dot(&mut self, class: &str, [x, y]: [f64; 2]) {
        let [x, y] = [x, y].map(Number);
        self.add(format_args!(r#"<circle class="{class}" cx="{x}" cy="{y}" r="4.5"/>"#));
    }

    pub(super) fn curve(&mut self, class: &str, points: impl Iterator<Item = [f64; 2]>) {
        let mut data = String::new();
        for [x, y] in points {
            let step = if data.is_empty() { 'M' } else { 'L' };
            write!(data, "{step}{} {}", Number(x), Number(y)).expect("a String takes all text");
        }
        self.add(format_args!(r#"<path class="{class}" d="{data}"/>"#));
    }

    pub(super) fn text(&mut self, class: &str, [x, y]: [f64; 2], anchor: Anchor, text: impl Display) {
        let ([x, y], text) = ([x, y].map(Number), text.to_string());
        let text = Escaped(&text);
        let anchor = match anchor {
            Anchor::Start => "start",
            Anchor::Middle => "middle",
            Anchor::End => "end",
        };
        self.add(format_args!(
            r#"<text class="{class}" x="{x}" y="{y}" text-anchor="{anchor}">{text}</text>"#
        ));
    }

    /// For a page that has the style.
    pub(super) fn inline(self, height: f64, name: &str) -> String {
        self.wrapped(height, name, "", "")
    }

    /// For a file of its own.
    pub(super) fn alone(self, height: f64, name: &str) -> String {
        let size = format!(r#" width="{}" height="{}""#, Number(WIDTH), Number(height));
        self.wrapped(
            height,
            name,
            &size,
            &format!("<style>\n{STYLE}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"),
        )
    }

    fn wrapped(self, height: f64, name: &str, size: &str, before: &str) -> String {
        let ([width, height], name, body) = ([WIDTH, height].map(Number), Escaped(name), self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {width} {height}\"{size} \
             role=\"img\" aria-label=\"{name}\">\n{before}<title>{name}</title>\n{body}</svg>\n"
        )
    }
}

/// A number as short as a hundredth allows.
struct Number(f64);

impl Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero makes negative nought plain nought.
        write!(f, "{}", (self.0 * 100.0).round() / 100.0 + 0.0)
    }
}

/// A scale from values to places.
#[derive(Copy, Clone)]
pub(super) struct Scale {
    values: [f64; 2],
    places: [f64; 2],
}

impl Scale {
    /// From `values` to `places`; values that are one are taken apart.
    pub(super) fn new(values: [f64; 2], places: [f64; 2]) -> Scale {
        let [low, high] = values;
        let values = if high - low > f64::EPSILON { values } else { [low - 1.0, high + 1.0] };
        Scale { values, places }
    }

    pub(super) fn at(&self, value: f64) -> f64 {
        let [low, high] = self.values;
        let share = ((value - low) / (high - low)).clamp(0.0, 1.0);
        self.places[0] + share * (self.places[1] - self.places[0])
    }

    /// Round numbers on the scale, `most` or fewer, steps of 1, 2 or 5 times a power of ten.
    pub(super) fn ticks(&self, most: usize) -> Vec<f64> {
        let [low, high] = self.values;
        let rough = (high - low) / most as f64;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].into_iter().map(|step| step * power).find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        // A little beyond the end: the last tick may miss it by rounding.
        let [first, last] = [(low / step).ceil(), (high / step + 1e-9).floor()].map(|index| index as i64);
        (first..=last).map(|index| index as f64 * step).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_round_and_inside() {
        let ticks = |low, high| Scale::new([low, high], [0.0, 1.0]).ticks(6);
        assert_eq!(ticks(-13.0, 41.0), [-10.0, 0.0, 10.0, 20.0, 30.0, 40.0]);
        assert_eq!(ticks(0.0, 1.0), [0.0, 0.2, 0.4, 0.600_000_000_000_000_1, 0.8, 1.0]);
        assert!(ticks(3.0, 3.0).len() > 1);
    }

    #[test]
    fn places_stay_in_the_picture() {
        let scale = Scale::new([0.0, 10.0], [100.0, 200.0]);
        assert_eq!(
            [scale.at(5.0), scale.at(-1.0), scale.at(99.0)].map(|place| place as u32),
            [150, 100, 200]
        );
    }
}
