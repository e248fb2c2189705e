//! Static evaluation of positions: score, terms, fields, and the contribution of each piece to a square.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use shakmaty::{Position, Square};
use tabia_core::ChessGame;
use tabia_eval::{AnyEvaluation, Evaluate, Explanation, View, phrases, registry};
use utoipa::{IntoParams, ToSchema};

use super::agents::OptionDocument;
use super::responses::Problems;
use crate::chess::setup::Variant;
use crate::documents::chess::destinations;
use crate::documents::outcome::OutcomeDocument;
use crate::extract::{Json, Query};
use crate::problem::Problem;
use crate::sessions::side::Side;

/// The default evaluation: the one whose fields are most instructive to look at.
const DEFAULT: &str = "axiomx";
/// Smaller contributions are rounding errors of floating-point sums.
const HAIR: f64 = 1e-9;

/// A position, and whatever looks at it.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct EvaluateQuery {
    /// The position; without one, the start of a game.
    #[serde(default)]
    #[param(example = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3")]
    pub fen: Option<String>,
    /// The evaluation; `axiomx` without one.
    #[serde(default)]
    #[param(example = "axon")]
    pub eval: Option<String>,
}

/// A square of a position.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct SquareQuery {
    /// The position; without one, the start of a game.
    #[serde(default)]
    pub fen: Option<String>,
    /// The evaluation; `axiomx` without one.
    #[serde(default)]
    pub eval: Option<String>,
    /// The square.
    #[param(example = "e4")]
    pub square: String,
}

/// A position to be checked.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct PositionQuery {
    /// The position.
    #[param(example = "8/5pk1/p3p1p1/1pPpP2p/1P1P1P1P/P3K1P1/8/8 w - - 0 40")]
    pub fen: String,
    /// The game; without it, Chess960 is recognised by its castling rights.
    #[serde(default)]
    #[param(inline)]
    pub variant: Option<Variant>,
}

/// A term of an evaluation: (White − Black) × weight.
#[derive(Debug, Serialize, ToSchema)]
pub struct TermDocument {
    /// What it measures.
    pub name: String,
    /// White's amount.
    pub white: f64,
    /// Black's amount.
    pub black: f64,
    /// Centipawns a unit.
    pub weight: f64,
    /// Its share of the score, in White's view.
    pub score_cp: i32,
}

/// Numbers on the 64 squares.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldDocument {
    /// What it shows.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Eight ranks, the eighth first; eight numbers each, file a first.
    pub values: [[f64; 8]; 8],
}

/// An evaluation of a position: the document of `tabia eval --json`, with a summary in words.
#[derive(Debug, Serialize, ToSchema)]
pub struct EvaluationDocument {
    /// The position.
    pub fen: String,
    /// The evaluation.
    pub eval: String,
    /// The score in White's view; the terms sum to it.
    pub score_cp: i32,
    /// The terms of the score.
    pub terms: Vec<TermDocument>,
    /// Its fields.
    pub fields: Vec<FieldDocument>,
    /// The same in a paragraph.
    #[schema(
        example = "White is slightly better (+0.30), mainly because of space. Black's mobility is worth 0.10 in return."
    )]
    pub words: String,
    /// How the game is over in this position, if it is.
    pub outcome: Option<OutcomeDocument>,
}

/// An evaluation that can be asked.
#[derive(Debug, Serialize, ToSchema)]
pub struct EvaluationEntry {
    /// Its name.
    #[schema(example = "axiomx")]
    pub name: &'static str,
    /// Its fields.
    pub fields: Vec<FieldEntry>,
    /// The options it takes, written as `axiomx(kernels=code,multiscale=on)`.
    pub options: Vec<OptionDocument>,
    /// Whether it is the strongest one with the engine's search.
    pub strongest: bool,
}

/// A field that can be drawn.
#[derive(Debug, Serialize, ToSchema)]
pub struct FieldEntry {
    /// What it shows.
    pub name: String,
    /// Its unit.
    pub unit: String,
}

