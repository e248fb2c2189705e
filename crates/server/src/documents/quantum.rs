//! A game of quantum chess as JSON.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shakmaty::Square;
use tabia_core::{Game, SearchInfo};
use tabia_quantum::{Action, Branch, Marginals, Move, QuantumGame};
use utoipa::ToSchema;

use super::outcome::OutcomeDocument;
use super::players::{AwaitsDocument, EventKindDocument, PlayerDocument};
use crate::id::Id;
use crate::line::white_score;
use crate::quantum::state::{QuantumGameEvent, QuantumGameState, QuantumPly};
use crate::sessions::kind::GameKind;
use crate::sessions::side::Side;
use crate::timestamp::Timestamp;

/// One classical board of the superposition.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BranchDocument {
    /// Its integer weight, as text, because it may exceed what JavaScript represents exactly.
    #[schema(example = "1")]
    pub weight: String,
    /// Its share of all weights.
    #[schema(example = 0.5)]
    pub probability: f64,
    /// The placement of the pieces, as in FEN.
    #[schema(example = "rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR")]
    pub board: String,
    /// Castling rights, as FEN writes them.
    #[schema(example = "KQkq")]
    pub castling: String,
    /// The en-passant square.
    pub en_passant: Option<String>,
}

/// A piece that may stand on a square.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct MarginalDocument {
    /// Its letter, as FEN writes it.
    #[schema(example = "N")]
    pub piece: String,
    /// How likely it stands there.
    #[schema(example = 0.5)]
    pub probability: f64,
}

/// A move that may be made.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ActionDocument {
    /// As it is written: `b1c3`, `b1~c3` to split, `e7e8q`.
    #[serde(rename = "move")]
    #[schema(example = "b1~c3")]
    pub text: String,
    /// From where.
    pub from: String,
    /// To where.
    pub to: String,
    /// Whether it splits.
    pub split: bool,
    /// Promotion piece, if any: `q`, `r`, `b` or `n`.
    pub promotion: Option<String>,
    /// How likely it succeeds: the share of the branches in which it can be made, halved for a split.
    pub chance: f64,
    /// How likely it captures.
    pub capture: f64,
    /// How likely it captures the king and wins.
    pub win: f64,
    /// Whether the move causes a measurement.
    pub measured: bool,
}

/// A state of quantum chess, and its legal moves.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct QuantumPosition {
    /// As text: a FEN, or `turn clock number: weight*board castling en-passant + …`.
    #[schema(example = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")]
    pub position: String,
    /// Who moves next; when the game is won, who moved last.
    pub turn: Side,
    /// Plies without a capture or a pawn move.
    pub no_progress: u32,
    /// Sum of all weights, as text.
    #[schema(example = "2")]
    pub total: String,
    /// The branches, heaviest first.
    pub branches: Vec<BranchDocument>,
    /// What may stand on each square that is not certainly empty, likeliest first.
    pub squares: BTreeMap<String, Vec<MarginalDocument>>,
    /// Every legal move with its chances; none when the game is over.
    pub legal: Vec<ActionDocument>,
    /// How it ended, if it has.
    pub outcome: Option<OutcomeDocument>,
}

/// A complete game of quantum chess.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct QuantumGameDocument {
    /// Its id. Whoever knows it can see and play the game.
    #[schema(value_type = String, example = "0123456789abcdef0123456789abcdef")]
    pub id: Id,
    /// The number of its last event.
    pub version: u64,
    /// Who has White.
    pub white: PlayerDocument,
    /// Who has Black.
    pub black: PlayerDocument,
    /// The position it started from, as text.
    pub start: String,
    /// Seed of the measurements, as text; hidden until the game is over, because it predicts them.
    #[schema(example = "7")]
    pub seed: Option<String>,
    /// Whether moves can be taken back.
    pub takebacks: bool,
    /// Half-moves played since the start.
    pub ply: usize,
    /// Every move.
    pub moves: Vec<QuantumPly>,
    /// Which player the game waits for.
    pub awaits: AwaitsDocument,
    /// The side that offers a draw, if any.
    pub draw_offer: Option<Side>,
    /// The position now.
    #[serde(flatten)]
    pub state: QuantumPosition,
    /// When it was set up.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// A game of quantum chess in a list.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct QuantumSummary {
    /// Its name.
    #[schema(value_type = String)]
    pub id: Id,
    /// Who has White.
    pub white: String,
    /// Who has Black.
    pub black: String,
    /// Half-moves played.
    pub ply: usize,
    /// Branches now.
    pub branches: usize,
    /// How it ended, if it has.
    pub outcome: Option<OutcomeDocument>,
    /// When it was set up.
    pub created_at: Timestamp,
    /// When it last changed.
    pub updated_at: Timestamp,
}

/// Search information of an agent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct QuantumLine {
    /// Centipawns in White's view; absent when it is a win.
    pub score_cp: Option<i32>,
    /// Full moves to the king's capture; positive when White takes it.
    pub mate: Option<i32>,
    /// Positions visited.
    pub nodes: u64,
    /// Milliseconds since it began.
    pub time_ms: u64,
    /// The line, plies as a record writes them.
    pub line: Vec<String>,
}

/// An event; the position after it is in the game.
#[derive(Clone, Debug, Serialize, Deserialize, ToSchema)]
pub struct QuantumEvent {
    /// Its number, which is the version of the game after it.
    pub version: u64,
    /// Kind of event.
    #[serde(rename = "type")]
    pub kind: EventKindDocument,
    pub at: Timestamp,
    /// The move, of `moved`, with what it measured.
    #[serde(rename = "move", default, skip_serializing_if = "Option::is_none")]
    pub played: Option<QuantumPly>,
    /// Half-moves taken back, of `undone`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub plies: Option<usize>,
    /// The side that caused `draw_offered`, `draw_declined` or a resignation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub by: Option<Side>,
    /// More about it, such as the last output of an agent that failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub detail: Option<String>,
}

