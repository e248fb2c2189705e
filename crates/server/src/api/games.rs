//! Games: set up, look, move, take back, give up.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shakmaty::san::SanPlus;
use shakmaty::{Color, Position};
use utoipa::{IntoParams, ToSchema};

use super::responses::Problems;
use crate::agents;
use crate::caller::Caller;
use crate::chess960;
use crate::extract::{Json, Maybe, Path, Query};
use crate::game::clock::ClockSetting;
use crate::game::document::{Awaits, GameDocument, GameSummary, destination};
use crate::game::play::Play;
use crate::game::setup::{Seat, Setup, ThinkLimits, Variant};
use crate::game::side::Side;
use crate::guard::is_bearer;
use crate::id::Id;
use crate::lab::{Lab, RETRY};
use crate::problem::{Kind, Problem};

/// The word for a person.
const HUMAN: &str = "human";
/// Who plays against a person when nobody else is named.
const OPPONENT: &str = "axiomx";
/// The start of chess.
pub const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
/// Games in a list.
const LISTED: u32 = 100;
/// The longest name of a player or event.
const LONGEST_NAME: usize = 200;

/// A game to be set up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Which game.
    #[serde(default)]
    pub variant: Variant,
    /// Who has White: `human` or an agent spec.
    #[serde(default)]
    #[schema(default = "human", example = "human")]
    pub white: Option<String>,
    /// Who has Black: `human` or an agent spec.
    #[serde(default)]
    #[schema(default = "axiomx", example = "engine")]
    pub black: Option<String>,
    /// How long White's agent thinks.
    #[serde(default)]
    pub white_limits: Option<ThinkLimits>,
    /// How long Black's agent thinks.
    #[serde(default)]
    pub black_limits: Option<ThinkLimits>,
    /// The position to start from; without one, the usual start, or any of the 960.
    #[serde(default)]
    #[schema(example = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")]
    pub fen: Option<String>,
    /// Moves already played, in UCI or standard notation.
    #[serde(default)]
    #[schema(example = json!(["e4", "e5", "g1f3"]))]
    pub moves: Vec<String>,
    /// The same as movetext of a PGN (`1. e4 e5 2. Nf3`): instead of `moves`.
    #[serde(default)]
    #[schema(example = json!(null))]
    pub pgn: Option<String>,
    /// A clock.
    #[serde(default)]
    pub clock: Option<ClockSetting>,
}

/// A move to be played.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewMove {
    /// In UCI or standard notation.
    #[serde(rename = "move")]
    #[schema(example = "e2e4")]
    pub text: String,
    /// The ply at which it is meant to be played: refused when the game is elsewhere.
    #[serde(default)]
    #[schema(example = 0)]
    pub ply: Option<usize>,
}

/// Who gives up.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// Needed only when people play both sides.
    #[serde(default)]
    pub side: Option<Side>,
}

/// What to do about a draw.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DrawAction {
    /// Offer one; an agent answers at once, by what it thinks of its position.
    #[default]
    Offer,
    /// Accept the offer.
    Accept,
    /// Decline it.
    Decline,
}

/// An offer of a draw, or an answer to one.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct DrawRequest {
    /// What to do.
    #[serde(default)]
    pub action: DrawAction,
    /// Who does it; needed only when people play both sides.
    #[serde(default)]
    pub side: Option<Side>,
}

/// A list of games.
#[derive(Debug, Serialize, ToSchema)]
pub struct GameList {
    /// Latest first.
    pub games: Vec<GameSummary>,
}

/// Which games.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct ListQuery {
    /// The games of everybody: only for whoever shows the server's token in `Authorization`.
    #[serde(default)]
    pub all: bool,
}

/// Which legal moves.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LegalQuery {
    /// Only those from this square.
    #[serde(default)]
    #[param(example = "e2")]
    pub from: Option<String>,
}

