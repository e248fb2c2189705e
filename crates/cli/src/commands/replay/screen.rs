//! The full-screen interface of `tabia replay`.

use std::io;
use std::time::Instant;

use crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::Frame;
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color as Ink, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use tabia_arena::analysis;

use super::walk::{Step, Walked};
use crate::tui::colors::Colors;
use crate::tui::full_screen::FullScreen;
use crate::tui::moves;
use crate::tui::speed::Speed;

/// A move number has at most this many digits.
const LONGEST_NUMBER: usize = 4;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What the screen shows.
pub struct Screen<W> {
    walk: W,
    colors: Colors,
    /// Automatic play: the time since when the position is shown.
    playing: Option<Instant>,
    speed: Speed,
    /// Digits of a move number that is being typed.
    typed: String,
}

/// Shows a game until the person leaves.
pub fn run(walk: impl Walked) -> io::Result<()> {
    let mut screen = Screen::new(walk, Colors::of_terminal());
    screen.show(&mut FullScreen::open()?)
}

impl<W: Walked> Screen<W> {
    fn new(walk: W, colors: Colors) -> Screen<W> {
        Screen { walk, colors, playing: None, speed: Speed::new(), typed: String::new() }
    }

    fn show(&mut self, terminal: &mut FullScreen) -> io::Result<()> {
        loop {
            terminal.terminal.draw(|frame| self.draw(frame))?;
            let wait = self.playing.map(|since| self.speed.interval().saturating_sub(since.elapsed()));
            let ready = match wait {
                Some(wait) => event::poll(wait)?,
                None => true,
            };
            if !ready {
                self.play_on();
                continue;
            }
            if let Event::Key(key) = event::read()?
                && key.kind != KeyEventKind::Release
            {
                let interrupt =
                    key.modifiers.contains(KeyModifiers::CONTROL) && key.code == KeyCode::Char('c');
                if interrupt || !self.press(key.code) {
                    return Ok(());
                }
            }
        }
    }

    /// The next move of automatic play; stops at the end.
    fn play_on(&mut self) {
        self.playing = self.walk.step(Step::Forward).then(Instant::now);
    }

    /// Handles a key; returns false to quit.
    fn press(&mut self, key: KeyCode) -> bool {
        let step = match key {
            KeyCode::Char('q') => return false,
            KeyCode::Esc if self.typed.is_empty() => return false,
            KeyCode::Char(digit) if digit.is_ascii_digit() && self.typed.len() < LONGEST_NUMBER => {
                self.typed.push(digit);
                return true;
            }
            KeyCode::Backspace if !self.typed.is_empty() => {
                self.typed.pop();
                return true;
            }
            KeyCode::Enter if !self.typed.is_empty() => self.typed.parse().ok().map(Step::To),
            KeyCode::Right | KeyCode::Down | KeyCode::Enter | KeyCode::Char('n') => Some(Step::Forward),
            KeyCode::Left | KeyCode::Up | KeyCode::Char('p') => Some(Step::Back),
            KeyCode::Home | KeyCode::Char('f') => Some(Step::First),
            KeyCode::End | KeyCode::Char('l') => Some(Step::Last),
            KeyCode::Char('t') => Some(Step::Turn),
            _ => None,
        };
        self.typed.clear();
        match (key, step) {
            (_, Some(step)) => {
                self.walk.step(step);
                if step != Step::Turn {
                    self.playing = None;
                }
            }
            (KeyCode::Char(' ' | 'a'), None) => {
                self.playing = if self.playing.is_some() { None } else { Some(Instant::now()) };
                if self.playing.is_some() && self.walk.at() == self.walk.record().plies.len() {
                    self.walk.step(Step::First);
                }
            }
            (KeyCode::Char('+'), None) => self.speed.faster(),
            (KeyCode::Char('-'), None) => self.speed.slower(),
            _ => {}
        }
        true
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let [head, middle, foot] =
            Layout::vertical([Constraint::Length(2), Constraint::Min(9), Constraint::Length(1)])
                .areas(frame.area());
        self.draw_head(frame, head);
        let room = middle.width.saturating_sub(moves::COLUMNS + 2);
        // Three rows below the board show information about the move.
        let (width, height) = self.walk.board_size(room, middle.height.saturating_sub(3));
        let [left, _, list] =
            Layout::horizontal([Constraint::Length(width), Constraint::Length(2), Constraint::Min(0)])
                .areas(middle);
        let [board, below] = Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(left);
        self.walk.draw_board(frame, board, self.colors);
        frame.render_widget(Paragraph::new(self.walk.said(self.colors)).wrap(Wrap { trim: true }), below);
        self.draw_list(frame, list);
        self.draw_foot(frame, foot);
    }

    fn draw_head(&self, frame: &mut Frame<'_>, area: Rect) {
        let event = self.walk.record().tag("Event").map(|event| format!("  {event}")).unwrap_or_default();
        let lines = vec![
            Line::from(vec![Span::from(self.walk.players()).bold(), Span::from(event).dim()]),
            Line::from(self.walk.subtitle()).dim(),
        ];
        frame.render_widget(Paragraph::new(lines), area);
    }

