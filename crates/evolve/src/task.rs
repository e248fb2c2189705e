//! The unit of work: small, complete, and always with the same result.
//!
//! A task carries everything that decides its outcome and can be written down (serde), so that it can be done on any thread or machine; it
//! has a name, so that a result that comes twice is known for what it is.

use serde::{Deserialize, Serialize};
use tabia_grid as grid;

use crate::breeding::Genes;
use crate::positions::Labelled;
use crate::settings::{OpeningSettings, SearchSettings};

/// Something to be done with one chromosome.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Task {
    /// What it is called in its run: `g12-i7-n0` is the first task of the eighth individual in generation 12.
    pub id: String,
    /// The chromosome.
    pub genes: Genes,
    /// How it looks ahead.
    pub search: SearchSettings,
    /// What it does.
    pub work: Work,
}

impl grid::Task for Task {
    type Done = Done;
    const KIND: &'static str = "evolve";

    fn id(&self) -> String {
        self.id.clone()
    }
}

/// What a chromosome does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Work {
    /// Plays a game.
    Game(GameTask),
    /// Looks for best moves.
    Positions(Vec<Labelled>),
    /// Evaluates, to be compared with a mentor.
    Mentor(Vec<Labelled>),
}

/// One game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameTask {
    /// Where it begins follows from this.
    pub seed: u64,
    /// How it begins.
    pub opening: OpeningSettings,
    /// Whether the chromosome has White.
    pub white: bool,
    /// Who has the other side.
    pub rival: Rival,
    /// Half-moves after which it is drawn.
    pub max_plies: u32,
}

/// Whoever a chromosome plays against.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Rival {
    /// An agent at some depth.
    Agent {
        /// Its spec.
        spec: String,
        /// How deep it looks.
        depth: u32,
    },
    /// Another chromosome, with the same search.
    Chromosome(Genes),
}

/// What came of a task.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Done {
    /// Whose result it is.
    pub id: String,
    /// What it adds to the chromosome's fitness.
    pub fitness: f64,
    /// The game's points for the chromosome, 1, 0.5 or 0; none where no game was played.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<f64>,
    /// Half-moves played after the opening, or positions looked at.
    pub steps: u64,
    /// The game's moves, opening and all, by which a result is checked; they are not kept.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub moves: Option<String>,
}