/// A move that may be played.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMove {
    /// As UCI writes it.
    pub uci: String,
    /// In standard notation.
    pub san: String,
    /// From where.
    pub from: String,
    /// To where.
    pub to: String,
    /// What a pawn becomes: `q`, `r`, `b` or `n`.
    pub promotion: Option<String>,
    /// Whether it takes something.
    pub capture: bool,
}

/// Moves that may be played.
#[derive(Debug, Serialize, ToSchema)]
pub struct LegalMoves {
    /// The ply they are for.
    pub ply: usize,
    /// All of them.
    pub moves: Vec<LegalMove>,
}

/// What became of the wish to move at once.
#[derive(Debug, Serialize, ToSchema)]
pub struct MoveNow {
    /// Whether somebody was thinking.
    pub was_thinking: bool,
}

/// Set up a game.
///
/// An agent with White begins to think at once. The cookie that comes with the answer lets `GET /games` list it.
#[utoipa::path(post, path = "/games", tag = "games", request_body = NewGame,
    responses((status = 201, description = "The game", body = GameDocument,
        headers(("location" = String, description = "Where it is"))), Problems))]
pub async fn create(
    State(lab): State<Arc<Lab>>,
    caller: Caller,
    Json(new): Json<NewGame>,
) -> Result<Response, Problem> {
    let moves = moves(&new)?;
    let play = Play::new(caller.owner, setup(&lab, &new)?, &moves, lab.config.bounds.plies)?;
    let table = lab.hall.open(&lab, play).await?;
    Ok(created(caller, &table.play()))
}

/// The answer to whoever set up a game.
pub fn created(caller: Caller, play: &Play) -> Response {
    let mut response = (StatusCode::CREATED, Json(document(play))).into_response();
    let location = format!("{}/games/{}", super::PREFIX, play.id);
    let value = HeaderValue::from_str(&location).expect("an id is plain text");
    response.headers_mut().insert(header::LOCATION, value);
    caller.introduce(response.headers_mut());
    response
}

/// A game as it is told.
pub fn document(play: &Play) -> GameDocument {
    GameDocument::new(play)
}

fn setup(lab: &Lab, new: &NewGame) -> Result<Setup, Problem> {
    if let Some(clock) = &new.clock
        && !clock.is_sensible()
    {
        return Err(Problem::unprocessable(
            "a clock has from 1000 to 10800000 ms at the start and up to 600000 ms a move",
        ));
    }
    let start = match (&new.fen, new.variant) {
        (Some(fen), _) => fen.clone(),
        (None, Variant::Chess) => START.to_owned(),
        (None, Variant::Chess960) => chess960::any_start(),
    };
    Ok(Setup {
        variant: new.variant,
        start,
        white: seat(lab, new.white.as_deref().unwrap_or(HUMAN), new.white_limits)?,
        black: seat(lab, new.black.as_deref().unwrap_or(OPPONENT), new.black_limits)?,
        clock: new.clock,
        event: None,
    })
}

/// The moves already played, from the list or from the PGN.
fn moves(new: &NewGame) -> Result<Vec<String>, Problem> {
    let Some(text) = &new.pgn else { return Ok(new.moves.clone()) };
    if !new.moves.is_empty() {
        return Err(Problem::unprocessable("give the moves as `moves` or as `pgn`, not both"));
    }
    // A PGN without tags starts where its reader is told.
    let tags = match (&new.fen, new.variant) {
        (Some(fen), Variant::Chess) => format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n"),
        (Some(fen), Variant::Chess960) => {
            format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n")
        }
        (None, _) => String::new(),
    };
    let text = if text.trim_start().starts_with('[') { text.clone() } else { format!("{tags}{text}") };
    let games = tabia_arena::pgn::read_text(&text).map_err(Problem::unprocessable)?;
    match games.as_slice() {
        [game] => Ok(game.plies.iter().map(|ply| ply.action.clone()).collect()),
        _ => Err(Problem::unprocessable(format_args!("`pgn` has {} games; it takes one", games.len()))),
    }
}

