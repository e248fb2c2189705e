//! A game on the whole terminal.

use std::io;
use std::time::{Duration, Instant};

use ratatui::Frame;
use ratatui::crossterm::event::{self, Event, KeyCode, KeyEventKind, KeyModifiers};
use ratatui::layout::{Constraint, Layout, Rect};
use ratatui::style::{Color as Ink, Modifier, Style, Stylize};
use ratatui::text::{Line, Span};
use ratatui::widgets::{Paragraph, Wrap};
use shakmaty::{Color, Position};
use tabia_arena::analysis;

use super::walk::{Step, Walk, glyphs};
use crate::tui::board::Board;

/// Times between moves when the game plays by itself, the slowest first.
const SPEEDS_MS: [u64; 6] = [4000, 2000, 1000, 500, 250, 100];
/// A move number has at most this many digits.
const LONGEST_NUMBER: usize = 4;
/// Columns of the list of moves.
const LIST: u16 = 26;
const BARS: [char; 8] = ['▁', '▂', '▃', '▄', '▅', '▆', '▇', '█'];

/// What the screen shows.
pub struct Screen {
    walk: Walk,
    color: bool,
    /// Playing by itself, and since when the position is shown.
    playing: Option<Instant>,
    speed: usize,
    /// Digits of a move number that is being typed.
    typed: String,
}

/// Shows a game until the person leaves.
pub fn run(walk: Walk) -> io::Result<()> {
    let mut screen = Screen::new(walk, std::env::var_os("NO_COLOR").is_none_or(|value| value.is_empty()));
    let mut terminal = ratatui::try_init()?;
    let shown = screen.show(&mut terminal);
    ratatui::try_restore()?;
    shown
}

impl Screen {
    fn new(walk: Walk, color: bool) -> Screen {
        Screen { walk, color, playing: None, speed: 2, typed: String::new() }
    }

