//! JSON documents of runs.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::timestamp::Timestamp;

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
    /// `match`, `evolve`, `quantum train`, `tune` and so on; `unknown` for a moment after it was started.
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
    /// Who does its work, where workers do.
    pub grid: Option<GridDocument>,
    /// Its files.
    pub artefacts: Vec<Artefact>,
    /// When it was last written to.
    pub updated_at: Timestamp,
}

impl RunDocument {
    /// The agents of a match, as its manifest has them.
    pub fn agents(&self) -> impl Iterator<Item = &str> {
        let agents = self.settings.as_ref().and_then(|settings| settings.get("agents")?.as_array());
        agents.into_iter().flatten().filter_map(|agent| agent.get("spec")?.as_str())
    }
}

/// The work of a run on many machines, as its `grid.json` has it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GridDocument {
    /// The NATS server.
    #[schema(example = "nats://localhost:4222")]
    pub server: String,
    /// Whether somebody coordinates it.
    pub running: bool,
    /// Whether the NATS server is there.
    pub connected: bool,
    /// Workers that were heard of in the last seconds.
    pub workers: Vec<GridWorker>,
    /// Tasks asked for: of a generation, or of a match.
    pub tasks: u64,
    /// Results counted.
    pub done: u64,
    /// Tasks handed out and not back.
    pub waiting: u64,
    /// Results counted a second, lately.
    pub per_second: f64,
    /// Tasks that were handed out again, because whoever had them was gone.
    pub redeliveries: u64,
    /// Results that came more than once, and were counted once.
    pub duplicates: u64,
    /// Tasks that workers could not do.
    pub failures: u64,
    /// Results that were not right, and were not counted.
    pub rejected: u64,
    /// Tasks that were given up.
    pub set_aside: Vec<GridTask>,
    /// Seconds that the rest will take as it goes now.
    pub left_s: Option<f64>,
}

/// A worker.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GridWorker {
    /// Its own name.
    pub id: String,
    /// The machine it runs on.
    pub host: String,
    /// Tasks it does at once.
    pub cores: u64,
    /// Its version.
    pub version: String,
    /// Tasks it is doing.
    pub busy: u64,
    /// Tasks it has done, of all runs.
    pub done: u64,
    /// Tasks that it could not do.
    pub failed: u64,
    /// Whether it takes no more tasks.
    pub draining: bool,
}

/// A task that was given up.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct GridTask {
    /// What it is called in its run.
    #[schema(example = "game 5")]
    pub id: String,
    /// What happened the last time.
    pub why: String,
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
    pub updated_at: Timestamp,
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
