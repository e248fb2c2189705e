//! What the person at the table says, and Ctrl-C.
//!
//! Lines are read on a thread of their own, so that an interrupt is heard while a line is waited for.

use std::io::{self, BufRead};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use tabia_core::{Stop, spelling};

use crate::interrupt;

/// Something that was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Heard {
    /// A line.
    Line(String),
    /// No line will follow.
    EndOfInput,
    /// Ctrl-C.
    Interrupt,
}

/// The person's side of the terminal.
pub struct Input {
    heard: Receiver<Heard>,
    /// Raised by Ctrl-C; ends whatever is being thought.
    pub stop: Stop,
}

impl Input {
    /// Listens for Ctrl-C, and for lines if there is a person.
    pub fn new(person: bool) -> anyhow::Result<Input> {
        let (tell, heard) = mpsc::channel();
        let interrupted = tell.clone();
        let stop = interrupt::watch(move || {
            // Nobody listens any more: the game has just ended.
            let _ = interrupted.send(Heard::Interrupt);
        })?;
        if person {
            thread::Builder::new().name("input".to_owned()).spawn(move || {
                for line in io::stdin().lock().split(b'\n') {
                    let Ok(line) = line else { break };
                    if tell.send(Heard::Line(String::from_utf8_lossy(&line).into_owned())).is_err() {
                        return;
                    }
                }
                let _ = tell.send(Heard::EndOfInput);
            })?;
        }
        Ok(Input { heard, stop })
    }

    /// Waits for the next line, or for whatever else happens.
    pub fn next(&self) -> Heard {
        let heard = self.heard.recv().unwrap_or(Heard::EndOfInput);
        // Lines that were typed ahead do not hold up an interrupt.
        if self.stop.is_stopped() { Heard::Interrupt } else { heard }
    }
}

/// What a person may say besides a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Word {
    /// What can be said.
    Help,
    /// Take back.
    Undo,
    /// Give up.
    Resign,
    /// Offer a draw.
    Draw,
    /// Turn the board.
    Flip,
    /// Ask what to play.
    Hint,
    /// The position as FEN.
    Fen,
    /// The legal moves.
    Moves,
    /// The board again.
    Board,
    /// What an evaluation sees on the squares.
    Field,
    /// Leave.
    Quit,
}

/// Every word, with what it does.
pub const WORDS: &[(&str, Word, &str)] = &[
    ("help", Word::Help, "this list"),
    ("moves", Word::Moves, "the legal moves"),
    ("hint", Word::Hint, "what the engine would play"),
    ("undo", Word::Undo, "take your last move back"),
    ("board", Word::Board, "the board again"),
    ("field", Word::Field, "what an evaluation sees: field control, field axon mobility"),
    ("flip", Word::Flip, "turn the board round"),
    ("fen", Word::Fen, "the position as FEN"),
    ("draw", Word::Draw, "offer a draw"),
    ("resign", Word::Resign, "give the game up"),
    ("quit", Word::Quit, "leave; the game is kept"),
];

/// The word a line is, if it is one, and what follows it.
pub fn word(line: &str) -> Option<(Word, &str)> {
    let (first, rest) = line.split_once(' ').map_or((line, ""), |(first, rest)| (first, rest.trim()));
    let first = first.to_lowercase();
    let word = match first.as_str() {
        "?" => Word::Help,
        "exit" => Word::Quit,
        _ => WORDS.iter().find(|(name, ..)| *name == first).map(|(_, word, _)| *word)?,
    };
    (rest.is_empty() || word == Word::Field).then_some((word, rest))
}

/// The word most like a line that is neither word nor move, as a phrase.
pub fn nearest(line: &str) -> String {
    spelling::hint(line, WORDS.iter().map(|(name, ..)| *name))
}
