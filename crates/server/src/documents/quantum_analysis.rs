//! An analysis of a state of quantum chess as JSON: of the API, and of `tabia quantum analyze --json`.

use serde::Serialize;
use tabia_mcts::Estimate;
use tabia_quantum::QuantumGame;
use tabia_quantum::analysis::{Analysis, MeasuredOutcome, MoveAnalysis};
use utoipa::ToSchema;

use crate::sessions::side::Side;

/// What a search found.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct QuantumAnalysis {
    /// The state, as text.
    pub position: String,
    /// The version of the rules.
    pub rules: u8,
    /// Who is to move.
    pub side: Side,
    /// Simulations made.
    pub simulations: u32,
    /// Whether the value is proven.
    pub proven: bool,
    /// What the state is worth to the side to move, from -1 to 1.
    pub value: f64,
    /// Its chances to win, draw and lose.
    pub wdl: [f64; 3],
    /// The legal moves, best first.
    pub moves: Vec<QuantumMoveAnalysis>,
}

/// A move and what it is worth.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct QuantumMoveAnalysis {
    /// As it is written.
    #[serde(rename = "move")]
    #[schema(example = "b1~c3")]
    pub text: String,
    /// Visits of the search.
    pub visits: u32,
    /// The evaluator's prior.
    pub prior: f64,
    /// What it is worth to the side to move, from -1 to 1; null if it was not searched.
    pub value: Option<f64>,
    /// Chances to win, draw and lose.
    pub wdl: Option<[f64; 3]>,
    /// How likely it succeeds.
    pub succeeds: f64,
    /// How likely it captures.
    pub captures: f64,
    /// How likely it takes the king.
    pub wins: f64,
    /// The expected line, with the likeliest results of measurements.
    pub line: Vec<String>,
    /// What it measures, one for each result; missing where nothing is measured.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(required = false)]
    pub outcomes: Vec<QuantumOutcomeAnalysis>,
}

/// A result of a move's measurements.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct QuantumOutcomeAnalysis {
    /// The ply as a record keeps it.
    #[schema(example = "d1d5+")]
    pub ply: String,
    /// What the measurements show, in words.
    pub told: Vec<String>,
    /// Its probability.
    pub probability: f64,
    /// Branches that are left.
    pub branches: usize,
    /// What the state is worth after it to the side that moved; null if it was not searched.
    pub value: Option<f64>,
    /// Chances to win, draw and lose.
    pub wdl: Option<[f64; 3]>,
}

impl QuantumAnalysis {
    /// The analysis of a state.
    pub fn new(game: &QuantumGame, analysis: Analysis) -> QuantumAnalysis {
        QuantumAnalysis {
            position: game.to_string(),
            rules: game.rules().number(),
            side: game.side_to_move().into(),
            simulations: analysis.simulations,
            proven: analysis.is_proven,
            value: analysis.estimate.value,
            wdl: analysis.estimate.wdl(),
            moves: analysis.moves.into_iter().map(QuantumMoveAnalysis::from).collect(),
        }
    }
}

impl From<MoveAnalysis> for QuantumMoveAnalysis {
    fn from(m: MoveAnalysis) -> QuantumMoveAnalysis {
        QuantumMoveAnalysis {
            text: m.text,
            visits: m.visits,
            prior: m.prior,
            value: m.estimate.map(|estimate| estimate.value),
            wdl: m.estimate.map(Estimate::wdl),
            succeeds: m.odds.success(),
            captures: m.odds.capture(),
            wins: m.odds.win(),
            line: m.line,
            outcomes: m.outcomes.into_iter().map(QuantumOutcomeAnalysis::from).collect(),
        }
    }
}

impl From<MeasuredOutcome> for QuantumOutcomeAnalysis {
    fn from(outcome: MeasuredOutcome) -> QuantumOutcomeAnalysis {
        QuantumOutcomeAnalysis {
            ply: outcome.text,
            told: outcome.told,
            probability: outcome.probability,
            branches: outcome.branches,
            value: outcome.estimate.map(|estimate| estimate.value),
            wdl: outcome.estimate.map(Estimate::wdl),
        }
    }
}
