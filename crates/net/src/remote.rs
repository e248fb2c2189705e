//! Remote self-play: tasks of a few games each on a grid, replayed here before they count.
//!
//! A game is determined by its number, the settings, the generation's seed and the network, which are all shared with the workers.
//! A worker sends moves, measurement results, search values and policies; positions, results and resignations are derived from them
//! here. What has to be trusted is therefore only what a search preferred and how measurements fell.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabia_core::Stop;
use tabia_grid::nats::Nats;
use tabia_grid::{EarlierResult, Executor, Grid, Ledger, SharedFiles, Task, Verdict, fingerprint};
use tabia_mcts::PolicyValue;
use tabia_quantum::QuantumGame;
use tabia_quantum::agents::HandcraftedEvaluator;

use crate::error::NetError;
use crate::network::Network;
use crate::selfplay::SelfPlay;
use crate::selfplay::transcript::Transcript;
use crate::settings::Hyperparameters;
use crate::shard::PlayedGame;
use crate::weights::Weights;

/// Names of the shared files.
const SETTINGS: &str = "selfplay.json";
const WEIGHTS: &str = "weights.safetensors";
/// Target size of a result in bytes: it must fit into one NATS message, 1 MB at most.
const RESULT_BYTES: f32 = 600_000.0;
/// Typical largest size of a ply in a result, in bytes: the part for its policy, and the rest.
const POLICY_BYTES: f32 = 1_500.0;
const PLY_BYTES: f32 = 80.0;
/// Largest number of games per task.
const MAX_GAMES: f32 = 8.0;
/// Openings on which two processors are compared.
const PROBES: u32 = 8;

/// How the games of a generation are played, here or on workers.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SelfPlaySettings {
    #[serde(rename = "knobs")]
    pub hyper: Hyperparameters,
    /// Simulations of a full search.
    pub simulations: u32,
    /// Simulations of a quick search.
    pub quick_simulations: u32,
    /// Seed of all games.
    pub seed: u64,
}

impl SelfPlaySettings {
    /// Self-play with these settings on threads of this process.
    pub fn local(&self, threads: usize) -> SelfPlay<'_> {
        SelfPlay {
            hyper: &self.hyper,
            simulations: self.simulations,
            quick_simulations: self.quick_simulations,
            seed: self.seed,
            threads,
        }
    }

    /// Games per task, so few that their transcripts fit into one message.
    fn games_per_task(&self) -> u32 {
        let ply = PLY_BYTES + self.hyper.full_share * POLICY_BYTES;
        (RESULT_BYTES / (self.hyper.ply_limit as f32 * ply)).clamp(1.0, MAX_GAMES) as u32
    }

    /// Tasks for missing games. The composition of a task does not change while all of its games are missing.
    pub fn tasks(&self, missing: &[u32]) -> Vec<GamesTask> {
        let size = self.games_per_task();
        missing
            .chunk_by(|one, next| one / size == next / size)
            .map(|games| GamesTask { games: games.to_vec() })
            .collect()
    }

    /// The files that workers need; without weights, the search with the handcrafted evaluation plays.
    pub fn shared(&self, weights: Option<&Weights>) -> SharedFiles {
        let probe = weights.map(|weights| probe(&Network::new(weights)));
        let document = Document { settings: self.clone(), probe };
        let document = serde_json::to_vec(&document).expect("numbers can be written");
        let shared = SharedFiles::default().with(SETTINGS, document);
        match weights {
            Some(weights) => shared.with(WEIGHTS, weights.to_file().to_bytes()),
            None => shared,
        }
    }
}

/// Contents of the shared settings file.
#[derive(Serialize, Deserialize)]
struct Document {
    #[serde(rename = "orders")]
    settings: SelfPlaySettings,
    /// Fingerprint of the network's outputs on the coordinator, to the last bit.
    #[serde(rename = "arithmetic")]
    probe: Option<String>,
}

/// A task of a few games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesTask {
    /// Their numbers within the generation, ascending.
    pub games: Vec<u32>,
}

impl Task for GamesTask {
    type Done = Vec<Transcript>;
    const KIND: &'static str = "quantum selfplay";

    fn id(&self) -> String {
        match &*self.games {
            [first, .., last] => format!("games {} to {}", first + 1, last + 1),
            [only] => format!("game {}", only + 1),
            [] => "no games".to_owned(),
        }
    }
}

