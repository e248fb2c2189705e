//! Games: listed, looked at, deleted.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use shakmaty::Position;
use shakmaty::san::SanPlus;
use utoipa::{IntoParams, ToSchema};

use super::responses::Problems;
use crate::app_state::AppState;
use crate::caller::Caller;
use crate::documents::chess::{GameDocument, GameSummary, destination};
use crate::extract::{Json, Path, Query};
use crate::guard::is_bearer;
use crate::id::Id;
use crate::problem::{Kind, Problem};
use crate::sessions::kind::GameKind;

/// Games in a list.
const LISTED: u32 = 100;

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
    /// The games of all clients; requires the server's token in `Authorization`.
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
    /// Promotion piece: `q`, `r`, `b` or `n`.
    pub promotion: Option<String>,
    /// Whether it captures.
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

/// List the client's games.
///
/// Those that were set up with the same cookie, latest first.
#[utoipa::path(get, path = "/games", tag = "games", params(ListQuery),
    responses((status = 200, description = "The games", body = GameList), Problems))]
pub async fn list(
    State(app): State<Arc<AppState>>,
    caller: Caller,
    headers: HeaderMap,
    Query(query): Query<ListQuery>,
) -> Result<Json<GameList>, Problem> {
    // A token in the request has been checked before.
    if query.all && !(app.config.token.is_some() && is_bearer(&headers)) {
        let detail = "all games are listed only for whoever shows the server's token in `Authorization`";
        return Err(Problem::new(Kind::Forbidden, detail));
    }
    let owner = (!query.all).then_some(caller.owner);
    let games = app.store.list(owner, LISTED).await.map_err(Problem::internal)?;
    Ok(Json(GameList { games }))
}

/// Get a game.
#[utoipa::path(get, path = "/games/{id}", tag = "games", params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 200, description = "The game", body = GameDocument), Problems))]
pub async fn show(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
) -> Result<Json<GameDocument>, Problem> {
    let session = app.sessions.find(&app, id).await?;
    session.schedule_agent(&app);
    Ok(Json(GameDocument::new(&session.state())))
}

/// Delete a game.
#[utoipa::path(delete, path = "/games/{id}", tag = "games", params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$")),
    responses((status = 204, description = "It is gone"), Problems))]
pub async fn delete(State(app): State<Arc<AppState>>, Path(id): Path<Id>) -> Result<StatusCode, Problem> {
    app.sessions.delete(&app, id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// List the legal moves.
#[utoipa::path(get, path = "/games/{id}/legal", tag = "games",
    params(("id" = String, Path, description = "The game", pattern = "^[0-9a-f]{32}$"), LegalQuery),
    responses((status = 200, description = "The moves", body = LegalMoves), Problems))]
pub async fn legal(
    State(app): State<Arc<AppState>>,
    Path(id): Path<Id>,
    Query(query): Query<LegalQuery>,
) -> Result<Json<LegalMoves>, Problem> {
    let from: Option<shakmaty::Square> = match &query.from {
        None => None,
        Some(text) => Some(text.parse().map_err(|_| {
            Problem::unprocessable(format_args!("\"{}\" is no square; write it like e2", shorten(text)))
        })?),
    };
    let state = app.sessions.find(&app, id).await?.state();
    let position = state.game().position();
    let over = state.is_over();
    let moves = position
        .legal_moves()
        .into_iter()
        .filter(|m| !over && from.is_none_or(|from| m.from() == Some(from)))
        .map(|m| LegalMove {
            uci: state.game().write_move(m),
            san: SanPlus::from_move(position.clone(), m).to_string(),
            from: m.from().map(|square| square.to_string()).unwrap_or_default(),
            to: destination(state.game(), m),
            promotion: m.promotion().map(|role| role.char().to_string()),
            capture: m.is_capture(),
        })
        .collect();
    Ok(Json(LegalMoves { ply: state.moves.len(), moves }))
}

fn shorten(text: &str) -> String {
    text.chars().take(20).collect()
}
