//! A game record: players, moves with their search information, and the result.
//!
//! Moves are text, so that one record type serves chess, Chess960 and quantum chess. A record has no wall-clock date: the
//! same match played again gives the same records.

mod play;

pub use play::RecordError;

use serde::{Deserialize, Serialize};
use shakmaty::CastlingMode;
use tabia_core::{Outcome, Score};

/// The variant of a game.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    #[default]
    Chess,
    /// Castling is written as the king taking its rook.
    Chess960,
    Quantum,
}

impl From<CastlingMode> for Variant {
    fn from(mode: CastlingMode) -> Variant {
        match mode {
            CastlingMode::Standard => Variant::Chess,
            CastlingMode::Chess960 => Variant::Chess960,
        }
    }
}

/// One game, finished or not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct GameRecord {
    pub variant: Variant,
    /// White: an agent spec or a person's name.
    pub white: String,
    /// Black.
    pub black: String,
    /// The start, if not the standard one: a FEN, or the text form of a quantum position.
    pub start: Option<String>,
    /// The moves, in order.
    pub plies: Vec<Ply>,
    /// `None` for an unfinished game or an unknown result.
    pub outcome: Option<Outcome>,
    /// More about the end: the illegal move, the last output of a crashed engine.
    pub detail: Option<String>,
    /// Other tags in the order of the file: `("Event", "…")`, `("Date", "2024.01.15")`.
    pub tags: Vec<(String, String)>,
}

/// A move with its search information.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ply {
    /// The move in UCI notation (`e2e4`, `e7e8q`), or in the variant's notation.
    pub action: String,
    /// Whether it is an opening move, not chosen by the player.
    pub opening: bool,
    /// The player's score, from its own side.
    pub score: Option<Score>,
    /// Search depth reported by the player.
    pub depth: Option<u32>,
    /// Nodes reported by the player.
    pub nodes: Option<u64>,
    /// Time of the move; absent in matches by nodes or depth, which are reproducible.
    pub time_ms: Option<u64>,
    /// Remaining time on the player's clock after the move.
    pub clock_ms: Option<u64>,
    /// Comment.
    pub comment: Option<String>,
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub glyphs: Vec<u8>,
    /// An alternative line from the position before the move; moves as in `action`.
    pub instead: Vec<String>,
}

impl GameRecord {
    /// The value of a tag without a field of its own.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

impl Ply {
    /// A move without further information.
    pub fn of(action: impl Into<String>) -> Ply {
        Ply { action: action.into(), ..Ply::default() }
    }
}
