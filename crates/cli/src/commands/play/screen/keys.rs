//! Key bindings.
//!
//! A letter that no move starts with acts at once. `n`, `r` and `q` ask for confirmation, because a move may start
//! with them: any answer but yes or no is taken as the rest of a move. Everything else is typed into the input line,
//! commands included, with or without a colon.

use std::time::Instant;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use shakmaty::{Color, Role};
use tabia_session::{DrawAnswer, Refusal};

use super::super::input;
use super::prompt::{KeyAction, Prompt};
use super::state::Screen;
use crate::text;

/// Maximum length of the input line.
const LONGEST_LINE: usize = 60;
/// Rows of a page of the move list.
const PAGE: usize = 5;

/// A key binding: key, command, action and description.
pub struct Entry {
    /// The key, if it has one.
    pub key: Option<char>,
    /// The command.
    pub word: &'static str,
    pub act: KeyAction,
    /// Description.
    pub help: &'static str,
}

const fn entry(key: Option<char>, word: &'static str, act: KeyAction, help: &'static str) -> Entry {
    Entry { key, word, act, help }
}

/// All key bindings and commands.
pub const ENTRIES: [Entry; 15] = [
    entry(Some('v'), "field", KeyAction::Field, "view a field, or no more (field NAME)"),
    entry(Some('\t'), "next", KeyAction::NextField, "the next field (Shift: the one before)"),
    entry(Some('w'), "whose", KeyAction::NextEvaluation, "the next evaluation's fields"),
    entry(Some('u'), "undo", KeyAction::Undo, "take your last move back"),
    entry(Some('i'), "hint", KeyAction::Hint, "what the engine would play"),
    entry(Some('m'), "now", KeyAction::MoveNow, "the agent moves now (Esc too)"),
    entry(Some('p'), "pause", KeyAction::Pause, "let two agents rest, or go on"),
    entry(Some('t'), "flip", KeyAction::Flip, "turn the board round"),
    entry(Some('s'), "save", KeyAction::Save, "keep the game now"),
    entry(None, "fen", KeyAction::Fen, "the position as FEN"),
    entry(None, "draw", KeyAction::Draw, "offer a draw"),
    entry(Some('r'), "resign", KeyAction::Resign, "give the game up"),
    entry(Some('n'), "new", KeyAction::New, "a new game; this one is kept"),
    entry(Some('?'), "help", KeyAction::Help, "this list"),
    entry(Some('q'), "quit", KeyAction::Quit, "leave; the game is kept"),
];

/// Effects that need the outside world.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Effect {
    /// Quit; the reason, as the start of a sentence.
    Leave(&'static str),
    /// Save the game.
    Save,
    /// Save the game and start another.
    New,
}

impl Screen {
    /// Handles a key; returns effects for the outside world.
    pub fn press(&mut self, key: KeyEvent) -> Option<Effect> {
        if key.modifiers.intersects(KeyModifiers::CONTROL | KeyModifiers::ALT) {
            match key.code {
                KeyCode::Char('c') => return Some(Effect::Leave("Interrupted")),
                KeyCode::Char('u') => self.line.clear(),
                _ => {}
            }
            return None;
        }
        if self.help {
            self.help = false;
            return None;
        }
        if let Some(prompt) = self.prompt.take() {
            return self.reply(prompt, key.code);
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
            KeyCode::Tab => return self.act(KeyAction::NextField, ""),
            KeyCode::BackTab => self.overlay.step(false),
            KeyCode::PageUp => self.scrolled = (self.scrolled + PAGE).min(self.sans.len() / 2),
            KeyCode::PageDown => self.scrolled = self.scrolled.saturating_sub(PAGE),
            KeyCode::Home => self.scrolled = self.sans.len() / 2,
            KeyCode::End => self.scrolled = 0,
            _ => {}
        }
        None
    }

    /// Handles a letter when the input line is empty.
    fn begin(&mut self, c: char) -> Option<Effect> {
        if let Some(entry) = ENTRIES.iter().find(|entry| entry.key == Some(c)) {
            return self.act(entry.act, "");
        }
        match c {
            ' ' if self.watching() => return self.act(KeyAction::Pause, ""),
            ' ' => self.touch(),
            '+' | '=' if self.watching() => self.speed.faster(),
            '-' if self.watching() => self.speed.slower(),
            _ => {
                self.selection.cursor = None;
                self.deselect();
                self.line.push(c);
            }
        }
        None
    }

    /// Escape: cancels the innermost state.
    fn escape(&mut self) {
        if !self.line.is_empty() {
            self.line.clear();
        } else if self.selection.chosen.is_some() {
            self.deselect();
        } else if self.thinking.is_some() {
            self.interrupt();
        } else {
            (self.selection.cursor, self.status) = (None, None);
        }
    }

