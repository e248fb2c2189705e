//! A writer of SVG: the few shapes that pictures here are made of.
//!
//! No element has an identifier and none refers to another, so that several pictures may stand in one page.

use std::fmt::{self, Write};

use crate::color::Rgb;

/// A picture being written.
#[derive(Clone, Debug, Default)]
pub struct Svg {
    body: String,
}

/// How a shape is painted.
#[derive(Copy, Clone, Debug)]
pub struct Paint {
    /// Inside; nothing is no paint.
    pub fill: Option<Rgb>,
    /// The line around it, and how wide.
    pub stroke: Option<(Rgb, f64)>,
}

impl Paint {
    /// Only the inside.
    pub const fn fill(color: Rgb) -> Paint {
        Paint { fill: Some(color), stroke: None }
    }

    /// Only the line.
    pub const fn stroke(color: Rgb, width: f64) -> Paint {
        Paint { fill: None, stroke: Some((color, width)) }
    }
}

/// Lines end and meet in arcs: pieces and letters are drawn with a round pen.
impl fmt::Display for Paint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.fill {
            Some(fill) => write!(f, r#"fill="{fill}""#)?,
            None => f.write_str(r#"fill="none""#)?,
        }
        if let Some((color, width)) = self.stroke {
            let width = Number(width);
            write!(
                f,
                r#" stroke="{color}" stroke-width="{width}" stroke-linecap="round" stroke-linejoin="round""#
            )?;
        }
        Ok(())
    }
}

impl Svg {
    fn add(&mut self, element: fmt::Arguments<'_>) {
        self.body.write_fmt(element).expect("a String takes all text");
        self.body.push('\n');
    }

    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], paint: Paint) {
        let [x, y, width, height] = [x, y, width, height].map(Number);
        self.add(format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {paint}/>"#));
    }

    /// A rectangle whose edges are those of pixels.
    pub fn crisp_rect(&mut self, [x, y, width, height]: [f64; 4], color: Rgb) {
        let [x, y, width, height] = [x, y, width, height].map(Number);
        self.add(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{color}" shape-rendering="crispEdges"/>"#
        ));
    }

    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, paint: Paint) {
        let ([x, y], radius) = ([x, y].map(Number), Number(radius));
        self.add(format_args!(r#"<circle cx="{x}" cy="{y}" r="{radius}" {paint}/>"#));
    }

    /// A path in SVG's path syntax.
    pub fn path(&mut self, data: &str, paint: Paint) {
        self.add(format_args!(r#"<path d="{data}" {paint}/>"#));
    }

    /// A path moved to the right, painted as the group around it.
    pub fn shifted_path(&mut self, data: &str, right: f64) {
        let right = Number(right);
        self.add(format_args!(r#"<path transform="translate({right})" d="{data}"/>"#));
    }

    /// A path painted as the group around it.
    pub fn plain_path(&mut self, data: &str) {
        self.add(format_args!(r#"<path d="{data}"/>"#));
    }

    /// Shapes that share a place, a size and a paint.
    pub fn group(&mut self, [x, y]: [f64; 2], size: f64, paint: Paint, draw: impl FnOnce(&mut Svg)) {
        let ([x, y], size) = ([x, y].map(Number), Number(size));
        self.add(format_args!(r#"<g transform="translate({x} {y}) scale({size})" {paint}>"#));
        draw(self);
        self.add(format_args!("</g>"));
    }

    /// The document; `name` and `description` are for screen readers.
    pub fn finish(self, width: f64, height: f64, name: &str, description: &str) -> String {
        let ([width, height], body) = ([width, height].map(Number), self.body);
        let (name, description) = (escaped(name), escaped(description));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="{name}">
<title>{name}</title>
<desc>{description}</desc>
{body}</svg>
"#
        )
    }
}

/// A number as short as a thousandth allows.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero turns negative zero into zero.
        write!(f, "{}", (self.0 * 1000.0).round() / 1000.0 + 0.0)
    }
}

/// Text as it may stand in XML: marks replaced, what XML cannot hold left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => {}
            _ if c.is_control() => {}
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (number, text) in [(1.0, "1"), (0.1 + 0.2, "0.3"), (-0.000_01, "0"), (-2.5, "-2.5")] {
            assert_eq!(Number(number).to_string(), text);
        }
    }

    #[test]
    fn marks_of_xml_are_replaced() {
        assert_eq!(escaped("a<b & \"c\">\u{1}"), "a&lt;b &amp; &quot;c&quot;&gt;");
    }
}
