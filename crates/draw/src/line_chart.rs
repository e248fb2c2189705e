//! Line charts: fitness by generation, for example.

use crate::color::{INK, PALE_INK, PAPER, Rgb};
use crate::lettering::{Anchor, TextStyle};
use crate::svg::{Paint, Svg};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 400.0;
/// The plot area: left, top, width, height.
const PLOT: [f64; 4] = [84.0, 78.0, 852.0, 240.0];
const GRID: Rgb = Rgb { red: 0xdc, green: 0xdd, blue: 0xe1 };
/// Distinguishable with colour blindness, and by lightness in greyscale.
const INKS: [Rgb; 6] = [
    Rgb { red: 0xd5, green: 0x5e, blue: 0x00 },
    Rgb { red: 0x00, green: 0x72, blue: 0xb2 },
    Rgb { red: 0x00, green: 0x9e, blue: 0x73 },
    Rgb { red: 0xcc, green: 0x79, blue: 0xa7 },
    Rgb { red: 0xe6, green: 0x9f, blue: 0x00 },
    Rgb { red: 0x56, green: 0xb4, blue: 0xe9 },
];
/// Approximate number of ticks per axis.
const TICKS: f64 = 6.0;
/// Points are marked up to this number; more would hide the line.
const MARKED: usize = 40;

#[derive(Clone, Debug)]
pub struct Series<'a> {
    pub name: &'a str,
    /// Points (x, y) with the half-width of their 95% confidence interval, if known.
    pub points: &'a [(f64, f64, Option<f64>)],
}

#[derive(Clone, Debug)]
pub struct LineChart<'a> {
    pub title: &'a str,
    pub subtitle: &'a str,
    /// Label of the x axis.
    pub across: &'a str,
    /// Series, in the order of their colours.
    pub curves: &'a [Series<'a>],
}

#[derive(Copy, Clone)]
struct Axis {
    low: f64,
    high: f64,
}

impl Axis {
    fn over(values: impl Iterator<Item = f64>) -> Axis {
        let (low, high) = values
            .filter(|value| value.is_finite())
            .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
        match (low.is_finite(), high - low > f64::EPSILON) {
            (false, _) => Axis { low: 0.0, high: 1.0 },
            (true, false) => Axis { low: low - 1.0, high: high + 1.0 },
            (true, true) => Axis { low, high },
        }
    }

    fn share(self, value: f64) -> f64 {
        ((value - self.low) / (self.high - self.low)).clamp(0.0, 1.0)
    }

    /// Round numbers, steps of 1, 2 or 5 times a power of ten.
    fn ticks(self) -> Vec<f64> {
        let rough = (self.high - self.low) / TICKS;
        let power = 10f64.powf(rough.log10().floor());
        let step = [1.0, 2.0, 5.0, 10.0].map(|step| step * power).into_iter().find(|step| *step >= rough);
        let step = step.unwrap_or(10.0 * power);
        let [first, last] =
            [(self.low / step).ceil(), (self.high / step + 1e-9).floor()].map(|index| index as i64);
        (first..=last).map(|index| index as f64 * step).collect()
    }
}

