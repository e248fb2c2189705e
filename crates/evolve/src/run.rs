//! A run as a directory that can be interrupted and resumed at any time.
//!
//! | file | what |
//! | --- | --- |
//! | `manifest.toml` | settings, seed and version |
//! | `population.json` | genes of the current generation |
//! | `tasks.jsonl` | results of its tasks so far, one per line |
//! | `champion-0042.json`, `generation-0042.json` | a generation's champion, as `chromosome(weights=…)` reads it, and everybody's fitness |
//! | `metrics.jsonl` | best, mean and worst fitness, diversity: one line per generation |
//! | `champion.json`, `result.json`, `report.html`, `*.svg` | the final result |
//!
//! Files are written atomically. `population.json` is written last: after an interruption before it, the generation's end is repeated
//! with the same results.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabia_core::{Stop, seed};
use tabia_eval::chromosome::{Phases, file};
use tabia_grid::{EarlierResult, Grid, Ledger, Verdict};
use tabia_run::{Manifest, RunError, atomic_file};

use crate::check::check;
use crate::error::EvolveError;
use crate::files::{
    HallOfFame, KIND, MANIFEST, Retraction, TASKS, champion_name, founder_of, open_journal, positions_of,
    read_journal, read_settings, write,
};
use crate::history::{Generation, History};
use crate::operators::{self, Genes, stream};
use crate::positions::{self, LabelledPosition};
use crate::settings::{Fitness, GameSettings, Settings};
use crate::task::{GameTask, Opponent, Task, TaskKind, TaskResult};

const POPULATION: &str = "population.json";
const METRICS: &str = "metrics.jsonl";
const RESULT: &str = "result.json";
/// The champion of the last generation.
pub const CHAMPION: &str = "champion.json";

#[derive(Clone, Debug, Serialize, Deserialize)]
struct Population {
    generation: u32,
    individuals: Vec<Genes>,
}

#[derive(Serialize)]
struct FitnessFile<'a> {
    format: &'static str,
    generation: u32,
    champion: usize,
    fitness: &'a [f64],
}

/// The result of an evolution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// `finished`.
    pub ending: String,
    pub generations: u32,
    /// The champion's file.
    pub champion: String,
    pub best: f64,
    /// The mean fitness of its generation.
    pub mean: f64,
    /// The best and the mean fitness of the first generation.
    pub first: [f64; 2],
}

/// Progress after each task.
#[derive(Copy, Clone, Debug)]
pub struct Progress<'a> {
    /// The current generation, from 0.
    pub generation: u32,
    /// Of how many.
    pub generations: u32,
    /// Finished tasks of the generation.
    pub done: usize,
    /// Of how many.
    pub tasks: usize,
    /// Finished tasks since the run was started or resumed.
    pub fresh: usize,
    /// The last finished generation.
    pub last: Option<&'a Generation>,
}

/// How the execution of a generation's tasks ended.
enum Measured {
    Complete,
    Stopped,
    /// Results by which an earlier generation was selected were retracted, so that the current generation is invalid.
    Invalid,
}

/// Records the results of a generation as they arrive.
struct Collector<'a> {
    tasks: &'a [Task],
    all: usize,
    /// Number of results at the start.
    before: usize,
    generation: u32,
    generations: u32,
    last: Option<&'a Generation>,
    results: &'a mut HashMap<String, TaskResult>,
    journal: &'a mut File,
    file: PathBuf,
    tell: &'a mut dyn FnMut(&Progress<'_>),
    /// Whether earlier results of this generation were retracted.
    retracted: bool,
    /// Whether results of earlier generations were retracted.
    invalid: bool,
    failure: Option<EvolveError>,
}

impl Collector<'_> {
    fn write(&mut self, line: &impl Serialize) -> Result<(), EvolveError> {
        let line = serde_json::to_string(line).expect("texts and numbers can be written") + "\n";
        self.journal.write_all(line.as_bytes()).map_err(EvolveError::file("write", &self.file))
    }

    fn remove(&mut self, id: &str) -> Result<(), String> {
        if self.results.remove(id).is_none() {
            return Ok(());
        }
        self.write(&Retraction { retracted: id.to_owned() }).map_err(|error| error.to_string())
    }
}

