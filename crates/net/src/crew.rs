//! Games of self-play on a grid: as tasks of a few games each, played anywhere, and replayed before they count.
//!
//! What a game is follows from its number, the settings, the seed of its generation and the network, and all of these travel with the run. A worker sends
//! moves, measurements and what its searches thought; positions, results and resignations are made from them here. So what is believed
//! is which moves a search liked and how much, and how chance fell.

use std::fmt::Write as _;
use std::ops::RangeInclusive;
use std::path::Path;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tabia_core::Stop;
use tabia_grid::nats::Nats;
use tabia_grid::{Earlier, Executor, Grid, Ledger, Shared, Task, Verdict, fingerprint};
use tabia_mcts::PolicyValue;
use tabia_quantum::QuantumGame;
use tabia_quantum::agents::HandMade;

use crate::error::NetError;
use crate::network::Network;
use crate::selfplay::Hall;
use crate::selfplay::transcript::Transcript;
use crate::settings::Knobs;
use crate::shard::Played;
use crate::weights::Weights;

/// The names that shared files travel under.
const ORDERS: &str = "selfplay.json";
const WEIGHTS: &str = "weights.safetensors";
/// A result must fit into one message of the server, which are a million bytes at most; so much is aimed at.
const RESULT_BYTES: f32 = 600_000.0;
/// Bytes of a ply in a result, at most as a rule: with the shares of its moves, and without.
const FULL_PLY_BYTES: f32 = 1_500.0;
const PLY_BYTES: f32 = 80.0;
/// Games of a task.
const MOST_GAMES: f32 = 8.0;
/// Openings that two processors are compared on.
const PROBES: u32 = 8;

/// How the games of a generation are played, wherever it is.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Orders {
    /// Every number of it.
    pub knobs: Knobs,
    /// Simulations of a move that is learned from.
    pub simulations: u32,
    /// Simulations of the other moves.
    pub quick_simulations: u32,
    /// Where the luck of all games comes from.
    pub seed: u64,
}

impl Orders {
    /// The same for threads of this process.
    pub fn hall(&self, threads: usize) -> Hall<'_> {
        Hall {
            knobs: &self.knobs,
            simulations: self.simulations,
            quick_simulations: self.quick_simulations,
            seed: self.seed,
            threads,
        }
    }

    /// Games of a task: a few, and so many that their transcripts fit into a message.
    fn games_a_task(&self) -> u32 {
        let ply = PLY_BYTES + self.knobs.full_share * FULL_PLY_BYTES;
        (RESULT_BYTES / (self.knobs.ply_limit as f32 * ply)).clamp(1.0, MOST_GAMES) as u32
    }

    /// The tasks of games that are missing. Those of one task are always the same as long as none of them is there.
    pub fn tasks(&self, missing: &[u32]) -> Vec<GamesTask> {
        let size = self.games_a_task();
        missing
            .chunk_by(|one, next| one / size == next / size)
            .map(|games| GamesTask { games: games.to_vec() })
            .collect()
    }

    /// What those need who play elsewhere; without weights, the hand-made search plays.
    pub fn shared(&self, weights: Option<&Weights>) -> Shared {
        let arithmetic = weights.map(|weights| probe(&Network::new(weights)));
        let document = Document { orders: self.clone(), arithmetic };
        let document = serde_json::to_vec(&document).expect("numbers can be written");
        let shared = Shared::default().with(ORDERS, document);
        match weights {
            Some(weights) => shared.with(WEIGHTS, weights.to_tensors().to_bytes()),
            None => shared,
        }
    }
}

/// What travels with a run.
#[derive(Serialize, Deserialize)]
struct Document {
    orders: Orders,
    /// What the network says to the one who coordinates, to the last bit.
    arithmetic: Option<String>,
}

/// A few games.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct GamesTask {
    /// Their numbers in their generation, rising.
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

