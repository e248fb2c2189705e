//! `GET /agents`: the agents and their options.

use std::sync::Arc;

use axum::extract::State;
use serde::{Deserialize, Serialize};
use tabia_core::{AgentEntry, Game, OptionEntry, OptionKind};
use tabia_search::player::{MAX_ELO, MIN_ELO};
use utoipa::{IntoParams, ToSchema};

use crate::app_state::AppState;
use crate::extract::{Json, Query};
use crate::problem::Problem;

/// All agents.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentList {
    /// All of them.
    pub agents: Vec<AgentDocument>,
}

/// One kind of agent.
#[derive(Debug, Serialize, ToSchema)]
pub struct AgentDocument {
    /// Its name in specs.
    #[schema(example = "engine")]
    pub name: &'static str,
    /// The game it plays.
    #[schema(example = "chess")]
    pub game: &'static str,
    /// Description in one line.
    pub summary: &'static str,
    /// Its options: `name(key=value,…)`.
    pub options: Vec<OptionDocument>,
    /// The ratings it can play at, if it can.
    pub elo: Option<EloRange>,
}

/// Ratings from and to.
#[derive(Debug, Serialize, ToSchema)]
pub struct EloRange {
    /// The weakest.
    pub min: u32,
    /// The strongest; without a rating it plays as well as it can.
    pub max: u32,
}

/// Which game agents play.
#[derive(Copy, Clone, Debug, Default, Deserialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Played {
    /// Chess, and chess from shuffled starts.
    #[default]
    Chess,
    /// Quantum chess.
    Quantum,
}

/// Which agents.
#[derive(Debug, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(deny_unknown_fields)]
pub struct AgentsQuery {
    /// Those that play this game.
    #[serde(default)]
    #[param(inline)]
    pub variant: Played,
}

/// What kind of value an option takes.
#[derive(Debug, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum OptionType {
    /// A whole number.
    Integer,
    /// A number.
    Real,
    /// `on` or `off`.
    Switch,
    /// One of `values`.
    Choice,
    /// Any text.
    Text,
}

/// An option of an agent or of an evaluation.
#[derive(Debug, Serialize, ToSchema)]
pub struct OptionDocument {
    /// Its key; one ending in `.` takes any suffix.
    #[schema(example = "depth")]
    pub key: &'static str,
    /// What kind of value it takes.
    pub kind: OptionType,
    /// The least number.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min: Option<f64>,
    /// The greatest number; none is no bound.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max: Option<f64>,
    /// The values of a choice.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub values: Option<&'static [&'static str]>,
    /// The value when it is not given.
    pub default: Option<&'static str>,
    /// What it does.
    pub help: &'static str,
}

/// List the agents.
///
/// With their options and defaults, as `tabia agents --json` has them.
#[utoipa::path(get, path = "/agents", tag = "agents", params(AgentsQuery),
    responses((status = 200, description = "The agents", body = AgentList), super::responses::Problems))]
pub async fn list(
    State(app): State<Arc<AppState>>,
    Query(query): Query<AgentsQuery>,
) -> Result<Json<AgentList>, Problem> {
    let agents = match query.variant {
        // Programs are listed only where they may be named.
        Played::Chess => app
            .catalogue
            .entries()
            .iter()
            .filter(|entry| app.config.allowed_programs.is_some() || !is_program(entry))
            .map(|entry| AgentDocument::new(entry, "chess"))
            .collect(),
        Played::Quantum => {
            app.quantum.catalogue.entries().iter().map(|entry| AgentDocument::new(entry, "quantum")).collect()
        }
    };
    Ok(Json(AgentList { agents }))
}

fn is_program<G: Game>(entry: &AgentEntry<G>) -> bool {
    entry.options.iter().any(|option| option.key == "cmd")
}

impl AgentDocument {
    fn new<G: Game>(entry: &AgentEntry<G>, game: &'static str) -> AgentDocument {
        let rated = entry.options.iter().any(|option| option.key == "elo");
        AgentDocument {
            name: entry.name,
            game,
            summary: entry.summary,
            options: entry.options.iter().map(OptionDocument::new).collect(),
            elo: rated.then_some(EloRange { min: MIN_ELO, max: MAX_ELO }),
        }
    }
}

impl OptionDocument {
    /// The document of a declared option.
    pub fn new(option: &OptionEntry) -> OptionDocument {
        let (kind, min, max, values) = match option.kind {
            OptionKind::Integer { min, max } => {
                // More than JavaScript can hold is no bound.
                (OptionType::Integer, Some(min as f64), (max != i64::MAX).then_some(max as f64), None)
            }
            OptionKind::Real { min, max } => (OptionType::Real, Some(min), Some(max), None),
            OptionKind::Switch => (OptionType::Switch, None, None, None),
            OptionKind::Choice(words) => (OptionType::Choice, None, None, Some(words)),
            OptionKind::Subset(_) | OptionKind::Text => (OptionType::Text, None, None, None),
        };
        let default = (!option.default.is_empty()).then_some(option.default);
        OptionDocument { key: option.key, kind, min, max, values, default, help: option.help }
    }
}