impl Ledger<Task> for Collector<'_> {
    fn done(&mut self, place: usize, mut done: TaskResult) -> Verdict {
        if let Err(why) = check(&self.tasks[place], &done) {
            return Verdict::Rejected(why);
        }
        done.moves = None;
        if let Err(error) = self.write(&done) {
            self.failure = Some(error);
            return Verdict::Enough;
        }
        self.results.insert(done.id.clone(), done);
        (self.tell)(&Progress {
            generation: self.generation,
            generations: self.generations,
            done: self.results.len(),
            tasks: self.all,
            fresh: self.results.len().saturating_sub(self.before),
            last: self.last,
        });
        Verdict::Counted
    }

    fn retract(&mut self, places: &[usize]) -> Result<(), String> {
        let tasks = self.tasks;
        places.iter().try_for_each(|place| self.remove(&tasks[*place].id))
    }

    fn retract_earlier(&mut self, results: &[EarlierResult]) -> Result<(), String> {
        for result in results {
            let generation = generation_of(&result.id)
                .ok_or_else(|| format!("\"{}\" is no task of an evolution", result.id))?;
            // Results of later generations are from before the run was restarted.
            if generation < self.generation {
                self.invalid = true;
                return Err(format!("generation {generation} was selected by them"));
            }
            if generation == self.generation {
                self.retracted = true;
                self.remove(&result.id)?;
            }
        }
        Ok(())
    }
}

/// A run of the genetic algorithm.
#[derive(Debug)]
pub struct Evolution {
    path: PathBuf,
    settings: Settings,
    positions: Vec<LabelledPosition>,
    population: Population,
    history: History,
    journal: File,
    results: HashMap<String, TaskResult>,
}

impl Evolution {
    /// Starts a run in a directory without one.
    pub fn start(path: &Path, settings: Settings, version: &str) -> Result<Evolution, EvolveError> {
        settings.check()?;
        let positions = positions_of(&settings)?;
        let founder = founder_of(&settings)?;
        let manifest = Manifest::new(KIND, version, None, &settings)?;
        atomic_file::create_directory(path).map_err(EvolveError::file("make", path))?;
        if path.join(MANIFEST).exists() {
            return Err(RunError::Occupied(path.to_owned()).into());
        }
        let journal = open_journal(path)?;
        let individuals = operators::first_generation(&settings, founder.as_ref());
        let population = Population { generation: 0, individuals };
        write(path, POPULATION, &population_text(&population))?;
        write(path, MANIFEST, &manifest.write()?)?;
        let (history, results) = (History::default(), HashMap::new());
        let path = path.to_owned();
        let evolution = Evolution { path, settings, positions, population, history, journal, results };
        evolution.empty_journal()?;
        Ok(evolution)
    }

    /// Reads the settings of a run from its directory.
    pub fn settings_of(path: &Path) -> Result<(Settings, Manifest), EvolveError> {
        read_settings(path)
    }

    /// Resumes a run; `settings` must equal those it was started with.
    pub fn resume(path: &Path, settings: Settings, version: &str) -> Result<Evolution, EvolveError> {
        let (_, there) = Evolution::settings_of(path)?;
        let here = Manifest::new(KIND, version, None, &settings)?;
        if let Some(differences) = there.differences(&here) {
            return Err(RunError::Different { path: path.to_owned(), differences }.into());
        }
        settings.check()?;
        let positions = positions_of(&settings)?;
        let mut journal = open_journal(path)?;
        atomic_file::clear(path).map_err(EvolveError::file("clear", path))?;
        let file = path.join(POPULATION);
        let text = fs::read_to_string(&file).map_err(EvolveError::file("read", &file))?;
        let population: Population =
            serde_json::from_str(&text).map_err(|error| EvolveError::malformed(&file, error))?;
        let history = History::read(&path.join(METRICS), population.generation)?;
        let results = read_journal(&mut journal, &path.join(TASKS), population.generation)?;
        let path = path.to_owned();
        Ok(Evolution { path, settings, positions, population, history, journal, results })
    }

    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    pub fn history(&self) -> &History {
        &self.history
    }

    /// Number of tasks per generation.
    pub fn tasks_per_generation(&self) -> usize {
        self.settings.population * self.tasks_per_individual()
    }

    /// Results found when the run was resumed.
    pub fn done_before(&self) -> usize {
        self.results.len()
    }

    fn tasks_per_individual(&self) -> usize {
        match &self.settings.fitness {
            Fitness::Game(games) => (games.games + games.rivals + games.hall) as usize,
            Fitness::Positions(_) | Fitness::Mentor(_) => 1,
        }
    }