/// What is heard of games that are played elsewhere.
#[derive(Debug)]
pub enum News {
    /// A game was played, and replayed here.
    Played(Box<Played>),
    /// Games that were heard of before do not count, because whoever played them cheated. They are played again.
    Retracted(Vec<u32>),
}

/// Whoever plays the games of a generation in this process's stead.
pub trait Crew {
    /// Plays the games of these numbers, and hands on each as it comes, replayed. Tells whether all were played; others may have been
    /// taken back meanwhile.
    fn play(
        &self,
        orders: &Orders,
        weights: Option<&Weights>,
        numbers: &[u32],
        stop: &Stop,
        heard: &mut dyn FnMut(News) -> Result<(), NetError>,
    ) -> Result<bool, NetError>;
}

/// Workers at a NATS server.
pub struct Workers(pub Arc<Nats>);

impl Crew for Workers {
    fn play(
        &self,
        orders: &Orders,
        weights: Option<&Weights>,
        numbers: &[u32],
        stop: &Stop,
        heard: &mut dyn FnMut(News) -> Result<(), NetError>,
    ) -> Result<bool, NetError> {
        self.0.share(orders.shared(weights))?;
        play_on(&*self.0, orders, numbers, stop, heard)
    }
}

/// Plays games on a grid whose executors have what the orders share.
pub fn play_on(
    grid: &dyn Grid<GamesTask>,
    orders: &Orders,
    numbers: &[u32],
    stop: &Stop,
    heard: &mut dyn FnMut(News) -> Result<(), NetError>,
) -> Result<bool, NetError> {
    let tasks = orders.tasks(numbers);
    let mut collector = Collector { hall: orders.hall(1), tasks: &tasks, count: 0, trouble: None, heard };
    grid.run(&tasks, stop, &mut collector)?;
    collector.trouble.map_or(Ok(collector.count == numbers.len()), Err)
}

/// Replays games as they come, and hands them on.
struct Collector<'a> {
    hall: Hall<'a>,
    tasks: &'a [GamesTask],
    count: usize,
    trouble: Option<NetError>,
    heard: &'a mut dyn FnMut(News) -> Result<(), NetError>,
}

impl Ledger<GamesTask> for Collector<'_> {
    fn done(&mut self, place: usize, done: Vec<Transcript>) -> Verdict {
        let games = match replayed(&self.hall, &self.tasks[place], &done) {
            Ok(games) => games,
            Err(why) => return Verdict::Rejected(why),
        };
        for game in games {
            self.count += 1;
            if let Err(error) = (self.heard)(News::Played(Box::new(game))) {
                self.trouble = Some(error);
                return Verdict::Enough;
            }
        }
        Verdict::Counted
    }

    fn retract(&mut self, places: &[usize]) -> Result<(), String> {
        let games: Vec<u32> = places.iter().flat_map(|place| &self.tasks[*place].games).copied().collect();
        self.count -= games.len();
        (self.heard)(News::Retracted(games)).map_err(|error| error.to_string())
    }

    fn retract_earlier(&mut self, results: &[Earlier]) -> Result<(), String> {
        if results.iter().any(|result| !result.same_files) {
            return Err(
                "networks of this training have learned from them; begin it again in another directory"
                    .to_owned(),
            );
        }
        let games = |result: &Earlier| {
            games_of_id(&result.id).ok_or_else(|| format!("\"{}\" is no task of self-play", result.id))
        };
        let ranges = results.iter().map(games).collect::<Result<Vec<_>, String>>()?;
        (self.heard)(News::Retracted(ranges.into_iter().flatten().collect()))
            .map_err(|error| error.to_string())
    }
}

/// The games from the first to the last of a task that is called so. Some may be another's: they are played again too.
fn games_of_id(id: &str) -> Option<RangeInclusive<u32>> {
    let number = |text: &str| text.parse::<u32>().ok()?.checked_sub(1);
    if let Some(only) = id.strip_prefix("game ") {
        let only = number(only)?;
        return Some(only..=only);
    }
    let (first, last) = id.strip_prefix("games ")?.split_once(" to ")?;
    Some(number(first)?..=number(last)?)
}

