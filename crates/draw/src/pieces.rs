//! The chess pieces: original drawings, as SVG paths.
//!
//! A piece is a few parts within a square of 100 units, each drawn over the previous ones with the same outline: base,
//! body, collar, head. White's are light with dark outlines, Black's dark with light outlines, so that both stand out on
//! every field colour.

use shakmaty::{Color, Piece, Role};

use crate::color::{INK, PAPER};
use crate::svg::{Paint, Svg};

/// Side length of a square, in units.
const SIDE: f64 = 100.0;

/// Stroke width of White's pieces, and of Black's, in units.
const DARK_LINE: f64 = 4.2;
const LIGHT_LINE: f64 = 3.0;

/// The parts of a piece, bottom first, and strokes on top of them.
struct Shape {
    parts: &'static [&'static str],
    lines: &'static [&'static str],
}

const BASE: &str = "M23 90V85Q23 79 29 79H71Q77 79 77 85V90Z";

const PAWN: Shape = Shape {
    parts: &[
        "M26 90V85Q26 79 32 79H68Q74 79 74 85V90Z",
        "M33 79C40 73 43 64 43.5 54H56.5C57 64 60 73 67 79Z",
        "M35.5 55Q34 48 40 48H60Q66 48 64.5 55Z",
        "M64 35A14 14 0 1 1 36 35A14 14 0 1 1 64 35Z",
    ],
    lines: &[],
};

const KNIGHT: Shape = Shape {
    parts: &[
        BASE,
        "M33 79C32 68 38 62 44 56C47 53 48 50 48 46C43 50 39 51 35 51C32 55 29 58 25 58.5C19 59 16 54 18 49C20 44 25 39 27 32C29 26 33 23 37 21L38 11L47 18C63 20 75 33 75 52C75 62 70 69 68 79Z",
    ],
    lines: &["M35 33.5V33.6", "M24 50.5V50.6", "M52 27C61 31 66 40 66 53"],
};

const BISHOP: Shape = Shape {
    parts: &[
        BASE,
        "M35 79C41 74 43.5 69 44 63H56C56.5 69 59 74 65 79Z",
        "M36 63Q34.5 57 40 57H60Q65.5 57 64 63Z",
        "M50 19C63 30 67 43 60 57H40C33 43 37 30 50 19Z",
        "M55 14.5A5 5 0 1 1 45 14.5A5 5 0 1 1 55 14.5Z",
    ],
    lines: &["M57.5 29.5L50 42"],
};

const ROOK: Shape = Shape {
    parts: &[BASE, "M34 79L37 44H63L66 79Z", "M31 44L28 20H39V27H45V20H55V27H61V20H72L69 44Z"],
    lines: &[],
};

const QUEEN: Shape = Shape {
    parts: &[
        BASE,
        "M33 66L20 32L35 46L35.5 22L50 43L64.5 22L65 46L80 32L67 66Z",
        "M35 79C36 75 36 70 32 66Q30 60 36 60H64Q70 60 68 66C64 70 64 75 65 79Z",
        "M24.5 29A4.5 4.5 0 1 1 15.5 29A4.5 4.5 0 1 1 24.5 29Z",
        "M39.5 19A4.5 4.5 0 1 1 30.5 19A4.5 4.5 0 1 1 39.5 19Z",
        "M69.5 19A4.5 4.5 0 1 1 60.5 19A4.5 4.5 0 1 1 69.5 19Z",
        "M84.5 29A4.5 4.5 0 1 1 75.5 29A4.5 4.5 0 1 1 84.5 29Z",
    ],
    lines: &[],
};

const KING: Shape = Shape {
    parts: &[
        BASE,
        "M46 7H54V14H61V22H54V34H46V22H39V14H46Z",
        "M50 62C40 50 42 35 50 29C58 35 60 50 50 62Z",
        "M34 64C17 52 20 33 34 33C43 33 48 41 50 50C52 41 57 33 66 33C80 33 83 52 66 64Z",
        "M35 79C36 75 36 71 32 67Q30 61 36 61H64Q70 61 68 67C64 71 64 75 65 79Z",
    ],
    lines: &[],
};

/// Draws a piece on a square whose upper left corner is given.
pub(crate) fn draw(svg: &mut Svg, piece: Piece, corner: [f64; 2], side: f64) {
    let Shape { parts, lines } = match piece.role {
        Role::Pawn => PAWN,
        Role::Knight => KNIGHT,
        Role::Bishop => BISHOP,
        Role::Rook => ROOK,
        Role::Queen => QUEEN,
        Role::King => KING,
    };
    let (fill, line) = match piece.color {
        Color::White => (PAPER, (INK, DARK_LINE)),
        Color::Black => (INK, (PAPER, LIGHT_LINE)),
    };
    svg.group(corner, side / SIDE, Paint { fill: Some(fill), stroke: Some(line) }, |svg| {
        for part in parts {
            svg.plain_path(part);
        }
        for stroke in lines {
            svg.path(stroke, Paint::stroke(line.0, line.1));
        }
    });
}