/// All evaluations.
#[derive(Debug, Serialize, ToSchema)]
pub struct EvaluationList {
    /// All of them.
    pub evaluations: Vec<EvaluationEntry>,
    /// The one that is asked when none is named.
    pub default: &'static str,
}

/// The contributions of the pieces to a square.
#[derive(Debug, Serialize, ToSchema)]
pub struct SquareDocument {
    /// The square.
    pub square: String,
    /// The evaluation.
    pub eval: String,
    /// Every field of it that is not the same without some piece.
    pub fields: Vec<SquareField>,
}

/// The contributions of the pieces to a square in one field.
#[derive(Debug, Serialize, ToSchema)]
pub struct SquareField {
    /// The field.
    pub name: String,
    /// Its unit.
    pub unit: String,
    /// Its value on the square.
    pub value: f64,
    /// Which pieces make it so, the greatest share first.
    pub pieces: Vec<PieceShare>,
}

/// One piece's share.
#[derive(Debug, Serialize, ToSchema)]
pub struct PieceShare {
    /// Its square.
    #[schema(example = "g1")]
    pub square: String,
    /// Which piece, as FEN writes it.
    #[schema(example = "N")]
    pub piece: String,
    /// By how much the value would be smaller without it.
    pub share: f64,
}

/// A position that can be played.
#[derive(Debug, Serialize, ToSchema)]
pub struct CheckedPosition {
    /// As FEN.
    pub fen: String,
    /// Its variant.
    pub variant: Variant,
    /// The side to move.
    pub turn: Side,
    /// Whether that side is in check.
    pub check: bool,
    /// The legal destinations of its pieces.
    pub legal: BTreeMap<String, Vec<String>>,
    /// How the game is over in it, if it is.
    pub outcome: Option<OutcomeDocument>,
}

/// List the evaluations and their fields.
#[utoipa::path(get, path = "/analysis/evaluations", tag = "analysis",
    responses((status = 200, description = "The evaluations", body = EvaluationList), Problems))]
pub async fn evaluations() -> Json<EvaluationList> {
    let start = ChessGame::default();
    let evaluations = registry::NAMES
        .iter()
        .filter_map(|name| Some((*name, AnyEvaluation::named(name)?)))
        .map(|(name, evaluation)| EvaluationEntry {
            name,
            fields: evaluation
                .explain(View::from(start.position()))
                .fields
                .into_iter()
                .map(|field| FieldEntry { name: field.name, unit: field.unit })
                .collect(),
            options: registry::options::entries(name).iter().map(OptionDocument::new).collect(),
            strongest: name == registry::STRONGEST,
        })
        .collect();
    Json(EvaluationList { evaluations, default: DEFAULT })
}

/// Evaluate a position.
///
/// The score, the terms that sum to it, the fields behind them, and a summary in words. This is a static evaluation
/// without a search.
#[utoipa::path(get, path = "/analysis/evaluate", tag = "analysis", params(EvaluateQuery),
    responses((status = 200, description = "The evaluation", body = EvaluationDocument), Problems))]
pub async fn evaluate(Query(query): Query<EvaluateQuery>) -> Result<Json<EvaluationDocument>, Problem> {
    let game = position(query.fen.as_deref(), None)?;
    let name = query.eval.as_deref().unwrap_or(DEFAULT);
    let explanation = named(name)?.explain(View::from(game.position()));
    Ok(Json(EvaluationDocument::new(&game, name, explanation)))
}

/// Get the contributions of the pieces to a square.
///
/// For every field of the evaluation, by how much its value on the square would be less without each piece. Kings
/// stay where they are: no position is without them.
#[utoipa::path(get, path = "/analysis/square", tag = "analysis", params(SquareQuery),
    responses((status = 200, description = "The shares", body = SquareDocument), Problems))]
pub async fn square(Query(query): Query<SquareQuery>) -> Result<Json<SquareDocument>, Problem> {
    let game = position(query.fen.as_deref(), None)?;
    let name = query.eval.as_deref().unwrap_or(DEFAULT);
    let evaluation = named(name)?;
    let square: Square = query.square.to_ascii_lowercase().parse().map_err(|_| {
        let text: String = query.square.chars().take(20).collect();
        Problem::unprocessable(format_args!("\"{text}\" is no square; write it like e4"))
    })?;
    let fields = shares(&evaluation, &game, square);
    Ok(Json(SquareDocument { square: square.to_string(), eval: name.to_owned(), fields }))
}