    fn show(&mut self, terminal: &mut ratatui::DefaultTerminal) -> io::Result<()> {
        loop {
            terminal.draw(|frame| self.draw(frame))?;
            let wait = self.playing.map(|since| self.interval().saturating_sub(since.elapsed()));
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

    fn interval(&self) -> Duration {
        Duration::from_millis(SPEEDS_MS[self.speed])
    }

    /// The next move of a game that plays by itself; at its end it stops.
    fn play_on(&mut self) {
        self.playing = self.walk.step(Step::Forward).then(Instant::now);
    }

    /// Does what a key says; false when it says to leave.
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
                if self.playing.is_some() && self.walk.at == self.walk.moves.len() {
                    self.walk.step(Step::First);
                }
            }
            (KeyCode::Char('+'), None) => self.speed = (self.speed + 1).min(SPEEDS_MS.len() - 1),
            (KeyCode::Char('-'), None) => self.speed = self.speed.saturating_sub(1),
            _ => {}
        }
        true
    }

    fn draw(&self, frame: &mut Frame<'_>) {
        let [head, middle, foot] =
            Layout::vertical([Constraint::Length(2), Constraint::Min(9), Constraint::Length(1)])
                .areas(frame.area());
        self.draw_head(frame, head);
        let room = middle.width.saturating_sub(LIST + 2);
        // Three rows below the board are for what is known of the move.
        let (width, height) = Board::size(room, middle.height.saturating_sub(3));
        let [left, _, list] =
            Layout::horizontal([Constraint::Length(width), Constraint::Length(2), Constraint::Min(0)])
                .areas(middle);
        let [board, below] = Layout::vertical([Constraint::Length(height), Constraint::Min(0)]).areas(left);
        let shown = Board {
            position: self.walk.position(),
            last: self.walk.last(),
            bottom: self.walk.bottom,
            color: self.color,
        };
        frame.render_widget(shown, board);
        frame.render_widget(self.said(), below);
        self.draw_list(frame, list);
        self.draw_foot(frame, foot);
    }

    fn draw_head(&self, frame: &mut Frame<'_>, area: Rect) {
        let event = self.walk.record.tag("Event").map(|event| format!("  {event}")).unwrap_or_default();
        let opening = self.walk.opening().unwrap_or_default();
        let lines = vec![
            Line::from(vec![Span::from(self.walk.players()).bold(), Span::from(event).dim()]),
            Line::from(opening).dim(),
        ];
        frame.render_widget(Paragraph::new(lines), area);
    }

    /// The move, its score and what is said of it.
    fn said(&self) -> Paragraph<'_> {
        let mut first = vec![Span::from(self.walk.heading()).bold()];
        if let Some(score) = self.walk.score() {
            first.push(Span::from(format!("  {score}  ")));
            first.extend(self.bar(analysis::win_percent(score.score)));
        } else if let Some(clock) = self.walk.ply().and_then(|(ply, _)| ply.clock_ms) {
            first.push(Span::from(format!("  {} s left", clock / 1000)).dim());
        }
        let mut lines = vec![Line::from(first)];
        if let Some(comment) = self.walk.ply().and_then(|(ply, _)| ply.comment.as_deref()) {
            lines.push(Line::from(comment));
        }
        if let Some(line) = self.walk.instead() {
            lines.push(Line::from(format!("instead: {line}")).dim());
        }
        Paragraph::new(lines).wrap(Wrap { trim: true })
    }

    /// White's share and Black's, side by side.
    fn bar(&self, white: f64) -> Vec<Span<'static>> {
        const COLUMNS: usize = 16;
        let share = ((white / 100.0) * COLUMNS as f64).round() as usize;
        if !self.color {
            return vec![Span::from(format!("[{}{}]", "#".repeat(share), ".".repeat(COLUMNS - share)))];
        }
        vec![
            Span::from(" ".repeat(share)).bg(Ink::Indexed(231)),
            Span::from(" ".repeat(COLUMNS - share)).bg(Ink::Indexed(236)),
        ]
    }

    /// The moves, two to a row, and a curve of the scores beneath them.
    fn draw_list(&self, frame: &mut Frame<'_>, area: Rect) {
        let curve = self.curve(usize::from(area.width));
        let [list, below] =
            Layout::vertical([Constraint::Min(1), Constraint::Length(u16::from(curve.is_some()))])
                .areas(area);
        let mut rows: Vec<Line<'_>> = Vec::new();
        let mut current = 0;
        for (index, san) in self.walk.sans.iter().enumerate() {
            let before = &self.walk.positions[index];
            let text = format!("{:<10}", format!("{san}{}", glyphs(&self.walk.record.plies[index])));
            let here = index + 1 == self.walk.at;
            let style = if here { Style::new().add_modifier(Modifier::REVERSED) } else { Style::new() };
            if before.turn() == Color::White || rows.is_empty() {
                let mut row = vec![Span::from(format!("{:>4}. ", before.fullmoves())).dim()];
                if before.turn() == Color::Black {
                    row.push(Span::from(format!("{:<10}", "…")));
                }
                rows.push(Line::from(row));
            }
            if here {
                current = rows.len() - 1;
            }
            if let Some(row) = rows.last_mut() {
                row.spans.push(Span::styled(text, style));
            }
        }
        let height = usize::from(list.height);
        let top = current.saturating_sub(height / 2).min(rows.len().saturating_sub(height));
        let shown: Vec<Line<'_>> = rows.into_iter().skip(top).take(height).collect();
        frame.render_widget(Paragraph::new(shown), list);
        if let Some(curve) = curve {
            frame.render_widget(Paragraph::new(curve), below);
        }
    }

    /// White's chances over the game in one row, if the record has scores.
    fn curve(&self, columns: usize) -> Option<Line<'static>> {
        let plies = &self.walk.record.plies;
        if columns == 0 || plies.iter().all(|ply| ply.score.is_none()) {
            return None;
        }
        // A move of which nothing is known leaves things as they were.
        let mut white = Vec::with_capacity(plies.len());
        for (ply, before) in plies.iter().zip(&self.walk.positions) {
            let known = ply.score.map(analysis::win_percent);
            let known = known.map(|chance| before.turn().fold_wb(chance, 100.0 - chance));
            white.push(known.or(white.last().copied()).unwrap_or(50.0));
        }
        let width = columns.min(plies.len());
        let spans = (0..width).map(|column| {
            let (from, to) = (column * plies.len() / width, (column + 1) * plies.len() / width);
            let height = (white[from] / 100.0 * BARS.len() as f64) as usize;
            let bar = Span::from(BARS[height.min(BARS.len() - 1)].to_string());
            if (from + 1..=to).contains(&self.walk.at) { bar.fg(Ink::Indexed(214)) } else { bar.dim() }
        });
        Some(Line::from(spans.collect::<Vec<_>>()))
    }

    fn draw_foot(&self, frame: &mut Frame<'_>, area: Rect) {
        let text = if self.typed.is_empty() {
            let play = if self.playing.is_some() {
                format!("playing, {} ms a move", SPEEDS_MS[self.speed])
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

    fn lines(screen: &Screen, width: u16, height: u16) -> Vec<String> {
        let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
        terminal.draw(|frame| screen.draw(frame)).unwrap();
        let buffer = terminal.backend().buffer().clone();
        (0..height).map(|y| (0..width).map(|x| buffer[(x, y)].symbol()).collect()).collect()
    }

    #[test]
    fn keys_walk_through_the_game() {
        let mut screen = Screen::new(walk(), true);
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
        let mut screen = Screen::new(walk(), true);
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
        assert_eq!(screen.interval(), Duration::from_millis(500));
    }

    #[test]
    fn board_moves_and_remarks_are_shown() {
        let mut screen = Screen::new(walk(), true);
        screen.walk.step(Step::To(3));
        screen.walk.step(Step::Forward);
        let lines = lines(&screen, 80, 24);
        let all = lines.join("\n");
        for expected in
            ["anna – boris", "C23", "3... Nf6??", "#1", "instead: 3... g6", "3. Qh5", "♚", "q quit"]
        {
            assert!(all.contains(expected), "{expected}:\n{all}");
        }
    }

    #[test]
    fn small_screens_and_no_colour_are_no_fault() {
        for (width, height) in [(20, 5), (1, 1), (40, 12), (200, 60)] {
            drop(lines(&Screen::new(walk(), false), width, height));
        }
    }
}
