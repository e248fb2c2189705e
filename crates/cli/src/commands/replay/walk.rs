//! Navigation in a game.

use std::io::{self, Write};

use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Stylize;
use ratatui::text::{Line, Span};
use shakmaty::{Chess, Color, Move, Position};
use tabia_arena::analysis;
use tabia_book::{Names, OpeningName};
use tabia_core::{Bound, Game};
use tabia_games::pgn;
use tabia_games::record::{GameRecord, Ply, RecordError};
use tabia_games::tree::{GameTree, NodeId};

use crate::commands::play::board::{self, Style};
use crate::games;
use crate::text::{self, WhiteScore};
use crate::tui::bar;
use crate::tui::board::Board;
use crate::tui::colors::Colors;
use crate::tui::moves::Listed;

/// Columns of the bar of chances.
const BAR: usize = 16;

/// A navigation command.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Step {
    /// One half-move forward.
    Forward,
    /// One half-move back.
    Back,
    /// Before the first move.
    First,
    /// After the last move.
    Last,
    /// After White's move of a number, or Black's where White has none.
    To(u32),
    /// Flip the board.
    Turn,
}

/// A recorded game and the place in it: what both ways of showing one ask of it.
pub trait Walked {
    /// The game.
    fn record(&self) -> &GameRecord;
    /// Half-moves made.
    fn at(&self) -> usize;
    /// Takes a step; false if there is none to take.
    fn step(&mut self, step: Step) -> bool;
    /// The line below the players.
    fn subtitle(&self) -> String;
    /// Size of the board within an area.
    fn board_size(&self, width: u16, height: u16) -> (u16, u16);
    fn draw_board(&self, frame: &mut Frame<'_>, area: Rect, colors: Colors);
    /// What is known of the last move.
    fn said(&self, colors: Colors) -> Vec<Line<'static>>;
    /// The moves.
    fn listed(&self) -> Vec<Listed>;
    /// The current position as lines of text.
    fn show(&self, out: &mut dyn Write, style: Style) -> io::Result<()>;

    /// White, Black and the result on one line.
    fn players(&self) -> String {
        let named = |name: &str| if name.is_empty() { "?".to_owned() } else { name.to_owned() };
        let record = self.record();
        let result = record.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
        format!("{} – {}  {result}", named(&record.white), named(&record.black))
    }
}

/// Where a step leads from ply `at` of `last`; `None` if there is none to take. `ply_of` is the ply of a move's number.
pub fn target(step: Step, at: usize, last: usize, ply_of: impl Fn(u32) -> Option<usize>) -> Option<usize> {
    match step {
        Step::Forward => Some(at + 1).filter(|at| *at <= last),
        Step::Back => at.checked_sub(1),
        Step::First => Some(0),
        Step::Last => Some(last),
        Step::To(number) => ply_of(number),
        Step::Turn => Some(at),
    }
}

/// A game of chess with the current position.
pub struct Walk {
    pub record: GameRecord,
    tree: Option<GameTree>,
    /// The main line of the tree, from its root.
    nodes: Vec<NodeId>,
    /// Every position; the first is the start.
    pub positions: Vec<Chess>,
    /// The opening name at each position.
    openings: Vec<Option<OpeningName>>,
    pub moves: Vec<Move>,
    /// The moves in standard notation.
    pub sans: Vec<String>,
    /// Number of half-moves before the current position.
    pub at: usize,
    /// The side at the bottom of the board.
    pub bottom: Color,
}

impl Walk {
    /// Starts at the beginning of a game.
    pub fn new(game: games::Game, flip: bool) -> Result<Walk, RecordError> {
        let games::Game { record, tree } = game;
        let moves = record.moves()?;
        let mut game = record.opening_position()?;
        let sans = text::san_moves(game.position(), &moves);
        let mut positions = vec![game.position().clone()];
        for m in &moves {
            game.apply(*m);
            positions.push(game.position().clone());
        }
        let mut last = None;
        let openings = positions.iter().map(|position| {
            last = Names::known().lookup(position).or(last);
            last
        });
        let openings = openings.collect();
        let bottom = if flip { Color::Black } else { Color::White };
        let nodes = tree
            .as_ref()
            .map_or_else(Vec::new, |tree| std::iter::once(GameTree::ROOT).chain(tree.main_line()).collect());
        Ok(Walk { record, tree, nodes, positions, openings, moves, sans, at: 0, bottom })
    }

