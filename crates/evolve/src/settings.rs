//! Everything that decides how an evolution goes, as it is kept in the manifest of its run. The defaults are the seed's.

use serde::{Deserialize, Serialize};

use crate::error::EvolveError;

/// Larger populations are refused: no machine would finish a generation.
const LARGEST_POPULATION: usize = 100_000;
/// Deeper searches are refused, of the plain kind and of the strong one.
const DEEPEST: u32 = 8;
const DEEPEST_ENGINE: u32 = 30;
/// Longer exchanges are not followed.
const MOST_CAPTURES: u32 = 32;
/// Plies by which checks lengthen a line, at most.
const MOST_CHECKS: u32 = 16;

/// An evolution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Where everything random comes from.
    pub seed: u64,
    /// Chromosomes of a generation.
    pub population: usize,
    /// Generations.
    pub generations: u32,
    /// How many of the best live on unchanged.
    pub elites: usize,
    /// Which share of the population is drawn to choose a parent from.
    pub tournament: f64,
    /// The share of genes that mutate.
    pub mutation_rate: f64,
    /// How far a gene may move in the first generation, in pawns; it shrinks to nothing towards the last.
    pub mutation_strength: f64,
    /// Whether each gene has a value for the opening, the middlegame and the endgame.
    pub phases: bool,
    /// What may become of tables.
    pub tables: TableRule,
    /// How chromosomes look ahead.
    pub search: SearchSettings,
    /// Weights that the first generation is made of, rather than chance.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub founder: Option<FounderSettings>,
    /// What fitness is.
    pub fitness: Fitness,
}

/// What may become of the 64 weights of a table.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableRule {
    /// Each weight mutates by itself, as the seed prints it.
    #[default]
    Free,
    /// A table mutates as a whole: stretched and raised, so that which squares are better than which stays.
    Shape,
    /// Tables stay as they were first drawn up.
    Fixed,
}

/// How a chromosome looks ahead.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSettings {
    /// With which search.
    #[serde(default)]
    pub kind: SearchKind,
    /// Plies.
    pub depth: u32,
    /// Plies of captures beyond, of the plain search; the seed has none.
    pub quiescence: u32,
    /// Plies that a line is lengthened for checks at most, by the plain search; the seed has none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub checks: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// What looks ahead for a chromosome.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchKind {
    /// The seed's: plain alpha-beta.
    #[default]
    Plain,
    /// The strong search of Tabia's engine.
    Engine,
}

impl SearchSettings {
    /// The seed's search.
    pub fn plain(depth: u32, quiescence: u32) -> SearchSettings {
        SearchSettings { kind: SearchKind::Plain, depth, quiescence, checks: 0 }
    }

    /// Refuses depths that no game would see the end of.
    pub fn check(&self) -> Result<(), EvolveError> {
        let deepest = match self.kind {
            SearchKind::Plain => DEEPEST,
            SearchKind::Engine => DEEPEST_ENGINE,
        };
        if !(1..=deepest).contains(&self.depth) {
            return Err(EvolveError::Settings(format!(
                "chromosomes look 1 to {deepest} plies ahead with this search, not {}",
                self.depth
            )));
        }
        if self.quiescence > MOST_CAPTURES {
            return Err(EvolveError::Settings(format!(
                "captures are followed for {MOST_CAPTURES} plies at most, not {}",
                self.quiescence
            )));
        }
        if self.checks > MOST_CHECKS {
            return Err(EvolveError::Settings(format!(
                "lines are lengthened for checks by {MOST_CHECKS} plies at most, not {}",
                self.checks
            )));
        }
        Ok(())
    }
}

/// Weights to begin with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FounderSettings {
    /// The file.
    pub path: String,
    /// Its hash.
    pub sha256: String,
}

/// What fitness is.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fitness {
    /// How whole games went.
    Game(GameSettings),
    /// How many best moves were found.
    Positions(PositionSettings),
    /// How near the evaluation is to a mentor's.
    Mentor(PositionSettings),
}

/// Games that decide fitness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSettings {
    /// Who is played against.
    pub opponent: String,
    /// How deep it looks.
    pub opponent_depth: u32,
    /// Games a chromosome plays against it in a generation.
    pub games: u32,
    /// Games a chromosome plays against others of its generation.
    pub rivals: u32,
    /// Games a chromosome plays against champions of generations before.
    pub hall: u32,
    /// How games begin.
    pub opening: OpeningSettings,
    /// Half-moves after which a game is drawn.
    pub max_plies: u32,
}

/// How games begin: in the middlegame, reached by an engine that plays itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpeningSettings {
    /// Who plays it.
    pub agent: String,
    /// How deep it looks.
    pub depth: u32,
    /// Half-moves.
    pub plies: u32,
    /// How many of them, the first, are drawn at random: a deterministic engine plays the same ones every time.
    pub random_plies: u32,
}

