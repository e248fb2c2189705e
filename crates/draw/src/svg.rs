//! A writer of SVG with the few shapes that the pictures of this crate need.
//!
//! A shape has a [`Paint`], or a [`Class`] of a page's style sheet. No element has an identifier or refers to another, so
//! that one page may contain several pictures.

use std::fmt::{self, Display, Write};

use crate::color::Rgb;
use crate::escape::Escaped;

/// An SVG document being written.
#[derive(Clone, Debug, Default)]
pub struct Svg {
    body: String,
}

/// Fill and stroke of a shape.
#[derive(Copy, Clone, Debug)]
pub struct Paint {
    pub fill: Option<Rgb>,
    /// Colour and width.
    pub stroke: Option<(Rgb, f64)>,
}

impl Paint {
    /// Fill only.
    pub const fn fill(color: Rgb) -> Paint {
        Paint { fill: Some(color), stroke: None }
    }

    /// Stroke only.
    pub const fn stroke(color: Rgb, width: f64) -> Paint {
        Paint { fill: None, stroke: Some((color, width)) }
    }
}

/// Round caps and joins, as for a round pen.
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

/// A class of the style sheet; empty for none.
#[derive(Copy, Clone, Debug)]
pub struct Class<'a>(pub &'a str);

impl Display for Class<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, r#"class="{}""#, self.0)
    }
}

/// Horizontal alignment of a text at its coordinates.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum TextAnchor {
    Start,
    Middle,
    End,
}

impl Display for TextAnchor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            TextAnchor::Start => "start",
            TextAnchor::Middle => "middle",
            TextAnchor::End => "end",
        })
    }
}

impl Svg {
    fn add(&mut self, element: fmt::Arguments<'_>) {
        self.body.write_fmt(element).expect("a String takes all text");
        self.body.push('\n');
    }

    pub fn line(&mut self, [x1, y1]: [f64; 2], [x2, y2]: [f64; 2], style: impl Display) {
        let [x1, y1, x2, y2] = [x1, y1, x2, y2].map(Number);
        self.add(format_args!(r#"<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" {style}/>"#));
    }

    /// Straight lines from point to point.
    pub fn polyline(&mut self, points: impl Iterator<Item = [f64; 2]>, style: impl Display) {
        let mut data = String::new();
        for [x, y] in points {
            let step = if data.is_empty() { 'M' } else { 'L' };
            write!(data, "{step}{} {}", Number(x), Number(y)).expect("a String takes all text");
        }
        self.path(&data, style);
    }

    pub fn rect(&mut self, [x, y, width, height]: [f64; 4], style: impl Display) {
        let [x, y, width, height] = [x, y, width, height].map(Number);
        self.add(format_args!(r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {style}/>"#));
    }

    /// A rectangle with a tooltip.
    pub fn titled_rect(&mut self, [x, y, width, height]: [f64; 4], title: &str, style: impl Display) {
        let ([x, y, width, height], title) = ([x, y, width, height].map(Number), Escaped(title));
        self.add(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" {style}><title>{title}</title></rect>"#
        ));
    }

    /// A text in the font of the page.
    pub fn text(&mut self, [x, y]: [f64; 2], anchor: TextAnchor, text: impl Display, style: impl Display) {
        let ([x, y], text) = ([x, y].map(Number), text.to_string());
        let text = Escaped(&text);
        self.add(format_args!(r#"<text x="{x}" y="{y}" text-anchor="{anchor}" {style}>{text}</text>"#));
    }

    /// A rectangle with pixel-aligned edges.
    pub fn crisp_rect(&mut self, [x, y, width, height]: [f64; 4], color: Rgb) {
        let [x, y, width, height] = [x, y, width, height].map(Number);
        self.add(format_args!(
            r#"<rect x="{x}" y="{y}" width="{width}" height="{height}" fill="{color}" shape-rendering="crispEdges"/>"#
        ));
    }

    pub fn circle(&mut self, [x, y]: [f64; 2], radius: f64, style: impl Display) {
        let ([x, y], radius) = ([x, y].map(Number), Number(radius));
        self.add(format_args!(r#"<circle cx="{x}" cy="{y}" r="{radius}" {style}/>"#));
    }

    /// A path in SVG's path syntax.
    pub fn path(&mut self, data: &str, style: impl Display) {
        self.add(format_args!(r#"<path d="{data}" {style}/>"#));
    }

    /// A path moved to the right, with the paint of its group.
    pub fn shifted_path(&mut self, data: &str, right: f64) {
        let right = Number(right);
        self.add(format_args!(r#"<path transform="translate({right})" d="{data}"/>"#));
    }

    /// A path with the paint of its group.
    pub fn plain_path(&mut self, data: &str) {
        self.add(format_args!(r#"<path d="{data}"/>"#));
    }

    /// A group of shapes with a common origin, scale and paint.
    pub fn group(&mut self, [x, y]: [f64; 2], size: f64, paint: Paint, draw: impl FnOnce(&mut Svg)) {
        let ([x, y], size) = ([x, y].map(Number), Number(size));
        self.add(format_args!(r#"<g transform="translate({x} {y}) scale({size})" {paint}>"#));
        draw(self);
        self.add(format_args!("</g>"));
    }

    /// An SVG element for a page that has the style sheet of its classes; `name` is for screen readers.
    pub fn inline(self, width: f64, height: f64, name: &str) -> String {
        self.classed(width, height, name, "", "")
    }

    /// A file of its own, with the style sheet of its classes.
    pub fn standalone(self, width: f64, height: f64, name: &str, style_sheet: &str) -> String {
        let size = format!(r#" width="{}" height="{}""#, Number(width), Number(height));
        let style = format!(
            "<style>\n{style_sheet}</style>\n<rect class=\"paper\" width=\"100%\" height=\"100%\"/>\n"
        );
        self.classed(width, height, name, &size, &style)
    }

    fn classed(self, width: f64, height: f64, name: &str, size: &str, style: &str) -> String {
        let ([width, height], name, body) = ([width, height].map(Number), Escaped(name), self.body);
        format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot\" viewBox=\"0 0 {width} {height}\"{size} \
             role=\"img\" aria-label=\"{name}\">\n{style}<title>{name}</title>\n{body}</svg>\n"
        )
    }

    /// The document; `name` and `description` are for screen readers.
    pub fn finish(self, width: f64, height: f64, name: &str, description: &str) -> String {
        let ([width, height], body) = ([width, height].map(Number), self.body);
        let (name, description) = (Escaped(name), Escaped(description));
        format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" role="img" aria-label="{name}">
<title>{name}</title>
<desc>{description}</desc>
{body}</svg>
"#
        )
    }
}

/// A number with at most three decimals.
struct Number(f64);

impl fmt::Display for Number {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Adding zero turns negative zero into zero.
        write!(f, "{}", (self.0 * 1000.0).round() / 1000.0 + 0.0)
    }
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
}
