//! A game as JSON tells it.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shakmaty::{Color, Move, Position, Role};
use tabia_book::names::OpeningName;
use tabia_core::ChessGame;
use utoipa::ToSchema;

use super::setup::{Player, ThinkLimits, Variant};
use super::state::ChessGameState;
use crate::id::Id;
use crate::line::LineDocument;
use crate::sessions::clock::ClockDocument;
use crate::sessions::outcome::OutcomeDocument;
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// Whom the game waits for.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Awaits {
    /// A person's move.
    Human,
    /// An agent's move: it is thinking, or about to.
    Agent,
    /// Nothing: the game is over.
    Nobody,
}

/// Who plays a side.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct PlayerDocument {
    /// Whether it is a person.
    pub human: bool,
    /// What they are called: a person's name or the agent's spec.
    #[schema(example = "axiomx(depth=2)")]
    pub name: String,
    /// The agent's spec, if it is one.
    pub agent: Option<String>,
    /// How long the agent thinks.
    pub limits: Option<ThinkLimits>,
}

impl From<&Player> for PlayerDocument {
    fn from(seat: &Player) -> PlayerDocument {
        let (agent, limits) = match seat {
            Player::Human { .. } => (None, None),
            Player::Agent { spec, limits } => (Some(spec.clone()), Some(*limits)),
        };
        PlayerDocument { human: seat.is_human(), name: seat.name().to_owned(), agent, limits }
    }
}

/// A move that was played.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct PlayedMove {
    /// Its number, from 1.
    pub ply: usize,
    /// Who played it.
    pub side: Side,
    /// As UCI writes it.
    #[schema(example = "g1f3")]
    pub uci: String,
    /// In standard notation.
    #[schema(example = "Nf3")]
    pub san: String,
    /// The position after it.
    pub fen: String,
    /// What the agent that played it thought of it, in White's view; absent when it is a mate.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score_cp: Option<i32>,
    /// Full moves to mate, as the agent saw it; positive when White gives it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
    /// How deep the agent looked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Positions the agent visited.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Milliseconds the move took.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// What was left on the player's clock after it, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<u64>,
    /// Anything said of it in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// What each side has captured: letters as FEN has them, in the order they were taken.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Captured {
    /// Black's pieces that White took.
    #[schema(example = json!(["p", "n"]))]
    pub by_white: Vec<String>,
    /// White's pieces that Black took.
    pub by_black: Vec<String>,
    /// White's material less Black's on the board, in pawns (1, 3, 3, 5, 9).
    pub balance: i32,
}

/// The position on the board, and what is possible in it.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct PositionDocument {
    /// As FEN.
    #[schema(example = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1")]
    pub fen: String,
    /// Who moves next.
    pub turn: Side,
    /// Half-moves played since the start.
    pub ply: usize,
    /// Whether the side to move is in check.
    pub check: bool,
    /// Where each piece of the side to move may go; empty when the game is over. A promotion is there once.
    #[schema(example = json!({"e2": ["e3", "e4"]}))]
    pub legal: BTreeMap<String, Vec<String>>,
    /// The last move, as UCI writes it.
    pub last_move: Option<String>,
    /// Whom the game waits for.
    pub awaits: Awaits,
    /// How it ended, if it has.
    pub outcome: Option<OutcomeDocument>,
    /// Who offers a draw, if anybody.
    pub draw_offer: Option<Side>,
    /// The clock, if there is one.
    pub clock: Option<ClockDocument>,
    /// What was taken.
    pub captured: Captured,
}

/// A game, whole.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct GameDocument {
    /// Its name. Whoever knows it can see and play the game.
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
    /// What the agent that moved last made of the position it moved in.
    pub evaluation: Option<LineDocument>,
    /// The opening, where its name is known.
    pub opening: Option<Opening>,
    /// When it was set up.
    pub created_at: Timestamp,
    /// When something last happened.
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
    /// When something last happened.
    pub updated_at: Timestamp,
}

impl GameDocument {
    /// Of a game.
    pub fn new(state: &ChessGameState) -> GameDocument {
        GameDocument {
            id: state.id,
            version: state.version,
            variant: state.setup.variant,
            white: (&state.setup.white).into(),
            black: (&state.setup.black).into(),
            start_fen: state.setup.start.clone(),
            position: PositionDocument::new(state),
            moves: state.moves.clone(),
            evaluation: state.evaluation.clone(),
            opening: state.opening().map(Into::into),
            created_at: state.created,
            updated_at: state.updated,
        }
    }
}

impl PositionDocument {
    /// Of a game as it stands.
    pub fn new(state: &ChessGameState) -> PositionDocument {
        PositionDocument {
            fen: state.game.fen(),
            turn: state.game.side_to_move().into(),
            ply: state.moves.len(),
            check: state.game.position().is_check(),
            legal: if state.outcome.is_none() { destinations(&state.game) } else { BTreeMap::new() },
            last_move: state.moves.last().map(|played| played.uci.clone()),
            awaits: state.awaits(),
            outcome: state.outcome.map(Into::into),
            draw_offer: state.draw_offer.map(Into::into),
            clock: state.clock.as_ref().map(crate::sessions::clock::GameClock::document),
            captured: Captured::of(&state.game),
        }
    }
}

/// Where a move ends for whoever drags the piece: castling as the game's mode writes it.
pub fn destination(game: &ChessGame, m: Move) -> String {
    game.write_move(m).get(2..4).unwrap_or_default().to_owned()
}

/// Where each piece may go.
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
    fn of(game: &ChessGame) -> Captured {
        let mut captured = Captured::default();
        let mut mover = game.start().turn();
        for m in game.moves() {
            if let Some(role) = m.capture() {
                let taken = role.of(mover.other()).char().to_string();
                mover.fold_wb(&mut captured.by_white, &mut captured.by_black).push(taken);
            }
            mover = mover.other();
        }
        let board = game.position().board();
        let worth = |color: Color| -> i32 {
            Role::ALL
                .into_iter()
                .map(|role| pawns(role) * (board.by_piece(role.of(color)).count() as i32))
                .sum()
        };
        captured.balance = worth(Color::White) - worth(Color::Black);
        captured
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
