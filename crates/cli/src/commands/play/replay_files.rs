//! Files of the games of one session: a named file, or new ones in the folder of replays.

use std::path::{Path, PathBuf};

use shakmaty::ByColor;
use tabia_core::{AgentSpec, ChessGame, Outcome};

use super::replay::{Replay, Timestamp};

/// The files of one session.
#[derive(Debug)]
pub struct ReplayFiles {
    /// The named file of the first game, if any; later ones get a number.
    file: Option<PathBuf>,
    /// Whether games are saved automatically.
    wanted: bool,
    players: ByColor<AgentSpec>,
    /// When the current game began, and its number.
    started: Timestamp,
    number: usize,
    /// The file of the current game, if it was saved.
    kept: Option<PathBuf>,
}

impl ReplayFiles {
    /// For a session that begins now.
    pub fn new(file: Option<PathBuf>, wanted: bool, players: ByColor<AgentSpec>) -> ReplayFiles {
        ReplayFiles { file, wanted, players, started: Timestamp::now(), number: 1, kept: None }
    }

    /// Saves a game that the person leaves, unless saving is disabled.
    pub fn leave(&mut self, game: &ChessGame, outcome: Option<Outcome>) -> anyhow::Result<Option<PathBuf>> {
        let nameless = self.file.is_none() && self.kept.is_none();
        if !self.wanted || (nameless && game.moves().is_empty()) {
            return Ok(None);
        }
        self.save(game, outcome).map(Some)
    }

    /// Saves the current game; later saves replace the file.
    pub fn save(&mut self, game: &ChessGame, outcome: Option<Outcome>) -> anyhow::Result<PathBuf> {
        let replay = Replay::new(game, outcome, &self.players, self.started);
        let named = self.file.as_deref().map(|file| numbered(file, self.number));
        let path = match self.kept.take().or(named) {
            Some(path) => replay.save_as(&path).map(|()| path)?,
            None => replay.save_new()?,
        };
        self.kept = Some(path.clone());
        Ok(path)
    }

    /// Starts another game.
    pub fn begin(&mut self) {
        self.started = Timestamp::now();
        self.number += 1;
        self.kept = None;
    }
}

/// `game.json`, `game-2.json`, …
fn numbered(file: &Path, number: usize) -> PathBuf {
    if number < 2 {
        return file.to_owned();
    }
    let mut name = file.file_stem().unwrap_or_default().to_owned();
    name.push(format!("-{number}"));
    if let Some(ending) = file.extension() {
        name.push(".");
        name.push(ending);
    }
    file.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_games_have_a_number_before_the_ending() {
        let name = |number| numbered(Path::new("some/game.json"), number).display().to_string();
        assert_eq!([name(1), name(2), name(3)], ["some/game.json", "some/game-2.json", "some/game-3.json"]);
        assert_eq!(numbered(Path::new("game"), 2), Path::new("game-2"));
    }
}