    /// The half-moves after which White's move of a number has been made.
    fn ply_of(&self, number: u32) -> Option<usize> {
        (1..=self.moves.len()).find(|ply| self.positions[ply - 1].fullmoves().get() == number)
    }

    /// The current position.
    pub fn position(&self) -> &Chess {
        &self.positions[self.at]
    }

    /// The move that led to it.
    pub fn last(&self) -> Option<Move> {
        self.at.checked_sub(1).map(|index| self.moves[index])
    }

    /// The information about that move, and its side.
    pub fn ply(&self) -> Option<(&Ply, Color)> {
        let index = self.at.checked_sub(1)?;
        Some((&self.record.plies[index], self.positions[index].turn()))
    }

    /// Its score in White's view.
    pub fn score(&self) -> Option<WhiteScore> {
        let (ply, mover) = self.ply()?;
        ply.score.map(|score| WhiteScore::new(score, Bound::Exact, mover))
    }

    /// `12... Nf6?!`, or a text for the start.
    pub fn heading(&self) -> String {
        let Some((ply, mover)) = self.ply() else { return "Before the first move".to_owned() };
        let number = self.positions[self.at - 1].fullmoves();
        let dots = if mover == Color::White { "." } else { "..." };
        format!("{number}{dots} {}{}", self.sans[self.at - 1], glyphs(ply))
    }

    /// The comments on the move, or those before the first one.
    pub fn comment(&self) -> Option<String> {
        if let Some((ply, _)) = self.ply() {
            return ply.comment.clone();
        }
        let said = self.tree.as_ref()?.node(GameTree::ROOT).comments.join(" ");
        (!said.is_empty()).then_some(said)
    }

    /// All variations at this move, with their own variations, comments and glyphs.
    pub fn variations(&self) -> Vec<String> {
        let parent = self.at.checked_sub(1).and_then(|before| self.nodes.get(before));
        let (Some(tree), Some(parent)) = (&self.tree, parent) else { return Vec::new() };
        pgn::write_variations(tree, *parent)
    }

    /// The opening name reached so far.
    pub fn opening(&self) -> Option<String> {
        self.openings[self.at].map(|opening| format!("{} {}", opening.eco, opening.name))
    }
}

impl Walked for Walk {
    fn record(&self) -> &GameRecord {
        &self.record
    }

    fn at(&self) -> usize {
        self.at
    }

    fn step(&mut self, step: Step) -> bool {
        let Some(to) = target(step, self.at, self.moves.len(), |number| self.ply_of(number)) else {
            return false;
        };
        if step == Step::Turn {
            self.bottom = self.bottom.other();
        }
        self.at = to;
        true
    }

    fn subtitle(&self) -> String {
        self.opening().unwrap_or_default()
    }

    fn board_size(&self, width: u16, height: u16) -> (u16, u16) {
        Board::size(width, height)
    }

    fn draw_board(&self, frame: &mut Frame<'_>, area: Rect, colors: Colors) {
        frame.render_widget(Board::new(self.position(), self.last(), self.bottom, colors), area);
    }

    fn said(&self, colors: Colors) -> Vec<Line<'static>> {
        let mut first = vec![Span::from(self.heading()).bold()];
        if let Some(score) = self.score() {
            first.push(Span::from(format!("  {score}  ")));
            first.extend(bar::horizontal(analysis::win_percent(score.score), BAR, colors));
        } else if let Some(clock) = self.ply().and_then(|(ply, _)| ply.clock_ms) {
            first.push(Span::from(format!("  {} s left", clock / 1000)).dim());
        }
        let mut lines = vec![Line::from(first)];
        lines.extend(self.comment().map(Line::from));
        lines.extend(self.variations().into_iter().map(|line| Line::from(format!("instead: {line}")).dim()));
        lines
    }

