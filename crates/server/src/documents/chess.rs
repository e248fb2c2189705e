//! A game of chess as JSON.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use shakmaty::{ByColor, CastlingMode, Color, Move, Position, Role};
use tabia_book::names::OpeningName;
use tabia_core::{ChessGame, FenError};
use utoipa::ToSchema;

use super::outcome::OutcomeDocument;
use super::players::{AwaitsDocument, EventKindDocument, PlayerDocument};
use crate::chess::setup::Variant;
use crate::chess::snapshot::{ClockReading, Snapshot};
use crate::chess::state::{ChessEvent, ChessGameState, PlayedMove};
use crate::id::Id;
use crate::line::EngineLine;
use crate::sessions::kind::GameKind;
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// The clock.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct ClockDocument {
    /// White's time in milliseconds, at the time of the response.
    pub white_ms: u64,
    /// Black's time.
    pub black_ms: u64,
    /// Increment per move.
    pub increment_ms: u64,
    /// The side whose clock is running, if any.
    pub running: Option<Side>,
}

impl From<&ClockReading> for ClockDocument {
    fn from(clock: &ClockReading) -> ClockDocument {
        ClockDocument {
            white_ms: clock.left.white.as_millis() as u64,
            black_ms: clock.left.black.as_millis() as u64,
            increment_ms: clock.increment.as_millis() as u64,
            running: clock.running.map(Into::into),
        }
    }
}

impl From<&ClockDocument> for ClockReading {
    fn from(clock: &ClockDocument) -> ClockReading {
        let [white, black, increment] =
            [clock.white_ms, clock.black_ms, clock.increment_ms].map(Duration::from_millis);
        ClockReading { left: ByColor { white, black }, increment, running: clock.running.map(Into::into) }
    }
}

/// Captured pieces by side: FEN letters, in the order of the captures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Captured {
    /// Black's pieces captured by White.
    #[schema(example = json!(["p", "n"]))]
    pub by_white: Vec<String>,
    /// White's pieces captured by Black.
    pub by_black: Vec<String>,
    /// White's material minus Black's, in pawns (1, 3, 3, 5, 9).
    pub balance: i32,
}

/// The current position.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PositionDocument {
    /// As FEN.
    #[schema(example = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")]
    pub fen: String,
    /// The side to move.
    pub turn: Side,
    /// Half-moves played since the start.
    pub ply: usize,
    /// Whether the side to move is in check.
    pub check: bool,
    /// Legal destinations of each piece of the side to move; empty when the game is over. A promotion is listed once.
    #[schema(example = json!({"e2": ["e3", "e4"]}))]
    pub legal: BTreeMap<String, Vec<String>>,
    /// The last move, as UCI writes it.
    pub last_move: Option<String>,
    /// Which player the game waits for.
    pub awaits: AwaitsDocument,
    /// The result, if the game is over.
    pub outcome: Option<OutcomeDocument>,
    /// The side that offers a draw, if any.
    pub draw_offer: Option<Side>,
    /// The clock, if there is one.
    pub clock: Option<ClockDocument>,
    /// Captured pieces.
    pub captured: Captured,
}

/// A complete game.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameDocument {
    /// Its id. Whoever knows it can see and play the game.
    #[schema(value_type = String, example = "0123456789abcdef0123456789abcdef")]
    pub id: Id,
    /// The number of its last event.
    pub version: u64,
    /// Which game.
    pub variant: Variant,
    /// Who has White.
    pub white: PlayerDocument,
    /// Who has Black.
    pub black: PlayerDocument,
    /// The position it started from.
    pub start_fen: String,
    /// The position now.
    #[serde(flatten)]
    pub position: PositionDocument,
    /// Every move.
    pub moves: Vec<PlayedMove>,
    /// Search information of the agent that moved last.
    pub evaluation: Option<EngineLine>,
    /// The opening, where its name is known.
    pub opening: Option<Opening>,
    /// When it was set up.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// The name of an opening.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings.
    #[schema(example = "C65")]
    pub eco: String,
    /// Its name.
    #[schema(example = "Ruy Lopez: Berlin Defense")]
    pub name: String,
}

impl From<OpeningName> for Opening {
    fn from(opening: OpeningName) -> Opening {
        Opening { eco: opening.eco.to_owned(), name: opening.name.to_owned() }
    }
}

/// A game in a list.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameSummary {
    /// Its name.
    #[schema(value_type = String)]
    pub id: Id,
    /// Which game.
    pub variant: Variant,
    /// Who has White.
    pub white: String,
    /// Who has Black.
    pub black: String,
    /// Half-moves played.
    pub ply: usize,
    /// The position now.
    pub fen: String,
    /// How it ended, if it has.
    pub outcome: Option<OutcomeDocument>,
    /// When it was set up.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// An event, and the position after it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
