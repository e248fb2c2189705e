//! Input lines and Ctrl-C.
//!
//! Lines are read on a separate thread, so that an interrupt is handled while waiting for a line.

use std::io::{self, BufRead, IsTerminal, Write};
use std::sync::mpsc::{self, Receiver};
use std::thread;

use shakmaty::Move;
use tabia_core::{ChessGame, Stop};
use tabia_session::typed_move::{self, TypedMoveError};

use super::player::Ending;
use crate::interrupt;

/// An input event.
#[derive(Clone, Debug, PartialEq, Eq)]
enum InputEvent {
    /// A line.
    Line(String),
    /// End of input.
    EndOfInput,
    /// Ctrl-C.
    Interrupt,
}

/// Input of the person at the terminal.
pub struct Input {
    heard: Receiver<InputEvent>,
    /// Raised by Ctrl-C; stops a running search.
    pub stop: Stop,
}

impl Input {
    /// Starts listening for Ctrl-C, and for lines if a person plays.
    pub fn new(person: bool) -> anyhow::Result<Input> {
        let (tell, heard) = mpsc::channel();
        let interrupted = tell.clone();
        let stop = interrupt::watch(move || {
            // The receiver is gone: the game has just ended.
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

    /// Waits for the next event.
    fn next(&self) -> InputEvent {
        let heard = self.heard.recv().unwrap_or(InputEvent::EndOfInput);
        // An interrupt takes precedence over lines that were typed ahead.
        if self.stop.is_stopped() { InputEvent::Interrupt } else { heard }
    }

    /// The next line, or how the game ends without one.
    pub fn line(&self, out: &mut io::Stdout) -> io::Result<Result<String, Ending>> {
        let left = match self.next() {
            InputEvent::Line(line) => {
                let line = line.trim().to_owned();
                if !io::stdin().is_terminal() {
                    // A terminal echoes typed lines; lines from a pipe are printed, so that the output reads as a
                    // game.
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

/// A command other than a move.
#[derive(Copy, Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// List the commands.
    Help,
    /// Take back a move.
    Undo,
    /// Resign.
    Resign,
    /// Offer a draw.
    Draw,
    /// Flip the board.
    Flip,
    /// Ask for a hint.
    Hint,
    /// Print the position as FEN.
    Fen,
    /// List the legal moves.
    Moves,
    /// Print the board again.
    Board,
    /// Show a field of an evaluation.
    Field,
    /// Quit.
    Quit,
}

/// All commands with their descriptions.
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

/// The command of a line, if it is one, and its arguments.
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

/// Reads a move; the error for anything else suggests the nearest command.
pub fn read_move(game: &ChessGame, line: &str) -> Result<Move, TypedMoveError> {
    let commands: Vec<&str> = COMMANDS.iter().map(|(name, ..)| *name).collect();
    typed_move::read(game, line, &commands)
}
