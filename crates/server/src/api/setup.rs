//! Setting up a game.

use std::sync::Arc;

use axum::extract::State;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;
use tabia_core::{Catalogue, Game};
use utoipa::ToSchema;

use super::responses::Problems;
use crate::agents;
use crate::app_state::AppState;
use crate::caller::Caller;
use crate::chess::setup::{START, Setup, Variant};
use crate::chess::state::ChessGameState;
use crate::chess960;
use crate::config::Config;
use crate::documents::chess::GameDocument;
use crate::extract::Json;
use crate::problem::Problem;
use crate::sessions::clock::ClockSetting;
use crate::sessions::player::{Player, ThinkLimits};

/// The spec of a human player.
pub(super) const HUMAN: &str = "human";
/// The default opponent of a person.
const OPPONENT: &str = "axiomx";

/// A game to be set up.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct NewGame {
    /// Which game; without it chess, or chess960 where the castling rights of `fen` ask for it.
    #[serde(default)]
    pub variant: Option<Variant>,
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
    /// The number of the start, 0 to 959, of chess960; 518 is the usual one. Instead of `fen`.
    #[serde(default)]
    #[schema(minimum = 0, maximum = 959, example = json!(null))]
    pub start: Option<u16>,
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

/// Set up a game.
///
/// An agent with White begins to think at once. The cookie that comes with the answer lets `GET /games` list it.
#[utoipa::path(post, path = "/games", tag = "games", request_body = NewGame,
    responses((status = 201, description = "The game", body = GameDocument,
        headers(("location" = String, description = "Where it is"))), Problems))]
pub async fn create(
    State(app): State<Arc<AppState>>,
    caller: Caller,
    Json(new): Json<NewGame>,
) -> Result<Response, Problem> {
    let variant = variant(&new)?;
    let moves = moves(&new, variant)?;
    let state =
        ChessGameState::new(caller.owner, setup(&app, &new, variant)?, &moves, app.config.bounds.plies)?;
    let session = app.sessions.open(&app, state).await?;
    Ok(created(caller, &session.state()))
}

/// The response to a request that set up a game.
pub fn created(caller: Caller, state: &ChessGameState) -> Response {
    let mut response = (StatusCode::CREATED, Json(GameDocument::new(state))).into_response();
    let location = format!("{}/games/{}", super::PREFIX, state.id);
    let value = HeaderValue::from_str(&location).expect("an id is plain text");
    response.headers_mut().insert(header::LOCATION, value);
    caller.set_cookie(response.headers_mut());
    response
}

/// The requested variant: as named, or inferred from the castling rights of the position.
fn variant(new: &NewGame) -> Result<Variant, Problem> {
    match (new.variant, &new.fen) {
        (Some(named), _) => Ok(named),
        (None, Some(fen)) => Ok(super::analysis::position(Some(fen), None)?.mode().into()),
        (None, None) => Ok(Variant::default()),
    }
}

fn setup(app: &AppState, new: &NewGame, variant: Variant) -> Result<Setup, Problem> {
    if let Some(clock) = &new.clock
        && !clock.is_sensible()
    {
        return Err(Problem::unprocessable(
            "a clock has from 1000 to 10800000 ms at the start and up to 600000 ms a move",
        ));
    }
    let start = match (&new.fen, new.start, variant) {
        (Some(_), Some(_), _) => {
            return Err(Problem::unprocessable("give the start as `fen` or as `start`, not both"));
        }
        (None, Some(number), Variant::Chess960) if number < chess960::STARTS => chess960::start(number),
        (None, Some(number), Variant::Chess960) => {
            return Err(Problem::unprocessable(format_args!(
                "start is {number}; the starts of chess960 have the numbers 0 to {}",
                chess960::STARTS - 1
            )));
        }
        (None, Some(_), Variant::Chess) => {
            return Err(Problem::unprocessable("only the starts of chess960 have numbers"));
        }
        (Some(fen), None, _) => fen.clone(),
        (None, None, Variant::Chess) => START.to_owned(),
        (None, None, Variant::Chess960) => chess960::any_start(),
    };
    Ok(Setup {
        variant,
        start,
        white: player(&app.catalogue, &app.config, new.white.as_deref().unwrap_or(HUMAN), new.white_limits)?,
        black: player(
            &app.catalogue,
            &app.config,
            new.black.as_deref().unwrap_or(OPPONENT),
            new.black_limits,
        )?,
        clock: new.clock,
        event: None,
    })
}

/// The moves already played, from the list or from the PGN.
fn moves(new: &NewGame, variant: Variant) -> Result<Vec<String>, Problem> {
    let Some(text) = &new.pgn else { return Ok(new.moves.clone()) };
    if !new.moves.is_empty() {
        return Err(Problem::unprocessable("give the moves as `moves` or as `pgn`, not both"));
    }
    // A PGN without tags is read from the position that is given to the parser.
    let tags = match (&new.fen, variant) {
        (Some(fen), Variant::Chess) => format!("[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n"),
        (Some(fen), Variant::Chess960) => {
            format!("[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"{fen}\"]\n\n")
        }
        (None, _) => String::new(),
    };
    let text = if text.trim_start().starts_with('[') { text.clone() } else { format!("{tags}{text}") };
    let games = tabia_games::pgn::read_text(&text).map_err(Problem::unprocessable)?;
    match games.as_slice() {
        [game] => Ok(game.plies.iter().map(|ply| ply.action.clone()).collect()),
        _ => Err(Problem::unprocessable(format_args!("`pgn` has {} games; it takes one", games.len()))),
    }
}

/// Parses the player of a side.
pub(super) fn player<G: Game>(
    catalogue: &Catalogue<G>,
    config: &Config,
    text: &str,
    limits: Option<ThinkLimits>,
) -> Result<Player, Problem> {
    if text == HUMAN {
        return match limits {
            None => Ok(Player::HUMAN),
            Some(_) => Err(Problem::unprocessable("a person has no limits: give them to an agent")),
        };
    }
    let limits = limits.unwrap_or_default();
    let checked = agents::check_with_limits(catalogue, config, text, &limits)?;
    Ok(Player::Agent { spec: checked.spec.to_string(), limits })
}
