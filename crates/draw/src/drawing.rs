//! A drawing of one or more fields of a position, side by side, with a heading.

use shakmaty::{Board, Color};
use tabia_eval::Field;

use crate::color::{INK, PALE_INK, PAPER};
use crate::heatmap::{self, Heatmap};
use crate::lettering::{Anchor, TextStyle};
use crate::scale::scales;
use crate::svg::{Paint, Svg};

const MARGIN: f64 = 14.0;
/// Height of title and subtitle.
const HEADING: f64 = 56.0;
const GAP: f64 = 6.0;
/// More boards than this are laid out in several rows.
const LONGEST_ROW: usize = 4;

#[derive(Clone, Debug)]
pub struct Drawing<'a> {
    pub title: &'a str,
    /// Note at the end of the title line.
    pub note: &'a str,
    pub subtitle: &'a str,
    pub board: &'a Board,
    pub turn: Color,
    /// Fields, one board each.
    pub fields: &'a [&'a Field],
    /// Whether each square shows its value.
    pub figures: bool,
}

impl Drawing<'_> {
    /// Renders a self-contained SVG, without fonts.
    pub fn svg(&self) -> String {
        let mut svg = Svg::default();
        let count = self.fields.len();
        // A single board is named by the title.
        let captioned = count > 1;
        let columns = columns(count);
        let rows = count.div_ceil(columns).max(1);
        let [across, down] = [heatmap::WIDTH, heatmap::height(captioned)];
        let width = 2.0 * MARGIN + columns as f64 * (across + GAP) - GAP;
        let height = 2.0 * MARGIN + HEADING + rows as f64 * (down + GAP) - GAP;

        svg.rect([0.0, 0.0, width, height], Paint::fill(PAPER));
        self.heading(&mut svg, width);
        for (index, (field, scale)) in self.fields.iter().zip(scales(self.fields)).enumerate() {
            let (row, column) = (index / columns, index % columns);
            let corner =
                [MARGIN + column as f64 * (across + GAP), MARGIN + HEADING + row as f64 * (down + GAP)];
            let caption = captioned.then_some(field.name.as_str());
            let Drawing { board, turn, figures, .. } = *self;
            Heatmap { board, turn, field, scale, caption, figures }.draw(&mut svg, corner);
        }
        let names: Vec<&str> = self.fields.iter().map(|field| field.name.as_str()).collect();
        svg.finish(width, height, self.title, &format!("{}: {}", names.join(", "), self.subtitle))
    }

    fn heading(&self, svg: &mut Svg, width: f64) {
        let left = MARGIN + heatmap::INDENT;
        let room = width - 2.0 * left;
        let title = TextStyle { height: 14.0, bold: true, ink: INK, anchor: Anchor::Start };
        let title = title.within(self.title, room);
        title.write(svg, self.title, [left, MARGIN + 18.0]);
        let note = TextStyle { height: 9.0, bold: false, ink: INK, anchor: Anchor::End };
        let left_over = (room - title.width(self.title) - GAP).max(0.0);
        note.within(self.note, left_over).write(svg, self.note, [left + room, MARGIN + 18.0]);
        let subtitle = TextStyle { height: 7.6, bold: false, ink: PALE_INK, anchor: Anchor::Start };
        subtitle.within(self.subtitle, room).write(svg, self.subtitle, [left, MARGIN + 38.0]);
    }
}

/// A board without fields, as a self-contained SVG; `title` is for screen readers.
pub fn board(board: &Board, turn: Color, title: &str) -> String {
    let mut svg = Svg::default();
    let [width, height] = [2.0 * MARGIN + heatmap::WIDTH, 2.0 * MARGIN + heatmap::PLAIN_HEIGHT];
    svg.rect([0.0, 0.0, width, height], Paint::fill(PAPER));
    heatmap::plain(&mut svg, [MARGIN, MARGIN], board, turn);
    svg.finish(
        width,
        height,
        title,
        &format!("{}, {} to move", board.board_fen(), turn.fold_wb("White", "Black")),
    )
}

