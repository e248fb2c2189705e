//! Self-play: games at fixed nodes with the score of every move, and the quiet positions in them.
//!
//! Work is cut into *shards* of some games each. A shard is a function of the settings, the seed and its number
//! alone, and is written whole or not at all: so the same seed gives the same bytes on any number of threads, and
//! to resume is to make the shards that are missing. [`pack`](pack::pack) puts shards together, drops positions
//! seen before and shuffles the rest.

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

/// What is played and what is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Everything random follows from it.
    #[serde(serialize_with = "crate::run::as_text", deserialize_with = "crate::run::from_text")]
    pub seed: u64,
    /// The evaluation that plays and labels.
    pub evaluation: String,
    /// Nodes a move.
    pub nodes: u64,
    /// Random half-moves before the engine takes over; one more in every second game.
    pub random_plies: u32,
    /// Openings worth more than this to either side are not played on, in centipawns.
    pub opening_bound: i32,
    /// A game is won when both sides agree on this for [`Settings::win_plies`] half-moves, in centipawns.
    pub win_score: i32,
    /// Half-moves in a row.
    pub win_plies: u32,
    /// A game is drawn when the score stays within this for [`Settings::draw_plies`] half-moves, in centipawns.
    pub draw_score: i32,
    /// Half-moves in a row.
    pub draw_plies: u32,
    /// No game is drawn so before this half-move.
    pub draw_from: u32,
    /// Positions before this half-move are not learned from.
    pub first_ply: u32,
    /// A game longer than this is drawn, in half-moves.
    pub longest: u32,
    /// Games a shard.
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

/// Why no positions came.
#[derive(Debug, thiserror::Error)]
pub enum DatagenError {
    #[error("there is no evaluation \"{0}\"")]
    Evaluation(String),
    /// A setting that makes no sense.
    #[error("{0}")]
    Setting(&'static str),
    /// The directory belongs to other settings.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The directory has shards, and nobody knows how they were made.
    #[error("{0} holds shards and no manifest.toml that says how they were made; choose another directory")]
    Unknown(String),
    /// A file could not be written or read.
    #[error("{path}: {cause}")]
    File { path: String, cause: std::io::Error },
    /// Games were not played.
    #[error(transparent)]
    Grid(#[from] GridError),
    /// A shard is damaged.
    #[error("{path}: {cause}")]
    Shard { path: String, cause: crate::games::GamesError },
}

impl Settings {
    /// Refuses what cannot work.
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
            return Err(DatagenError::Setting("bounds on scores are centipawns above nought"));
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

/// What a run of self-play is: its settings, and the engine that plays.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Run<'a> {
    pub settings: &'a Settings,
    /// Depth of the signature.
    pub bench_depth: u32,
    /// Nodes of `tabia bench` at that depth with the evaluation that plays: another number is another engine.
    pub bench_nodes: u64,
}

/// Makes a directory that of a run, or makes sure that it is: its manifest must say the same. It is this process's as long as
/// the file is open.
pub fn claim(folder: &Path, version: &str, run: &Run<'_>) -> Result<File, DatagenError> {
    run.settings.check()?;
    if !crate::run::exists(folder) && shards::path(folder, 0).exists() {
        return Err(DatagenError::Unknown(folder.display().to_string()));
    }
    Ok(crate::run::claim(folder, "datagen", version, run)?)
}

/// A board and a player for the evaluation that the settings name.
pub fn self_play(settings: &Settings) -> Result<SelfPlay, DatagenError> {
    settings.check()?;
    let search = engine::Settings { hash_mb: game::HASH_MB, ..engine::Settings::default() };
    let player = agents::player(&settings.evaluation, search, OwnLimits::default())
        .ok_or_else(|| DatagenError::Evaluation(settings.evaluation.clone()))?;
    Ok(SelfPlay { settings: settings.clone(), player })
}

#[cfg(test)]
mod tests;