    fn reply(&mut self, prompt: Prompt, key: KeyCode) -> Option<Effect> {
        let yes = matches!(key, KeyCode::Char('y' | 'Y'));
        match (prompt, key) {
            (Prompt::Promotion { from, to }, KeyCode::Char(c)) => match Role::from_char(c) {
                Some(role @ (Role::Queen | Role::Rook | Role::Bishop | Role::Knight)) => {
                    self.promote(from, to, role);
                }
                _ => self.prompt = Some(prompt),
            },
            (Prompt::Promotion { .. }, _) => self.deselect(),
            (Prompt::Draw(side), _) => {
                let answer = self.session.answer_draw(Some(side), yes, Instant::now());
                self.draw_answered(side, answer.map(|(_, answer)| answer));
            }
            (Prompt::Confirm(act), _) if yes => return self.confirmed(act),
            (Prompt::Confirm(act), KeyCode::Char(c)) if c != 'n' => {
                // The key was the first letter of a move.
                self.line.extend(ENTRIES.iter().find(|entry| entry.act == act).and_then(|entry| entry.key));
                self.line.push(c);
            }
            (Prompt::Confirm(_), _) => {}
        }
        None
    }

    /// Executes a line: a command or a move.
    fn submit(&mut self) -> Option<Effect> {
        let line = std::mem::take(&mut self.line);
        let line = line.trim();
        let arguments = line.trim_start_matches([':', '/']);
        let (first, rest) = arguments.split_once(' ').unwrap_or((arguments, ""));
        if let Some(entry) = ENTRIES.iter().find(|entry| entry.word.eq_ignore_ascii_case(first)) {
            return self.act(entry.act, rest.trim());
        }
        if let Some(why) = self.reason_not_to_move() {
            self.refuse(why);
            return None;
        }
        match input::read_move(self.game(), arguments) {
            Ok(m) => self.make(m, None),
            Err(fault) => self.refuse(fault.to_string()),
        }
        None
    }

    fn act(&mut self, act: KeyAction, arguments: &str) -> Option<Effect> {
        self.status = None;
        match act {
            KeyAction::Help => self.help = true,
            KeyAction::Field if !arguments.is_empty() => {
                if let Err(fault) = self.overlay.show(arguments, self.session.game()) {
                    self.refuse(fault.to_string());
                }
            }
            KeyAction::Field => self.overlay.on = !self.overlay.on,
            KeyAction::NextField => self.overlay.step(true),
            KeyAction::NextEvaluation => self.overlay.next_evaluation(),
            KeyAction::Undo => self.take_back(),
            KeyAction::Hint => match self.reason_not_to_move() {
                Some(why) => self.refuse(why),
                None => self.hint_wanted = true,
            },
            KeyAction::MoveNow if self.thinking.is_some() => self.interrupt(),
            KeyAction::MoveNow => self.refuse("nobody is thinking"),
            KeyAction::Pause if self.watching() => self.paused = !self.paused,
            KeyAction::Pause => self.refuse("only a game between two agents goes on by itself"),
            KeyAction::Flip => self.bottom = self.bottom.other(),
            KeyAction::Save => return Some(Effect::Save),
            KeyAction::Fen => self.say(self.game().fen()),
            KeyAction::Draw => self.offer_draw(),
            // No confirmation needed: nothing is lost.
            KeyAction::New | KeyAction::Quit if self.outcome().is_some() => return self.confirmed(act),
            KeyAction::Quit if self.game().moves().is_empty() => return self.confirmed(act),
            KeyAction::Resign if self.watching() => self.refuse(Refusal::NoHuman.to_string()),
            KeyAction::New | KeyAction::Resign | KeyAction::Quit => self.prompt = Some(Prompt::Confirm(act)),
        }
        None
    }

    fn confirmed(&mut self, act: KeyAction) -> Option<Effect> {
        match act {
            KeyAction::New => Some(Effect::New),
            KeyAction::Resign => {
                match self.session.resign(Some(self.person()), Instant::now()) {
                    Ok(_) => self.decided(),
                    Err(refusal) => self.refuse(refusal.to_string()),
                }
                None
            }
            _ => Some(Effect::Leave("Left")),
        }
    }

    /// The person's side; with two people, the side to move.
    fn person(&self) -> Color {
        let turn = self.game().side_to_move();
        if self.human()[turn] { turn } else { turn.other() }
    }

    /// An agent answers by its score; a person is asked.
    fn offer_draw(&mut self) {
        if let Some(why) = self.reason_not_to_move() {
            return self.refuse(why);
        }
        let (by, now) = (self.person(), Instant::now());
        match self.session.offer_draw(Some(by), now) {
            Ok((_, answer)) => match answer.or_else(|| self.session.agent_answer(now)) {
                Some(answer) => self.draw_answered(by.other(), Ok(answer)),
                None => self.prompt = Some(Prompt::Draw(by.other())),
            },
            Err(refusal) => self.refuse(refusal.to_string()),
        }
    }

    fn draw_answered(&mut self, by: Color, answer: Result<DrawAnswer, Refusal>) {
        match answer {
            Ok(DrawAnswer::Accepted) => self.decided(),
            Ok(DrawAnswer::Declined) => self.say(format!("{} declines.", text::side(by))),
            Err(refusal) => self.refuse(refusal.to_string()),
        }
    }
}