/// Check a position.
///
/// A position that cannot be played is refused with what is wrong with it.
#[utoipa::path(get, path = "/analysis/position", tag = "analysis", params(PositionQuery),
    responses((status = 200, description = "The position", body = CheckedPosition), Problems))]
pub async fn check(Query(query): Query<PositionQuery>) -> Result<Json<CheckedPosition>, Problem> {
    let game = position(Some(&query.fen), query.variant)?;
    let outcome = game.outcome();
    Ok(Json(CheckedPosition {
        fen: game.fen(),
        variant: game.mode().into(),
        turn: game.side_to_move().into(),
        check: game.position().is_check(),
        legal: if outcome.is_none() { destinations(&game) } else { BTreeMap::new() },
        outcome: outcome.map(Into::into),
    }))
}

/// The position of a text; none is the start of a game.
pub fn position(fen: Option<&str>, variant: Option<Variant>) -> Result<ChessGame, Problem> {
    let Some(fen) = fen.filter(|fen| !fen.is_empty() && *fen != "startpos") else {
        return Ok(ChessGame::default());
    };
    match variant {
        None => ChessGame::from_fen(fen),
        Some(variant) => ChessGame::from_fen_in_mode(fen, variant.into()),
    }
    .map_err(Problem::unprocessable)
}

/// The longest text of an evaluation and its options.
const LONGEST_NAME: usize = 200;

fn named(text: &str) -> Result<AnyEvaluation, Problem> {
    if text.len() > LONGEST_NAME {
        let length = text.len();
        return Err(Problem::unprocessable(format_args!(
            "the name of an evaluation has {length} characters; at most {LONGEST_NAME} are read"
        )));
    }
    AnyEvaluation::from_text(text).map_err(Problem::unprocessable)
}

impl EvaluationDocument {
    fn new(game: &ChessGame, name: &str, explanation: Explanation) -> EvaluationDocument {
        EvaluationDocument {
            fen: game.fen(),
            eval: name.to_owned(),
            score_cp: explanation.score.raw(),
            words: phrases::paragraph(&explanation),
            terms: explanation
                .terms
                .into_iter()
                .map(|term| TermDocument {
                    name: term.name,
                    white: term.white,
                    black: term.black,
                    weight: term.weight,
                    score_cp: term.centipawns,
                })
                .collect(),
            fields: explanation
                .fields
                .into_iter()
                .map(|field| FieldDocument { name: field.name, unit: field.unit, values: field.values })
                .collect(),
            outcome: game.outcome().map(Into::into),
        }
    }
}

/// Takes every piece but the kings off the board in turn, and looks at what the square loses.
fn shares(evaluation: &AnyEvaluation, game: &ChessGame, square: Square) -> Vec<SquareField> {
    let view = View::from(game.position());
    let (row, column) = (7 - square.rank() as usize, square.file() as usize);
    let mut fields: Vec<SquareField> = evaluation
        .explain(view)
        .fields
        .into_iter()
        .map(|field| SquareField {
            value: field.values[row][column],
            name: field.name,
            unit: field.unit,
            pieces: Vec::new(),
        })
        .collect();
    for (from, piece) in view.board.clone() {
        if piece.role == shakmaty::Role::King {
            continue;
        }
        let mut board = view.board.clone();
        board.discard_piece_at(from);
        let castling = view.castling.without(from);
        let without = evaluation.explain(View { board: &board, castling, ..view });
        for (field, lessened) in fields.iter_mut().zip(without.fields) {
            let share = field.value - lessened.values[row][column];
            if share.abs() > HAIR {
                let piece = piece.char().to_string();
                field.pieces.push(PieceShare { square: from.to_string(), piece, share });
            }
        }
    }
    fields.retain(|field| !field.pieces.is_empty());
    for field in &mut fields {
        field.pieces.sort_by(|a, b| b.share.abs().total_cmp(&a.share.abs()));
    }
    fields
}
