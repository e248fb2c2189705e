//! Dumbbell charts: named values before and after.

use crate::color::{INK, PALE_INK, PAPER, Rgb};
use crate::lettering::{Anchor, TextStyle};
use crate::svg::{Paint, Svg};

const WIDTH: f64 = 960.0;
/// Left end of the lines, and their largest width.
const LEFT: f64 = 230.0;
const ROOM: f64 = 600.0;
const TOP: f64 = 84.0;
const ROW: f64 = 24.0;
const BEFORE: Rgb = Rgb { red: 0x9b, green: 0x98, blue: 0x92 };
const AFTER: Rgb = Rgb { red: 0xd5, green: 0x5e, blue: 0x00 };
const GRID: Rgb = Rgb { red: 0xdc, green: 0xdd, blue: 0xe1 };

#[derive(Clone, Debug)]
pub struct DumbbellChart<'a> {
    pub title: &'a str,
    pub subtitle: &'a str,
    /// Name, value before and value after.
    pub rows: &'a [(String, f64, f64)],
}

impl DumbbellChart<'_> {
    /// Renders a self-contained SVG, without fonts.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        let height = TOP + ROW * self.rows.len() as f64 + 40.0;
        let sizes = self.rows.iter().flat_map(|(_, before, after)| [*before, *after]);
        let finite: Vec<f64> = sizes.filter(|size| size.is_finite()).collect();
        let low = finite.iter().copied().fold(0.0, f64::min);
        let high = finite.iter().copied().fold(0.0, f64::max).max(low + 1e-6);
        let at = |value: f64| {
            let value = if value.is_finite() { value.clamp(low, high) } else { 0.0 };
            LEFT + ROOM * (value - low) / (high - low)
        };
        svg.rect([0.0, 0.0, WIDTH, height], Paint::fill(PAPER));
        let title = TextStyle { height: 14.0, bold: true, ink: INK, anchor: Anchor::Start };
        title.within(self.title, WIDTH - 60.0).write(&mut svg, self.title, [30.0, 32.0]);
        let pale = TextStyle { height: 8.6, bold: false, ink: PALE_INK, anchor: Anchor::Start };
        pale.within(self.subtitle, WIDTH - 60.0).write(&mut svg, self.subtitle, [30.0, 54.0]);
        let foot = TOP + ROW * self.rows.len() as f64;
        svg.path(&format!("M{:.2} {TOP}V{foot:.2}", at(0.0)), Paint::stroke(BEFORE, 1.0));
        for (row, (name, before, after)) in self.rows.iter().enumerate() {
            let y = TOP + ROW * (row as f64 + 0.5);
            svg.path(&format!("M{LEFT} {y:.2}H{}", LEFT + ROOM), Paint::stroke(GRID, 0.6));
            let label = TextStyle { ink: INK, anchor: Anchor::End, ..pale };
            label.within(name, LEFT - 40.0).write(&mut svg, name, [LEFT - 14.0, y + 4.0]);
            svg.path(&format!("M{:.2} {y:.2}H{:.2}", at(*before), at(*after)), Paint::stroke(AFTER, 1.6));
            svg.circle([at(*before), y], 4.0, Paint { fill: Some(PAPER), stroke: Some((BEFORE, 1.8)) });
            svg.circle([at(*after), y], 4.4, Paint::fill(AFTER));
            pale.write(&mut svg, &format!("{before:.2} to {after:.2}"), [LEFT + ROOM + 14.0, y + 4.0]);
        }
        svg.circle([LEFT + 4.0, foot + 24.0], 4.0, Paint { fill: Some(PAPER), stroke: Some((BEFORE, 1.8)) });
        pale.write(&mut svg, "before", [LEFT + 14.0, foot + 28.0]);
        svg.circle([LEFT + 90.0, foot + 24.0], 4.4, Paint::fill(AFTER));
        pale.write(&mut svg, "after", [LEFT + 100.0, foot + 28.0]);
        let names: Vec<&str> = self.rows.iter().map(|(name, _, _)| name.as_str()).collect();
        svg.finish(WIDTH, height, self.title, &format!("before and after: {}", names.join(", ")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::roxmltree::Document;

    #[test]
    fn every_number_has_two_dots() {
        let rows = [("material".to_owned(), 1.0, 1.5), ("odd & new".to_owned(), f64::NAN, -0.5)];
        let svg = DumbbellChart { title: "t", subtitle: "s", rows: &rows }.svg();
        let document = Document::parse(&svg).unwrap();
        let circles = document.descendants().filter(|node| node.has_tag_name("circle")).count();
        assert_eq!(circles, 2 * rows.len() + 2);
        assert!(crate::png::png(&svg, 1.0).is_ok());
        assert!(Document::parse(&DumbbellChart { title: "t", subtitle: "s", rows: &[] }.svg()).is_ok());
    }
}
