//! How a game was set up. It never changes afterwards.

use serde::{Deserialize, Serialize};
use shakmaty::{CastlingMode, Color};
use utoipa::ToSchema;

use crate::sessions::clock::ClockSetting;
use crate::sessions::player::Player;

/// FEN of the standard start position.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The variant.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Variant {
    /// Chess.
    #[default]
    Chess,
    /// Chess from shuffled starts; castling is written as the king taking its rook.
    Chess960,
}

impl From<CastlingMode> for Variant {
    fn from(mode: CastlingMode) -> Variant {
        match mode {
            CastlingMode::Standard => Variant::Chess,
            CastlingMode::Chess960 => Variant::Chess960,
        }
    }
}

impl From<Variant> for CastlingMode {
    fn from(variant: Variant) -> CastlingMode {
        match variant {
            Variant::Chess => CastlingMode::Standard,
            Variant::Chess960 => CastlingMode::Chess960,
        }
    }
}

/// How a game was set up.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Setup {
    pub variant: Variant,
    /// The position it starts from.
    pub start: String,
    /// Who has White.
    pub white: Player,
    /// Who has Black.
    pub black: Player,
    /// The clock, if any.
    pub clock: Option<ClockSetting>,
    /// Where it was played.
    pub event: Option<String>,
}

impl Setup {
    /// The player of a colour.
    pub fn player(&self, color: Color) -> &Player {
        color.fold_wb(&self.white, &self.black)
    }
}
