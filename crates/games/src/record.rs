//! A game as it is kept: who played, what was played, what they thought of it, and how it ended.
//!
//! Moves are text, so that one record serves chess, Chess960 and quantum chess, and outlives whatever made it. A
//! record knows no wall-clock date: the same match played again gives the same records.

mod play;

pub use play::RecordError;

use serde::{Deserialize, Serialize};
use shakmaty::CastlingMode;
use tabia_core::{Outcome, Score};

/// The game that was played.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Chess.
    #[default]
    Chess,
    /// Chess from shuffled starts, castling written as the king taking its rook.
    Chess960,
    /// Chess in superposition.
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
    /// Which game.
    pub variant: Variant,
    /// Who had White: an agent spec or a person's name.
    pub white: String,
    /// Who had Black.
    pub black: String,
    /// The start, if not the usual one: a FEN, or the text form of a quantum position.
    pub start: Option<String>,
    /// What was played, in order.
    pub plies: Vec<Ply>,
    /// How it ended; none while it goes on or when nobody knows.
    pub outcome: Option<Outcome>,
    /// What there is to say of the end beyond its reason: the illegal move, the last words of a dead engine.
    pub detail: Option<String>,
    /// Everything else a file said of it, in its order: `("Event", "…")`, `("Date", "2024.01.15")`.
    pub tags: Vec<(String, String)>,
}

/// One move, and what its player thought of it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Ply {
    /// The move as UCI writes it (`e2e4`, `e7e8q`), or as the variant writes its actions.
    pub action: String,
    /// Taken from an opening, not chosen by the player.
    pub opening: bool,
    /// What the player thinks it is worth, from its own side.
    pub score: Option<Score>,
    /// Depth the player reports.
    pub depth: Option<u32>,
    /// Nodes the player reports.
    pub nodes: Option<u64>,
    /// Time the move took, where time matters: absent in matches by nodes or depth, which repeat exactly.
    pub time_ms: Option<u64>,
    /// What was left on the player's clock after the move.
    pub clock_ms: Option<u64>,
    /// Anything said of it in words.
    pub comment: Option<String>,
    /// Numeric annotation glyphs: 1 is `!`, 2 `?`, 3 `!!`, 4 `??`, 5 `!?`, 6 `?!`.
    pub glyphs: Vec<u8>,
    /// What could have been played instead, from the position before the move; moves as in `action`.
    pub instead: Vec<String>,
}

impl GameRecord {
    /// What a file said under a name that has no field of its own.
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

impl Ply {
    /// A move about which nothing more is known.
    pub fn of(action: impl Into<String>) -> Ply {
        Ply { action: action.into(), ..Ply::default() }
    }
}
