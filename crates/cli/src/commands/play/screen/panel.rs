//! The side panel: players and captured pieces, moves, search information, the field's legend.

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use shakmaty::{Color, Position};
use tabia_draw::Scale;

use super::captured;
use super::state::Screen;
use crate::commands::field::FieldView;
use crate::diagram;
use crate::text;
use crate::tui::moves::{self, Listed};

/// Rows of a player, of the search information, of the legend.
const PLAYER: u16 = 2;
const SEARCH_INFO: u16 = 3;
const LEGEND: u16 = 4;
/// Maximum columns of the legend's colour bar.
const LONGEST_BAR: u16 = 32;

impl Screen {
    pub(super) fn draw_panel(&self, frame: &mut Frame<'_>, area: Rect) {
        let legend = self.overlay.seen().filter(|_| self.overlay.on);
        let [above, list, search_info, field, below] = Layout::vertical([
            Constraint::Length(PLAYER),
            Constraint::Min(1),
            Constraint::Length(SEARCH_INFO),
            Constraint::Length(if legend.is_some() { LEGEND } else { 0 }),
            Constraint::Length(PLAYER),
        ])
        .areas(area);
        frame.render_widget(self.player(self.bottom.other()), above);
        self.draw_list(frame, list);
        frame.render_widget(self.search_info(search_info.width), search_info);
        if let Some(seen) = legend {
            frame.render_widget(self.legend(seen, field.width.min(LONGEST_BAR)), field);
        }
        frame.render_widget(self.player(self.bottom), below);
    }

    /// A side's name, marked when it is to move, and the pieces it captured.
    fn player(&self, side: Color) -> Paragraph<'static> {
        let to_move = self.outcome().is_none() && self.game().side_to_move() == side;
        let style = if to_move { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        let mark = if to_move { "▶ " } else { "  " };
        let name = self.names[side].clone().unwrap_or_else(|| "you".to_owned());
        let (start, now) = (self.game().start().board(), self.game().position().board());
        let taken: String = captured::taken(side, start, now)
            .into_iter()
            .map(|role| {
                let symbol = diagram::symbol(role, side == Color::White);
                if self.colors.is_enabled() { symbol } else { role.of(side.other()).char() }
            })
            .collect();
        let lead = match captured::lead(side, now) {
            lead if lead > 0 => format!(" +{lead}"),
            _ => String::new(),
        };
        Paragraph::new(vec![
            Line::styled(format!("{mark}{}  {name}", text::side(side)), style),
            Line::from(format!("  {taken}{lead}")).dim(),
        ])
    }

    fn draw_list(&self, frame: &mut Frame<'_>, area: Rect) {
        let start = self.game().start();
        let offset = start.turn().fold_wb(0, 1);
        let listed = self.sans.iter().enumerate().map(|(index, san)| {
            let half_moves = index as u32 + offset;
            let mover = if half_moves.is_multiple_of(2) { Color::White } else { Color::Black };
            Listed { number: start.fullmoves().get() + half_moves / 2, mover, text: san.clone() }
        });
        let (rows, current) = moves::rows(listed, self.sans.len().checked_sub(1));
        frame.render_widget(Paragraph::new(moves::window(rows, current, self.scrolled, area.height)), area);
    }

    /// The result, or the last search information; before the first search, the static evaluation.
    fn search_info(&self, width: u16) -> Paragraph<'static> {
        if let Some(outcome) = self.outcome() {
            let result = Line::from(outcome.as_pgn()).bold();
            return Paragraph::new(vec![result, Line::from(outcome.reason.to_string()).dim()]);
        }
        let lines = match (&self.assessment, self.overlay.seen()) {
            (Some(assessment), _) => vec![
                Line::from(vec![Span::from(assessment.score.to_string()).bold(), Span::from(" for White")]),
                Line::from(assessment.how.clone()).dim(),
                Line::from(moves_within(&assessment.line, width).to_owned()),
            ],
            (None, Some(seen)) => vec![
                Line::from(vec![Span::from(seen.score.to_string()).bold(), Span::from(" for White")]),
                Line::from(format!("{}, at a glance", seen.evaluation)).dim(),
            ],
            (None, None) => Vec::new(),
        };
        Paragraph::new(lines)
    }

    /// The field's name, colours and range.
    fn legend(&self, seen: &FieldView, columns: u16) -> Paragraph<'static> {
        let (field, (number, count)) = (seen.field(), seen.place());
        let scale = Scale::of(field);
        let (low, high) = scale.ends();
        let step = |column: u16| {
            let share = (f64::from(column) + 0.5) / f64::from(columns);
            let value = scale.low + (scale.high - scale.low) * share;
            Span::styled(" ", Style::new().bg(self.colors.on_scale(&scale, value, None)))
        };
        let room = usize::from(columns).saturating_sub(low.chars().count() + high.chars().count());
        let bar = if self.colors.is_enabled() { (0..columns).map(step).collect() } else { Vec::new() };
        Paragraph::new(vec![
            Line::from(format!("{}: {}", seen.evaluation, field.name)).bold(),
            Line::from(bar),
            Line::from(format!("{low}{}{high}", " ".repeat(room))),
            Line::from(format!("in {}, field {number} of {count}", field.unit)).dim(),
        ])
    }
}

/// The moves of a line that fit: no move is cut, and no move number is left alone.
fn moves_within(line: &str, width: u16) -> &str {
    let Some((end, next)) = line.char_indices().nth(usize::from(width)) else { return line };
    let whole =
        if next == ' ' { &line[..end] } else { line[..end].rsplit_once(' ').map_or("", |(moves, _)| moves) };
    match whole.rsplit_once(' ') {
        Some((moves, number)) if number.ends_with('.') => moves,
        _ => whole,
    }
}

#[cfg(test)]
mod tests {
    use super::moves_within;

    #[test]
    fn no_move_is_cut_and_no_number_left_alone() {
        let line = "1... d5 2. exd5 Qxd5";
        for (width, moves) in [
            (20, line),
            (19, "1... d5 2. exd5"),
            (15, "1... d5 2. exd5"),
            (14, "1... d5"),
            (10, "1... d5"),
            (3, ""),
        ] {
            assert_eq!(moves_within(line, width), moves, "{width}");
        }
    }
}