/// One row if it is short enough; otherwise about as many rows as columns.
fn columns(count: usize) -> usize {
    let root = count.isqrt();
    match count {
        0..=LONGEST_ROW => count.max(1),
        _ if root * root == count => root,
        _ => root + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use resvg::usvg::roxmltree::Document;

    fn field(name: &str, corner: f64) -> Field {
        let mut values = [[0.0; 8]; 8];
        (values[0][0], values[7][7]) = (corner, 10.0);
        Field { name: name.to_owned(), unit: "influence".to_owned(), values }
    }

    fn drawn(title: &str, board: &Board, fields: &[&Field], figures: bool) -> String {
        let subtitle = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        Drawing { title, note: "+0.35", subtitle, board, turn: Color::White, fields, figures }.svg()
    }

    fn count(svg: &str, name: &str) -> usize {
        Document::parse(svg).unwrap().descendants().filter(|node| node.has_tag_name(name)).count()
    }

    #[test]
    fn a_picture_is_well_formed_and_names_what_it_shows() {
        let control = field("control", -8.0);
        let svg = drawn("a < b & \"c\"", &Board::default(), &[&control], false);
        let document = Document::parse(&svg).unwrap();
        let text =
            |name| document.descendants().find(|node| node.has_tag_name(name)).unwrap().text().unwrap();
        assert_eq!(text("title"), "a < b & \"c\"");
        assert!(text("desc").starts_with("control: rnbqkbnr/"));
        assert_eq!(document.root_element().attribute("viewBox"), Some("0 0 504 594"));
    }

    #[test]
    fn every_piece_is_drawn_and_none_on_an_empty_board() {
        let control = field("control", -8.0);
        let groups = |board: &Board| count(&drawn("t", board, &[&control], false), "g");
        assert_eq!(groups(&Board::default()) - groups(&Board::empty()), 32);
    }

    #[test]
    fn nothing_refers_to_a_font_a_name_or_another_file() {
        let control = field("control", -8.0);
        let svg = drawn("t", &Board::default(), &[&control, &control], true);
        for word in ["<text", "font", "href", " id=", "url("] {
            assert!(!svg.contains(word), "{word}");
        }
    }

    #[test]
    fn colours_of_squares_are_those_of_the_scale() {
        let control = field("control", -8.0);
        let svg = drawn("t", &Board::empty(), &[&control], false);
        let scale = crate::Scale::of(&control);
        for (value, square) in [(-8.0, shakmaty::Square::A8), (10.0, shakmaty::Square::H1)] {
            assert!(svg.contains(&format!("fill=\"{}\"", scale.on_square(value, square))), "{square}");
        }
    }

    #[test]
    fn several_fields_stand_side_by_side_and_many_in_rows() {
        let one = field("white attack", 3.0);
        let size = |fields: usize| {
            let svg = drawn("t", &Board::default(), &vec![&one; fields], false);
            let document = Document::parse(&svg).unwrap();
            let side = |name| document.root_element().attribute(name).unwrap().parse::<f64>().unwrap();
            (side("width"), side("height"))
        };
        assert!(size(3).0 > 2.5 * size(1).0 && size(3).1 < 1.1 * size(1).1);
        assert!((size(6).0 - size(3).0).abs() < 1.0 && size(6).1 > 1.8 * size(3).1);
        assert_eq!([0, 1, 4, 5, 9, 17].map(columns), [1, 1, 4, 3, 3, 5]);
    }

    #[test]
    fn a_board_without_a_field_has_its_pieces_and_no_legend() {
        let svg = super::board(&Board::default(), Color::White, "the start");
        assert_eq!(count(&svg, "g"), 32 + count(&super::board(&Board::empty(), Color::White, "t"), "g"));
        let legend = drawn("t", &Board::default(), &[&field("control", 1.0)], false);
        assert!(count(&svg, "rect") + 100 < count(&legend, "rect"));
    }

    #[test]
    fn numbers_that_are_none_do_not_spoil_a_picture() {
        let mut odd = field("odd", f64::NAN);
        odd.values[3][3] = f64::INFINITY;
        let svg = drawn("t", &Board::default(), &[&odd], true);
        assert!(Document::parse(&svg).is_ok() && !svg.contains("NaN") && crate::png::png(&svg, 1.0).is_ok());
    }
}
