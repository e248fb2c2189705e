//! States of quantum chess analysed by search.

use std::sync::Arc;

use axum::extract::State;
use serde::Deserialize;
use tabia_core::Stop;
use tabia_mcts::PolicyValue;
use tabia_net::{Network, shipped};
use tabia_quantum::QuantumGame;
use tabia_quantum::agents::HandcraftedEvaluator;
use tabia_quantum::analysis::analyze;
use tabia_quantum::endings::WithEndings;
use utoipa::ToSchema;

use super::lines::StopsWhenDropped;
use super::quantum::read;
use super::responses::Problems;
use crate::app_state::{AppState, RETRY};
use crate::budget::Demand;
use crate::documents::quantum_analysis::QuantumAnalysis;
use crate::extract::Json;
use crate::problem::Problem;
use crate::quantum::error::QuantumError;

/// Simulations, when nobody says how many, and at most.
const SIMULATIONS: u32 = 800;
const MAX_SIMULATIONS: u32 = 10_000;
/// Leaves evaluated together.
const BATCH: usize = 8;
/// A tree of the most simulations, and the network.
const MEMORY_MB: u64 = 64;
/// Plies that may be played first.
const MAX_PLIES: usize = 512;

/// What values positions.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum QuantumEvaluator {
    /// The network that comes with the program.
    #[default]
    Net,
    /// Material, activity and king safety, made by hand.
    Mcts,
}

/// A state to be analysed.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct QuantumAnalysisRequest {
    /// The state as text; without one, the usual start.
    #[serde(default)]
    #[schema(example = "w 1 2: 1*7k/8/5n2/8/8/8/8/3Q3K - - + 1*7k/8/8/3n4/8/8/8/3Q3K - -")]
    pub position: Option<String>,
    /// Plies to play first, with what they measured.
    #[serde(default)]
    pub moves: Vec<String>,
    /// Simulations; 800 without it.
    #[serde(default)]
    #[schema(minimum = 1, maximum = 10_000)]
    pub simulations: Option<u32>,
    /// What values positions; the network without it.
    #[serde(default)]
    pub evaluator: Option<QuantumEvaluator>,
}

/// Analyse a state of quantum chess.
///
/// The document of `tabia quantum analyze --json`: the legal moves best first, each with what it is worth, the expected line, and
/// what each result of its measurement would show. The search ends when the client goes away.
#[utoipa::path(post, path = "/quantum/analysis", tag = "quantum", request_body = QuantumAnalysisRequest,
    responses((status = 200, description = "The analysis", body = QuantumAnalysis), Problems))]
pub async fn analysis(
    State(app): State<Arc<AppState>>,
    Json(request): Json<QuantumAnalysisRequest>,
) -> Result<Json<QuantumAnalysis>, Problem> {
    let simulations = request.simulations.unwrap_or(SIMULATIONS);
    if !(1..=MAX_SIMULATIONS).contains(&simulations) {
        return Err(Problem::unprocessable(format_args!(
            "simulations is {simulations}; it takes 1 to {MAX_SIMULATIONS}"
        )));
    }
    if request.moves.len() > MAX_PLIES {
        return Err(Problem::unprocessable(format_args!("a game has at most {MAX_PLIES} plies")));
    }
    let mut game = read(request.position.as_deref())?;
    for (index, text) in request.moves.iter().enumerate() {
        game.play_text(text).map_err(|error| QuantumError::MoveInList { number: index + 1, error })?;
    }
    if let Some(outcome) = game.outcome() {
        return Err(Problem::unprocessable(format_args!("the game is over: {outcome}")));
    }
    if app.analysis_pool.is_full() {
        return Err(Problem::busy("as many positions are being analysed as this server can", RETRY));
    }
    let reservation = app.reserve(Demand { memory_mb: MEMORY_MB, threads: 1 }).await?;
    let stop = Stop::new();
    let _stops = StopsWhenDropped(stop.clone());
    let evaluator = request.evaluator.unwrap_or_default();
    let work = move || {
        let _reservation = reservation;
        let evaluator: Box<dyn PolicyValue<QuantumGame>> = match evaluator {
            QuantumEvaluator::Mcts => Box::new(HandcraftedEvaluator),
            QuantumEvaluator::Net => {
                let weights = shipped::weights().map_err(|error| error.to_string())?;
                Box::new(WithEndings(Network::new(&weights)))
            }
        };
        analyze(&game, &*evaluator, u64::from(simulations), BATCH, &stop)
            .map(|analysis| QuantumAnalysis::new(&game, analysis))
            .ok_or_else(|| "nobody is to move".to_owned())
    };
    let found = app.analysis_pool.run(work, || {}).await.map_err(Problem::internal)?;
    found.map(Json).map_err(Problem::unprocessable)
}
