//! An evaluation bar: White's win probability beside Black's.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color as Ink, Style, Stylize};
use ratatui::text::Span;
use ratatui::widgets::Widget;
use shakmaty::Color;

use super::colors::Colors;

const WHITE: Ink = Ink::Indexed(231);
const BLACK: Ink = Ink::Indexed(236);
/// Half of a cell, the lower one.
const LOWER_HALF: &str = "▄";

/// A bar in a line of text, White's part first; `white` is in per cent.
pub fn horizontal(white: f64, columns: usize, colors: Colors) -> Vec<Span<'static>> {
    let share = steps(white, columns);
    if !colors.is_enabled() {
        return vec![Span::from(format!("[{}{}]", "#".repeat(share), ".".repeat(columns - share)))];
    }
    vec![Span::from(" ".repeat(share)).bg(WHITE), Span::from(" ".repeat(columns - share)).bg(BLACK)]
}

/// A bar beside a board: each side's part grows from its own side.
pub struct EvalBar {
    /// White's win probability in percent.
    pub white: f64,
    /// Which side is below.
    pub bottom: Color,
    /// Colours, or `#` and `.` for White and Black.
    pub colors: Colors,
}

impl Widget for EvalBar {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let of_bottom = self.bottom.fold_wb(self.white, 100.0 - self.white);
        let (below, above) = self.bottom.fold_wb((WHITE, BLACK), (BLACK, WHITE));
        let (sign_below, sign_above) = self.bottom.fold_wb(("#", "."), (".", "#"));
        // With colours a cell has two halves.
        let halves = if self.colors.is_enabled() { 2 } else { 1 };
        let filled = steps(of_bottom, usize::from(area.height) * halves);
        for row in 0..area.height {
            let from_below = usize::from(area.height - 1 - row) * halves;
            let (text, style) = if !self.colors.is_enabled() {
                (if filled > from_below { sign_below } else { sign_above }, Style::new())
            } else if filled == from_below + 1 {
                (LOWER_HALF, Style::new().fg(below).bg(above))
            } else {
                (" ", Style::new().bg(if filled > from_below { below } else { above }))
            };
            for column in 0..area.width {
                buffer.set_string(area.x + column, area.y + row, text, style);
            }
        }
    }
}

fn steps(percent: f64, count: usize) -> usize {
    ((percent / 100.0).clamp(0.0, 1.0) * count as f64).round() as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn standing(white: f64, bottom: Color, colors: Colors) -> Buffer {
        let area = Rect::new(0, 0, 1, 4);
        let mut buffer = Buffer::empty(area);
        EvalBar { white, bottom, colors }.render(area, &mut buffer);
        buffer
    }

    fn signs(white: f64, bottom: Color) -> String {
        let buffer = standing(white, bottom, Colors::None);
        (0..4).map(|y| buffer[(0, y)].symbol()).collect()
    }

    #[test]
    fn each_part_grows_from_its_own_side() {
        assert_eq!(signs(50.0, Color::White), "..##");
        assert_eq!(signs(75.0, Color::White), ".###");
        assert_eq!(signs(75.0, Color::Black), "###.");
        assert_eq!([signs(100.0, Color::White), signs(0.0, Color::White)], ["####", "...."]);
    }

    #[test]
    fn colours_show_halves_of_a_row() {
        let buffer = standing(62.5, Color::White, Colors::Palette);
        assert_eq!((buffer[(0, 0)].bg, buffer[(0, 3)].bg), (BLACK, WHITE));
        assert_eq!(
            (buffer[(0, 1)].symbol(), buffer[(0, 1)].fg, buffer[(0, 1)].bg),
            (LOWER_HALF, WHITE, BLACK)
        );
    }

    #[test]
    fn a_lying_bar_is_as_long_whoever_is_better() {
        for white in [0.0, 33.0, 100.0] {
            let length: usize =
                horizontal(white, 16, Colors::Palette).iter().map(|span| span.content.len()).sum();
            assert_eq!(length, 16);
        }
        assert_eq!(horizontal(25.0, 4, Colors::None)[0].content, "[#...]");
    }
}
