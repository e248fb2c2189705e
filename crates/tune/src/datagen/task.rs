//! A shard as a task: which it is, how its games travel, and whether they can have gone so.

use serde::{Deserialize, Serialize};
use shakmaty::Position;
use tabia_core::{ChessGame, Game as _, Stop, seed};
use tabia_grid::{Executor, Local, Shared, Task};
use tabia_search::engine::STACK_BYTES;

use super::game::Table;
use super::{Settings, table};
use crate::sample::{GameResult, Sample};

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

/// A game that was played, and which of its positions are kept. The positions themselves follow from the moves.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Game {
    /// All moves, as UCI writes them.
    pub moves: String,
    /// How it ended.
    pub result: GameResult,
    /// Half-moves before each position, and what a search thought of it: centipawns, White's view.
    pub kept: Vec<(u16, i16)>,
}

impl Default for Game {
    fn default() -> Game {
        Game { moves: String::new(), result: GameResult::Draw, kept: Vec::new() }
    }
}

impl Game {
    /// The positions that are kept, or why the game cannot have gone so.
    fn samples(&self, settings: &Settings, samples: &mut Vec<Sample>) -> Result<(), String> {
        let mut game = ChessGame::default();
        let mut kept = self.kept.iter().peekable();
        for (ply, text) in self.moves.split_whitespace().enumerate() {
            if game.outcome().is_some() {
                return Err(format!("a game was over before {text}, its half-move {}", ply + 1));
            }
            let found = game.read_move(text).map_err(|error| format!("half-move {}: {error}", ply + 1))?;
            if let Some((_, score)) = kept.next_if(|(kept, _)| usize::from(*kept) == ply) {
                let quiet = !game.position().is_check() && !found.is_capture() && !found.is_promotion();
                if !quiet || (ply as u32) < settings.first_ply {
                    return Err(format!("the position before half-move {} is not to be kept", ply + 1));
                }
                samples.push(Sample::new(game.position(), *score, self.result, ply as u16));
            }
            game.apply(found);
        }
        if kept.next().is_some() {
            return Err("a position is kept that the game does not have".to_owned());
        }
        let over = game.outcome().map(|outcome| GameResult::of(outcome.winner));
        match over {
            Some(right) if right != self.result => Err("its result is not that of its moves".to_owned()),
            None if game.moves().len() as u32 >= settings.longest && self.result != GameResult::Draw => {
                Err("a game that was too long is drawn".to_owned())
            }
            _ => Ok(()),
        }
    }
}

/// The samples of a shard's games, in their order, or why they cannot be a shard's.
pub fn samples(settings: &Settings, games: &[Game]) -> Result<Vec<Sample>, String> {
    if games.len() != settings.shard_games as usize {
        return Err(format!("it has {} games, and not {}", games.len(), settings.shard_games));
    }
    let mut samples = Vec::new();
    for game in games {
        game.samples(settings, &mut samples)?;
    }
    Ok(samples)
}

impl Executor<ShardTask> for Table {
    fn perform(&mut self, task: &ShardTask, stop: &Stop) -> Result<Option<Vec<Game>>, String> {
        let count = u64::from(self.settings.shard_games);
        let games = (task.shard * count..(task.shard + 1) * count)
            .map(|game| self.play(seed::derive(self.settings.seed, game), stop));
        Ok(games.collect())
    }
}

/// Threads of this process, for settings that are fine.
pub fn on_threads(settings: &Settings, threads: usize) -> Local<'_, ShardTask> {
    Local::new(threads, STACK_BYTES, move |_| Box::new(table(settings).expect("settings are checked first")))
}

/// What those need who play elsewhere.
pub fn shared(settings: &Settings) -> Shared {
    let document = serde_json::to_vec(settings).expect("texts and numbers can be written");
    Shared::default().with(DOCUMENT, document)
}

/// An executor for somebody else's run.
pub fn visitor(shared: &Shared) -> Result<Table, String> {
    table(&shared.document(DOCUMENT)?).map_err(|error| error.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> Settings {
        Settings { shard_games: 1, first_ply: 2, ..Settings::default() }
    }

    fn wrong(game: &Game) -> String {
        samples(&settings(), std::slice::from_ref(game)).unwrap_err()
    }

    #[test]
    fn what_cannot_have_been_played_is_no_game() {
        let moves = |moves: &str| Game { moves: moves.to_owned(), ..Game::default() };
        let mate = "f2f3 e7e5 g2g4 d8h4";
        let right = Game { result: GameResult::Loss, kept: vec![(2, 30)], ..moves(mate) };
        assert_eq!(samples(&settings(), std::slice::from_ref(&right)).unwrap().len(), 1);
        assert!(wrong(&moves("e2e5")).contains("half-move 1"));
        assert!(wrong(&moves(mate)).contains("result"));
        assert!(wrong(&Game { moves: format!("{mate} a2a3"), ..right.clone() }).contains("over before a2a3"));
        assert!(wrong(&Game { kept: vec![(9, 0)], ..right.clone() }).contains("does not have"));
        assert!(wrong(&Game { kept: vec![(1, 0)], ..right }).contains("not to be kept"));
        assert!(samples(&settings(), &[]).unwrap_err().contains("0 games"));
    }
}
