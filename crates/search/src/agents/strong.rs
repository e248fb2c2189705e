//! The strong search as an agent: `engine(eval=…,threads=…,hash=…,nodes=…,elo=…)`.

use std::sync::{Arc, LazyLock};

use tabia_core::{AgentEntry, CatalogueError, ChessGame, OptionKind, Options};
use tabia_eval::axiomx::Axiomx;
use tabia_eval::registry::WeightsError;
use tabia_eval::{Evaluate, View, registry};

use super::{AgentFiles, ReadText, option, seeds, weights_option, weights_text};
use crate::engine;
use crate::engine::TableTooLarge;
use crate::engine::move_picker::SquareValueFn;
use crate::engine::params::Params;
use crate::engine::tablebases::Tablebases;
use crate::player::{EnginePlayer, MAX_ELO, MIN_ELO, OwnLimits, Player};

pub fn engine(files: AgentFiles) -> AgentEntry<ChessGame> {
    let whole = |min, max| OptionKind::Integer { min, max };
    let elo = whole(MIN_ELO.into(), MAX_ELO.into());
    AgentEntry {
        name: "engine",
        summary: "the strong search, over any evaluation",
        options: vec![
            option(
                "eval",
                OptionKind::Choice(registry::NAMES),
                registry::STRONGEST,
                "what values a position",
            ),
            weights_option(),
            option(
                "params",
                OptionKind::Text,
                "",
                "a file of numbers for the search, as `tabia spsa` writes it",
            ),
            option(
                "syzygy",
                OptionKind::Text,
                "",
                "directories of Syzygy tablebases, separated by : (; on Windows)",
            ),
            option("threads", whole(1, 512), "1", "threads that search together, at most one a processor"),
            option("hash", whole(1, 65_536), "16", "transposition table in mebibytes"),
            option("nodes", whole(1, i64::MAX), "", "nodes a move, whatever the clock says"),
            option("depth", whole(1, 120), "", "plies a move, whatever the clock says"),
            option("lines", whole(1, 256), "1", "lines to report"),
            option("contempt", whole(-200, 200), "0", "how much a draw is disliked, in centipawns"),
            option("guided", OptionKind::Switch, "off", "order quiet moves by seed 000's control field"),
            option("elo", elo, "", "a rating to play at; without it, full strength"),
            option("seed", whole(0, i64::MAX), "0", "which mistakes, when playing at a rating"),
        ],
        build: Box::new(move |options| {
            let name = options.text("eval").unwrap_or_default();
            let (settings, own_limits) = (settings(options, &files)?, own_limits(options));
            let elo = options.integer("elo").map(|elo| elo as u32);
            let seed = options.integer("seed").unwrap_or(0) as u64;
            let mut player = match weights_text(options, &files.read)? {
                Some(text) => weighted_player(name, &text, settings.clone(), own_limits).map_err(
                    |error| match error {
                        PlayerError::Weights(error) => {
                            let path = options.text("weights").unwrap_or_default();
                            match registry::evaluation_of(&text).filter(|other| *other != name) {
                                Some(other) => options.refuse(format_args!(
                                    "{path} has weights of \"{other}\", not of \"{name}\": \
                                     write engine(eval={other},weights={path})"
                                )),
                                None => options.refuse(format_args!("{path}: {error}")),
                            }
                        }
                        error => options.refuse(error),
                    },
                )?,
                None => player(name, settings.clone(), own_limits).map_err(|error| options.refuse(error))?,
            };
            player.configure(settings, elo, seed).map_err(|error| options.refuse(error))?;
            Ok(player)
        }),
    }
}

/// The strong search as its agent's options set it up.
pub fn settings(options: &Options, files: &AgentFiles) -> Result<engine::Settings, CatalogueError> {
    let number = |key: &str| options.integer(key).and_then(|n| usize::try_from(n).ok());
    let defaults = engine::Settings::default();
    let tables = (files.tables)(options.text("syzygy").unwrap_or_default());
    let tables = tables.map_err(|error| options.refuse(error))?;
    Ok(engine::Settings {
        hash_mb: number("hash").unwrap_or(defaults.hash_mb),
        threads: number("threads").unwrap_or(defaults.threads),
        multipv: number("lines").unwrap_or(defaults.multipv),
        contempt: options.integer("contempt").unwrap_or(0) as i32,
        guide: options.switch("guided").then_some(control_square_values as SquareValueFn),
        tables: tables.map(|tables| Arc::new(tables) as Arc<dyn Tablebases>),
        params: params(options, &files.read)?,
        ..defaults
    })
}

/// The limits that its agent's options set, whatever the clock says.
pub fn own_limits(options: &Options) -> OwnLimits {
    OwnLimits {
        depth: options.integer("depth").map(|depth| depth as u32),
        nodes: options.integer("nodes").map(|nodes| nodes as u64),
    }
}

/// The numbers of the search, from the file that options name.
fn params(options: &Options, read: &ReadText) -> Result<Params, CatalogueError> {
    let Some(path) = options.text("params").filter(|path| !path.is_empty()) else {
        return Ok(Params::default());
    };
    let text = read(path).map_err(|error| options.refuse(format_args!("{path}: {error}")))?;
    Params::from_json(&text).map_err(|error| options.refuse(format_args!("{path}: {error}")))
}

/// Squares by seed 000's control field, seen by the side to move (its §10.5).
fn control_square_values(view: View<'_>) -> [i32; 64] {
    static FIELD: LazyLock<Axiomx> = LazyLock::new(Axiomx::default);
    seeds::control_for_side_to_move(&FIELD, view)
}

/// Why the strong search could not be built.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// No evaluation has this name.
    #[error("there is no evaluation \"{0}\"")]
    UnknownEvaluation(String),
    /// The weights cannot be used.
    #[error(transparent)]
    Weights(#[from] WeightsError),
    /// The transposition table does not fit into memory.
    #[error(transparent)]
    Table(#[from] TableTooLarge),
}

/// The strong search over the evaluation of a name.
pub fn player(
    evaluation: &str,
    settings: engine::Settings,
    own_limits: OwnLimits,
) -> Result<Box<dyn Player>, PlayerError> {
    let built = registry::with_named(evaluation, BuildPlayer { settings, own_limits });
    Ok(built.ok_or_else(|| PlayerError::UnknownEvaluation(evaluation.to_owned()))??)
}

/// The strong search over the evaluation of a name, with the weights of a file's text.
pub fn weighted_player(
    evaluation: &str,
    text: &str,
    settings: engine::Settings,
    own_limits: OwnLimits,
) -> Result<Box<dyn Player>, PlayerError> {
    Ok(registry::with_weights(evaluation, text, BuildPlayer { settings, own_limits })??)
}

/// Builds the strong search for whatever evaluation a name stands for.
struct BuildPlayer {
    settings: engine::Settings,
    own_limits: OwnLimits,
}

impl registry::Visitor for BuildPlayer {
    type Output = Result<Box<dyn Player>, TableTooLarge>;

    fn visit<E: Evaluate + 'static>(self, evaluation: E) -> Self::Output {
        Ok(Box::new(EnginePlayer::try_new(evaluation, self.settings, self.own_limits)?))
    }
}