/// An event of self-play outside this process.
#[derive(Debug)]
pub enum SelfPlayEvent {
    /// A game was played, and replayed here.
    Played(Box<PlayedGame>),
    /// Games reported earlier do not count, because the account that played them cheated. They are played again.
    Retracted(Vec<u32>),
}

/// Plays the games of a generation outside this process.
pub trait RemoteSelfPlay {
    /// Plays the games with these numbers and passes on each, replayed, as it arrives. Returns whether all were played;
    /// other games may have been retracted meanwhile.
    fn play(
        &self,
        settings: &SelfPlaySettings,
        weights: Option<&Weights>,
        numbers: &[u32],
        stop: &Stop,
        on_event: &mut dyn FnMut(SelfPlayEvent) -> Result<(), NetError>,
    ) -> Result<bool, NetError>;
}

/// Workers connected through a NATS server.
pub struct GridWorkers(pub Arc<Nats>);

impl RemoteSelfPlay for GridWorkers {
    fn play(
        &self,
        settings: &SelfPlaySettings,
        weights: Option<&Weights>,
        numbers: &[u32],
        stop: &Stop,
        on_event: &mut dyn FnMut(SelfPlayEvent) -> Result<(), NetError>,
    ) -> Result<bool, NetError> {
        self.0.share(settings.shared(weights))?;
        play_on(&*self.0, settings, numbers, stop, on_event)
    }
}

/// Plays games on a grid whose workers have the shared files.
pub fn play_on(
    grid: &dyn Grid<GamesTask>,
    settings: &SelfPlaySettings,
    numbers: &[u32],
    stop: &Stop,
    on_event: &mut dyn FnMut(SelfPlayEvent) -> Result<(), NetError>,
) -> Result<bool, NetError> {
    let tasks = settings.tasks(numbers);
    let mut collector =
        Collector { local: settings.local(1), tasks: &tasks, count: 0, failure: None, on_event };
    grid.run(&tasks, stop, &mut collector)?;
    collector.failure.map_or(Ok(collector.count == numbers.len()), Err)
}

/// Replays games as they arrive and passes them on.
struct Collector<'a> {
    local: SelfPlay<'a>,
    tasks: &'a [GamesTask],
    count: usize,
    failure: Option<NetError>,
    on_event: &'a mut dyn FnMut(SelfPlayEvent) -> Result<(), NetError>,
}

impl Ledger<GamesTask> for Collector<'_> {
    fn done(&mut self, place: usize, done: Vec<Transcript>) -> Verdict {
        let games = match replayed(&self.local, &self.tasks[place], &done) {
            Ok(games) => games,
            Err(why) => return Verdict::Rejected(why),
        };
        for game in games {
            self.count += 1;
            if let Err(error) = (self.on_event)(SelfPlayEvent::Played(Box::new(game))) {
                self.failure = Some(error);
                return Verdict::Enough;
            }
        }
        Verdict::Counted
    }

    fn retract(&mut self, places: &[usize]) -> Result<(), String> {
        let games: Vec<u32> = places.iter().flat_map(|place| &self.tasks[*place].games).copied().collect();
        self.count -= games.len();
        (self.on_event)(SelfPlayEvent::Retracted(games)).map_err(|error| error.to_string())
    }

    fn retract_earlier(&mut self, results: &[EarlierResult]) -> Result<(), String> {
        if results.iter().any(|result| !result.same_files) {
            return Err(
                "networks of this training have learned from them; begin it again in another directory"
                    .to_owned(),
            );
        }
        let games = |result: &EarlierResult| {
            games_of_id(&result.id).ok_or_else(|| format!("\"{}\" is no task of self-play", result.id))
        };
        let ranges = results.iter().map(games).collect::<Result<Vec<_>, String>>()?;
        (self.on_event)(SelfPlayEvent::Retracted(ranges.into_iter().flatten().collect()))
            .map_err(|error| error.to_string())
    }
}

/// The games from the first to the last of the task with this id. Some may belong to another task; they are played again too.
fn games_of_id(id: &str) -> Option<RangeInclusive<u32>> {
    let number = |text: &str| text.parse::<u32>().ok()?.checked_sub(1);
    if let Some(only) = id.strip_prefix("game ") {
        let only = number(only)?;
        return Some(only..=only);
    }
    let (first, last) = id.strip_prefix("games ")?.split_once(" to ")?;
    Some(number(first)?..=number(last)?)
}

