//! Executes tasks. Agents and openings are cached; results do not depend on the cache.

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
use crate::task::{GameTask, Opponent, Task, TaskKind, TaskResult};

/// Cached openings: a generation shares them.
const OPENING_CACHE: usize = 64;
/// Transposition table of the engine's search in MB: depths are small.
const HASH_MB: usize = 1;

/// Executes tasks one after another. The catalogue is borrowed or shared.
pub struct TaskExecutor<C> {
    catalogue: C,
    agents: HashMap<String, Box<dyn Agent<ChessGame>>>,
    openings: HashMap<(u64, OpeningSettings), ChessGame>,
}

/// A grid of threads in this process, with agents from a catalogue.
pub fn local_grid(count: usize, catalogue: &Catalogue<ChessGame>) -> Local<'_, Task> {
    Local::new(count, engine::STACK_BYTES, move |_| Box::new(TaskExecutor::new(catalogue)))
}

impl<C: Deref<Target = Catalogue<ChessGame>> + Send> Executor<Task> for TaskExecutor<C> {
    fn perform(&mut self, task: &Task, stop: &Stop) -> Result<Option<TaskResult>, String> {
        TaskExecutor::perform(self, task, stop).map_err(|error| error.to_string())
    }
}

impl<C: Deref<Target = Catalogue<ChessGame>>> TaskExecutor<C> {
    /// An executor with agents from a catalogue.
    pub fn new(catalogue: C) -> TaskExecutor<C> {
        TaskExecutor { catalogue, agents: HashMap::new(), openings: HashMap::new() }
    }

    /// Executes a task; `None` if stopped.
    pub fn perform(&mut self, task: &Task, stop: &Stop) -> Result<Option<TaskResult>, EvolveError> {
        let refused = EvolveError::Task;
        let evaluation =
            Chromosome::with_parameters(&task.genes).map_err(|error| refused(error.to_string()))?;
        let done =
            |fitness, points, steps| TaskResult { id: task.id.clone(), fitness, points, steps, moves: None };
        match &task.kind {
            TaskKind::Game(game) => {
                let ending = self.play(evaluation, task.search, game, stop)?;
                Ok(ending.map(|ending| TaskResult {
                    moves: Some(ending.moves.clone()),
                    ..done(ending.fitness(), Some(ending.points), ending.plies.into())
                }))
            }
            TaskKind::Positions(list) => {
                let mut agent = searcher(evaluation, task.search);
                let found = positions::solve(&mut *agent, list, stop).map_err(refused)?;
                Ok(found.map(|share| done(share, None, list.len() as u64)))
            }
            TaskKind::Mentor(list) => {
                let nearness = positions::compare_with_mentor(evaluation, list).map_err(refused)?;
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
    ) -> Result<Option<game::FinishedGame>, EvolveError> {
        let start = self.opening(task, stop)?;
        if stop.is_stopped() {
            return Ok(None);
        }
        let color = if task.white { Color::White } else { Color::Black };
        let mut own_agent = searcher(evaluation, search);
        let mut own = Side { agent: &mut *own_agent, limits: Limits::default() };
        let ending = match &task.opponent {
            Opponent::Chromosome(genes) => {
                let other = Chromosome::with_parameters(genes).map_err(|error| EvolveError::Player {
                    player: "rival".to_owned(),
                    why: error.to_string(),
                })?;
                let mut other = searcher(other, search);
                let mut rival = Side { agent: &mut *other, limits: Limits::default() };
                game::play(start, &mut own, &mut rival, color, task.max_plies, stop)
            }
            Opponent::Agent { spec, depth } => {
                let agent = self.agent(spec)?;
                agent.new_game();
                agent.reseed(task.seed);
                let mut rival = Side { agent: &mut **agent, limits: Limits::depth(*depth) };
                game::play(start, &mut own, &mut rival, color, task.max_plies, stop)
            }
        };
        ending.or_else(|error| if stop.is_stopped() { Ok(None) } else { Err(failed(&task.opponent, &error)) })
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
            if self.openings.len() >= OPENING_CACHE {
                self.openings.clear();
            }
            self.openings.insert(key, game.clone());
        }
        Ok(game)
    }

    /// The agent of a spec, built once.
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

fn failed(opponent: &Opponent, error: &AgentError) -> EvolveError {
    let player = match opponent {
        Opponent::Agent { spec, .. } => spec.clone(),
        Opponent::Chromosome(_) => "rival".to_owned(),
    };
    EvolveError::Player { player, why: error.to_string() }
}

/// A chromosome with the seed's search, or with the engine's.
///
/// The seed's search also tries killer moves first, which finds the same moves in fewer nodes: alpha-beta gives the root
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
