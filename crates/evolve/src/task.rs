//! Tasks: small, self-contained and deterministic.
//!
//! A task holds everything that determines its result and is serialisable, so that any thread or machine can execute it. Its id
//! identifies duplicate results.

use serde::{Deserialize, Serialize};
use tabia_grid as grid;

use crate::operators::Genes;
use crate::positions::LabelledPosition;
use crate::settings::{OpeningSettings, SearchSettings};

/// A task for one chromosome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// Unique within the run: `g12-i7-n0` is the first task of the eighth individual in generation 12.
    pub id: String,
    pub genes: Genes,
    /// The chromosome's search.
    pub search: SearchSettings,
    /// What to do.
    #[serde(rename = "work")]
    pub kind: TaskKind,
}

impl grid::Task for Task {
    type Done = TaskResult;
    const KIND: &'static str = "evolve";

    fn id(&self) -> String {
        self.id.clone()
    }
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TaskKind {
    /// Play a game.
    Game(GameTask),
    /// Find best moves.
    Positions(Vec<LabelledPosition>),
    /// Compare evaluations with a mentor's.
    Mentor(Vec<LabelledPosition>),
}

/// A game to play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameTask {
    /// Seed of the opening.
    pub seed: u64,
    pub opening: OpeningSettings,
    /// Whether the chromosome has White.
    pub white: bool,
    /// The other side.
    #[serde(rename = "rival")]
    pub opponent: Opponent,
    /// Half-moves after which it is drawn.
    pub max_plies: u32,
}

/// A chromosome's opponent.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Opponent {
    /// An agent at some depth.
    Agent {
        spec: String,
        /// Search depth in plies.
        depth: u32,
    },
    /// Another chromosome, with the same search.
    Chromosome(Genes),
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TaskResult {
    /// The task's id.
    pub id: String,
    /// Contribution to the chromosome's fitness.
    pub fitness: f64,
    /// The game's points for the chromosome, 1, 0.5 or 0; none where no game was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// Plies played after the opening, or number of positions.
    pub steps: u64,
    /// All moves of the game, for verification; not stored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<String>,
}
