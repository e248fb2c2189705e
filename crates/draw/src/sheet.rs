//! A picture: a heading, and one or several fields of one position side by side.

use shakmaty::{Board, Color};
use tabia_eval::Field;

use crate::color::Rgb;
use crate::heatmap::{self, Heatmap};
use crate::lettering::{Anchor, Hand};
use crate::scale::scales;
use crate::svg::{Paint, Svg};

const MARGIN: f64 = 14.0;
/// Room for title and subtitle.
const HEADING: f64 = 56.0;
/// Between boards.
const GAP: f64 = 6.0;
/// More boards than this are laid out in rows.
const LONGEST_ROW: usize = 4;

const INK: Rgb = Rgb { red: 0x23, green: 0x25, blue: 0x2b };
const PALE_INK: Rgb = Rgb { red: 0x5d, green: 0x61, blue: 0x6b };
const PAPER: Rgb = Rgb { red: 0xff, green: 0xff, blue: 0xff };

/// What a picture shows.
#[derive(Clone, Debug)]
pub struct Sheet<'a> {
    /// The first line.
    pub title: &'a str,
    /// The second line: the position, say.
    pub subtitle: &'a str,
    /// The pieces.
    pub board: &'a Board,
    /// Who moves next.
    pub turn: Color,
    /// What lies under them, one board each.
    pub fields: &'a [&'a Field],
    /// Whether each square tells its number.
    pub figures: bool,
}

impl Sheet<'_> {
    /// The picture as an SVG that needs no font and no other file.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        let count = self.fields.len();
        // A single board is named by the title.
        let captioned = count > 1;
        let columns = if count > LONGEST_ROW { count.isqrt() + usize::from(count.isqrt().pow(2) < count) } else { count.max(1) };
        let rows = count.div_ceil(columns).max(1);
        let [across, down] = [heatmap::WIDTH, heatmap::height(captioned)];
        let width = 2.0 * MARGIN + columns as f64 * (across + GAP) - GAP;
        let height = 2.0 * MARGIN + HEADING + rows as f64 * (down + GAP) - GAP;

        svg.rect([0.0, 0.0, width, height], Paint::fill(PAPER));
        self.heading(&mut svg, width);
        for (index, (field, scale)) in self.fields.iter().zip(scales(self.fields)).enumerate() {
            let (row, column) = (index / columns, index % columns);
            let corner = [
                MARGIN + column as f64 * (across + GAP),
                MARGIN + HEADING + row as f64 * (down + GAP),
            ];
            let caption = captioned.then_some(field.name.as_str());
            let Sheet { board, turn, figures, .. } = *self;
            Heatmap { board, turn, field, scale, caption, figures }.draw(&mut svg, corner);
        }
        let names: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        svg.finish(width, height, self.title, &format!("{}: {}", names.join(", "), self.subtitle))
    }

    fn heading(&self, svg: &mut Svg, width: f64) {
        let left = MARGIN + heatmap::INDENT;
        let room = width - 2.0 * left;
        let title = Hand { height: 14.0, bold: true, ink: INK, anchor: Anchor::Start };
        title.within(self.title, room).write(svg, self.title, [left, MARGIN + 18.0]);
        let subtitle = Hand { height: 7.6, bold: false, ink: PALE_INK, anchor: Anchor::Start };
        subtitle.within(self.subtitle, room).write(svg, self.subtitle, [left, MARGIN + 38.0]);
    }
}
