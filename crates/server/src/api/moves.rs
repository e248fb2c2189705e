//! What players do in a game: move, take back, resign, offer and answer draws.

use std::sync::Arc;

use axum::extract::State;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};
use serde::{Deserialize, Serialize};
use shakmaty::Color;
use utoipa::ToSchema;

use super::responses::Problems;
use crate::app_state::{AppState, RETRY};
use crate::chess::state::ChessGameState;
use crate::documents::chess::GameDocument;
use crate::extract::{Json, OptionalJson, Path};
use crate::id::Id;
use crate::problem::Problem;
use crate::sessions::kind::GameKind;
use crate::sessions::side::Side;

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

/// A resignation.
#[derive(Debug, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Resignation {
    /// Needed only when people play both sides.
    #[serde(default)]
    pub side: Option<Side>,
}

impl Resignation {
    /// The side that resigns.
    pub fn side(&self) -> Option<Color> {
        self.side.map(Into::into)
    }
}

/// What to do about a draw.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DrawAction {
    /// Offer a draw; an agent answers at once, by its evaluation of the position.
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
    #[serde(default)]
    pub action: DrawAction,
    /// The side; needed only when people play both sides.
    #[serde(default)]
    pub side: Option<Side>,
}

impl DrawRequest {
    /// Applies it to a game.
    pub fn apply<K: GameKind>(&self, state: &mut K) -> Result<(), K::Error> {
        let side = self.side.map(Into::into);
        match self.action {
            DrawAction::Offer => state.offer_draw(side),
            DrawAction::Accept => state.answer_draw(side, true),
            DrawAction::Decline => state.answer_draw(side, false),
        }
    }
}

/// The result of `move-now`.
#[derive(Debug, Serialize, ToSchema)]
pub struct MoveNow {
    /// Whether an agent was thinking.
    pub was_thinking: bool,
}

/// Play a move.
///
/// The answer is the game after this move; the agent's reply comes as an event.
#[utoipa::path(post, path = "/games/{id}/moves", tag = "games", request_body = NewMove,
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game after the move", body = GameDocument), Problems))]
pub async fn play(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    Json(new): Json<NewMove>,
) -> Result<Json<GameDocument>, Problem> {
    let session = app.sessions.find(&app, id).await?;
    let setup = &session.state().setup;
    if app.engine_pool.is_full() && !(setup.white.is_human() && setup.black.is_human()) {
        return Err(Problem::busy("all engines are thinking, and many wait for their turn", RETRY));
    }
    let longest = app.config.bounds.plies;
    let ((), after) =
        session.update(&app, move |state| state.play_human_move(&new.text, new.ply, longest)).await?;
    metrics::counter!("tabia_moves", "by" => "human").increment(1);
    Ok(Json(GameDocument::new(&after)))
}

/// Take back a move.
///
/// The person's last move, and the agent's reply to it if there was one. Between two people: the last move.
#[utoipa::path(post, path = "/games/{id}/undo", tag = "games", params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game as it was before", body = GameDocument), Problems))]
pub async fn undo(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
) -> Result<Json<GameDocument>, Problem> {
    let session = app.sessions.find(&app, id).await?;
    let (_, after) = session.update(&app, ChessGameState::undo).await?;
    Ok(Json(GameDocument::new(&after)))
}

/// Resign.
#[utoipa::path(post, path = "/games/{id}/resign", tag = "games", request_body = Option<Resignation>,
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game, over", body = GameDocument), Problems))]
pub async fn resign(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    OptionalJson(resignation): OptionalJson<Resignation>,
) -> Result<Json<GameDocument>, Problem> {
    let session = app.sessions.find(&app, id).await?;
    let ((), after) = session.update(&app, move |state| state.resign(resignation.side())).await?;
    Ok(Json(GameDocument::new(&after)))
}

/// Offer a draw, or answer an offer.
#[utoipa::path(post, path = "/games/{id}/draw", tag = "games", request_body = Option<DrawRequest>,
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game, drawn or not", body = GameDocument), Problems))]
pub async fn draw(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    OptionalJson(request): OptionalJson<DrawRequest>,
) -> Result<Json<GameDocument>, Problem> {
    let session = app.sessions.find(&app, id).await?;
    let ((), after) = session.update(&app, move |state| request.apply(state)).await?;
    Ok(Json(GameDocument::new(&after)))
}

/// Let the agent move now.
///
/// The agent stops its search and plays the best move found so far.
#[utoipa::path(post, path = "/games/{id}/move-now", tag = "games",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 202, description = "It was told", body = MoveNow), Problems))]
pub async fn move_now(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<Response, Problem> {
    let session = app.sessions.find(&app, id).await?;
    let was_thinking = session.move_now();
    Ok((StatusCode::ACCEPTED, Json(MoveNow { was_thinking })).into_response())
}
