//! The players that searches make, as entries of the catalogue that agent specs name.

use rand::Rng;
use shakmaty::{Move, Position};
use tabia_core::catalogue::Build;
use tabia_core::{
    Agent, AgentEntry, AgentError, ChessGame, Game, Limits, OptionEntry, OptionKind, Options, Stop, Thought,
    seed,
};
use tabia_eval::{Evaluate, family};

use crate::classic::{Classic, MoveOrdering, Settings};
use crate::engine;
use crate::player::{EnginePlayer, LEAST_ELO, MOST_ELO, OwnLimits, Player};

/// Every agent of this crate.
pub fn entries() -> Vec<AgentEntry<ChessGame>> {
    vec![engine(), alphabeta(), random()]
}

/// Uniform over legal moves.
///
/// Its choice is a function of the seed, the number of moves played and the position, and of nothing else: the
/// same seed plays the same game, wherever and in whatever order games are played, and a game taken up in the
/// middle goes on as it would have. For games that differ, give each its own seed.
#[derive(Copy, Clone, Debug)]
pub struct RandomAgent {
    seed: u64,
}

impl RandomAgent {
    /// A player from a seed.
    pub fn new(seed: u64) -> RandomAgent {
        RandomAgent { seed }
    }
}

impl Agent<ChessGame> for RandomAgent {
    fn choose(
        &mut self,
        game: &ChessGame,
        limits: &Limits,
        _stop: &Stop,
        _report: &mut dyn FnMut(&Thought<Move>),
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
            option("eval", OptionKind::Choice(family::NAMES), "mat_mob", "what values a position"),
            option("depth", OptionKind::Integer { min: 1, max: 8 }, "4", "plies to look ahead"),
            option("ordering", OptionKind::Choice(ORDERINGS), "on", "which moves first; on is victim"),
            option("pruning", OptionKind::Switch, "on", "skip what cannot matter; off is plain negamax"),
            option("killers", OptionKind::Switch, "off", "quiet moves that refuted a sibling before others"),
            option("table", count(10_000_000), "0", "entries of the transposition table; 0 is none"),
            option("quiescence", count(16), "0", "plies of captures beyond the depth; 0 is none"),
            option("deepening", OptionKind::Switch, "off", "search depth 1, 2, … up to the depth"),
        ],
        build: alphabeta_builder(),
    }
}

fn alphabeta_builder() -> Build<ChessGame> {
    Box::new(|options| {
        let settings = classic_settings(options);
        let name = options.text("eval").unwrap_or_default();
        family::with_named(name, BuildClassic { settings })
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
        iterative_deepening: options.switch("deepening"),
    }
}

/// The strong search.
fn engine() -> AgentEntry<ChessGame> {
    let whole = |min, max| OptionKind::Integer { min, max };
    let elo = whole(LEAST_ELO.into(), MOST_ELO.into());
    AgentEntry {
        name: "engine",
        summary: "the strong search, over any evaluation",
        options: vec![
            option("eval", OptionKind::Choice(family::NAMES), "pst", "what values a position"),
            option("threads", whole(1, 512), "1", "threads that search together"),
            option("hash", whole(1, 65_536), "16", "transposition table in mebibytes"),
            option("nodes", whole(1, i64::MAX), "", "nodes a move, whatever the clock says"),
            option("depth", whole(1, 120), "", "plies a move, whatever the clock says"),
            option("lines", whole(1, 256), "1", "lines to report"),
            option("contempt", whole(-200, 200), "0", "how much a draw is disliked, in centipawns"),
            option("elo", elo, "", "a rating to play at; without it, full strength"),
            option("seed", whole(0, i64::MAX), "0", "which mistakes, when playing at a rating"),
        ],
        build: Box::new(|options| {
            let name = options.text("eval").unwrap_or_default();
            let number = |key: &str| options.integer(key).and_then(|n| usize::try_from(n).ok());
            let defaults = engine::Settings::default();
            let settings = engine::Settings {
                hash_mb: number("hash").unwrap_or(defaults.hash_mb),
                threads: number("threads").unwrap_or(defaults.threads),
                lines: number("lines").unwrap_or(defaults.lines),
                contempt: options.integer("contempt").unwrap_or(0) as i32,
                ..defaults
            };
            let own_limits = OwnLimits {
                depth: options.integer("depth").map(|depth| depth as u32),
                nodes: options.integer("nodes").map(|nodes| nodes as u64),
            };
            let elo = options.integer("elo").map(|elo| elo as u32);
            let seed = options.integer("seed").unwrap_or(0) as u64;
            let mut player = player(name, settings.clone(), own_limits)
                .ok_or_else(|| options.refuse(format_args!("there is no evaluation \"{name}\"")))?;
            player.configure(settings, elo, seed);
            Ok(player)
        }),
    }
}

/// The strong search over the evaluation of a name, if there is one.
pub fn player(
    evaluation: &str,
    settings: engine::Settings,
    own_limits: OwnLimits,
) -> Option<Box<dyn Player>> {
    family::with_named(evaluation, BuildPlayer { settings, own_limits })
}

/// Builds the strong search for whatever evaluation a name stands for.
struct BuildPlayer {
    settings: engine::Settings,
    own_limits: OwnLimits,
}

impl family::Visitor for BuildPlayer {
    type Output = Box<dyn Player>;

    fn visit<E: Evaluate + 'static>(self, evaluation: E) -> Self::Output {
        Box::new(EnginePlayer::new(evaluation, self.settings, self.own_limits))
    }
}

/// Builds the textbook search for whatever evaluation a name stands for.
struct BuildClassic {
    settings: Settings,
}

impl family::Visitor for BuildClassic {
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
