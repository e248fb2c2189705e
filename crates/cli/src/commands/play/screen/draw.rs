//! The screen layout: board and evaluation bar, side panel, status lines, input line, keys.
//!
//! ```text
//! who plays, and the opening
//! ▌ 8 ♜ ♞ …      the players, the moves,
//! ▌ …            search information,
//! ▌   a b …      the field's legend
//! status
//! last message
//! White> e2e4
//! the keys
//! ```

use std::time::Instant;

use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Position as CursorPosition, Rect};
use ratatui::style::{Color as Ink, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Block, Clear, Paragraph, Wrap};
use shakmaty::Position;
use tabia_arena::analysis;
use tabia_draw::Scale;

use super::super::verdict;
use super::keys::ENTRIES;
use super::state::{Purpose, Screen};
use crate::text;
use crate::tui::bar::EvalBar;
use crate::tui::board::Board;

/// Minimum columns and rows.
const MIN_SIZE: (u16, u16) = (80, 24);
/// Columns of the evaluation bar, and between board and panel.
const BAR: u16 = 2;
const GAP: u16 = 2;
/// Minimum and maximum columns of the panel.
const PANEL: u16 = 32;
const WIDEST_PANEL: u16 = 44;
/// Rows besides the board: players, status, message, input line, keys.
const SAID: u16 = 3;
const ROWS_BESIDE: u16 = 4 + SAID;

/// Colours of warnings and errors.
const LOUD: Ink = Ink::Indexed(214);
const REFUSED: Ink = Ink::Indexed(203);

impl Screen {
    /// Draws everything.
    pub fn draw(&mut self, frame: &mut Frame<'_>) {
        let area = frame.area();
        if area.width < MIN_SIZE.0 || area.height < MIN_SIZE.1 {
            return self.draw_small(frame, area);
        }
        self.overlay.look(self.session.game());
        let room = area.width - BAR - GAP - PANEL;
        let (width, height) = Board::size(room, area.height - ROWS_BESIDE);
        let [head, middle, status, said, input, _, foot] = Layout::vertical([
            Constraint::Length(1),
            Constraint::Length(height),
            Constraint::Length(1),
            Constraint::Length(SAID),
            Constraint::Length(1),
            Constraint::Min(0),
            Constraint::Length(1),
        ])
        .areas(area);
        let [bar, board, _, panel] = Layout::horizontal([
            Constraint::Length(BAR),
            Constraint::Length(width),
            Constraint::Length(GAP),
            Constraint::Max(WIDEST_PANEL),
        ])
        .areas(middle);
        self.draw_head(frame, head);
        self.draw_bar(frame, Rect { height: bar.height - 1, ..bar });
        self.draw_board(frame, board);
        self.draw_panel(frame, panel);
        frame.render_widget(self.status(), status);
        self.draw_said(frame, said);
        self.draw_input(frame, input);
        frame.render_widget(Paragraph::new(self.keys(foot.width)).dim(), foot);
        if self.help {
            Screen::draw_help(frame, area);
        }
    }

    /// A message instead of the board when the terminal is too small; prompts are still shown.
    fn draw_small(&self, frame: &mut Frame<'_>, area: Rect) {
        let prompt = self.prompt.map(|prompt| format!(" {}", prompt.text())).unwrap_or_default();
        let sentence = format!(
            "The board needs {} columns and {} rows, and here are {} and {}: make the window larger, or q leaves and \
             `tabia play --plain` plays in any.{prompt}",
            MIN_SIZE.0, MIN_SIZE.1, area.width, area.height
        );
        frame.render_widget(Paragraph::new(sentence).wrap(Wrap { trim: true }), area);
    }

    fn draw_head(&self, frame: &mut Frame<'_>, area: Rect) {
        let name = |name: &Option<String>| name.clone().unwrap_or_else(|| "you".to_owned());
        let players = format!("{} – {}", name(&self.names.white), name(&self.names.black));
        let opening = self.opening.clone().unwrap_or_default();
        let line = Line::from(vec![Span::from(players).bold(), Span::from("   "), Span::from(opening).dim()]);
        frame.render_widget(Paragraph::new(line), area);
    }

    fn draw_bar(&self, frame: &mut Frame<'_>, area: Rect) {
        let white = match (self.outcome(), &self.assessment) {
            (Some(outcome), _) => match outcome.winner {
                Some(winner) => winner.fold_wb(100.0, 0.0),
                None => 50.0,
            },
            (None, Some(assessment)) => analysis::win_percent(assessment.score.score),
            (None, None) => self.overlay.seen().map_or(50.0, |seen| analysis::win_percent(seen.score)),
        };
        frame.render_widget(EvalBar { white, bottom: self.bottom, colors: self.colors }, area);
    }

    fn draw_board(&self, frame: &mut Frame<'_>, area: Rect) {
        let seen = self.overlay.seen().filter(|_| self.overlay.on);
        let board = Board {
            selection: self.selection,
            field: seen.map(|seen| (seen.field(), Scale::of(seen.field()))),
            ..Board::new(
                self.game().position(),
                self.game().moves().last().copied(),
                self.bottom,
                self.colors,
            )
        };
        frame.render_widget(board, area);
    }