/// Replays the games of a task; the error says why they are not valid.
fn replayed(
    settings: &SelfPlay<'_>,
    task: &GamesTask,
    done: &[Transcript],
) -> Result<Vec<PlayedGame>, String> {
    if !done.iter().map(|game| game.game).eq(task.games.iter().copied()) {
        return Err("its games are not those of the task".to_owned());
    }
    done.iter().map(|game| game.replay(settings)).collect()
}

/// Plays games of another process's training.
pub struct SelfPlayExecutor {
    settings: SelfPlaySettings,
    network: Option<Network>,
}

impl SelfPlayExecutor {
    /// An executor for a run with these shared files.
    pub fn new(shared: &SharedFiles) -> Result<SelfPlayExecutor, String> {
        let Document { settings, probe: expected } = shared.document(SETTINGS)?;
        let network = match shared.files.get(WEIGHTS) {
            Some(bytes) => {
                let weights =
                    Weights::from_bytes(bytes, Path::new(WEIGHTS)).map_err(|error| error.to_string())?;
                Some(Network::new(&weights).without_cache())
            }
            None => None,
        };
        if network.as_ref().map(probe) != expected {
            return Err("this processor has other instructions than the coordinator's: network outputs differ in the last bits, \
                        and so would the games"
                .to_owned());
        }
        Ok(SelfPlayExecutor { settings, network })
    }
}

impl Executor<GamesTask> for SelfPlayExecutor {
    fn perform(&mut self, task: &GamesTask, stop: &Stop) -> Result<Option<Vec<Transcript>>, String> {
        let evaluator: &dyn PolicyValue<QuantumGame> = match &self.network {
            Some(network) => network,
            None => &HandcraftedEvaluator,
        };
        let mut games = Vec::with_capacity(task.games.len());
        let is_complete = self.settings.local(1).play(evaluator, &task.games, stop, &mut |game| {
            games.push(Transcript::new(&game));
            Ok(())
        });
        games.sort_by_key(|game| game.game);
        Ok(is_complete.map_err(|error| error.to_string())?.then_some(games))
    }
}