    /// The moves, two to a row, and a curve of the scores beneath them.
    fn draw_list(&self, frame: &mut Frame<'_>, area: Rect) {
        let curve = self.curve(usize::from(area.width));
        let [list, below] =
            Layout::vertical([Constraint::Min(1), Constraint::Length(u16::from(curve.is_some()))])
                .areas(area);
        let (rows, current) = moves::rows(self.walk.listed(), self.walk.at().checked_sub(1));
        frame.render_widget(Paragraph::new(moves::window(rows, current, 0, list.height)), list);
        if let Some(curve) = curve {
            frame.render_widget(Paragraph::new(curve), below);
        }
    }

    /// White's win probability over the game in one row, if the record has scores.
    fn curve(&self, columns: usize) -> Option<Line<'static>> {
        let plies = &self.walk.record().plies;
        if columns == 0 || plies.iter().all(|ply| ply.score.is_none()) {
            return None;
        }
        // A move without a score repeats the previous value.
        let mut white = Vec::with_capacity(plies.len());
        for (ply, listed) in plies.iter().zip(self.walk.listed()) {
            let known = ply.score.map(analysis::win_percent);
            let known = known.map(|chance| listed.mover.fold_wb(chance, 100.0 - chance));
            white.push(known.or(white.last().copied()).unwrap_or(50.0));
        }
        let width = columns.min(plies.len());
        let spans = (0..width).map(|column| {
            let (from, to) = (column * plies.len() / width, (column + 1) * plies.len() / width);
            let height = (white[from] / 100.0 * BARS.len() as f64) as usize;
            let bar = Span::from(BARS[height.min(BARS.len() - 1)].to_string());
            if (from + 1..=to).contains(&self.walk.at()) { bar.fg(Ink::Indexed(214)) } else { bar.dim() }
        });
        Some(Line::from(spans.collect::<Vec<_>>()))
    }

    fn draw_foot(&self, frame: &mut Frame<'_>, area: Rect) {
        let text = if self.typed.is_empty() {
            let play = if self.playing.is_some() {
                format!("playing, {} ms a move", self.speed.interval().as_millis())
            } else {
                "space play".to_owned()
            };
            format!("←/p →/n  f first  l last  {play}  t turn  12⏎ move 12  q quit")
        } else {
            format!("to move {}⏎", self.typed)
        };
        frame.render_widget(Paragraph::new(text).dim(), area);
    }
}

#[cfg(test)]
mod tests {
    use ratatui::Terminal;
    use ratatui::backend::TestBackend;

    use super::super::walk::tests::walk;
    use super::*;

    fn lines(screen: &Screen<impl Walked>, width: u16, height: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| screen.draw(frame)).unwrap();
        let buffer = terminal.backend().buffer().clone();
        (0..height).map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect()).collect()
    }

    #[test]
    fn keys_walk_through_the_game() {
        let mut screen = Screen::new(walk(), Colors::Palette);
        for (key, at) in [
            (KeyCode::Right, 1),
            (KeyCode::Char('n'), 2),
            (KeyCode::Left, 1),
            (KeyCode::End, 7),
            (KeyCode::Right, 7),
            (KeyCode::Home, 0),
            (KeyCode::Char('3'), 0),
            (KeyCode::Enter, 5),
        ] {
            assert!(screen.press(key));
            assert_eq!(screen.walk.at, at, "{key:?}");
        }
        assert!(!screen.press(KeyCode::Char('q')));
    }

    #[test]
    fn the_game_plays_by_itself_until_its_end() {
        let mut screen = Screen::new(walk(), Colors::Palette);
        screen.press(KeyCode::Char(' '));
        for at in 1..=7 {
            assert!(screen.playing.is_some());
            screen.play_on();
            assert_eq!(screen.walk.at, at);
        }
        screen.play_on();
        assert!(screen.playing.is_none());
        screen.press(KeyCode::Char(' '));
        assert_eq!(screen.walk.at, 0, "from the end it begins again");
        screen.press(KeyCode::Char('+'));
        assert_eq!(screen.speed.interval().as_millis(), 500);
    }

    #[test]
    fn board_moves_and_remarks_are_shown() {
        let mut screen = Screen::new(walk(), Colors::Palette);
        screen.walk.step(Step::To(3));
        screen.walk.step(Step::Forward);
        let lines = lines(&screen, 80, 24);
        let all = lines.join("\n");
        for expected in
            ["anna – boris", "C23", "3... Nf6??", "#1", "instead: (3... g6", "3. Qh5", "♚", "q quit"]
        {
            assert!(all.contains(expected), "{expected}:\n{all}");
        }
    }

    #[test]
    fn small_screens_and_no_colour_are_no_fault() {
        for (width, height) in [(20, 5), (1, 1), (40, 12), (200, 60)] {
            drop(lines(&Screen::new(walk(), Colors::None), width, height));
        }
    }
}
