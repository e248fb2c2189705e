//! What the keys do.
//!
//! A letter that no move begins with does something at once. `n`, `r` and `q` ask first, since a move typed in a hurry may
//! begin with them: any answer but yes or no is taken as the rest of a move. Everything else is typed into a line, as
//! are the words, with or without a colon before them.

use ratatui::crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use shakmaty::{Color, Role, Square};
use tabia_core::{Outcome, Reason};

use super::super::{advice, manners};
use super::state::Screen;
use crate::text;

/// The longest line that is typed.
const LONGEST_LINE: usize = 60;
/// Rows that a page of the list of moves has.
const PAGE: usize = 5;

/// What a person may want besides a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Act {
    Help,
    Field,
    NextField,
    NextEvaluation,
    Undo,
    Hint,
    MoveNow,
    Pause,
    Flip,
    Save,
    Fen,
    Draw,
    New,
    Resign,
    Quit,
}

/// A key, a word, what they do, and how that is described.
pub struct Entry {
    /// The key, if it has one.
    pub key: Option<char>,
    /// The word.
    pub word: &'static str,
    /// What is done.
    pub act: Act,
    /// What is done, in words.
    pub help: &'static str,
}

const fn entry(key: Option<char>, word: &'static str, act: Act, help: &'static str) -> Entry {
    Entry { key, word, act, help }
}

/// Everything that can be done by a key or a word.
pub const ENTRIES: [Entry; 15] = [
    entry(Some('v'), "field", Act::Field, "view a field, or no more (field NAME)"),
    entry(Some('\t'), "next", Act::NextField, "the next field (Shift: the one before)"),
    entry(Some('w'), "whose", Act::NextEvaluation, "the next evaluation's fields"),
    entry(Some('u'), "undo", Act::Undo, "take your last move back"),
    entry(Some('i'), "hint", Act::Hint, "what the engine would play"),
    entry(Some('m'), "now", Act::MoveNow, "the agent moves now (Esc too)"),
    entry(Some('p'), "pause", Act::Pause, "let two agents rest, or go on"),
    entry(Some('t'), "flip", Act::Flip, "turn the board round"),
    entry(Some('s'), "save", Act::Save, "keep the game now"),
    entry(None, "fen", Act::Fen, "the position as FEN"),
    entry(None, "draw", Act::Draw, "offer a draw"),
    entry(Some('r'), "resign", Act::Resign, "give the game up"),
    entry(Some('n'), "new", Act::New, "a new game; this one is kept"),
    entry(Some('?'), "help", Act::Help, "this list"),
    entry(Some('q'), "quit", Act::Quit, "leave; the game is kept"),
];

/// What only the outside can do.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Deed {
    /// Leave; why, as the start of a sentence.
    Leave(&'static str),
    /// Keep the game.
    Save,
    /// Keep the game and begin another.
    New,
}

/// Something the person is asked.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Question {
    /// Whether something is meant.
    Sure(Act),
    /// Whether a side accepts a draw.
    Draw(Color),
    /// What a pawn becomes.
    Becomes {
        /// Where it comes from.
        from: Square,
        /// Where it goes.
        to: Square,
    },
}

impl Question {
    /// The question in words.
    pub fn words(self) -> String {
        match self {
            Question::Sure(Act::New) => "A new game? (y/n)".to_owned(),
            Question::Sure(Act::Resign) => "Give the game up? (y/n)".to_owned(),
            Question::Sure(_) => "Leave the game? It is kept. (y/n)".to_owned(),
            Question::Draw(side) => format!("{}, do you accept a draw? (y/n)", text::side(side)),
            Question::Becomes { to, .. } => {
                format!("The pawn on {to} becomes: q queen, r rook, b bishop, n knight (Esc: not at all)")
            }
        }
    }
}