/// The games of a task as they are learned from, or why they are not its games.
fn replayed(hall: &Hall<'_>, task: &GamesTask, done: &[Transcript]) -> Result<Vec<Played>, String> {
    if !done.iter().map(|game| game.game).eq(task.games.iter().copied()) {
        return Err("its games are not those that were asked for".to_owned());
    }
    done.iter().map(|game| game.replay(hall)).collect()
}

/// Plays games of somebody else's training.
pub struct Visitor {
    orders: Orders,
    network: Option<Network>,
}

impl Visitor {
    /// An executor for a run that came with these files.
    pub fn new(shared: &Shared) -> Result<Visitor, String> {
        let Document { orders, arithmetic } = shared.document(ORDERS)?;
        let network = match shared.files.get(WEIGHTS) {
            Some(bytes) => {
                let weights =
                    Weights::from_bytes(bytes, Path::new(WEIGHTS)).map_err(|error| error.to_string())?;
                Some(Network::new(&weights).forgetful())
            }
            None => None,
        };
        if network.as_ref().map(probe) != arithmetic {
            return Err("this processor is of another kind than the coordinator's: its networks differ in the last bits, \
                        and so would the games"
                .to_owned());
        }
        Ok(Visitor { orders, network })
    }
}

impl Executor<GamesTask> for Visitor {
    fn perform(&mut self, task: &GamesTask, stop: &Stop) -> Result<Option<Vec<Transcript>>, String> {
        let evaluator: &dyn PolicyValue<QuantumGame> = match &self.network {
            Some(network) => network,
            None => &HandMade,
        };
        let mut games = Vec::with_capacity(task.games.len());
        let whole = self.orders.hall(1).play(evaluator, &task.games, stop, &mut |game| {
            games.push(Transcript::new(&game));
            Ok(())
        });
        games.sort_by_key(|game| game.game);
        Ok(whole.map_err(|error| error.to_string())?.then_some(games))
    }
}

