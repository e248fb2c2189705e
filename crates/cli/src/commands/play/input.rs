//! What the person at the table says, and Ctrl-C.
//!
//! Lines are read on a thread of their own, so that an interrupt is heard while a line is waited for.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use shakmaty::Move;
use tabia_core::{ChessGame, Stop};
use tabia_session::typed_move::{self, TypedMoveError};

use super::player::Ending;
use crate::interrupt;

/// Something that was heard.
#[derive(Clone, Debug, PartialEq, Eq)]
enum InputEvent {
    /// A line.
    Line(String),
    /// No line will follow.
    EndOfInput,
    /// Ctrl-C.
    Interrupt,
}

/// The person's side of the terminal.
pub struct Input {
    heard: Receiver<InputEvent>,
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
            let _ = interrupted.send(InputEvent::Interrupt);
        })?;
        if person {
            thread::Builder::new().name("input".to_owned()).spawn(move || {
                for line in io::stdin().lock().split(b'\n') {
                    let Ok(line) = line else { break };
                    if tell.send(InputEvent::Line(String::from_utf8_lossy(&line).into_owned())).is_err() {
                        return;
                    }
                }
                let _ = tell.send(InputEvent::EndOfInput);
            })?;
        }
        Ok(Input { heard, stop })
    }

    /// Waits for the next line, or for whatever else happens.
    fn next(&self) -> InputEvent {
        let heard = self.heard.recv().unwrap_or(InputEvent::EndOfInput);
        // Lines that were typed ahead do not hold up an interrupt.
        if self.stop.is_stopped() { InputEvent::Interrupt } else { heard }
    }

    /// The next line, or how the game ends for want of one.
    pub fn line(&self, out: &mut io::Stdout) -> io::Result<Result<String, Ending>> {
        let left = match self.next() {
            InputEvent::Line(line) => {
                let line = line.trim().to_owned();
                if !io::stdin().is_terminal() {
                    // Typed lines are on the screen already; others are put there, so that it reads as a game.
                    writeln!(out, "{line}")?;
                }
                return Ok(Ok(line));
            }
            InputEvent::EndOfInput => Ending::Left("No more input"),
            InputEvent::Interrupt => Ending::Left("Interrupted"),
        };
        writeln!(out)?;
        Ok(Err(left))
    }
}

/// What a person may say besides a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Command {
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
    /// Request what to play.
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
pub const COMMANDS: &[(&str, Command, &str)] = &[
    ("help", Command::Help, "this list"),
    ("moves", Command::Moves, "the legal moves"),
    ("hint", Command::Hint, "what the engine would play"),
    ("undo", Command::Undo, "take your last move back"),
    ("board", Command::Board, "the board again"),
    ("field", Command::Field, "what an evaluation sees: field control, field axon mobility"),
    ("flip", Command::Flip, "turn the board round"),
    ("fen", Command::Fen, "the position as FEN"),
    ("draw", Command::Draw, "offer a draw"),
    ("resign", Command::Resign, "give the game up"),
    ("quit", Command::Quit, "leave; the game is kept"),
];

/// The word a line is, if it is one, and what follows it.
pub fn word(line: &str) -> Option<(Command, &str)> {
    let (first, rest) = line.split_once(' ').map_or((line, ""), |(first, rest)| (first, rest.trim()));
    let first = first.to_lowercase();
    let word = match first.as_str() {
        "?" => Command::Help,
        "exit" => Command::Quit,
        _ => COMMANDS.iter().find(|(name, ..)| *name == first).map(|(_, word, _)| *word)?,
    };
    (rest.is_empty() || word == Command::Field).then_some((word, rest))
}

/// Reads a move; a line that is neither move nor word is told the nearest word.
pub fn read_move(game: &ChessGame, line: &str) -> Result<Move, TypedMoveError> {
    let words: Vec<&str> = COMMANDS.iter().map(|(name, ..)| *name).collect();
    typed_move::read(game, line, &words)
}
