//! The move list, two moves per row.

use ratatui::style::{Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use shakmaty::Color;

/// Columns that a row takes.
pub const COLUMNS: u16 = 26;
/// Columns of one move.
const MOVE: usize = 10;

/// A listed move.
pub struct Listed {
    pub number: u32,
    pub mover: Color,
    /// The move and its annotations.
    pub text: String,
}

/// The rows of a list, and the row of the move `here`.
pub fn rows(moves: impl IntoIterator<Item = Listed>, here: Option<usize>) -> (Vec<Line<'static>>, usize) {
    let mut rows: Vec<Line<'static>> = Vec::new();
    let mut current = 0;
    for (index, Listed { number, mover, text }) in moves.into_iter().enumerate() {
        if mover == Color::White || rows.is_empty() {
            let mut row = vec![Span::from(format!("{number:>4}. ")).dim()];
            if mover == Color::Black {
                row.push(Span::from(format!("{:<MOVE$}", "…")));
            }
            rows.push(Line::from(row));
        }
        let mut style = Style::new();
        if here == Some(index) {
            current = rows.len() - 1;
            style = style.add_modifier(Modifier::REVERSED);
        }
        if let Some(row) = rows.last_mut() {
            // Only the move is highlighted, not the space beside it.
            row.spans.push(Span::styled(text.clone(), style));
            row.spans.push(Span::from(" ".repeat(MOVE.saturating_sub(text.chars().count()))));
        }
    }
    (rows, current)
}

/// The visible rows: the current one in the middle, or scrolled.
pub fn window(rows: Vec<Line<'static>>, current: usize, scrolled: usize, height: u16) -> Vec<Line<'static>> {
    let height = usize::from(height);
    let last = rows.len().saturating_sub(height);
    let top = current.saturating_sub(height / 2).min(last).saturating_sub(scrolled);
    rows.into_iter().skip(top).take(height).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn list(first: Color, count: u32) -> Vec<Line<'static>> {
        let start = first.fold_wb(0, 1);
        let moves = (start..start + count).map(|ply| Listed {
            number: ply / 2 + 1,
            mover: if ply.is_multiple_of(2) { Color::White } else { Color::Black },
            text: format!("m{ply}"),
        });
        rows(moves, Some(count as usize - 1)).0
    }

    #[test]
    fn a_game_may_begin_with_black() {
        let rows: Vec<String> = list(Color::Black, 3).iter().map(ToString::to_string).collect();
        assert_eq!(rows, ["   1. …         m1        ", "   2. m2        m3        "]);
    }

    #[test]
    fn the_window_is_about_the_current_row_and_can_be_scrolled() {
        let first = |scrolled, height| {
            let rows = list(Color::White, 40);
            window(rows, 19, scrolled, height).first().map(ToString::to_string).unwrap_or_default()
        };
        assert!(first(0, 5).starts_with("  16."));
        assert!(first(3, 5).starts_with("  13."));
        assert!(first(99, 5).starts_with("   1."));
        assert!(first(0, 30).starts_with("   1."));
    }
}
