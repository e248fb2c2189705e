//! Where games of a match begin: known starts, so that no two games are the same and none is decided at once.
//!
//! They come from a file, by its ending, or are Tabia's own:
//!
//! | from | an opening is |
//! | --- | --- |
//! | `.epd`, `.fen`, `.txt` | a position on a line |
//! | `.pgn` | the moves of a game, all or the first few |
//! | `.bin` | a walk through a Polyglot book, drawn by its weights from a seed |
//! | [`Openings::built_in`] | one of the well-known openings of [`balanced`] |
//!
//! Every opening was played through before it is given out. A line that cannot be is a [`LineError`] and is left out, or
//! ends the reading when that is wanted. The order is the file's, or shuffled by a seed.

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

/// One start of a game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// Chess, or Chess960.
    pub variant: Variant,
    /// The position before the moves, if not the usual start.
    pub start: Option<String>,
    /// The moves as UCI writes them.
    pub moves: Vec<String>,
    /// What it is called, if that is known.
    pub name: Option<String>,
}

impl Opening {
    /// The opening that a game makes.
    pub fn of_game(game: &ChessGame, name: Option<String>) -> Opening {
        Opening {
            variant: game.mode().into(),
            start: (*game.start() != Chess::default()).then(|| tabia_core::chess::fen_of(game.start())),
            moves: game.moves().iter().map(|m| game.write_move(*m)).collect(),
            name,
        }
    }

    /// A record with the opening's moves and nothing else yet.
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

/// In which order openings are given out.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Default)]
pub enum Order {
    /// As they were read.
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
    /// Tabia's own.
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

    /// These, which somebody else has read; each is played through.
    pub fn of(list: Vec<Opening>) -> Result<Openings, String> {
        for opening in &list {
            opening.record().play().map_err(|error| format!("an opening cannot be played: {error}"))?;
        }
        if list.is_empty() { Err("there are no openings".to_owned()) } else { Ok(Openings { list }) }
    }

    /// The usual start alone.
    pub fn standard_start() -> Openings {
        Openings { list: vec![Opening::default()] }
    }

    /// One position, as a person types it.
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

    /// The opening of a number; after the last one comes the first again.
    pub fn at(&self, number: usize) -> &Opening {
        &self.list[number % self.list.len()]
    }

    /// How many there are: at least one.
    #[expect(clippy::len_without_is_empty, reason = "there is always one")]
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// All of them.
    pub fn iter(&self) -> impl Iterator<Item = &Opening> {
        self.list.iter()
    }
}

/// Whether a game can begin here: somebody has a move, and it is not drawn already.
fn can_begin(game: &ChessGame) -> Result<(), String> {
    match game.turn() {
        tabia_core::Turn::Over(outcome) => Err(format!("the game is over here: {outcome}")),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests;
