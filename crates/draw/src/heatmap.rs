//! One board with a field under its pieces: squares, pieces, coordinates, side to move and legend.

use shakmaty::{Board, Color, File, Rank, Square};
use tabia_eval::Field;

use crate::color::{INK, PALE_INK, PAPER};
use crate::lettering::{Anchor, TextStyle};
use crate::scale::{Pole, Scale};
use crate::svg::{Paint, Svg};
use crate::{numbers, pieces};

/// Side length of a square, and of the board, in units.
const SQUARE: f64 = 54.0;
const BOARD: f64 = 8.0 * SQUARE;
/// Margins beside the board: ranks on the left, side to move on the right.
const GUTTER: f64 = 22.0;
/// Margins: the caption above; files and the legend below.
const CAPTION: f64 = 26.0;
const FILES: f64 = 20.0;
const LEGEND: f64 = 58.0;

/// Size of a piece's drawing relative to its square, and its offset to the right and down.
const ALONE: (f64, f64, f64) = (1.04, 0.0, 0.8);
const BESIDE_NUMBER: (f64, f64, f64) = (0.92, 3.0, 2.2);

/// One board of a picture.
pub(crate) struct Heatmap<'a> {
    pub board: &'a Board,
    pub turn: Color,
    pub field: &'a Field,
    pub scale: Scale,
    /// Written above the board.
    pub caption: Option<&'a str>,
    /// Whether each square shows its value.
    pub figures: bool,
}

/// Width of a heatmap, and the board's distance from its left edge.
pub(crate) const WIDTH: f64 = GUTTER + BOARD + GUTTER;
pub(crate) const INDENT: f64 = GUTTER;
/// Height of a board without a field.
pub(crate) const PLAIN_HEIGHT: f64 = BOARD + FILES;
/// Height of a heatmap.
pub(crate) const fn height(captioned: bool) -> f64 {
    let caption = if captioned { CAPTION } else { 0.0 };
    caption + BOARD + FILES + LEGEND
}

impl Heatmap<'_> {
    /// Draws it with this upper left corner.
    pub fn draw(&self, svg: &mut Svg, [x, y]: [f64; 2]) {
        let left = x + GUTTER;
        let mut top = y;
        if let Some(caption) = self.caption {
            let style = TextStyle { height: 10.5, bold: true, ink: INK, anchor: Anchor::Start };
            style.within(caption, BOARD).write(svg, caption, [left, top + 13.0]);
            top += CAPTION;
        }
        self.squares(svg, [left, top]);
        coordinates(svg, [left, top]);
        mover(svg, self.turn, [left + BOARD, top]);
        self.legend(svg, [left, top + BOARD + FILES]);
    }

    fn squares(&self, svg: &mut Svg, [left, top]: [f64; 2]) {
        for square in Square::ALL {
            let (row, column) = (7 - square.rank() as usize, square.file() as usize);
            let corner = [left + column as f64 * SQUARE, top + row as f64 * SQUARE];
            let value = self.field.values[row][column];
            svg.crisp_rect([corner[0], corner[1], SQUARE, SQUARE], self.scale.on_square(value, square));
        }
        svg.rect([left, top, BOARD, BOARD], Paint::stroke(PALE_INK, 1.0));
        let layout = if self.figures { BESIDE_NUMBER } else { ALONE };
        draw_pieces(svg, self.board, [left, top], layout);
        if self.figures {
            self.numbers(svg, [left, top]);
        }
    }

    /// Each square's number in its upper left corner, clear of the piece. An empty square without a value stays empty.
    fn numbers(&self, svg: &mut Svg, [left, top]: [f64; 2]) {
        let limit = self.scale.high.max(-self.scale.low);
        let style = TextStyle { height: 5.6, bold: false, ink: INK, anchor: Anchor::Start };
        for (row, values) in self.field.values.iter().enumerate() {
            for (column, value) in values.iter().enumerate() {
                let square = Square::from_coords(File::new(column as u32), Rank::new(7 - row as u32));
                if *value == 0.0 && self.board.piece_at(square).is_none() {
                    continue;
                }
                let at = [left + column as f64 * SQUARE + 3.5, top + row as f64 * SQUARE + 9.0];
                style.write(svg, &numbers::on_square(*value, limit), at);
            }
        }
    }

    /// The colour bar with its numbers below, and above it the unit and the sides.
    fn legend(&self, svg: &mut Svg, [left, top]: [f64; 2]) {
        const STEPS: u32 = 108;
        const BAR: f64 = 11.0;
        let style = TextStyle { height: 7.6, bold: false, ink: PALE_INK, anchor: Anchor::Middle };
        let Scale { low, high, .. } = self.scale;
        let above = top + 13.0;
        style.write(svg, &self.field.unit, [left + BOARD / 2.0, above]);
        if self.scale.is_diverging() {
            let bold = TextStyle { bold: true, ink: INK, ..style };
            TextStyle { anchor: Anchor::Start, ..bold }.write(svg, "Black", [left, above]);
            TextStyle { anchor: Anchor::End, ..bold }.write(svg, "White", [left + BOARD, above]);
        }
        let bar = above + 7.0;
        let step = BOARD / f64::from(STEPS);
        for index in 0..STEPS {
            let value = low + (high - low) * (f64::from(index) + 0.5) / f64::from(STEPS);
            svg.crisp_rect([left + f64::from(index) * step, bar, step, BAR], self.scale.color(value));
        }
        svg.rect([left, bar, BOARD, BAR], Paint::stroke(PALE_INK, 0.8));
        for tick in self.scale.ticks() {
            let text = if self.scale.is_diverging() { numbers::signed(tick) } else { numbers::short(tick) };
            let share = (tick - low) / (high - low);
            let anchor = match share {
                _ if share < 0.01 => Anchor::Start,
                _ if share > 0.99 => Anchor::End,
                _ => Anchor::Middle,
            };
            TextStyle { anchor, ..style }.write(svg, &text, [left + share * BOARD, bar + BAR + 14.0]);
        }
    }
}