    fn listed(&self) -> Vec<Listed> {
        let listed = self.sans.iter().enumerate().map(|(index, san)| {
            let before = &self.positions[index];
            let text = format!("{san}{}", glyphs(&self.record.plies[index]));
            Listed { number: before.fullmoves().get(), mover: before.turn(), text }
        });
        listed.collect()
    }

    fn show(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let score = self.score().map(|score| format!("  {}", score.phrase())).unwrap_or_default();
        writeln!(out, "\n{}{score}", style.paint.bold(self.heading()))?;
        if let Some(opening) = self.opening().filter(|_| self.at > 0) {
            writeln!(out, "{}", style.paint.dim(opening))?;
        }
        for line in board::draw(self.position(), self.last(), self.bottom, style) {
            writeln!(out, "{line}")?;
        }
        if let Some(comment) = self.comment() {
            writeln!(out, "{comment}")?;
        }
        for line in self.variations() {
            writeln!(out, "instead: {line}")?;
        }
        Ok(())
    }
}

/// Glyphs that have a symbol.
pub fn glyphs(ply: &Ply) -> String {
    let sign = |glyph: &u8| match glyph {
        1 => "!",
        2 => "?",
        3 => "!!",
        4 => "??",
        5 => "!?",
        6 => "?!",
        _ => "",
    };
    ply.glyphs.iter().map(sign).collect()
}

/// The step that an input means.
pub fn step(word: &str) -> Option<Step> {
    Some(match word.trim().to_ascii_lowercase().as_str() {
        "" | "n" | "next" => Step::Forward,
        "p" | "back" | "previous" => Step::Back,
        "f" | "first" => Step::First,
        "l" | "last" => Step::Last,
        "t" | "turn" | "flip" => Step::Turn,
        number => Step::To(number.trim_end_matches('.').parse().ok()?),
    })
}

#[cfg(test)]
pub mod tests {
    use super::*;
    /// A short game with remarks.
    pub fn walk() -> Walk {
        let text = "[White \"anna\"]\n[Black \"boris\"]\n\n1. e4 { [%eval 0.2] } e5 2. Bc4 Nc6 3. Qh5 { Threatens mate. } Nf6?? { [%eval #1] } (3... g6 4. Qf3 (4. Qd1) 4... Nf6) (3... Qe7 { also fine }) 4. Qxf7# 1-0";
        let read = pgn::Trees::new(text.as_bytes(), "x.pgn").next().unwrap().unwrap();
        Walk::new(read.tree.into(), false).unwrap()
    }

    #[test]
    fn steps_lead_through_the_game_and_not_beyond() {
        let mut walk = walk();
        assert!(!walk.step(Step::Back));
        assert!(walk.step(Step::Forward) && walk.at == 1);
        assert!(walk.step(Step::Last) && walk.at == 7);
        assert!(!walk.step(Step::Forward));
        assert!(walk.step(Step::To(3)) && walk.at == 5);
        assert!(!walk.step(Step::To(9)) && walk.at == 5);
        assert!(walk.step(Step::First) && walk.at == 0);
        assert!(walk.step(Step::Turn) && walk.bottom == Color::Black);
    }

    #[test]
    fn a_move_is_shown_with_what_is_known_of_it() {
        let mut walk = walk();
        assert_eq!(walk.heading(), "Before the first move");
        walk.step(Step::To(3));
        walk.step(Step::Forward);
        assert_eq!(walk.heading(), "3... Nf6??");
        assert_eq!(walk.score().unwrap().to_string(), "#1");
        assert_eq!(walk.variations(), ["(3... g6 4. Qf3 (4. Qd1) 4... Nf6)", "(3... Qe7 { also fine })"]);
        assert_eq!(walk.players(), "anna – boris  1-0 (checkmate)");
        assert!(walk.opening().unwrap().starts_with("C23 Bishop's Opening"));
    }

    #[test]
    fn words_are_steps() {
        assert_eq!(step("n"), Some(Step::Forward));
        assert_eq!(step(" 12. "), Some(Step::To(12)));
        assert_eq!(step("hello"), None);
    }
}
