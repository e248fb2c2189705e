//! Curves over steps of work: how a loss fell while something was learned.

use crate::color::{INK, PALE_INK, PAPER, Rgb};
use crate::lettering::{Anchor, Hand};
use crate::svg::{Paint, Svg};

const WIDTH: f64 = 760.0;
const HEIGHT: f64 = 400.0;
/// Where the plot lies: left, top, width, height.
const PLOT: [f64; 4] = [84.0, 74.0, 648.0, 258.0];
const LINE: Rgb = Rgb { red: 0xd2, green: 0xd0, blue: 0xca };
/// Told apart by the colour-blind, too.
const COLORS: [Rgb; 4] = [
    Rgb { red: 0xd6, green: 0x8a, blue: 0x1f },
    Rgb { red: 0x2f, green: 0x78, blue: 0xc4 },
    Rgb { red: 0x4c, green: 0x4a, blue: 0x48 },
    Rgb { red: 0x8c, green: 0x5f, blue: 0xa8 },
];
/// Numbers along the foot are at least this far apart.
const NUMBER_ROOM: f64 = 34.0;
/// Lines across the plot.
const GRID: usize = 4;

/// One curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// What it shows.
    pub name: String,
    /// Steps and values, in order.
    pub points: Vec<(f64, f64)>,
}

/// A picture of some curves.
#[derive(Clone, Debug)]
pub struct Curves<'a> {
    /// The first line.
    pub title: &'a str,
    /// The second line.
    pub subtitle: &'a str,
    /// What the steps are.
    pub steps: &'a str,
    /// What is drawn.
    pub curves: &'a [Curve],
}

impl Curves<'_> {
    /// The picture as an SVG that needs no font and no other file.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        svg.rect([0.0, 0.0, WIDTH, HEIGHT], Paint::fill(PAPER));
        let [left, top, width, height] = PLOT;
        let title = Hand { height: 14.0, bold: true, ink: INK, anchor: Anchor::Start };
        title.within(self.title, width).write(&mut svg, self.title, [left, 32.0]);
        let small = Hand { height: 8.6, bold: false, ink: PALE_INK, anchor: Anchor::Start };
        small.within(self.subtitle, width).write(&mut svg, self.subtitle, [left, 54.0]);

        let [across, up] = [self.extent(|point| point.0), self.extent(|point| point.1)];
        let at = |(step, value): (f64, f64)| {
            [left + width * share(step, across), top + height * (1.0 - share(value, up))]
        };
        let label = Hand { height: 8.0, bold: false, ink: PALE_INK, anchor: Anchor::End };
        for line in 0..=GRID {
            let value = up[0] + (up[1] - up[0]) * line as f64 / GRID as f64;
            let y = at((across[0], value))[1];
            svg.path(&format!("M{left} {y:.2}H{}", left + width), Paint::stroke(LINE, 0.8));
            label.write(&mut svg, &format!("{value:.4}"), [left - 8.0, y + 4.0]);
        }
        self.foot(&mut svg, across, at);
        for (curve, color) in self.curves.iter().zip(COLORS.iter().cycle()) {
            let words: Vec<String> = finite(curve).map(&at).map(|[x, y]| format!("{x:.2} {y:.2}")).collect();
            match words.len() {
                0 => {}
                1 => finite(curve).for_each(|point| svg.circle(at(point), 3.0, Paint::fill(*color))),
                _ => svg.path(&format!("M{}", words.join("L")), Paint::stroke(*color, 2.2)),
            }
        }
        svg.finish(WIDTH, HEIGHT, self.title, self.subtitle)
    }

    /// Numbers of steps, and which curve is which.
    fn foot(&self, svg: &mut Svg, across: [f64; 2], at: impl Fn((f64, f64)) -> [f64; 2]) {
        let [left, top, width, height] = PLOT;
        let base = top + height;
        let hand = Hand { height: 8.0, bold: false, ink: PALE_INK, anchor: Anchor::Middle };
        let steps = across[1] - across[0];
        let stride = [1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0, 200.0, 500.0]
            .into_iter()
            .find(|stride| width * stride / steps.max(1.0) >= NUMBER_ROOM)
            .unwrap_or(1000.0);
        let mut step = across[0].ceil();
        while step <= across[1] {
            let x = at((step, 0.0))[0];
            if (step % stride).abs() < f64::EPSILON {
                hand.write(svg, &format!("{step}"), [x, base + 18.0]);
            }
            step += 1.0;
        }
        let legend = Hand { height: 8.6, bold: false, ink: INK, anchor: Anchor::Start };
        let mut x = left;
        for (curve, color) in self.curves.iter().zip(COLORS.iter().cycle()) {
            svg.rect([x, base + 41.0, 14.0, 3.0], Paint::fill(*color));
            legend.write(svg, &curve.name, [x + 20.0, base + 48.0]);
            x += 44.0 + legend.width(&curve.name);
        }
        let end = Hand { anchor: Anchor::End, ..legend };
        end.write(svg, self.steps, [left + width, base + 48.0]);
    }

    /// The least and the most of what all curves have; never the same.
    fn extent(&self, of: impl Fn((f64, f64)) -> f64) -> [f64; 2] {
        let values = || self.curves.iter().flat_map(finite).map(&of);
        let (low, high) =
            (values().fold(f64::INFINITY, f64::min), values().fold(f64::NEG_INFINITY, f64::max));
        match (low.is_finite(), high - low) {
            (false, _) => [0.0, 1.0],
            (true, 0.0) => [low - 0.5, high + 0.5],
            _ => [low, high],
        }
    }
}

fn finite(curve: &Curve) -> impl Iterator<Item = (f64, f64)> + '_ {
    curve.points.iter().copied().filter(|(step, value)| step.is_finite() && value.is_finite())
}

fn share(value: f64, [low, high]: [f64; 2]) -> f64 {
    (value - low) / (high - low)
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::roxmltree::Document;

    fn svg(points: Vec<(f64, f64)>) -> String {
        let curves = [Curve { name: "held <out>".to_owned(), points }];
        Curves { title: "loss & more", subtitle: "axiomx", steps: "epochs", curves: &curves }.svg()
    }

    #[test]
    fn a_picture_is_well_formed_and_a_curve_has_all_its_points() {
        let svg = svg((0..10).map(|step| (f64::from(step), 1.0 / f64::from(step + 1))).collect());
        let document = Document::parse(&svg).unwrap();
        let curve = document
            .descendants()
            .filter_map(|node| node.attribute("d"))
            .find(|path| path.matches('L').count() == 9);
        assert!(curve.is_some());
    }

    #[test]
    fn nothing_little_and_no_numbers_are_drawn_too() {
        for points in
            [vec![], vec![(1.0, 0.5)], vec![(0.0, 0.5), (1.0, 0.5)], vec![(0.0, f64::NAN), (1.0, 2.0)]]
        {
            let svg = svg(points);
            assert!(Document::parse(&svg).is_ok() && !svg.contains("NaN") && !svg.contains("inf"));
        }
    }
}