impl From<&QuantumGameEvent> for QuantumEvent {
    fn from(event: &QuantumGameEvent) -> QuantumEvent {
        QuantumEvent {
            version: event.version,
            kind: event.kind.into(),
            at: event.at,
            played: event.played.clone(),
            plies: event.plies,
            by: event.by.map(Into::into),
            detail: event.detail.clone(),
        }
    }
}

impl From<QuantumEvent> for QuantumGameEvent {
    fn from(event: QuantumEvent) -> QuantumGameEvent {
        QuantumGameEvent {
            version: event.version,
            kind: event.kind.into(),
            at: event.at,
            played: event.played,
            plies: event.plies,
            by: event.by.map(Into::into),
            detail: event.detail,
            snapshot: (),
        }
    }
}

impl QuantumLine {
    /// The document of search information about a state.
    pub fn new(game: &QuantumGame, info: &SearchInfo<Action>) -> QuantumLine {
        let (score_cp, mate) = white_score(info.score, game.side_to_move());
        let mut line: Vec<String> = Vec::new();
        for action in &info.line {
            match (action, line.last_mut()) {
                // The result of a measurement belongs to the move that caused it.
                (Action::Capture(_) | Action::King(_), Some(last)) => last.push_str(&action.to_string()),
                _ => line.push(action.to_string()),
            }
        }
        let time_ms = info.elapsed.as_millis() as u64;
        QuantumLine { score_cp, mate, nodes: info.nodes, time_ms, line }
    }
}

impl QuantumPosition {
    /// The document of a state. `outcome` may be one that the rules do not know, such as a resignation.
    pub fn new(game: &QuantumGame, outcome: Option<tabia_core::Outcome>) -> QuantumPosition {
        let outcome = outcome.or(game.outcome());
        let mut branches: Vec<&Branch> = game.branches().iter().collect();
        branches.sort_by_key(|branch| (std::cmp::Reverse(branch.weight()), branch.board().to_string()));
        let marginals = Marginals::new(game);
        let squares = Square::ALL.into_iter().filter_map(|square| {
            let found: Vec<MarginalDocument> = marginals
                .on(square)
                .into_iter()
                .map(|(piece, probability)| MarginalDocument { piece: piece.char().to_string(), probability })
                .collect();
            (!found.is_empty()).then(|| (square.to_string(), found))
        });
        QuantumPosition {
            position: game.to_string(),
            turn: game.side_to_move().into(),
            no_progress: game.no_progress(),
            total: game.total().to_string(),
            branches: branches.into_iter().map(|branch| BranchDocument::new(branch, game.total())).collect(),
            squares: squares.collect(),
            legal: if outcome.is_none() { actions(game) } else { Vec::new() },
            outcome: outcome.map(Into::into),
        }
    }
}

impl BranchDocument {
    fn new(branch: &Branch, total: u64) -> BranchDocument {
        BranchDocument {
            weight: branch.weight().to_string(),
            probability: branch.weight() as f64 / total as f64,
            board: branch.board().to_string(),
            castling: branch.castling().to_string(),
            en_passant: branch.en_passant().map(|square| square.to_string()),
        }
    }
}

fn actions(game: &QuantumGame) -> Vec<ActionDocument> {
    let mut listed = Vec::new();
    game.actions(&mut listed);
    let moves = listed.into_iter().filter_map(|action| match action {
        Action::Move(m) => Some(ActionDocument::new(game, m)),
        Action::Capture(_) | Action::King(_) => None,
    });
    moves.collect()
}

impl ActionDocument {
    fn new(game: &QuantumGame, m: Move) -> ActionDocument {
        let odds = game.odds(m);
        let text = game.write_move(m);
        let promotion = text.chars().last().filter(char::is_ascii_alphabetic);
        ActionDocument {
            from: m.from().to_string(),
            to: m.to().to_string(),
            split: m.is_split(),
            promotion: promotion.map(String::from),
            chance: odds.success(),
            capture: odds.capture(),
            win: odds.win(),
            measured: odds.is_measured(),
            text,
        }
    }
}

impl QuantumGameDocument {
    /// The document of a game.
    pub fn new(state: &QuantumGameState) -> QuantumGameDocument {
        QuantumGameDocument {
            id: state.id,
            version: state.journal.version,
            white: (&state.setup.white).into(),
            black: (&state.setup.black).into(),
            start: state.setup.start.clone(),
            seed: state.outcome().map(|_| state.setup.seed.to_string()),
            takebacks: state.setup.takebacks,
            ply: state.plies.len(),
            moves: state.plies.clone(),
            awaits: state.session().awaits().into(),
            draw_offer: state.session().draw_offer().map(Into::into),
            state: QuantumPosition::new(state.game(), state.outcome()),
            created_at: state.journal.created,
            updated_at: state.journal.updated,
        }
    }
}

impl QuantumSummary {
    /// The summary of a game.
    pub fn new(state: &QuantumGameState) -> QuantumSummary {
        QuantumSummary {
            id: state.id,
            white: state.setup.white.name().to_owned(),
            black: state.setup.black.name().to_owned(),
            ply: state.plies.len(),
            branches: state.game().branches().len(),
            outcome: state.outcome().map(Into::into),
            created_at: state.journal.created,
            updated_at: state.journal.updated,
        }
    }
}