impl Screen {
    /// Does what a key says, as far as it can be done here.
    pub fn press(&mut self, key: KeyEvent) -> Option<Deed> {
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            match key.code {
                KeyCode::Char('c') => return Some(Deed::Leave("Interrupted")),
                KeyCode::Char('u') => self.line.clear(),
                _ => {}
            }
            return None;
        }
        if self.help {
            self.help = false;
            return None;
        }
        if let Some(question) = self.question.take() {
            return self.reply(question, key.code);
        }
        match key.code {
            KeyCode::Char(c) if self.line.is_empty() => return self.begin(c),
            KeyCode::Char(c) if self.line.chars().count() < LONGEST_LINE => self.line.push(c),
            KeyCode::Backspace => drop(self.line.pop()),
            KeyCode::Enter if self.line.is_empty() => self.touch(),
            KeyCode::Enter => return self.submit(),
            KeyCode::Esc => self.escape(),
            KeyCode::Left => self.move_cursor(-1, 0),
            KeyCode::Right => self.move_cursor(1, 0),
            KeyCode::Up => self.move_cursor(0, 1),
            KeyCode::Down => self.move_cursor(0, -1),
            KeyCode::Tab => return self.act(Act::NextField, ""),
            KeyCode::BackTab => self.overlay.step(false),
            KeyCode::PageUp => self.scrolled = (self.scrolled + PAGE).min(self.sans.len() / 2),
            KeyCode::PageDown => self.scrolled = self.scrolled.saturating_sub(PAGE),
            KeyCode::Home => self.scrolled = self.sans.len() / 2,
            KeyCode::End => self.scrolled = 0,
            _ => {}
        }
        None
    }

    /// A letter where nothing is being typed.
    fn begin(&mut self, c: char) -> Option<Deed> {
        if let Some(entry) = ENTRIES.iter().find(|entry| entry.key == Some(c)) {
            return self.act(entry.act, "");
        }
        match c {
            ' ' if self.watching() => return self.act(Act::Pause, ""),
            ' ' => self.touch(),
            '+' | '=' if self.watching() => self.pace.faster(),
            '-' if self.watching() => self.pace.slower(),
            _ => {
                self.hand.cursor = None;
                self.put_back();
                self.line.push(c);
            }
        }
        None
    }

    /// Out of whatever is under way, the nearest first.
    fn escape(&mut self) {
        if !self.line.is_empty() {
            self.line.clear();
        } else if self.hand.chosen.is_some() {
            self.put_back();
        } else if self.thinking.is_some() {
            self.interrupt();
        } else {
            (self.hand.cursor, self.said) = (None, None);
        }
    }

    fn reply(&mut self, question: Question, key: KeyCode) -> Option<Deed> {
        let yes = matches!(key, KeyCode::Char('y' | 'Y'));
        match (question, key) {
            (Question::Becomes { from, to }, KeyCode::Char(c)) => match Role::from_char(c) {
                Some(role @ (Role::Queen | Role::Rook | Role::Bishop | Role::Knight)) => {
                    self.promote(from, to, role);
                }
                _ => self.question = Some(question),
            },
            (Question::Becomes { .. }, _) => self.put_back(),
            (Question::Draw(_), _) if yes => self.decide(Outcome::draw(Reason::Agreement)),
            (Question::Draw(side), _) => self.say(format!("{} declines.", text::side(side))),
            (Question::Sure(act), _) if yes => return self.do_surely(act),
            (Question::Sure(act), KeyCode::Char(c)) if c != 'n' => {
                // It was the beginning of a move.
                self.line.extend(ENTRIES.iter().find(|entry| entry.act == act).and_then(|entry| entry.key));
                self.line.push(c);
            }
            (Question::Sure(_), _) => {}
        }
        None
    }

    /// Does what a line says: a word, or a move.
    fn submit(&mut self) -> Option<Deed> {
        let line = std::mem::take(&mut self.line);
        let line = line.trim();
        let words = line.trim_start_matches([':', '/']);
        let (first, rest) = words.split_once(' ').unwrap_or((words, ""));
        if let Some(entry) = ENTRIES.iter().find(|entry| entry.word.eq_ignore_ascii_case(first)) {
            return self.act(entry.act, rest.trim());
        }
        if let Some(why) = self.not_yours() {
            self.refuse(why);
            return None;
        }
        match advice::read_move(&self.game, words) {
            Ok(m) => self.make(m),
            Err(fault) => self.refuse(fault),
        }
        None
    }

    fn act(&mut self, act: Act, words: &str) -> Option<Deed> {
        self.said = None;
        match act {
            Act::Help => self.help = true,
            Act::Field if !words.is_empty() => {
                if let Err(fault) = self.overlay.show(words, &self.game) {
                    self.refuse(fault.to_string());
                }
            }
            Act::Field => self.overlay.on = !self.overlay.on,
            Act::NextField => self.overlay.step(true),
            Act::NextEvaluation => self.overlay.next_evaluation(),
            Act::Undo => self.take_back(),
            Act::Hint => match self.not_yours() {
                Some(why) => self.refuse(why),
                None => self.hint_wanted = true,
            },
            Act::MoveNow if self.thinking.is_some() => self.interrupt(),
            Act::MoveNow => self.refuse("nobody is thinking"),
            Act::Pause if self.watching() => self.paused = !self.paused,
            Act::Pause => self.refuse("only a game between two agents goes on by itself"),
            Act::Flip => self.bottom = self.bottom.other(),
            Act::Save => return Some(Deed::Save),
            Act::Fen => self.say(self.game.fen()),
            Act::Draw => self.offer_draw(),
            // Nothing is lost by these.
            Act::New | Act::Quit if self.outcome.is_some() => return self.do_surely(act),
            Act::Quit if self.game.moves().is_empty() => return self.do_surely(act),
            Act::Resign if self.watching() => self.refuse("nobody here plays: there is nothing to give up"),
            Act::Resign if self.outcome.is_some() => self.refuse("the game is over already"),
            Act::New | Act::Resign | Act::Quit => self.question = Some(Question::Sure(act)),
        }
        None
    }

    fn do_surely(&mut self, act: Act) -> Option<Deed> {
        match act {
            Act::New => Some(Deed::New),
            Act::Resign => {
                self.decide(Outcome::win(self.person().other(), Reason::Resignation));
                None
            }
            _ => Some(Deed::Leave("Left")),
        }
    }

    /// The side of the person: the one to move, where two people play.
    fn person(&self) -> Color {
        let turn = self.game.side_to_move();
        if self.human()[turn] { turn } else { turn.other() }
    }

    /// An agent decides by what it thought of its position; a person is asked.
    fn offer_draw(&mut self) {
        if let Some(why) = self.not_yours() {
            return self.refuse(why);
        }
        let other = self.person().other();
        if self.human()[other] {
            self.question = Some(Question::Draw(other));
        } else if self.opinions[other].is_some_and(|score| manners::is_drawish(&self.game, score)) {
            self.decide(Outcome::draw(Reason::Agreement));
        } else {
            self.say(format!("{} declines.", text::side(other)));
        }
    }
}
