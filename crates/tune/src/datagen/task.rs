//! A shard as a task: which it is, how its games travel, and whether they can have gone so.

use serde::{Deserialize, Serialize};
use tabia_core::{ChessGame, Game as _, Stop, seed};
use tabia_grid::{Executor, Local, SharedFiles, Task};
use tabia_search::engine::STACK_BYTES;

use super::game::SelfPlay;
use super::{Settings, self_play};
use crate::games::ScoredGame;
use crate::sample::GameResult;

/// What the document is called that says how games are played.
const DOCUMENT: &str = "datagen.json";

/// The games of a shard, to be played. How is in the settings, which all shards share.
#[derive(Copy, Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShardTask {
    /// Its number, from 0.
    pub shard: u64,
}

impl ShardTask {
    /// The task that [`Task::id`] gives this id.
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

/// A game that was played, with the scores of its moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// All moves, as UCI writes them.
    pub moves: String,
    /// So many of them were random, and have no score.
    pub opening: u16,
    /// What the search gave for each of the others, White's view, as `Score::raw` has it.
    pub scores: Vec<i16>,
    pub result: GameResult,
}

impl Default for Game {
    fn default() -> Game {
        Game { moves: String::new(), opening: 0, scores: Vec::new(), result: GameResult::Draw }
    }
}

impl Game {
    /// The game as it is kept, or why it cannot have gone so.
    fn scored(&self, settings: &Settings) -> Result<ScoredGame, String> {
        let mut game = ChessGame::default();
        for (ply, text) in self.moves.split_whitespace().enumerate() {
            if game.outcome().is_some() {
                return Err(format!("a game was over before {text}, its half-move {}", ply + 1));
            }
            let found = game.read_move(text).map_err(|error| format!("half-move {}: {error}", ply + 1))?;
            game.apply(found);
        }
        let (moves, opening) = (game.moves().to_vec(), usize::from(self.opening));
        if opening + self.scores.len() != moves.len() {
            return Err(format!(
                "it has {} moves, of which {opening} are its opening, and {} scores",
                moves.len(),
                self.scores.len()
            ));
        }
        let over = game.outcome().map(|outcome| GameResult::of(outcome.winner));
        match over {
            Some(right) if right != self.result => Err("its result is not that of its moves".to_owned()),
            None if moves.len() as u32 >= settings.longest && self.result != GameResult::Draw => {
                Err("a game that was too long is drawn".to_owned())
            }
            _ => Ok(ScoredGame {
                start: None,
                moves,
                opening,
                scores: self.scores.clone(),
                result: self.result,
            }),
        }
    }
}

/// A shard's games as they are kept, in their order, or why they cannot be a shard's. A game without a move, whose opening would not come, is left out.
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

/// Threads of this process, for settings that are fine.
pub fn on_threads(settings: &Settings, threads: usize) -> Local<'_, ShardTask> {
    Local::new(threads, STACK_BYTES, move |_| {
        Box::new(self_play(settings).expect("settings are checked first"))
    })
}

/// What those need who play elsewhere.
pub fn shared(settings: &Settings) -> SharedFiles {
    let document = serde_json::to_vec(settings).expect("texts and numbers can be written");
    SharedFiles::default().with(DOCUMENT, document)
}

/// An executor for somebody else's run.
pub fn visitor(shared: &SharedFiles) -> Result<SelfPlay, String> {
    self_play(&shared.document(DOCUMENT)?).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

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
        // The queen's move gives mate: its score is none to learn from.
        assert_eq!(kept[0].samples(2).len(), 1);
        assert!(wrong(&moves("e2e5")).contains("half-move 1"));
        assert!(wrong(&Game { result: GameResult::Win, ..right.clone() }).contains("result"));
        assert!(wrong(&Game { moves: format!("{mate} a2a3"), ..right.clone() }).contains("over before a2a3"));
        assert!(wrong(&Game { opening: 3, ..right.clone() }).contains("2 scores"));
        assert!(wrong(&Game { scores: vec![], ..right }).contains("0 scores"));
        assert!(scored(&settings(), &[]).unwrap_err().contains("0 games"));
    }
}
