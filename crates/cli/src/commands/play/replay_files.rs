//! Where the games of a sitting are kept: a file that was named, or new ones in the folder of replays.

use std::path::{Path, PathBuf};

use shakmaty::ByColor;
use tabia_core::{AgentSpec, ChessGame, Outcome};

use super::replay::{Replay, Timestamp};

/// The games of a sitting, as files.
#[derive(Debug)]
pub struct ReplayFiles {
    /// The file of the first game, if it was named; later ones get a number.
    file: Option<PathBuf>,
    /// Whether games are kept without being asked for.
    wanted: bool,
    players: ByColor<AgentSpec>,
    /// When the game on the table began, and the how manieth it is.
    started: Timestamp,
    number: usize,
    /// Where the game on the table was kept.
    kept: Option<PathBuf>,
}

impl ReplayFiles {
    /// For a sitting that begins now.
    pub fn new(file: Option<PathBuf>, wanted: bool, players: ByColor<AgentSpec>) -> ReplayFiles {
        ReplayFiles { file, wanted, players, started: Timestamp::now(), number: 1, kept: None }
    }

    /// Keeps a game that is left, unless nobody wants it.
    pub fn leave(&mut self, game: &ChessGame, outcome: Option<Outcome>) -> anyhow::Result<Option<PathBuf>> {
        let nameless = self.file.is_none() && self.kept.is_none();
        if !self.wanted || (nameless && game.moves().is_empty()) {
            return Ok(None);
        }
        self.save(game, outcome).map(Some)
    }

    /// Keeps a game as it stands; later it is kept in the same place.
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

    /// Another game begins.
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
