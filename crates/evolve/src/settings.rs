//! Settings of an evolution, as stored in its manifest. The defaults are the seed's.

use serde::{Deserialize, Serialize};

use crate::error::EvolveError;

/// Largest population: no machine would finish a generation of a larger one.
const LARGEST_POPULATION: usize = 100_000;
/// Largest search depth, of the plain search and of the engine's.
const DEEPEST: u32 = 8;
const DEEPEST_ENGINE: u32 = 30;
/// Largest quiescence depth in plies.
const MAX_CAPTURES: u32 = 32;
/// Largest check extension in plies.
const MAX_CHECKS: u32 = 16;

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Seed of all randomness.
    pub seed: u64,
    /// Chromosomes per generation.
    pub population: usize,
    pub generations: u32,
    /// Number of elites, which survive unchanged.
    pub elites: usize,
    /// Tournament size as a share of the population.
    pub tournament: f64,
    /// Mutation rate: the share of genes that mutate.
    pub mutation_rate: f64,
    /// Mutation strength in the first generation, in pawns; it decreases linearly to zero.
    pub mutation_strength: f64,
    /// Whether each gene has a value for the opening, the middlegame and the endgame.
    pub phases: bool,
    /// How tables mutate.
    pub tables: TableRule,
    pub search: SearchSettings,
    /// Weights of a founder of the first generation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub founder: Option<FounderSettings>,
    pub fitness: Fitness,
}

/// How the 64 weights of a table mutate.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TableRule {
    /// Each weight by itself, as in the seed.
    #[default]
    Free,
    /// The table as a whole is stretched and shifted, so that the order of squares is kept.
    Shape,
    /// Tables stay as they started.
    Fixed,
}

/// A chromosome's search.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSettings {
    #[serde(default)]
    pub kind: SearchKind,
    /// In plies.
    pub depth: u32,
    /// Quiescence depth of the plain search in plies; the seed has none.
    pub quiescence: u32,
    /// Largest check extension of the plain search in plies; the seed has none.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub checks: u32,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "what serde asks for")]
fn is_zero(number: &u32) -> bool {
    *number == 0
}

/// The search algorithm.
#[derive(Copy, Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SearchKind {
    /// The seed's: plain alpha-beta.
    #[default]
    Plain,
    /// The search of Tabia's engine.
    Engine,
}

impl SearchSettings {
    pub fn plain(depth: u32, quiescence: u32) -> SearchSettings {
        SearchSettings { kind: SearchKind::Plain, depth, quiescence, checks: 0 }
    }

    /// Rejects depths that would never finish.
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
        if self.quiescence > MAX_CAPTURES {
            return Err(EvolveError::Settings(format!(
                "captures are followed for {MAX_CAPTURES} plies at most, not {}",
                self.quiescence
            )));
        }
        if self.checks > MAX_CHECKS {
            return Err(EvolveError::Settings(format!(
                "lines are lengthened for checks by {MAX_CHECKS} plies at most, not {}",
                self.checks
            )));
        }
        Ok(())
    }
}

/// Initial weights.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FounderSettings {
    pub path: String,
    pub sha256: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Fitness {
    /// By results of games.
    Game(GameSettings),
    /// By best moves found.
    Positions(PositionSettings),
    /// By agreement with a mentor's scores.
    Mentor(PositionSettings),
}

/// Games that determine fitness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GameSettings {
    /// Agent spec of the opponent.
    pub opponent: String,
    /// Its depth.
    pub opponent_depth: u32,
    /// Games per chromosome and generation against it.
    pub games: u32,
    /// Games per chromosome against others of its generation.
    pub rivals: u32,
    /// Games per chromosome against champions of earlier generations.
    pub hall: u32,
    pub opening: OpeningSettings,
    /// Plies after which a game is drawn.
    pub max_plies: u32,
}

/// Openings: middlegames, reached by an engine that plays itself.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct OpeningSettings {
    pub agent: String,
    /// Its depth.
    pub depth: u32,
    pub plies: u32,
    /// Number of random plies at the start: a deterministic engine would always play the same opening.
    pub random_plies: u32,
}

/// Positions that determine fitness.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PositionSettings {
    /// The file, or `built-in`.
    pub source: String,
    /// Number of positions.
    pub count: usize,
    /// Their hash.
    pub sha256: String,
    /// Number of positions sampled per generation.
    pub sample: usize,
}

impl Default for Settings {
    /// The seed's settings; population size and search are those of its public code.
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

/// The default opponent: an engine that is always available.
pub const BUILT_IN_OPPONENT: &str = "engine(hash=1)";

impl OpeningSettings {
    /// Openings by an agent: 20 plies at depth 4, the first four random.
    pub fn by(agent: &str) -> OpeningSettings {
        OpeningSettings { agent: agent.to_owned(), depth: 4, plies: 20, random_plies: 4 }
    }
}

impl Settings {
    /// Mutation strength when `generation` breeds the next one.
    pub fn mutation_after(&self, generation: u32) -> f64 {
        self.mutation_strength * (1.0 - f64::from(generation) / f64::from(self.generations))
    }

    /// Tournament size: at least two, or there would be no selection.
    pub fn tournament_size(&self) -> usize {
        ((self.population as f64 * self.tournament) as usize).clamp(2, self.population)
    }

    /// Rejects invalid settings with the reason.
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
