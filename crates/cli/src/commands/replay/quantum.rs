//! A game of quantum chess and the place in it where we stand: the probable pieces, what was measured, the branches.

use std::io::{self, Write};

use anyhow::Context;
use ratatui::Frame;
use ratatui::layout::Rect;
use ratatui::style::Stylize;
use ratatui::text::{Line, Span};
use ratatui::widgets::Paragraph;
use shakmaty::Color;
use tabia_core::Bound;
use tabia_games::record::GameRecord;
use tabia_games::replay;
use tabia_quantum::phrases::percent;
use tabia_quantum::replay::{Replay, replay as play_through};
use tabia_quantum::{QuantumGame, Rules};

use super::walk::{Step, Walked, target};
use crate::commands::play::board::Style;
use crate::commands::quantum::board;
use crate::terminal::Paint;
use crate::text::{self, WhiteScore};
use crate::tui::colors::Colors;
use crate::tui::moves::Listed;

/// Columns and rows of the board.
const BOARD: (u16, u16) = (46, 9);
/// Branches that are listed.
const BRANCHES: usize = 8;

/// A game of quantum chess with the current state.
pub struct QuantumWalk {
    record: GameRecord,
    game: Replay,
    at: usize,
    bottom: Color,
}

impl QuantumWalk {
    /// A walk from the start of a game; one that cannot have been played is refused with the ply.
    pub fn new(record: GameRecord, flip: bool) -> anyhow::Result<QuantumWalk> {
        let game = played(&record)?;
        let bottom = if flip { Color::Black } else { Color::White };
        Ok(QuantumWalk { record, game, at: 0, bottom })
    }

    fn state(&self) -> &QuantumGame {
        &self.game.states[self.at]
    }

    /// The number and the side of a ply, from 1.
    fn number(&self, ply: usize) -> (u32, Color) {
        let before = &self.game.states[ply - 1];
        (before.ply() / 2 + 1, before.side_to_move())
    }

    fn heading(&self) -> String {
        let Some(ply) = self.at.checked_sub(1).map(|index| &self.game.plies[index]) else {
            return "Before the first move".to_owned();
        };
        let (number, mover) = self.number(self.at);
        let odds =
            if ply.chance < 1.0 { format!(" (succeeds {})", percent(ply.chance)) } else { String::new() };
        format!("{number}{} {}{odds}", mover.fold_wb(".", "..."), ply.text)
    }

    fn score(&self) -> Option<WhiteScore> {
        let score = self.record.plies[self.at.checked_sub(1)?].score?;
        Some(WhiteScore::new(score, Bound::Exact, self.number(self.at).1))
    }

    /// What the last move measured, and what was noted about it.
    fn messages(&self) -> Vec<String> {
        let Some(index) = self.at.checked_sub(1) else { return Vec::new() };
        let told = &self.game.plies[index].told;
        let mut lines: Vec<String> = told.iter().map(|told| format!("measured: {told}")).collect();
        // A match notes what was measured; that is told already.
        let note = self.record.plies[index].comment.clone();
        lines.extend(note.filter(|note| *note != told.join("; ")));
        lines
    }

    fn branches(&self) -> Vec<String> {
        let state = self.state();
        let count = state.branches().len();
        if count < 2 {
            return Vec::new();
        }
        let title = text::counted(count as u64, "branch").replace("branchs", "branches");
        std::iter::once(title).chain(board::list_branches(state, BRANCHES)).collect()
    }
}

/// The record played through.
pub fn played(record: &GameRecord) -> anyhow::Result<Replay> {
    let start: QuantumGame = match &record.start {
        Some(text) => text.parse::<QuantumGame>().context("the start position is invalid")?,
        None => QuantumGame::default(),
    };
    let rules = match record.tag(replay::RULES) {
        None => Rules::UNNAMED,
        Some(text) => text.parse().ok().and_then(Rules::from_number).with_context(|| {
            format!("version {text} of the rules is not known; this program knows 1 and 2")
        })?,
    };
    Ok(play_through(start.with_rules(rules), record.plies.iter().map(|ply| ply.action.as_str()))?)
}

impl Walked for QuantumWalk {
    fn record(&self) -> &GameRecord {
        &self.record
    }

    fn at(&self) -> usize {
        self.at
    }

