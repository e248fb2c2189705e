//! Self-play: games at fixed nodes with the score of every move, and the quiet positions in them.
//!
//! Work is divided into *shards* of some games each. A shard is a function of the settings, the seed and its number, and
//! is written atomically: the same seed gives the same bytes with any number of threads, and resuming means making the
//! missing shards. [`pack`](pack::pack) merges shards, drops duplicate positions and shuffles the rest.

pub mod game;
pub(crate) mod game_rules;
pub mod pack;
pub mod shards;
pub mod task;

use std::fs::File;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabia_eval::registry;
use tabia_grid::GridError;
use tabia_run::RunError;
use tabia_search::player::OwnLimits;
use tabia_search::{agents, engine};

use game::SelfPlay;

/// Settings of self-play.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Seed of all randomness.
    #[serde(serialize_with = "crate::run::as_text", deserialize_with = "crate::run::from_text")]
    pub seed: u64,
    /// The evaluation that plays and labels.
    pub evaluation: String,
    /// Nodes per move.
    pub nodes: u64,
    /// Random plies before the engine plays; one more in every second game.
    pub random_plies: u32,
    /// Openings with a larger absolute score are not played, in centipawns.
    pub opening_bound: i32,
    /// A game is adjudicated as won when both sides agree on this score for [`Settings::win_plies`] plies, in centipawns.
    pub win_score: i32,
    /// Consecutive plies.
    pub win_plies: u32,
    /// A game is adjudicated as drawn when the score stays within this for [`Settings::draw_plies`] plies, in centipawns.
    pub draw_score: i32,
    /// Consecutive plies.
    pub draw_plies: u32,
    /// First ply of draw adjudication.
    pub draw_from: u32,
    /// First ply of training positions.
    pub first_ply: u32,
    /// A longer game is drawn, in plies.
    pub longest: u32,
    pub shard_games: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            seed: 0,
            evaluation: registry::STRONGEST.to_owned(),
            nodes: 2_000,
            random_plies: 8,
            opening_bound: 400,
            win_score: 2_000,
            win_plies: 4,
            draw_score: 4,
            draw_plies: 12,
            draw_from: 80,
            first_ply: 16,
            longest: 400,
            shard_games: 64,
        }
    }
}

/// Why no data can be generated.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error("there is no evaluation \"{0}\"")]
    Evaluation(String),
    #[error("{0}")]
    Setting(&'static str),
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{0} has shards but no manifest.toml with their settings; choose another directory")]
    Unknown(String),
    #[error("{path}: {cause}")]
    File { path: String, cause: std::io::Error },
    #[error(transparent)]
    Grid(#[from] GridError),
    #[error("{path}: {cause}")]
    Shard { path: String, cause: crate::games::GamesError },
}

impl Settings {
    /// Rejects invalid settings.
    pub fn check(&self) -> Result<(), DatagenError> {
        if self.nodes == 0 {
            return Err(DatagenError::Setting("a move needs at least one node"));
        }
        if self.shard_games == 0 {
            return Err(DatagenError::Setting("a shard needs at least one game"));
        }
        if self.longest <= self.first_ply {
            return Err(DatagenError::Setting("games would end before their first position is kept"));
        }
        if self.longest > u32::from(u16::MAX) {
            return Err(DatagenError::Setting("a record counts 65535 half-moves at most"));
        }
        if self.random_plies >= self.longest {
            return Err(DatagenError::Setting("games would be over before the engine takes over"));
        }
        if self.win_score <= 0 || self.draw_score < 0 || self.opening_bound < 0 {
            return Err(DatagenError::Setting("bounds on scores must be above zero centipawns"));
        }
        if self.win_plies == 0 || self.draw_plies == 0 {
            return Err(DatagenError::Setting("a game is adjudicated after one half-move at least"));
        }
        if !registry::NAMES.contains(&self.evaluation.as_str()) {
            return Err(DatagenError::Evaluation(self.evaluation.clone()));
        }
        Ok(())
    }
}

/// The identity of a run: its settings, and the engine that plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run<'a> {
    pub settings: &'a Settings,
    /// Depth of the bench signature.
    pub bench_depth: u32,
    /// Nodes of `tabia bench` at that depth with the evaluation that plays: a different number is a different engine.
    pub bench_nodes: u64,
}

/// Creates or opens a run directory, whose manifest must match. It is locked as long as the returned file is open.
pub fn claim(folder: &Path, version: &str, run: &Run<'_>) -> Result<File, DatagenError> {
    run.settings.check()?;
    if !crate::run::exists(folder) && shards::path(folder, 0).exists() {
        return Err(DatagenError::Unknown(folder.display().to_string()));
    }
    Ok(crate::run::claim(folder, "datagen", version, run)?)
}

/// A game player for the evaluation of the settings.
pub fn self_play(settings: &Settings) -> Result<SelfPlay, DatagenError> {
    settings.check()?;
    let search = engine::Settings { hash_mb: game::HASH_MB, ..engine::Settings::default() };
    let player = agents::player(&settings.evaluation, search, OwnLimits::default())
        .map_err(|_| DatagenError::Evaluation(settings.evaluation.clone()))?;
    Ok(SelfPlay { settings: settings.clone(), player })
}

#[cfg(test)]
mod tests;