/// Fingerprint of a network's outputs on some positions, to the last bit: equal on processors with the same instruction set.
fn probe(network: &Network) -> String {
    let hyper = Hyperparameters::default();
    let mut outputs = String::new();
    for number in 0..PROBES {
        let (game, actions) = Transcript::opening(number, &hyper);
        writeln!(outputs, "{:?}", network.evaluate(&game, &actions)).expect("a String takes all text");
    }
    fingerprint(outputs.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::Architecture;
    use tabia_grid::Local;

    fn settings() -> SelfPlaySettings {
        let hyper = Hyperparameters {
            ply_limit: 24,
            games_at_once: 3,
            candidates: 4,
            full_share: 0.5,
            ..Hyperparameters::default()
        };
        SelfPlaySettings { hyper, simulations: 8, quick_simulations: 4, seed: 5 }
    }

    fn network() -> Weights {
        Weights::initial(Architecture::new(16, 1), 3)
    }

    fn played(weights: Option<&Weights>) -> Vec<PlayedGame> {
        let network = weights.map(|weights| Network::new(weights).without_cache());
        let evaluator: &dyn PolicyValue<QuantumGame> = match &network {
            Some(network) => network,
            None => &HandcraftedEvaluator,
        };
        let numbers: Vec<u32> = (0..11).collect();
        let mut games = Vec::new();
        let settings = settings();
        let local = settings.local(1);
        local
            .play(evaluator, &numbers, &Stop::new(), &mut |game| {
                games.push(game);
                Ok(())
            })
            .unwrap();
        games.sort_by_key(|game| game.number);
        games
    }

    #[test]
    fn games_from_a_grid_are_those_that_are_played_here() {
        for weights in [None, Some(network())] {
            let shared = settings().shared(weights.as_ref());
            let grid = Local::new(3, 8 << 20, |_| {
                Box::new(SelfPlayExecutor::new(&shared).unwrap()) as Box<dyn Executor<GamesTask>>
            });
            let mut games = Vec::new();
            let numbers: Vec<u32> = (0..11).collect();
            let is_complete = play_on(&grid, &settings(), &numbers, &Stop::new(), &mut |event| {
                if let SelfPlayEvent::Played(game) = event {
                    games.push(*game);
                }
                Ok(())
            });
            assert!(is_complete.unwrap());
            games.sort_by_key(|game| game.number);
            assert!(games == played(weights.as_ref()));
            assert!(games.iter().any(|game| game.samples.iter().any(|sample| !sample.moves.is_empty())));
        }
    }

    #[test]
    fn tasks_stay_the_same_as_long_as_none_of_their_games_is_there() {
        let settings = SelfPlaySettings {
            hyper: Hyperparameters { ply_limit: 512, full_share: 0.5, ..Hyperparameters::default() },
            ..settings()
        };
        assert_eq!(settings.games_per_task(), 1);
        let settings = SelfPlaySettings {
            hyper: Hyperparameters { ply_limit: 60, full_share: 0.5, ..Hyperparameters::default() },
            ..settings
        };
        assert_eq!(settings.games_per_task(), 8);
        let games = |missing: &[u32]| -> Vec<Vec<u32>> {
            settings.tasks(missing).into_iter().map(|task| task.games).collect()
        };
        let all: Vec<u32> = (0..20).collect();
        assert_eq!(games(&all), [(0..8).collect::<Vec<u32>>(), (8..16).collect(), (16..20).collect()]);
        assert_eq!(games(&all[8..]), games(&all)[1..]);
        assert_eq!(games(&[3, 9]), [[3], [9]]);
        assert_eq!(settings.tasks(&all)[1].id(), "games 9 to 16");
        let found = |task: &GamesTask| games_of_id(&task.id()).unwrap().collect::<Vec<u32>>();
        assert!(settings.tasks(&all).iter().all(|task| found(task) == task.games));
        assert_eq!(games_of_id(&settings.tasks(&[3])[0].id()), Some(3..=3));
        assert_eq!(games_of_id("no games"), None);
    }

    #[test]
    fn an_impossible_transcript_is_refused() {
        let settings = settings();
        let local = settings.local(1);
        let right: Vec<Transcript> = played(None)[..2].iter().map(Transcript::new).collect();
        let task = GamesTask { games: vec![0, 1] };
        assert_eq!(replayed(&local, &task, &right).unwrap().len(), 2);
        let wrong = |change: &dyn Fn(&mut Vec<Transcript>)| {
            let mut games = right.clone();
            change(&mut games);
            replayed(&local, &task, &games).unwrap_err()
        };
        assert!(wrong(&|games| games.swap(0, 1)).contains("not those of the task"));
        assert!(wrong(&|games| drop(games.pop())).contains("not those of the task"));
        assert!(wrong(&|games| games[1].plies[3].ply = "a1a8".to_owned()).contains("ply 4 (a1a8)"));
        assert!(wrong(&|games| games[0].plies[2].ply += "+").contains("ply 3"));
        assert!(wrong(&|games| games[0].plies[2].value = 1.5).contains("not between -1 and 1"));
        assert!(wrong(&|games| games[0].plies[2].value = f64::NAN).contains("not between -1 and 1"));
        assert!(wrong(&|games| games[0].plies[2].shares = vec![65_535]).contains("legal moves"));
        assert!(wrong(&|games| drop(games[0].plies.pop())).contains("is not over"));
        let more = |games: &mut Vec<Transcript>| {
            let last = games[0].plies[0].clone();
            games[0].plies.push(last);
        };
        assert!(wrong(&more).contains("over before this ply"));
    }

    #[test]
    fn a_worker_with_different_network_outputs_does_not_play() {
        let right = settings().shared(Some(&network()));
        assert!(SelfPlayExecutor::new(&right).is_ok());
        let text = String::from_utf8(right.files[SETTINGS].clone()).unwrap();
        let at = text.find("arithmetic\":\"").unwrap() + "arithmetic\":\"".len();
        let other = if text.as_bytes()[at] == b'0' { "1" } else { "0" };
        let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        let wrong = right.clone().with(SETTINGS, changed.into_bytes());
        assert!(SelfPlayExecutor::new(&wrong).err().unwrap().contains("other instructions"));
    }
}
