//! Whoever does tasks: it keeps the players and openings that it made, and nothing that a result could depend on.

use std::collections::HashMap;
use std::ops::Deref;

use shakmaty::Color;
use tabia_core::{Agent, AgentError, Catalogue, ChessGame, Limits, Stop};
use tabia_eval::chromosome::Chromosome;
use tabia_grid::{Executor, Local};
use tabia_search::classic::{Classic, Settings as ClassicSettings};
use tabia_search::engine;
use tabia_search::player::{EnginePlayer, OwnLimits};

use crate::error::EvolveError;
use crate::game::{self, Side};
use crate::positions;
use crate::settings::{OpeningSettings, SearchKind, SearchSettings};
use crate::task::{Done, GameTask, Rival, Task, Work};

/// Openings are remembered, as all of a generation begin with the same; so many at most.
const OPENINGS_KEPT: usize = 64;
/// The strong search's table: enough for the few plies that chromosomes look ahead.
const HASH_MB: usize = 1;

/// Does tasks, one after the other. The catalogue is borrowed, or shared.
pub struct Worker<C> {
    catalogue: C,
    agents: HashMap<String, Box<dyn Agent<ChessGame>>>,
    openings: HashMap<(u64, OpeningSettings), ChessGame>,
}

/// Threads of this process, with players from a catalogue.
pub fn on_threads(count: usize, catalogue: &Catalogue<ChessGame>) -> Local<'_, Task> {
    Local::new(count, engine::STACK_BYTES, move |_| Box::new(Worker::new(catalogue)))
}

impl<C: Deref<Target = Catalogue<ChessGame>> + Send> Executor<Task> for Worker<C> {
    fn perform(&mut self, task: &Task, stop: &Stop) -> Result<Option<Done>, String> {
        Worker::perform(self, task, stop).map_err(|error| error.to_string())
    }
}

impl<C: Deref<Target = Catalogue<ChessGame>>> Worker<C> {
    /// One that finds its players in a catalogue.
    pub fn new(catalogue: C) -> Worker<C> {
        Worker { catalogue, agents: HashMap::new(), openings: HashMap::new() }
    }

    /// Does a task. None when it was stopped: then nothing came of it.
    pub fn perform(&mut self, task: &Task, stop: &Stop) -> Result<Option<Done>, EvolveError> {
        let refused = EvolveError::Task;
        let evaluation =
            Chromosome::with_parameters(&task.genes).map_err(|error| refused(error.to_string()))?;
        let done = |fitness, points, steps| Done { id: task.id.clone(), fitness, points, steps, moves: None };
        match &task.work {
            Work::Game(game) => {
                let ending = self.play(evaluation, task.search, game, stop)?;
                Ok(ending.map(|ending| Done {
                    moves: Some(ending.moves.clone()),
                    ..done(ending.fitness(), Some(ending.points), ending.plies.into())
                }))
            }
            Work::Positions(list) => {
                let mut agent = searcher(evaluation, task.search);
                let found = positions::solve(&mut *agent, list, stop).map_err(refused)?;
                Ok(found.map(|share| done(share, None, list.len() as u64)))
            }
            Work::Mentor(list) => {
                let nearness = positions::agree(evaluation, list).map_err(refused)?;
                Ok(Some(done(nearness, None, list.len() as u64)))
            }
        }
    }

    fn play(
        &mut self,
        evaluation: Chromosome,
        search: SearchSettings,
        task: &GameTask,
        stop: &Stop,
    ) -> Result<Option<game::Ending>, EvolveError> {
        let start = self.opening(task, stop)?;
        if stop.is_stopped() {
            return Ok(None);
        }
        let color = if task.white { Color::White } else { Color::Black };
        let mut own_agent = searcher(evaluation, search);
        let mut own = Side { agent: &mut *own_agent, limits: Limits::default() };
        let ending = match &task.rival {
            Rival::Chromosome(genes) => {
                let other = Chromosome::with_parameters(genes).map_err(|error| EvolveError::Player {
                    player: "rival".to_owned(),
                    why: error.to_string(),
                })?;
                let mut other = searcher(other, search);
                let mut rival = Side { agent: &mut *other, limits: Limits::default() };
                game::play(start, &mut own, &mut rival, color, task.max_plies, stop)
            }
            Rival::Agent { spec, depth } => {
                let agent = self.agent(spec)?;
                agent.new_game();
                agent.reseed(task.seed);
                let mut rival = Side { agent: &mut **agent, limits: Limits::depth(*depth) };
                game::play(start, &mut own, &mut rival, color, task.max_plies, stop)
            }
        };
        ending.or_else(|error| if stop.is_stopped() { Ok(None) } else { Err(failed(&task.rival, &error)) })
    }

    fn opening(&mut self, task: &GameTask, stop: &Stop) -> Result<ChessGame, EvolveError> {
        let key = (task.seed, task.opening.clone());
        if let Some(game) = self.openings.get(&key) {
            return Ok(game.clone());
        }
        let spec = &task.opening.agent;
        let agent = self.agent(spec)?;
        let game = match game::opening(&mut **agent, &task.opening, task.seed, stop) {
            Ok(game) => game,
            Err(_) if stop.is_stopped() => return Ok(ChessGame::default()),
            Err(error) => return Err(EvolveError::Player { player: spec.clone(), why: error.to_string() }),
        };
        if !stop.is_stopped() {
            if self.openings.len() >= OPENINGS_KEPT {
                self.openings.clear();
            }
            self.openings.insert(key, game.clone());
        }
        Ok(game)
    }

    /// The agent of a spec, made once.
    fn agent(&mut self, spec: &str) -> Result<&mut Box<dyn Agent<ChessGame>>, EvolveError> {
        if !self.agents.contains_key(spec) {
            let agent = self
                .catalogue
                .build_from_text(spec)
                .map_err(|error| EvolveError::Player { player: spec.to_owned(), why: error.to_string() })?;
            self.agents.insert(spec.to_owned(), agent);
        }
        Ok(self.agents.get_mut(spec).expect("it was just put there"))
    }
}

fn failed(rival: &Rival, error: &AgentError) -> EvolveError {
    let player = match rival {
        Rival::Agent { spec, .. } => spec.clone(),
        Rival::Chromosome(_) => "rival".to_owned(),
    };
    EvolveError::Player { player, why: error.to_string() }
}

/// A chromosome on the seed's search, or on the strong one.
///
/// Of the seed's, killer moves are tried early within the tree, which finds the same moves in fewer nodes: alpha-beta gives the root
/// the same values in whatever order the tree below is searched.
pub(crate) fn searcher(evaluation: Chromosome, search: SearchSettings) -> Box<dyn Agent<ChessGame>> {
    let SearchSettings { kind, depth, quiescence, checks } = search;
    match kind {
        SearchKind::Plain => {
            let settings =
                ClassicSettings { depth, quiescence, checks, killers: true, ..ClassicSettings::ALPHABETA };
            Box::new(Classic::new(evaluation, settings))
        }
        SearchKind::Engine => {
            let settings = engine::Settings { hash_mb: HASH_MB, ..engine::Settings::default() };
            let limits = OwnLimits { depth: Some(depth), nodes: None };
            Box::new(EnginePlayer::new(evaluation, settings, limits))
        }
    }
}