/// Positions that decide fitness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionSettings {
    /// The file, or `built-in`.
    pub source: String,
    /// How many there are.
    pub count: usize,
    /// What they are: a hash of them all.
    pub sha256: String,
    /// How many of them are drawn for each generation.
    pub sample: usize,
}

impl Default for Settings {
    /// The seed's; the sizes of the population and of the search are those of its public code.
    fn default() -> Settings {
        Settings {
            seed: 1,
            population: 300,
            generations: 150,
            elites: 2,
            tournament: 0.05,
            mutation_rate: 1.0,
            mutation_strength: 0.3,
            phases: false,
            tables: TableRule::Free,
            search: SearchSettings::plain(2, 0),
            founder: None,
            fitness: Fitness::Game(GameSettings::default()),
        }
    }
}

impl Default for GameSettings {
    fn default() -> GameSettings {
        GameSettings {
            opponent: BUILT_IN_OPPONENT.to_owned(),
            opponent_depth: 1,
            games: 1,
            rivals: 0,
            hall: 0,
            opening: OpeningSettings::by(BUILT_IN_OPPONENT),
            max_plies: 200,
        }
    }
}

/// Who is played against when nobody else is named: an engine that is always there.
pub const BUILT_IN_OPPONENT: &str = "engine(hash=1)";

impl OpeningSettings {
    /// Openings by an agent: 20 half-moves at depth 4, the first four at random.
    pub fn by(agent: &str) -> OpeningSettings {
        OpeningSettings { agent: agent.to_owned(), depth: 4, plies: 20, random_plies: 4 }
    }
}

impl Settings {
    /// How far genes may move when `generation` breeds the next one.
    pub fn mutation_after(&self, generation: u32) -> f64 {
        self.mutation_strength * (1.0 - f64::from(generation) / f64::from(self.generations))
    }

    /// How many are drawn to choose a parent from: two at least, or nobody would be chosen for anything.
    pub fn tournament_size(&self) -> usize {
        ((self.population as f64 * self.tournament) as usize).clamp(2, self.population)
    }

    /// Refuses what cannot be meant, with the reason.
    pub fn check(&self) -> Result<(), EvolveError> {
        let refuse = |text: String| Err(EvolveError::Settings(text));
        if self.population < 2 {
            return refuse(format!(
                "a population of {} cannot breed: a child has two parents, so 2 is the least",
                self.population
            ));
        }
        if self.population > LARGEST_POPULATION {
            return refuse(format!("a population of {} is more than {LARGEST_POPULATION}", self.population));
        }
        if self.generations == 0 {
            return refuse("no generation, no evolution: 1 is the least".to_owned());
        }
        if self.elites >= self.population {
            return refuse(format!(
                "{} elites leave no room for children in a population of {}",
                self.elites, self.population
            ));
        }
        let shares = [("tournament", self.tournament), ("mutation rate", self.mutation_rate)];
        for (what, share) in shares {
            if !(0.0..=1.0).contains(&share) {
                return refuse(format!("the {what} is a share from 0 to 1, not {share}"));
            }
        }
        if !(0.0..=100.0).contains(&self.mutation_strength) {
            return refuse(format!(
                "the mutation strength is pawns from 0 to 100, not {}",
                self.mutation_strength
            ));
        }
        self.search.check()?;
        match &self.fitness {
            Fitness::Game(games) => games.check(self.population),
            Fitness::Positions(positions) | Fitness::Mentor(positions) => positions.check(),
        }
    }
}

impl GameSettings {
    fn check(&self, population: usize) -> Result<(), EvolveError> {
        let refuse = |text: &str| Err(EvolveError::Settings(text.to_owned()));
        if self.games + self.rivals + self.hall == 0 {
            return refuse("fitness by games needs a game: against the opponent, rivals or the hall of fame");
        }
        if self.rivals as usize >= population {
            return refuse("more rivals than there are others in the population");
        }
        if self.max_plies == 0 {
            return refuse("games of no moves tell nothing apart");
        }
        if self.opponent_depth == 0 || self.opening.depth == 0 {
            return refuse("an opponent looks at least 1 ply ahead");
        }
        if self.opening.random_plies > self.opening.plies {
            return refuse("more random half-moves than the opening has");
        }
        Ok(())
    }
}

impl PositionSettings {
    fn check(&self) -> Result<(), EvolveError> {
        if self.sample == 0 || self.sample > self.count {
            return Err(EvolveError::Settings(format!(
                "{} positions cannot be drawn from the {} of {}",
                self.sample, self.count, self.source
            )));
        }
        Ok(())
    }
}
