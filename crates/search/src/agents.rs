//! The players that searches make, as entries of the catalogue that agent specs name.

mod seeds;
mod strong;

use std::sync::Arc;

use rand::Rng;
use shakmaty::{Move, Position};
use tabia_core::catalogue::Build;
use tabia_core::{
    Agent, AgentEntry, AgentError, CatalogueError, ChessGame, Game, Limits, OptionEntry, OptionKind, Options,
    SearchInfo, Stop, seed,
};
use tabia_eval::{Evaluate, registry};

use crate::classic::{Classic, MoveOrdering, Settings};
use crate::syzygy::{self, OpenTables};

pub use seeds::control_square_values;
pub use strong::{PlayerError, own_limits, player, settings, weighted_player};

/// Reads the text of a file: this crate opens no file itself.
pub type ReadText = Arc<dyn Fn(&str) -> std::io::Result<String> + Send + Sync>;

/// Access to the files that options of agents name.
#[derive(Clone)]
pub struct AgentFiles {
    /// Reads weights and parameters.
    pub read: ReadText,
    /// Opens endgame tablebases.
    pub tables: OpenTables,
}

impl AgentFiles {
    /// Files by `read`, tablebases in the directories that agents name.
    pub fn new(read: impl Fn(&str) -> std::io::Result<String> + Send + Sync + 'static) -> AgentFiles {
        AgentFiles { read: Arc::new(read), tables: Arc::new(syzygy::open_named) }
    }

    /// The same with another way to open tablebases.
    #[must_use]
    pub fn with_tables(self, tables: OpenTables) -> AgentFiles {
        AgentFiles { tables, ..self }
    }
}

/// Every agent of this crate; `read` is for those that take weights from files.
pub fn entries(
    read: impl Fn(&str) -> std::io::Result<String> + Send + Sync + 'static,
) -> Vec<AgentEntry<ChessGame>> {
    entries_with(AgentFiles::new(read))
}

/// Every agent of this crate, with access to files.
pub fn entries_with(files: AgentFiles) -> Vec<AgentEntry<ChessGame>> {
    let read = files.read.clone();
    vec![
        strong::engine(files),
        seeds::axiomx(read.clone()),
        seeds::axiomx_speed(),
        seeds::axon(read.clone()),
        seeds::chromosome(read),
        alphabeta(),
        random(),
    ]
}

/// The option that names a file of weights.
fn weights_option() -> OptionEntry {
    option("weights", OptionKind::Text, "", "a file of learned weights; without one, its own")
}

/// The text of the file of weights that options name, if they name one.
fn weights_text(options: &Options, read: &ReadText) -> Result<Option<String>, CatalogueError> {
    let Some(path) = options.text("weights").filter(|path| !path.is_empty()) else { return Ok(None) };
    read(path).map(Some).map_err(|error| options.refuse(format_args!("{path}: {error}")))
}

/// Uniform over legal moves.
///
/// Its choice is a function of the seed, the number of moves played and the position, and of nothing else: the
/// same seed plays the same game, wherever and in whatever order games are played, and a game taken up in the
/// middle goes on as it would have. For games that differ, give each its own seed.
#[derive(Copy, Clone, Debug)]
pub struct RandomAgent {
    own_seed: u64,
    seed: u64,
}

impl RandomAgent {
    /// A player from a seed.
    pub fn new(seed: u64) -> RandomAgent {
        RandomAgent { own_seed: seed, seed }
    }
}

impl Agent<ChessGame> for RandomAgent {
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        _stop: &Stop,
        _report: &mut dyn FnMut(&SearchInfo<Move>),
    ) -> Result<Move, AgentError> {
        let mut moves = game.position().legal_moves();
        if moves.is_empty() {
            return Err(AgentError::GameOver);
        }
        moves.retain(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m));
        if moves.is_empty() {
            return Err(AgentError::NoSearchMoves);
        }
        let turn = seed::derive(self.seed, game.moves().len() as u64);
        let mut random = seed::random(seed::derive(turn, game.key()));
        Ok(moves[random.random_range(0..moves.len())])
    }

    fn reseed(&mut self, seed: u64) {
        self.seed = seed::derive(self.own_seed, seed);
    }
}