    /// Runs to the last generation; `None` if stopped.
    pub fn run(
        &mut self,
        grid: &dyn Grid<Task>,
        stop: &Stop,
        tell: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<Outcome>, EvolveError> {
        while self.population.generation < self.settings.generations {
            match self.measure(grid, stop, tell)? {
                Measured::Complete => self.breed()?,
                Measured::Stopped => return Ok(None),
                Measured::Invalid => self.restart()?,
            }
        }
        self.finish().map(Some)
    }

    /// Executes the missing tasks of a generation.
    fn measure(
        &mut self,
        grid: &dyn Grid<Task>,
        stop: &Stop,
        tell: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Measured, EvolveError> {
        let all = self.tasks()?;
        let before = self.results.len();
        loop {
            let missing: Vec<Task> =
                all.iter().filter(|task| !self.results.contains_key(&task.id)).cloned().collect();
            let mut collector = Collector {
                tasks: &missing,
                all: all.len(),
                before,
                generation: self.population.generation,
                generations: self.settings.generations,
                last: self.history.generations.last(),
                results: &mut self.results,
                journal: &mut self.journal,
                file: self.path.join(TASKS),
                tell,
                retracted: false,
                invalid: false,
                failure: None,
            };
            let ending = grid.run(&missing, stop, &mut collector);
            let Collector { retracted, invalid, failure, .. } = collector;
            if invalid {
                return Ok(Measured::Invalid);
            }
            ending?;
            if let Some(failure) = failure {
                return Err(failure);
            }
            if self.results.len() == all.len() {
                return Ok(Measured::Complete);
            }
            // Earlier results were retracted and have to be computed again.
            if !retracted || stop.is_stopped() {
                return Ok(Measured::Stopped);
            }
        }
    }

    /// Restarts from the first generation. The same seed gives the same individuals.
    fn restart(&mut self) -> Result<(), EvolveError> {
        let founder = founder_of(&self.settings)?;
        let individuals = operators::first_generation(&self.settings, founder.as_ref());
        self.population = Population { generation: 0, individuals };
        // Files of later generations are overwritten when those are repeated.
        write(&self.path, POPULATION, &population_text(&self.population))?;
        self.history = History::default();
        self.results.clear();
        self.empty_journal()
    }

    /// All tasks of the generation, in the order of its individuals.
    fn tasks(&self) -> Result<Vec<Task>, EvolveError> {
        let generation = self.population.generation;
        let drawn = seed::derive(seed::derive(self.settings.seed, stream::SAMPLE), generation.into());
        let kinds: Vec<TaskKind> = match &self.settings.fitness {
            Fitness::Game(_) => Vec::new(),
            Fitness::Positions(settings) => {
                vec![TaskKind::Positions(positions::sample(&self.positions, settings.sample, drawn))]
            }
            Fitness::Mentor(settings) => {
                vec![TaskKind::Mentor(positions::sample(&self.positions, settings.sample, drawn))]
            }
        };
        let mut hall = HallOfFame { path: &self.path, cache: HashMap::new() };
        let mut tasks = Vec::with_capacity(self.tasks_per_generation());
        for (individual, genes) in self.population.individuals.iter().enumerate() {
            let kinds = match &self.settings.fitness {
                Fitness::Game(games) => self.games(games, individual, &mut hall)?,
                _ => kinds.clone(),
            };
            for (number, kind) in kinds.into_iter().enumerate() {
                let id = task_id(generation, individual, number);
                tasks.push(Task { id, genes: genes.clone(), search: self.settings.search, kind });
            }
        }
        Ok(tasks)
    }

    /// Games of an individual: against the opponent, others of its generation, and earlier champions. All individuals of a generation
    /// play the same openings with the same colours, to reduce variance.
    fn games(
        &self,
        games: &GameSettings,
        individual: usize,
        hall: &mut HallOfFame<'_>,
    ) -> Result<Vec<TaskKind>, EvolveError> {
        let generation = self.population.generation;
        let number_of = |what| seed::derive(seed::derive(self.settings.seed, what), generation.into());
        let (openings, pairing) = (number_of(stream::OPENINGS), number_of(stream::PAIRING));
        let others = self.settings.population - 1;
        let mut works = Vec::new();
        for number in 0..games.games + games.rivals + games.hall {
            let draw = seed::derive(pairing, number.into());
            let agent = || Opponent::Agent { spec: games.opponent.clone(), depth: games.opponent_depth };
            let opponent =
                if number < games.games || (number >= games.games + games.rivals && generation == 0) {
                    agent()
                } else if number < games.games + games.rivals {
                    // A cyclic shift: everyone plays one game each way.
                    let step = 1 + (draw % others as u64) as usize;
                    let place = (individual + step) % self.settings.population;
                    Opponent::Chromosome(self.population.individuals[place].clone())
                } else {
                    Opponent::Chromosome(hall.champion((draw % u64::from(generation)) as u32)?)
                };
            works.push(TaskKind::Game(GameTask {
                seed: seed::derive(openings, number.into()),
                opening: games.opening.clone(),
                white: (generation + number).is_multiple_of(2),
                opponent,
                max_plies: games.max_plies,
            }));
        }
        Ok(works)
    }

    /// Writes the generation's results and breeds the next one.
    fn breed(&mut self) -> Result<(), EvolveError> {
        let Population { generation, individuals } = &self.population;
        let generation = *generation;
        let each = self.tasks_per_individual();
        let mut results = Vec::with_capacity(self.results.len());
        let mut fitness = Vec::with_capacity(individuals.len());
        for individual in 0..individuals.len() {
            let mut sum = 0.0;
            for number in 0..each {
                let id = task_id(generation, individual, number);
                let done = self.results.get(&id).ok_or_else(|| {
                    EvolveError::malformed(&self.path.join(TASKS), format!("the result of {id} is missing"))
                })?;
                sum += done.fitness;
                results.push(done);
            }
            fitness.push(sum / each as f64);
        }
        let champion = operators::ranked(&fitness)[0];
        let weights = phases_of(&individuals[champion], &self.path.join(POPULATION))?;
        write(&self.path, &champion_name(generation), &file::write(&weights))?;
        let file = FitnessFile { format: "tabia-generation/1", generation, champion, fitness: &fitness };
        let text = serde_json::to_string(&file).expect("numbers can be written") + "\n";
        write(&self.path, &format!("generation-{generation:04}.json"), &text)?;
        let line = Generation::new(&self.settings, generation, individuals, &fitness, &results);
        self.history.generations.push(line);
        write(&self.path, METRICS, &self.history.write())?;
        let next = operators::next_generation(&self.settings, generation, individuals, &fitness);
        self.population = Population { generation: generation + 1, individuals: next };
        write(&self.path, POPULATION, &population_text(&self.population))?;
        self.results.clear();
        self.empty_journal()
    }

    fn empty_journal(&self) -> Result<(), EvolveError> {
        let mut file = &self.journal;
        file.set_len(0)
            .and_then(|()| file.seek(SeekFrom::Start(0)).map(|_| ()))
            .map_err(EvolveError::file("empty", &self.path.join(TASKS)))
    }

    /// Writes the result and the report.
    fn finish(&self) -> Result<Outcome, EvolveError> {
        let generations = &self.history.generations;
        let (Some(first), Some(last)) = (generations.first(), generations.last()) else {
            return Err(EvolveError::malformed(&self.path.join(METRICS), "it has no generation"));
        };
        let name = champion_name(last.generation);
        let champion = fs::read_to_string(self.path.join(&name))
            .map_err(EvolveError::file("read", &self.path.join(&name)))?;
        write(&self.path, CHAMPION, &champion)?;
        let outcome = Outcome {
            ending: "finished".to_owned(),
            generations: self.settings.generations,
            champion: name,
            best: last.best,
            mean: last.mean,
            first: [first.best, first.mean],
        };
        let text = serde_json::to_string_pretty(&outcome).expect("texts and numbers can be written") + "\n";
        write(&self.path, RESULT, &text)?;
        crate::report::report(&self.path)?;
        Ok(outcome)
    }
}

fn task_id(generation: u32, individual: usize, number: usize) -> String {
    format!("g{generation}-i{individual}-n{number}")
}

/// The generation that a task is of, by its id.
fn generation_of(id: &str) -> Option<u32> {
    id.strip_prefix('g')?.split('-').next()?.parse().ok()
}

fn phases_of(genes: &[f64], path: &Path) -> Result<Phases, EvolveError> {
    Phases::from_flat(genes).map_err(|error| EvolveError::malformed(path, error))
}

fn population_text(population: &Population) -> String {
    serde_json::to_string(population).expect("numbers can be written") + "\n"
}