    fn step(&mut self, step: Step) -> bool {
        let last = self.game.plies.len();
        let ply_of = |wanted| (1..=last).find(|ply| self.number(*ply).0 == wanted);
        let Some(to) = target(step, self.at, last, ply_of) else { return false };
        if step == Step::Turn {
            self.bottom = self.bottom.other();
        }
        self.at = to;
        true
    }

    fn subtitle(&self) -> String {
        let seed = self.record.tag("Seed").map(|seed| format!(", seed {seed}")).unwrap_or_default();
        format!("quantum chess, rules {}{seed}", self.state().rules().number())
    }

    fn board_size(&self, _width: u16, _height: u16) -> (u16, u16) {
        BOARD
    }

    fn draw_board(&self, frame: &mut Frame<'_>, area: Rect, _colors: Colors) {
        let last = self.at.checked_sub(1).map(|index| self.game.plies[index].m);
        let lines = board::draw(self.state(), last, self.bottom, Paint::none());
        frame.render_widget(Paragraph::new(lines.into_iter().map(Line::from).collect::<Vec<_>>()), area);
    }

    fn said(&self, _colors: Colors) -> Vec<Line<'static>> {
        let mut first = vec![Span::from(self.heading()).bold()];
        first.extend(self.score().map(|score| Span::from(format!("  {score}"))));
        let mut lines = vec![Line::from(first)];
        lines.extend(self.messages().into_iter().map(Line::from));
        lines.extend(self.branches().into_iter().map(|line| Line::from(line).dim()));
        lines
    }

    fn listed(&self) -> Vec<Listed> {
        let plies = self.game.plies.iter().enumerate().map(|(index, ply)| {
            let (number, mover) = self.number(index + 1);
            Listed { number, mover, text: ply.text.clone() }
        });
        plies.collect()
    }

    fn show(&self, out: &mut dyn Write, style: Style) -> io::Result<()> {
        let score = self.score().map(|score| format!("  {}", score.phrase())).unwrap_or_default();
        writeln!(out, "\n{}{score}", style.paint.bold(self.heading()))?;
        let last = self.at.checked_sub(1).map(|index| self.game.plies[index].m);
        for line in board::draw(self.state(), last, self.bottom, style.paint) {
            writeln!(out, "{line}")?;
        }
        for line in self.messages().into_iter().chain(self.branches()) {
            writeln!(out, "{line}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tabia_games::record::{Ply, Variant};

    fn record(plies: &[&str], rules: Option<&str>) -> GameRecord {
        GameRecord {
            variant: Variant::Quantum,
            plies: plies.iter().map(|ply| Ply::of(*ply)).collect(),
            tags: rules.map(|rules| (replay::RULES.to_owned(), rules.to_owned())).into_iter().collect(),
            ..GameRecord::default()
        }
    }

    #[test]
    fn a_game_is_walked_with_its_measurements_and_branches() {
        let plies = ["b1~c3", "d7d5", "c3d5-", "d8d6"];
        let mut walk = QuantumWalk::new(record(&plies, Some("2")), false).unwrap();
        assert!(walk.step(Step::Forward));
        assert_eq!(walk.heading(), "1. b1~c3 (succeeds 50%)");
        assert_eq!(walk.branches()[0], "2 branches");
        assert!(walk.step(Step::To(2)));
        assert_eq!(walk.heading(), "2. c3d5- (succeeds 50%)");
        assert_eq!(walk.messages(), ["measured: c3d5 did not take the pawn: 50%"]);
        assert!(walk.branches().is_empty(), "one is left");
        assert!(walk.step(Step::Last) && !walk.step(Step::Forward));
        assert_eq!(walk.listed().iter().map(|ply| ply.number).collect::<Vec<_>>(), [1, 1, 2, 2]);
    }

    #[test]
    fn impossible_records_are_refused_with_the_ply() {
        for (plies, rules, expected) in [
            (
                &["e2e4+"][..],
                "2",
                "ply 1: \"e2e4+\" has a measurement result, but nothing is measured after e2e4",
            ),
            (
                &["b1~c3", "d7d5", "c3d5"],
                "2",
                "ply 3: c3d5 measures whether it captures the pawn: write c3d5+ if so, c3d5- if not",
            ),
            (&["e2e5"], "2", "ply 1: e2e5 is not legal: the pawn on e2 cannot go to e5 in any branch"),
            (&["e2e4"], "3", "version 3 of the rules is not known; this program knows 1 and 2"),
        ] {
            let error = QuantumWalk::new(record(plies, Some(rules)), false).err().unwrap();
            assert_eq!(error.to_string(), expected);
        }
    }
}