fn seat(lab: &Lab, text: &str, limits: Option<ThinkLimits>) -> Result<Seat, Problem> {
    if text == HUMAN {
        return match limits {
            None => Ok(Seat::HUMAN),
            Some(_) => Err(Problem::unprocessable("a person has no limits: give them to an agent")),
        };
    }
    if text.chars().count() > LONGEST_NAME {
        return Err(Problem::unprocessable(format_args!(
            "an agent spec has at most {LONGEST_NAME} characters"
        )));
    }
    let limits = limits.unwrap_or_default();
    let checked = agents::check_with_limits(&lab.catalogue, &lab.config, text, &limits)?;
    Ok(Seat::Agent { spec: checked.spec.to_string(), limits })
}

/// List one's games.
///
/// Those that were set up with the same cookie, latest first.
#[utoipa::path(get, path = "/games", tag = "games", params(ListQuery),
    responses((status = 200, description = "The games", body = GameList), Problems))]
pub async fn list(
    State(lab): State<Arc<Lab>>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query<ListQuery>,
) -> Result<Json<GameList>, Problem> {
    // A token that was shown has been checked before.
    if query.all && !(lab.config.token.is_some() && is_bearer(&headers)) {
        let detail = "all games are listed only for whoever shows the server's token in `Authorization`";
        return Err(Problem::new(Kind::Forbidden, detail));
    }
    let owner = (!query.all).then_some(caller.owner);
    let games = lab.store.list(owner, LISTED).await.map_err(Problem::internal)?;
    Ok(Json(GameList { games }))
}

/// Look at a game.
#[utoipa::path(get, path = "/games/{id}", tag = "games", params(("id" = String, Path, description = "The game")),
    responses((status = 200, description = "The game", body = GameDocument), Problems))]
pub async fn show(State(lab): State<Arc<Lab>>, Path(id): Path<Id>) -> Result<Json<GameDocument>, Problem> {
    let table = lab.hall.find(&lab, id).await?;
    table.attend(&lab);
    Ok(Json(document(&table.play())))
}

/// Delete a game.
#[utoipa::path(delete, path = "/games/{id}", tag = "games", params(("id" = String, Path, description = "The game")),
    responses((status = 204, description = "It is gone"), Problems))]
pub async fn delete(State(lab): State<Arc<Lab>>, Path(id): Path<Id>) -> Result<StatusCode, Problem> {
    lab.hall.delete(&lab, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the legal moves.
#[utoipa::path(get, path = "/games/{id}/legal", tag = "games",
    params(("id" = String, Path, description = "The game"), LegalQuery),
    responses((status = 200, description = "The moves", body = LegalMoves), Problems))]
pub async fn legal(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<Id>,
    Query(query): Query<LegalQuery>,
) -> Result<Json<LegalMoves>, Problem> {
    let from: Option<shakmaty::Square> = match &query.from {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| {
            Problem::unprocessable(format_args!("\"{}\" is no square; write it like e2", shorten(text)))
        })?),
    };
    let play = lab.hall.find(&lab, id).await?.play();
    let position = play.game.position();
    let over = play.outcome.is_some();
    let moves = position
        .legal_moves()
        .into_iter()
        .filter(|m| !over && from.is_none_or(|from| m.from() == Some(from)))
        .map(|m| LegalMove {
            uci: play.game.write_move(m),
            san: SanPlus::from_move(position.clone(), m).to_string(),
            from: m.from().map(|square| square.to_string()).unwrap_or_default(),
            to: destination(&play.game, m),
            promotion: m.promotion().map(|role| role.char().to_string()),
            capture: m.is_capture(),
        })
        .collect();
    Ok(Json(LegalMoves { ply: play.moves.len(), moves }))
}