/// Draws a board without a field with its upper left corner here: squares in two tones, pieces, coordinates, whose move it is.
pub(crate) fn plain(svg: &mut Svg, [x, y]: [f64; 2], board: &Board, turn: Color) {
    let (left, top) = (x + GUTTER, y);
    let scale = Scale { low: 0.0, high: 1.0, above: Pole::White };
    for square in Square::ALL {
        let (row, column) = (7 - square.rank() as usize, square.file() as usize);
        let corner = [left + column as f64 * SQUARE, top + row as f64 * SQUARE];
        svg.crisp_rect([corner[0], corner[1], SQUARE, SQUARE], scale.on_square(0.0, square));
    }
    svg.rect([left, top, BOARD, BOARD], Paint::stroke(PALE_INK, 1.0));
    draw_pieces(svg, board, [left, top], ALONE);
    coordinates(svg, [left, top]);
    mover(svg, turn, [left + BOARD, top]);
}

fn draw_pieces(svg: &mut Svg, board: &Board, [left, top]: [f64; 2], (size, right, down): (f64, f64, f64)) {
    for (square, piece) in board {
        let (row, column) = (7 - square.rank() as usize, square.file() as usize);
        let size = SQUARE * size;
        let margin = (SQUARE - size) / 2.0;
        let corner =
            [left + column as f64 * SQUARE + margin + right, top + row as f64 * SQUARE + margin + down];
        pieces::draw(svg, piece, corner, size);
    }
}

/// A disc beside the home rank of the side to move.
fn mover(svg: &mut Svg, turn: Color, [right, top]: [f64; 2]) {
    let (y, fill) = match turn {
        Color::White => (top + BOARD - SQUARE / 2.0, PAPER),
        Color::Black => (top + SQUARE / 2.0, INK),
    };
    svg.circle([right + GUTTER / 2.0, y], 5.0, Paint { fill: Some(fill), stroke: Some((INK, 1.4)) });
}

fn coordinates(svg: &mut Svg, [left, top]: [f64; 2]) {
    let style = TextStyle { height: 7.6, bold: false, ink: PALE_INK, anchor: Anchor::Middle };
    for (index, (file, rank)) in File::ALL.into_iter().zip(Rank::ALL).enumerate() {
        let middle = (index as f64 + 0.5) * SQUARE;
        style.write(svg, &file.char().to_string(), [left + middle, top + BOARD + 15.0]);
        style.write(svg, &rank.char().to_string(), [left - GUTTER / 2.0, top + BOARD - middle + 3.8]);
    }
}
