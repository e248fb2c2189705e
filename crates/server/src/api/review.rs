//! Explanation of a single move by the coach.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use shakmaty::Position;
use tabia_coach::{Locale, ReviewDocument, explain};
use tabia_core::{Limits, Stop};
use tabia_search::engine::tablebases::Tablebases;
use utoipa::{IntoParams, ToSchema};

use super::analysis::position;
use super::lines::StopsWhenDropped;
use super::responses::Problems;
use crate::agents::{self, Checked};
use crate::app_state::{AppState, RETRY};
use crate::chess::setup::Variant;
use crate::extract::{Json, Query};
use crate::problem::{Kind, Problem};

/// The default agent.
const ANALYST: &str = "engine";
/// The most nodes for each of the two searches.
const MAX_NODES: u64 = 5_000_000;
/// Chosen so that two searches and their proofs fit into the time limit of a request.
const SEARCHES: u32 = 4;

/// A move to be explained.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ReviewRequest {
    /// The position; without one, the start of a game.
    #[serde(default)]
    #[schema(example = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6")]
    pub fen: Option<String>,
    /// The move, in UCI or standard notation; without one, the best move is explained.
    #[serde(default, rename = "move")]
    #[schema(example = "Bxd1")]
    pub asked: Option<String>,
    /// Which game; without it, Chess960 is recognised by its castling rights.
    #[serde(default)]
    pub variant: Option<Variant>,
    /// Nodes for each of the two searches; 400000 without it.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 5_000_000)]
    pub nodes: Option<u64>,
    /// Who analyses; `engine` without one.
    #[serde(default)]
    #[schema(example = "engine")]
    pub agent: Option<String>,
}

/// How texts are written.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct LanguageQuery {
    /// The language of the texts: `en` (English, without it) or `de` (German). Names in documents are the same in all.
    #[serde(default)]
    #[param(inline)]
    pub language: Locale,
}

/// Explain a move.
///
/// The document of `tabia explain --json`: verdict, both lines, every reason with its proof, and a text. The same nodes
/// give the same document. The search ends when the client goes away.
#[utoipa::path(post, path = "/analysis/review", tag = "analysis", params(LanguageQuery),
    request_body = ReviewRequest,
    responses((status = 200, description = "The review", body = ReviewDocument), Problems))]
pub async fn review(
    State(app): State<Arc<AppState>>,
    Query(LanguageQuery { language }): Query<LanguageQuery>,
    Json(request): Json<ReviewRequest>,
) -> Result<Json<ReviewDocument>, Problem> {
    let game = position(request.fen.as_deref(), request.variant)?;
    if game.position().legal_moves().is_empty() {
        return Err(Problem::unprocessable("there is no move to explain: the game is over in this position"));
    }
    let asked = request.asked.as_deref().map(|text| game.read_move(text)).transpose();
    let asked = asked.map_err(Problem::unprocessable)?;
    let nodes = nodes(request.nodes, explain::NODES, MAX_NODES)?;
    let checked = analyst(&app, request.agent.as_deref())?;
    if app.analysis_pool.is_full() {
        return Err(Problem::busy("as many positions are being analysed as this server can", RETRY));
    }
    let reservation = app.reserve(agents::demand(&checked, &app.config.confinement)).await?;
    let bounds = &app.config.bounds;
    let movetime = bounds.think_time.min(bounds.request_time / SEARCHES);
    let limits = Limits { movetime: Some(movetime), ..Limits::nodes(nodes) };
    let stop = Stop::new();
    let _stops = StopsWhenDropped(stop.clone());
    let thread_app = app.clone();
    let name = checked.spec.name.clone();
    let work = move || {
        let _reservation = reservation;
        let folder = thread_app.config.allowed_programs.as_deref();
        let mut agent = thread_app
            .catalogue
            .build(&agents::with_paths(checked.spec, folder))
            .map_err(|error| error.to_string())?;
        let tables = thread_app.config.tables.as_ref().map(|tables| -> &dyn Tablebases { tables });
        explain(agent.as_mut(), game.position(), asked, &limits, tables, &stop)
            .map(|review| ReviewDocument::new(&review, asked.is_some(), language))
            .map_err(|error| match error {
                explain::ExplainError::Silent => format!(
                    "\"{name}\" does not say what a position is worth; use an agent that searches, such as {ANALYST}"
                ),
                explain::ExplainError::Review(error) => error.to_string(),
            })
    };
    let explained = app.analysis_pool.run(work, || {}).await.map_err(Problem::internal)?;
    explained.map(Json).map_err(|why| Problem::new(Kind::Unprocessable, why))
}

/// The requested number of nodes, checked against the limit.
pub(super) fn nodes(asked: Option<u64>, default: u64, max: u64) -> Result<u64, Problem> {
    match asked {
        None => Ok(default),
        Some(nodes) if (1..=max).contains(&nodes) => Ok(nodes),
        Some(nodes) => Err(Problem::unprocessable(format_args!("nodes is {nodes}; it takes 1 to {max}"))),
    }
}

/// The agent that analyses.
pub(super) fn analyst(app: &AppState, asked: Option<&str>) -> Result<Checked, Problem> {
    agents::check(&app.catalogue, &app.config, asked.unwrap_or(ANALYST))
}