fn shorten(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Play a move.
///
/// The answer is the game after this move; the agent's reply comes as an event.
#[utoipa::path(post, path = "/games/{id}/moves", tag = "games", request_body = NewMove,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, description = "The game after the move", body = GameDocument), Problems))]
pub async fn play(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<Id>,
    Json(new): Json<NewMove>,
) -> Result<Json<GameDocument>, Problem> {
    let table = lab.hall.find(&lab, id).await?;
    let setup = &table.play().setup;
    if lab.engines.is_full() && !(setup.white.is_human() && setup.black.is_human()) {
        return Err(Problem::busy("all engines are thinking, and many wait for their turn", RETRY));
    }
    let longest = lab.config.bounds.plies;
    let ((), after) = table.change(&lab, move |play| play.human_moves(&new.text, new.ply, longest)).await?;
    metrics::counter!("tabia_moves", "by" => "human").increment(1);
    Ok(Json(document(&after)))
}

/// Take back.
///
/// One's last move, and the agent's reply to it if there was one. Between two people: the last move.
#[utoipa::path(post, path = "/games/{id}/undo", tag = "games", params(("id" = String, Path, description = "The game")),
    responses((status = 200, description = "The game as it was before", body = GameDocument), Problems))]
pub async fn undo(State(lab): State<Arc<Lab>>, Path(id): Path<Id>) -> Result<Json<GameDocument>, Problem> {
    let table = lab.hall.find(&lab, id).await?;
    let (_, after) = table.change(&lab, Play::undo).await?;
    Ok(Json(document(&after)))
}

/// Resign.
#[utoipa::path(post, path = "/games/{id}/resign", tag = "games", request_body = Option<Resignation>,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, description = "The game, over", body = GameDocument), Problems))]
pub async fn resign(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<Id>,
    Maybe(resignation): Maybe<Resignation>,
) -> Result<Json<GameDocument>, Problem> {
    let table = lab.hall.find(&lab, id).await?;
    let ((), after) = table.change(&lab, move |play| play.resign(resignation.side)).await?;
    Ok(Json(document(&after)))
}

/// Offer a draw, or answer an offer.
#[utoipa::path(post, path = "/games/{id}/draw", tag = "games", request_body = Option<DrawRequest>,
    params(("id" = String, Path, description = "The game")),
    responses((status = 200, description = "The game, drawn or not", body = GameDocument), Problems))]
pub async fn draw(
    State(lab): State<Arc<Lab>>,
    Path(id): Path<Id>,
    Maybe(request): Maybe<DrawRequest>,
) -> Result<Json<GameDocument>, Problem> {
    let table = lab.hall.find(&lab, id).await?;
    let ((), after) = table
        .change(&lab, move |play| match request.action {
            DrawAction::Offer => play.offer_draw(request.side, agrees),
            DrawAction::Accept => play.answer_draw(request.side, true),
            DrawAction::Decline => play.answer_draw(request.side, false),
        })
        .await?;
    Ok(Json(document(&after)))
}

/// An agent agrees to a draw when it does not think itself better; one without an opinion counts material.
fn agrees(play: &Play, agent: Color) -> bool {
    let score = match &play.evaluation {
        Some(line) => line.centipawns_for(agent),
        None => {
            let balance = crate::game::document::PositionDocument::new(play).captured.balance;
            agent.fold_wb(balance, -balance)
        }
    };
    score <= 0 && play.awaits() != Awaits::Nobody
}

/// Let the agent move now.
///
/// It ends its thinking and plays the best move it has.
#[utoipa::path(post, path = "/games/{id}/move-now", tag = "games",
    params(("id" = String, Path, description = "The game")),
    responses((status = 202, description = "It was told", body = MoveNow), Problems))]
pub async fn move_now(State(lab): State<Arc<Lab>>, Path(id): Path<Id>) -> Result<Response, Problem> {
    let table = lab.hall.find(&lab, id).await?;
    let was_thinking = table.move_now();
    Ok((StatusCode::ACCEPTED, Json(MoveNow { was_thinking })).into_response())
}