impl LineChart<'_> {
    /// Renders a self-contained SVG, without fonts.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        let all = || self.curves.iter().flat_map(|curve| curve.points.iter());
        let across = Axis::over(all().map(|(x, _, _)| *x));
        let down = Axis::over(all().flat_map(|(_, y, error)| {
            let error = error.unwrap_or(0.0);
            [y - error, y + error]
        }));
        let [left, top, width, height] = PLOT;
        let at = |x: f64, y: f64| [left + width * across.share(x), top + height * (1.0 - down.share(y))];
        svg.rect([0.0, 0.0, WIDTH, HEIGHT], Paint::fill(PAPER));
        self.heading(&mut svg);
        let number = TextStyle { height: 8.0, bold: false, ink: PALE_INK, anchor: Anchor::End };
        for tick in down.ticks() {
            let y = at(across.low, tick)[1];
            svg.path(&format!("M{left} {y:.2}H{}", left + width), Paint::stroke(GRID, 0.8));
            number.write(&mut svg, &short(tick), [left - 8.0, y + 4.0]);
        }
        for tick in across.ticks() {
            let style = TextStyle { anchor: Anchor::Middle, ..number };
            style.write(&mut svg, &short(tick), [at(tick, down.low)[0], top + height + 18.0]);
        }
        for (curve, ink) in self.curves.iter().zip(INKS.iter().cycle()) {
            draw(&mut svg, curve, *ink, at);
        }
        self.legend(&mut svg);
        let names: Vec<&str> = self.curves.iter().map(|curve| curve.name).collect();
        svg.finish(WIDTH, HEIGHT, self.title, &format!("{} by {}", names.join(", "), self.across))
    }

    fn heading(&self, svg: &mut Svg) {
        let [left, _, width, _] = PLOT;
        let title = TextStyle { height: 14.0, bold: true, ink: INK, anchor: Anchor::Start };
        title.within(self.title, width).write(svg, self.title, [left, 32.0]);
        let subtitle = TextStyle { height: 8.6, bold: false, ink: PALE_INK, anchor: Anchor::Start };
        subtitle.within(self.subtitle, width).write(svg, self.subtitle, [left, 54.0]);
    }

    fn legend(&self, svg: &mut Svg) {
        let [left, top, width, height] = PLOT;
        let foot = top + height + 52.0;
        let style = TextStyle { height: 8.6, bold: false, ink: INK, anchor: Anchor::Start };
        let mut x = left;
        for (curve, ink) in self.curves.iter().zip(INKS.iter().cycle()) {
            svg.path(&format!("M{x:.2} {}H{:.2}", foot - 4.0, x + 18.0), Paint::stroke(*ink, 3.0));
            style.write(svg, curve.name, [x + 24.0, foot]);
            x += 24.0 + style.width(curve.name) + 26.0;
        }
        let side = TextStyle { ink: PALE_INK, anchor: Anchor::End, ..style };
        side.write(svg, self.across, [left + width, foot]);
    }
}

fn draw(svg: &mut Svg, curve: &Series<'_>, ink: Rgb, at: impl Fn(f64, f64) -> [f64; 2]) {
    let finite: Vec<&(f64, f64, Option<f64>)> =
        curve.points.iter().filter(|(x, y, _)| x.is_finite() && y.is_finite()).collect();
    for (x, y, error) in &finite {
        if let Some(error) = error.filter(|error| error.is_finite()) {
            let ([x, high], [_, low]) = (at(*x, y + error), at(*x, y - error));
            svg.path(&format!("M{x:.2} {high:.2}V{low:.2}"), Paint::stroke(ink, 1.2));
        }
    }
    let places: Vec<[f64; 2]> = finite.iter().map(|(x, y, _)| at(*x, *y)).collect();
    if places.len() > 1 {
        let points: Vec<String> = places.iter().map(|[x, y]| format!("{x:.2} {y:.2}")).collect();
        svg.path(&format!("M{}", points.join("L")), Paint::stroke(ink, 2.2));
    }
    if places.len() <= MARKED {
        for place in places {
            svg.circle(place, 3.0, Paint::fill(ink));
        }
    }
}

/// A tick label without trailing zeros.
fn short(value: f64) -> String {
    format!("{}", (value * 1e6).round() / 1e6 + 0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::roxmltree::Document;

    fn svg(points: &[(f64, f64, Option<f64>)]) -> String {
        let curves = [Series { name: "best", points }, Series { name: "mean < best", points }];
        LineChart { title: "A < B", subtitle: "s", across: "generation", curves: &curves }.svg()
    }

    #[test]
    fn every_point_of_a_short_curve_is_marked_and_none_of_a_long_one() {
        let circles = |svg: &str| {
            Document::parse(svg).unwrap().descendants().filter(|node| node.has_tag_name("circle")).count()
        };
        assert_eq!(circles(&svg(&[(0.0, 1.0, None), (1.0, 2.0, Some(0.5)), (2.0, f64::NAN, None)])), 4);
        let long: Vec<_> = (0..100).map(|step| (f64::from(step), 1.0, None)).collect();
        assert_eq!(circles(&svg(&long)), 0);
    }

    #[test]
    fn odd_numbers_make_pictures_too() {
        for points in [&[][..], &[(1.0, 1.0, None)], &[(0.0, f64::INFINITY, Some(f64::NAN))]] {
            let svg = svg(points);
            assert!(Document::parse(&svg).is_ok() && !svg.contains("NaN") && !svg.contains("inf"), "{svg}");
            assert!(crate::png::png(&svg, 1.0).is_ok());
        }
    }

    #[test]
    fn ticks_are_round_and_inside() {
        assert_eq!(Axis { low: -13.0, high: 41.0 }.ticks(), [-10.0, 0.0, 10.0, 20.0, 30.0, 40.0]);
        assert_eq!(short(0.1 + 0.2), "0.3");
    }
}
