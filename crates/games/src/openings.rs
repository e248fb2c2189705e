//! Openings of matches: known start positions, so that no two games are the same and none is decided at once.
//!
//! They come from a file, by its extension, or are built in:
//!
//! | from | an opening is |
//! | --- | --- |
//! | `.epd`, `.fen`, `.txt` | a position on a line |
//! | `.pgn` | the moves of a game, all or the first few |
//! | `.bin` | a walk through a Polyglot book, sampled by its weights |
//! | [`Openings::built_in`] | one of the well-known openings of [`balanced`] |
//!
//! Every opening is checked by playing it. An invalid line is a [`LineError`] and is left out, or ends the reading in strict
//! mode. The order is the file's, or shuffled by a seed.

pub mod balanced;
mod read;
mod walk;

use rand::seq::SliceRandom;
use serde::{Deserialize, Serialize};
use shakmaty::Chess;
use tabia_core::{ChessGame, Game, seed};

pub use read::{OpeningsError, ReadOptions};

#[cfg(doc)]
use crate::LineError;
use crate::record::{GameRecord, Ply, Variant};

#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    pub variant: Variant,
    /// The start position, if not the standard one.
    pub start: Option<String>,
    /// The moves in UCI notation.
    pub moves: Vec<String>,
    /// Its name, if known.
    pub name: Option<String>,
}

impl Opening {
    /// The opening of a game.
    pub fn of_game(game: &ChessGame, name: Option<String>) -> Opening {
        Opening {
            variant: game.mode().into(),
            start: (*game.start() != Chess::default()).then(|| tabia_core::chess::fen_of(game.start())),
            moves: game.moves().iter().map(|m| game.write_move(*m)).collect(),
            name,
        }
    }

    /// A record with the opening's moves only.
    pub fn record(&self) -> GameRecord {
        let plies =
            self.moves.iter().map(|action| Ply { opening: true, ..Ply::of(action.clone()) }).collect();
        GameRecord { variant: self.variant, start: self.start.clone(), plies, ..GameRecord::default() }
    }

    /// The game after the opening's moves.
    pub fn game(&self) -> ChessGame {
        self.record().play().expect("an opening was played through when it was made")
    }
}

/// The order of openings.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// As in the file.
    #[default]
    Sequential,
    /// Shuffled by a seed.
    Shuffled(u64),
}

/// A list of openings, never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Openings {
    list: Vec<Opening>,
}

impl Openings {
    /// The built-in openings.
    ///
    /// ```
    /// use tabia_games::Openings;
    ///
    /// let openings = Openings::built_in();
    /// assert!(openings.len() > 1);
    /// // Numbers wrap around.
    /// assert_eq!(openings.at(0), openings.at(openings.len()));
    /// ```
    pub fn built_in() -> Openings {
        Openings { list: balanced::openings() }
    }

    /// Checks openings by playing them.
    pub fn of(list: Vec<Opening>) -> Result<Openings, String> {
        for opening in &list {
            opening.record().play().map_err(|error| format!("an opening cannot be played: {error}"))?;
        }
        if list.is_empty() { Err("there are no openings".to_owned()) } else { Ok(Openings { list }) }
    }

    /// The standard start position alone.
    pub fn standard_start() -> Openings {
        Openings { list: vec![Opening::default()] }
    }

    /// One position, from a FEN.
    ///
    /// ```
    /// use tabia_core::ChessGame;
    /// use tabia_games::Openings;
    ///
    /// let openings = Openings::from_game(&ChessGame::default());
    /// assert_eq!(openings.len(), 1);
    /// ```
    pub fn from_game(game: &ChessGame) -> Openings {
        Openings { list: vec![Opening::of_game(game, None)] }
    }

    /// The same openings in an order.
    #[must_use]
    pub fn in_order(mut self, order: Order) -> Openings {
        if let Order::Shuffled(seed) = order {
            self.list.shuffle(&mut seed::random(seed));
        }
        self
    }

    /// The opening of a number; numbers wrap around.
    pub fn at(&self, number: usize) -> &Opening {
        &self.list[number % self.list.len()]
    }

    /// How many there are: at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    pub fn iter(&self) -> impl Iterator<Item = &Opening> {
        self.list.iter()
    }
}

/// Whether a game can start here: there is a legal move, and the game is not drawn.
fn can_begin(game: &ChessGame) -> Result<(), String> {
    match game.turn() {
        tabia_core::Turn::Over(outcome) => Err(format!("the game is over here: {outcome}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
