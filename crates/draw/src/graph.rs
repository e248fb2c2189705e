//! The evaluation graph of a game: win probability by move.
//!
//! The light area under the curve is White's win probability, the dark one above it Black's, as in an evaluation bar.
//! Inaccuracies, mistakes and blunders are dots on the curve.

use crate::color::{INK, PALE_INK, PAPER, Rgb};
use crate::lettering::{Anchor, TextStyle};
use crate::svg::{Paint, Svg};

const WIDTH: f64 = 960.0;
const HEIGHT: f64 = 380.0;
/// The plot area: left, top, width, height.
const PLOT: [f64; 4] = [64.0, 74.0, 872.0, 232.0];
/// Colours of White's and Black's areas.
const WHITES: Rgb = Rgb { red: 0xf3, green: 0xf1, blue: 0xea };
const BLACKS: Rgb = Rgb { red: 0x4c, green: 0x4a, blue: 0x48 };
const CURVE: Rgb = Rgb { red: 0xd6, green: 0x8a, blue: 0x1f };
const MIDDLE: Rgb = Rgb { red: 0x9b, green: 0x98, blue: 0x92 };
/// Minimal distance of tick labels.
const NUMBER_ROOM: f64 = 34.0;
const DOT: f64 = 4.6;

/// Severity of a marked move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Severity {
    Inaccuracy,
    Mistake,
    Blunder,
}

impl Severity {
    /// Blue, orange, red: distinguishable with colour blindness.
    const fn color(self) -> Rgb {
        match self {
            Severity::Inaccuracy => Rgb { red: 0x3f, green: 0x8f, blue: 0xd6 },
            Severity::Mistake => Rgb { red: 0xe6, green: 0x9f, blue: 0x00 },
            Severity::Blunder => Rgb { red: 0xd0, green: 0x30, blue: 0x30 },
        }
    }
}

#[derive(Clone, Debug)]
pub struct Graph<'a> {
    pub title: &'a str,
    /// Note at the end of the title line.
    pub note: &'a str,
    pub subtitle: &'a str,
    /// White's win probability in percent: before the first move, and after each.
    pub chances: &'a [f64],
    /// Marked plies, from 1.
    pub dots: &'a [(usize, Severity)],
    /// Legend of the dots.
    pub legend: &'a [(Severity, String)],
    /// Number of the first move, and whether Black plays it.
    pub first_move: (u32, bool),
    pub opening_plies: usize,
}