/// What a network says of some states, to the last bit: the same on processors of the same kind.
fn probe(network: &Network) -> String {
    let knobs = Knobs::default();
    let mut said = String::new();
    for number in 0..PROBES {
        let (game, actions) = Transcript::opening(number, &knobs);
        writeln!(said, "{:?}", network.verdict(&game, &actions)).expect("a String takes all text");
    }
    fingerprint(said.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::architecture::Architecture;
    use tabia_grid::Local;

    fn orders() -> Orders {
        let knobs =
            Knobs { ply_limit: 24, games_at_once: 3, candidates: 4, full_share: 0.5, ..Knobs::default() };
        Orders { knobs, simulations: 8, quick_simulations: 4, seed: 5 }
    }

    fn network() -> Weights {
        Weights::fresh(Architecture::ours(16, 1), 3)
    }

    fn played(weights: Option<&Weights>) -> Vec<Played> {
        let network = weights.map(|weights| Network::new(weights).forgetful());
        let evaluator: &dyn PolicyValue<QuantumGame> = match &network {
            Some(network) => network,
            None => &HandMade,
        };
        let numbers: Vec<u32> = (0..11).collect();
        let mut games = Vec::new();
        let orders = orders();
        let hall = orders.hall(1);
        hall.play(evaluator, &numbers, &Stop::new(), &mut |game| {
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
            let shared = orders().shared(weights.as_ref());
            let grid = Local::new(3, 8 << 20, |_| {
                Box::new(Visitor::new(&shared).unwrap()) as Box<dyn Executor<GamesTask>>
            });
            let mut games = Vec::new();
            let numbers: Vec<u32> = (0..11).collect();
            let whole = play_on(&grid, &orders(), &numbers, &Stop::new(), &mut |news| {
                if let News::Played(game) = news {
                    games.push(*game);
                }
                Ok(())
            });
            assert!(whole.unwrap());
            games.sort_by_key(|game| game.number);
            assert!(games == played(weights.as_ref()));
            assert!(games.iter().any(|game| game.samples.iter().any(|sample| !sample.moves.is_empty())));
        }
    }

    #[test]
    fn tasks_stay_the_same_as_long_as_none_of_their_games_is_there() {
        let orders =
            Orders { knobs: Knobs { ply_limit: 512, full_share: 0.5, ..Knobs::default() }, ..orders() };
        assert_eq!(orders.games_a_task(), 1);
        let orders = Orders { knobs: Knobs { ply_limit: 60, full_share: 0.5, ..Knobs::default() }, ..orders };
        assert_eq!(orders.games_a_task(), 8);
        let games = |missing: &[u32]| -> Vec<Vec<u32>> {
            orders.tasks(missing).into_iter().map(|task| task.games).collect()
        };
        let all: Vec<u32> = (0..20).collect();
        assert_eq!(games(&all), [(0..8).collect::<Vec<u32>>(), (8..16).collect(), (16..20).collect()]);
        assert_eq!(games(&all[8..]), games(&all)[1..]);
        assert_eq!(games(&[3, 9]), [[3], [9]]);
        assert_eq!(orders.tasks(&all)[1].id(), "games 9 to 16");
        let found = |task: &GamesTask| games_of_id(&task.id()).unwrap().collect::<Vec<u32>>();
        assert!(orders.tasks(&all).iter().all(|task| found(task) == task.games));
        assert_eq!(games_of_id(&orders.tasks(&[3])[0].id()), Some(3..=3));
        assert_eq!(games_of_id("no games"), None);
    }

    #[test]
    fn what_cannot_have_been_played_is_no_game() {
        let orders = orders();
        let hall = orders.hall(1);
        let right: Vec<Transcript> = played(None)[..2].iter().map(Transcript::new).collect();
        let task = GamesTask { games: vec![0, 1] };
        assert_eq!(replayed(&hall, &task, &right).unwrap().len(), 2);
        let wrong = |change: &dyn Fn(&mut Vec<Transcript>)| {
            let mut games = right.clone();
            change(&mut games);
            replayed(&hall, &task, &games).unwrap_err()
        };
        assert!(wrong(&|games| games.swap(0, 1)).contains("not those that were asked for"));
        assert!(wrong(&|games| drop(games.pop())).contains("not those that were asked for"));
        assert!(wrong(&|games| games[1].plies[3].ply = "a1a8".to_owned()).contains("ply 4 (a1a8)"));
        assert!(wrong(&|games| games[0].plies[2].ply += "+").contains("ply 3"));
        assert!(wrong(&|games| games[0].plies[2].thought = 1.5).contains("no chance"));
        assert!(wrong(&|games| games[0].plies[2].thought = f64::NAN).contains("no chance"));
        assert!(wrong(&|games| games[0].plies[2].shares = vec![65_535]).contains("legal moves"));
        assert!(wrong(&|games| drop(games[0].plies.pop())).contains("is not over"));
        let more = |games: &mut Vec<Transcript>| {
            let last = games[0].plies[0].clone();
            games[0].plies.push(last);
        };
        assert!(wrong(&more).contains("over before it"));
    }

    #[test]
    fn a_worker_whose_network_answers_otherwise_does_not_play() {
        let right = orders().shared(Some(&network()));
        assert!(Visitor::new(&right).is_ok());
        let text = String::from_utf8(right.files[ORDERS].clone()).unwrap();
        let at = text.find("arithmetic\":\"").unwrap() + "arithmetic\":\"".len();
        let other = if text.as_bytes()[at] == b'0' { "1" } else { "0" };
        let changed = format!("{}{other}{}", &text[..at], &text[at + 1..]);
        let wrong = right.clone().with(ORDERS, changed.into_bytes());
        assert!(Visitor::new(&wrong).err().unwrap().contains("of another kind"));
    }
}