fn random() -> AgentEntry<ChessGame> {
    AgentEntry {
        name: "random",
        summary: "uniform over legal moves",
        options: vec![option(
            "seed",
            OptionKind::Integer { min: 0, max: i64::MAX },
            "0",
            "which random player",
        )],
        build: Box::new(|options| {
            Ok(Box::new(RandomAgent::new(options.integer("seed").unwrap_or(0) as u64)))
        }),
    }
}

/// Seed 001's engine, with seed 000's ideas as options that are off.
fn alphabeta() -> AgentEntry<ChessGame> {
    const ORDERINGS: &[&str] = &["on", "off", "victim", "mvv-lva", "seed000"];
    let count = |max| OptionKind::Integer { min: 0, max };
    AgentEntry {
        name: "alphabeta",
        summary: "the textbook search: negamax with alpha-beta, every idea a switch",
        options: vec![
            option("eval", OptionKind::Choice(registry::NAMES), "mat_mob", "what values a position"),
            option("depth", OptionKind::Integer { min: 1, max: 8 }, "4", "plies to look ahead"),
            option("ordering", OptionKind::Choice(ORDERINGS), "on", "which moves first; on is victim"),
            option("pruning", OptionKind::Switch, "on", "skip what cannot matter; off is plain negamax"),
            option("killers", OptionKind::Switch, "off", "quiet moves that refuted a sibling before others"),
            option("table", count(10_000_000), "0", "entries of the transposition table; 0 is none"),
            option("quiescence", count(16), "0", "plies of captures beyond the depth; 0 is none"),
            option("checks", count(16), "0", "plies that a line is lengthened for checks at most; 0 is none"),
            option("deepening", OptionKind::Switch, "off", "search depth 1, 2, … up to the depth"),
        ],
        build: alphabeta_builder(),
    }
}

fn alphabeta_builder() -> Build<ChessGame> {
    Box::new(|options| {
        let settings = classic_settings(options);
        let name = options.text("eval").unwrap_or_default();
        registry::with_named(name, BuildClassic { settings })
            .ok_or_else(|| options.refuse(format_args!("there is no evaluation \"{name}\"")))
    })
}

/// The switches of the textbook search from an agent's options; what is not given stays as seed 001 has it.
pub fn classic_settings(options: &Options) -> Settings {
    let seed = Settings::ALPHABETA;
    let number = |key: &str| options.integer(key).and_then(|n| u32::try_from(n).ok());
    Settings {
        depth: number("depth").unwrap_or(seed.depth),
        pruning: options.switch("pruning"),
        ordering: match options.text("ordering") {
            Some("off") => MoveOrdering::Off,
            Some("mvv-lva") => MoveOrdering::MvvLva,
            Some("seed000") => MoveOrdering::Seed000,
            _ => MoveOrdering::Victim,
        },
        killers: options.switch("killers"),
        table: number("table").map_or(seed.table, |entries| entries as usize),
        quiescence: number("quiescence").unwrap_or(seed.quiescence),
        checks: number("checks").unwrap_or(seed.checks),
        iterative_deepening: options.switch("deepening"),
        ..seed
    }
}

/// Builds the textbook search for whatever evaluation a name stands for.
struct BuildClassic {
    settings: Settings,
}

impl registry::Visitor for BuildClassic {
    type Output = Box<dyn Agent<ChessGame>>;

    fn visit<E: Evaluate + 'static>(self, evaluation: E) -> Self::Output {
        Box::new(Classic::new(evaluation, self.settings))
    }
}

fn option(key: &'static str, kind: OptionKind, default: &'static str, help: &'static str) -> OptionEntry {
    OptionEntry { key, kind, default, help }
}

#[cfg(test)]
mod tests;