impl Graph<'_> {
    /// Renders a self-contained SVG, without fonts.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        svg.rect([0.0, 0.0, WIDTH, HEIGHT], Paint::fill(PAPER));
        self.heading(&mut svg);
        self.ground(&mut svg);
        self.curve(&mut svg);
        self.foot(&mut svg);
        svg.finish(
            WIDTH,
            HEIGHT,
            self.title,
            &format!("White's chances of winning, move by move. {}", self.subtitle),
        )
    }

    fn heading(&self, svg: &mut Svg) {
        let [left, _, width, _] = PLOT;
        let title = TextStyle { height: 14.0, bold: true, ink: INK, anchor: Anchor::Start };
        let title = title.within(self.title, width * 0.68);
        title.write(svg, self.title, [left, 32.0]);
        let note = TextStyle { height: 9.6, bold: false, ink: INK, anchor: Anchor::End };
        let room = (width - title.width(self.title) - 16.0).max(0.0);
        note.within(self.note, room).write(svg, self.note, [left + width, 32.0]);
        let subtitle = TextStyle { height: 8.6, bold: false, ink: PALE_INK, anchor: Anchor::Start };
        subtitle.within(self.subtitle, width).write(svg, self.subtitle, [left, 54.0]);
    }

    /// Coordinates of a ply, and of a win probability.
    fn at(&self, ply: usize, chance: f64) -> [f64; 2] {
        let [left, top, width, height] = PLOT;
        let plies = self.chances.len().saturating_sub(1).max(1);
        let chance = if chance.is_finite() { chance.clamp(0.0, 100.0) } else { 50.0 };
        [left + width * ply as f64 / plies as f64, top + height * (1.0 - chance / 100.0)]
    }

    fn ground(&self, svg: &mut Svg) {
        let [left, top, width, height] = PLOT;
        svg.rect(PLOT, Paint::fill(BLACKS));
        let mut area = vec![format!("M{left} {}", top + height)];
        for (ply, chance) in self.chances.iter().enumerate() {
            let [x, y] = self.at(ply, *chance);
            area.push(format!("L{x:.2} {y:.2}"));
        }
        let end = if self.chances.is_empty() { left } else { self.at(self.chances.len() - 1, 0.0)[0] };
        area.push(format!("L{end:.2} {}Z", top + height));
        svg.path(&area.concat(), Paint::fill(WHITES));
        let label = TextStyle { height: 8.0, bold: false, ink: PALE_INK, anchor: Anchor::End };
        for (chance, thickness) in [(0.0, 0.5), (25.0, 0.5), (50.0, 1.2), (75.0, 0.5), (100.0, 0.5)] {
            let y = self.at(0, chance)[1];
            svg.path(&format!("M{left} {y}H{}", left + width), Paint::stroke(MIDDLE, thickness));
            label.write(svg, &format!("{chance}%"), [left - 8.0, y + 4.0]);
        }
        if self.opening_plies > 0 && self.opening_plies < self.chances.len() {
            let x = self.at(self.opening_plies, 0.0)[0];
            svg.path(&format!("M{x:.2} {top}V{}", top + height), Paint::stroke(MIDDLE, 0.8));
        }
    }

    fn curve(&self, svg: &mut Svg) {
        let points = self.chances.iter().enumerate().map(|(ply, chance)| self.at(ply, *chance));
        let points: Vec<String> = points.map(|[x, y]| format!("{x:.2} {y:.2}")).collect();
        if points.len() > 1 {
            svg.path(&format!("M{}", points.join("L")), Paint::stroke(CURVE, 2.2));
        }
        for (ply, weight) in self.dots {
            if let Some(chance) = self.chances.get(*ply) {
                let paint = Paint { fill: Some(weight.color()), stroke: Some((PAPER, 1.2)) };
                svg.circle(self.at(*ply, *chance), DOT, paint);
            }
        }
    }

    /// Move numbers, and the legend of the dots.
    fn foot(&self, svg: &mut Svg) {
        let [left, top, width, height] = PLOT;
        let base = top + height;
        let style = TextStyle { height: 8.0, bold: false, ink: PALE_INK, anchor: Anchor::Middle };
        let (first, black_first) = self.first_move;
        let plies = self.chances.len().saturating_sub(1);
        let moves = (plies + usize::from(black_first)).div_ceil(2);
        let step = [1, 2, 5, 10, 20, 50, 100]
            .into_iter()
            .find(|step| width * *step as f64 / moves.max(1) as f64 >= NUMBER_ROOM)
            .unwrap_or(200);
        for number in 0..moves {
            let shown = first as usize + number;
            // White's move is above its number.
            let ply = (2 * number + 1).saturating_sub(usize::from(black_first));
            if (shown.is_multiple_of(step) || number == 0) && (1..=plies).contains(&ply) {
                style.write(svg, &shown.to_string(), [self.at(ply, 0.0)[0], base + 18.0]);
            }
        }
        let legend = TextStyle { height: 8.6, bold: false, ink: INK, anchor: Anchor::Start };
        let mut x = left;
        for (weight, text) in self.legend {
            svg.circle([x + DOT, base + 44.0], DOT, Paint::fill(weight.color()));
            legend.write(svg, text, [x + 3.4 * DOT, base + 48.0]);
            x += 3.4 * DOT + legend.width(text) + 26.0;
        }
        let side = TextStyle { height: 8.6, bold: false, ink: PALE_INK, anchor: Anchor::End };
        side.write(svg, "White's chances of winning, by move", [left + width, base + 48.0]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::roxmltree::Document;

    fn graph<'a>(chances: &'a [f64], dots: &'a [(usize, Severity)]) -> Graph<'a> {
        Graph {
            title: "A < B",
            note: "note",
            subtitle: "subtitle",
            chances,
            dots,
            legend: &[],
            first_move: (1, false),
            opening_plies: 2,
        }
    }

    fn circles(svg: &str) -> usize {
        Document::parse(svg).unwrap().descendants().filter(|node| node.has_tag_name("circle")).count()
    }

    #[test]
    fn every_dot_that_has_a_move_is_drawn() {
        let dots = [(1, Severity::Inaccuracy), (3, Severity::Blunder), (9, Severity::Mistake)];
        assert_eq!(circles(&graph(&[50.0, 45.0, 60.0, 2.0], &dots).svg()), 2);
        let legend = [(Severity::Blunder, "1 blunder".to_owned())];
        let with_legend = Graph { legend: &legend, ..graph(&[50.0, 45.0, 60.0, 2.0], &dots) };
        assert_eq!(circles(&with_legend.svg()), 3);
    }

    #[test]
    fn chances_stand_where_they_should() {
        let drawn = graph(&[50.0, 100.0, 0.0], &[]);
        let [left, top, width, height] = PLOT;
        for (found, expected) in [
            (drawn.at(0, 50.0), [left, top + height / 2.0]),
            (drawn.at(1, 100.0), [left + width / 2.0, top]),
            (drawn.at(2, 0.0), [left + width, top + height]),
        ] {
            let off = (found[0] - expected[0]).abs() + (found[1] - expected[1]).abs();
            assert!(off < 1e-9, "{found:?} {expected:?}");
        }
    }

    #[test]
    fn odd_games_make_pictures_too() {
        let long: Vec<f64> = (0..700).map(|ply| f64::from(ply % 100)).collect();
        for chances in [&[][..], &[50.0], &[f64::NAN, 400.0], &long] {
            let svg = graph(chances, &[(1, Severity::Inaccuracy)]).svg();
            assert!(Document::parse(&svg).is_ok() && !svg.contains("NaN"), "{chances:?}");
            assert!(crate::png::png(&svg, 1.0).is_ok());
        }
    }
}
