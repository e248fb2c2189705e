//! A run as JSON tells it.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::moment::Moment;

/// Whether a run goes on.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// It goes on.
    Running,
    /// It has its result.
    Finished,
    /// It was ended before, and can be resumed.
    Stopped,
}

/// A run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct RunDocument {
    /// Its name: that of its directory.
    #[schema(example = "axon-against-pst")]
    pub id: String,
    /// `match`, `evolve` or `train`; `unknown` for a moment after it was started.
    #[schema(example = "match")]
    pub kind: String,
    /// The version of Tabia that made it.
    pub version: Option<String>,
    /// The day it began, where days matter.
    pub date: Option<String>,
    /// What was asked.
    #[schema(value_type = Option<Object>)]
    pub settings: Option<Value>,
    /// Whether it goes on.
    pub state: RunState,
    /// Whether this server started it and can stop it.
    pub here: bool,
    /// Why it ended, where it could not go on.
    #[schema(example = json!(null))]
    pub problem: Option<String>,
    /// What came of it; of a match as `tabia match --json` says it.
    #[schema(value_type = Option<Object>)]
    pub result: Option<Value>,
    /// Its files.
    pub artefacts: Vec<Artefact>,
    /// When it was last written to.
    pub updated_at: Moment,
}

/// A file of a run.
#[derive(Clone, Debug, Serialize, ToSchema)]
pub struct Artefact {
    /// Its name.
    #[schema(example = "games.pgn")]
    pub name: String,
    /// Its length.
    pub bytes: u64,
    /// When it was last written to.
    pub updated_at: Moment,
}

/// All runs.
#[derive(Debug, Serialize, ToSchema)]
pub struct RunList {
    /// Latest first.
    pub runs: Vec<RunDocument>,
}

/// One step of a run.
#[derive(Debug, Serialize, ToSchema)]
pub struct MetricsLine {
    /// Its number, from 1.
    pub line: u64,
    /// What was measured.
    #[schema(value_type = Object)]
    pub values: Value,
}

/// Steps of a run.
#[derive(Debug, Serialize, ToSchema)]
pub struct MetricsList {
    /// In order.
    pub lines: Vec<MetricsLine>,
}