    /// The status line.
    fn status(&self) -> Line<'static> {
        let loud = self.ink(LOUD).bold();
        if let Some(outcome) = self.outcome() {
            return Line::styled(verdict(outcome), loud);
        }
        let turn = text::side(self.game().side_to_move());
        if let Some(thinking) = &self.thinking {
            let seconds = Instant::now().saturating_duration_since(thinking.started).as_secs_f64();
            let who = match thinking.purpose {
                Purpose::Move(side) => self.names[side].clone().unwrap_or_default(),
                Purpose::Hint => "a hint".to_owned(),
            };
            return Line::from(vec![
                Span::styled("> AI THINKING...", loud),
                Span::from(format!("  {who}  {seconds:.1} s")),
            ]);
        }
        if self.paused {
            return Line::styled(format!("Paused; {turn} is to move. p goes on."), loud);
        }
        let check = if self.game().position().is_check() { " Check!" } else { "" };
        Line::from(vec![Span::from(format!("{turn} to move.")), Span::styled(check, loud)])
    }

    fn draw_said(&self, frame: &mut Frame<'_>, area: Rect) {
        let (text, style) = match (&self.prompt, &self.status) {
            (Some(prompt), _) => (prompt.text(), self.ink(LOUD)),
            (None, Some(said)) if said.refused => (said.text.clone(), self.ink(REFUSED)),
            (None, Some(said)) => (said.text.clone(), Style::new()),
            (None, None) => return,
        };
        frame.render_widget(Paragraph::new(text).style(style).wrap(Wrap { trim: true }), area);
    }

    fn draw_input(&self, frame: &mut Frame<'_>, area: Rect) {
        let turn = self.game().side_to_move();
        if self.watching() {
            return;
        }
        let prompt = format!("{}> ", text::side(turn));
        let column = area.x + (prompt.len() + self.line.chars().count()) as u16;
        let yours = self.reason_not_to_move().is_none();
        let prompt = if yours { Span::from(prompt).bold() } else { Span::from(prompt).dim() };
        let line = Line::from(vec![prompt, Span::from(self.line.clone())]);
        frame.render_widget(Paragraph::new(line), area);
        if yours && !self.help && self.prompt.is_none() && column < area.right() {
            frame.set_cursor_position(CursorPosition::new(column, area.y));
        }
    }

    /// The keys that are useful now, as many as fit.
    fn keys(&self, width: u16) -> String {
        const LAST: &str = "? help  q quit";
        let first: &[&str] = if self.watching() {
            &["p pause", "+ faster", "- slower"]
        } else if self.outcome().is_some() {
            &["n new game", "u undo"]
        } else if self.reason_not_to_move().is_some() {
            &["m or Esc move now", "u undo"]
        } else if self.selection.chosen.is_some() {
            &["Enter put down", "Esc put back"]
        } else {
            &["type e4 or use arrows, Enter", "u undo", "i hint"]
        };
        let field: &[&str] =
            if self.overlay.on { &["Tab next field", "w whose", "v off"] } else { &["v field"] };
        let mut keys = String::new();
        for key in first.iter().chain(field).chain(&["t turn", "s save"]) {
            if keys.len() + key.len() + 2 + LAST.len() <= usize::from(width) {
                keys += key;
                keys += "  ";
            }
        }
        keys + LAST
    }

    fn draw_help(frame: &mut Frame<'_>, area: Rect) {
        let mut lines = vec![
            Line::from("Type a move: e2e4, Nf3, exd5, O-O, e8=Q. Or move the cursor"),
            Line::from("with the arrows; Enter picks a piece up and puts it down."),
            Line::from("PgUp and PgDn scroll the moves, + and - change the speed."),
            Line::default(),
        ];
        lines.extend(ENTRIES.iter().map(|entry| {
            let key = match entry.key {
                Some('\t') => "Tab".to_owned(),
                Some(key) => key.to_string(),
                None => String::new(),
            };
            let word = format!(":{}", entry.word);
            Line::from(vec![Span::from(format!(" {key:<4}{word:<9}")).bold(), Span::from(entry.help)])
        }));
        let width = lines.iter().map(Line::width).max().unwrap_or_default() as u16 + 4;
        let place = area.centered(Constraint::Length(width), Constraint::Length(lines.len() as u16 + 2));
        let block = Block::bordered()
            .title(" Keys, and commands after a colon ")
            .padding(ratatui::widgets::Padding::horizontal(1));
        frame.render_widget(Clear, place);
        frame.render_widget(Paragraph::new(lines).block(block), place);
    }

    /// A colour of the palette, if colours are enabled.
    pub(super) fn ink(&self, ink: Ink) -> Style {
        if self.colors.is_enabled() { Style::new().fg(ink) } else { Style::new() }
    }
}