#[schema(as = GameEvent)]
pub struct EventDocument {
    /// Its number, which is the version of the game after it.
    pub version: u64,
    /// Kind of event.
    #[serde(rename = "type")]
    pub kind: EventKindDocument,
    pub at: Timestamp,
    /// The move, of `moved`.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub played: Option<PlayedMove>,
    /// Half-moves taken back, of `undone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// The side that caused `draw_offered`, `draw_declined` or a resignation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Side>,
    /// More about it, such as the last output of an engine that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
    /// The position after it.
    pub position: PositionDocument,
}

impl From<&ChessEvent> for EventDocument {
    fn from(event: &ChessEvent) -> EventDocument {
        EventDocument {
            version: event.version,
            kind: event.kind.into(),
            at: event.at,
            played: event.played.clone(),
            plies: event.plies,
            by: event.by.map(Into::into),
            detail: event.detail.clone(),
            position: (&event.snapshot).into(),
        }
    }
}

impl EventDocument {
    /// The document of an event of a game in this castling mode.
    pub fn read(self, mode: CastlingMode) -> Result<ChessEvent, FenError> {
        Ok(ChessEvent {
            version: self.version,
            kind: self.kind.into(),
            at: self.at,
            played: self.played,
            plies: self.plies,
            by: self.by.map(Into::into),
            detail: self.detail,
            snapshot: self.position.read(mode)?,
        })
    }
}

impl GameDocument {
    /// The document of a game.
    pub fn new(state: &ChessGameState) -> GameDocument {
        GameDocument {
            id: state.id,
            version: state.journal.version,
            variant: state.setup.variant,
            white: (&state.setup.white).into(),
            black: (&state.setup.black).into(),
            start_fen: state.setup.start.clone(),
            position: (&state.snapshot()).into(),
            moves: state.moves.clone(),
            evaluation: state.evaluation.clone(),
            opening: state.opening().map(Into::into),
            created_at: state.journal.created,
            updated_at: state.journal.updated,
        }
    }
}

impl From<&Snapshot> for PositionDocument {
    fn from(snapshot: &Snapshot) -> PositionDocument {
        let board = &snapshot.board;
        PositionDocument {
            fen: board.fen(),
            turn: board.side_to_move().into(),
            ply: snapshot.ply,
            check: board.position().is_check(),
            legal: if snapshot.outcome.is_none() { destinations(board) } else { BTreeMap::new() },
            last_move: snapshot.last_move.clone(),
            awaits: snapshot.awaits.into(),
            outcome: snapshot.outcome.map(Into::into),
            draw_offer: snapshot.draw_offer.map(Into::into),
            clock: snapshot.clock.as_ref().map(Into::into),
            captured: Captured::new(snapshot),
        }
    }
}

impl PositionDocument {
    fn read(self, mode: CastlingMode) -> Result<Snapshot, FenError> {
        let roles = |letters: &[String]| letters.iter().filter_map(|letter| role(letter)).collect();
        let captured =
            ByColor { white: roles(&self.captured.by_white), black: roles(&self.captured.by_black) };
        Ok(Snapshot {
            board: ChessGame::from_fen_in_mode(&self.fen, mode)?,
            ply: self.ply,
            last_move: self.last_move,
            awaits: self.awaits.into(),
            outcome: self.outcome.and_then(|outcome| outcome.read()),
            draw_offer: self.draw_offer.map(Into::into),
            clock: self.clock.as_ref().map(Into::into),
            captured,
        })
    }
}

fn role(letter: &str) -> Option<Role> {
    Role::from_char(letter.chars().next()?)
}

/// Destination square as shown on a board: castling as the game's mode writes it.
pub fn destination(game: &ChessGame, m: Move) -> String {
    game.write_move(m).get(2..4).unwrap_or_default().to_owned()
}

/// Destinations of each piece.
pub fn destinations(game: &ChessGame) -> BTreeMap<String, Vec<String>> {
    let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
    for m in game.position().legal_moves() {
        let Some(from) = m.from() else { continue };
        let to = destination(game, m);
        let known = all.entry(from.to_string()).or_default();
        if !known.contains(&to) {
            known.push(to);
        }
    }
    for squares in all.values_mut() {
        squares.sort_unstable();
    }
    all
}

impl Captured {
    fn new(snapshot: &Snapshot) -> Captured {
        let letters = |by: Color| -> Vec<String> {
            let taken = snapshot.captured[by].iter().map(|role| role.of(by.other()));
            taken.map(|piece| piece.char().to_string()).collect()
        };
        let board = snapshot.board.position().board();
        let worth = |color: Color| -> i32 {
            let count = |role: Role| board.by_piece(role.of(color)).count() as i32;
            Role::ALL.into_iter().map(|role| pawns(role) * count(role)).sum()
        };
        Captured {
            by_white: letters(Color::White),
            by_black: letters(Color::Black),
            balance: worth(Color::White) - worth(Color::Black),
        }
    }
}

const fn pawns(role: Role) -> i32 {
    match role {
        Role::Pawn => 1,
        Role::Knight | Role::Bishop => 3,
        Role::Rook => 5,
        Role::Queen => 9,
        Role::King => 0,
    }
}
