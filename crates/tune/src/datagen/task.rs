//! A shard as a grid task: its number, its encoded games, and their verification.

use serde::{Deserialize, Serialize};
use tabia_core::{Stop, seed};
use tabia_grid::{Executor, Local, SharedFiles, Task};
use tabia_search::engine::STACK_BYTES;

use super::game::{Game, SelfPlay};
use super::{Settings, self_play};
use crate::games::ScoredGame;

/// Name of the shared settings document.
const DOCUMENT: &str = "datagen.json";

/// A shard to play. The settings are shared by all shards.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardTask {
    /// Its number, from 0.
    pub shard: u64,
}

impl ShardTask {
    /// The task of an id, the inverse of [`Task::id`].
    pub(super) fn of_id(id: &str) -> Option<ShardTask> {
        id.strip_prefix("shard ")?.parse().ok().map(|shard| ShardTask { shard })
    }
}

impl Task for ShardTask {
    type Done = Vec<Game>;
    const KIND: &'static str = "datagen";

    fn id(&self) -> String {
        format!("shard {}", self.shard)
    }
}

/// A shard's games in their stored form, or why they cannot be a shard's. A game without moves, for which no opening was
/// found, is left out.
pub fn scored(settings: &Settings, games: &[Game]) -> Result<Vec<ScoredGame>, String> {
    if games.len() != settings.shard_games as usize {
        return Err(format!("it has {} games, and not {}", games.len(), settings.shard_games));
    }
    games.iter().filter(|game| !game.moves.is_empty()).map(|game| game.scored(settings)).collect()
}

impl Executor<ShardTask> for SelfPlay {
    fn perform(&mut self, task: &ShardTask, stop: &Stop) -> Result<Option<Vec<Game>>, String> {
        let count = u64::from(self.settings.shard_games);
        let games = (task.shard * count..(task.shard + 1) * count)
            .map(|game| self.play(seed::derive(self.settings.seed, game), stop));
        Ok(games.collect())
    }
}

/// A grid of threads in this process, for valid settings.
pub fn on_threads(settings: &Settings, threads: usize) -> Local<'_, ShardTask> {
    Local::new(threads, STACK_BYTES, move |_| {
        Box::new(self_play(settings).expect("settings are checked first"))
    })
}

/// The shared files that remote workers need.
pub fn shared(settings: &Settings) -> SharedFiles {
    let document = serde_json::to_vec(settings).expect("texts and numbers can be written");
    SharedFiles::default().with(DOCUMENT, document)
}

/// An executor for a remote run.
pub fn visitor(shared: &SharedFiles) -> Result<SelfPlay, String> {
    self_play(&shared.document(DOCUMENT)?).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sample::GameResult;

    fn settings() -> Settings {
        Settings { shard_games: 1, first_ply: 2, ..Settings::default() }
    }

    fn wrong(game: &Game) -> String {
        scored(&settings(), std::slice::from_ref(game)).unwrap_err()
    }

    #[test]
    fn what_cannot_have_been_played_is_no_game() {
        let moves = |moves: &str| Game { moves: moves.to_owned(), ..Game::default() };
        let mate = "f2f3 e7e5 g2g4 d8h4";
        let right = Game { result: GameResult::Loss, opening: 2, scores: vec![30, -31_999], ..moves(mate) };
        let kept = scored(&settings(), std::slice::from_ref(&right)).unwrap();
        // The queen's move mates: its score is not used for training.
        assert_eq!(kept[0].samples(2).len(), 1);
        assert!(wrong(&moves("e2e5")).contains("half-move 1"));
        assert!(wrong(&Game { result: GameResult::Win, ..right.clone() }).contains("result"));
        assert!(wrong(&Game { moves: format!("{mate} a2a3"), ..right.clone() }).contains("over before a2a3"));
        assert!(wrong(&Game { opening: 3, ..right.clone() }).contains("2 scores"));
        assert!(wrong(&Game { scores: vec![], ..right }).contains("0 scores"));
        assert!(scored(&settings(), &[]).unwrap_err().contains("0 games"));
    }
}
