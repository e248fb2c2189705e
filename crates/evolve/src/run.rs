//! An evolution as a directory, from its first generation to its last, with any number of interruptions.
//!
//! | file | what |
//! | --- | --- |
//! | `manifest.toml` | what was asked, seed and version |
//! | `population.json` | the generation that is being measured: all genes |
//! | `tasks.jsonl` | results of its tasks so far, a line each, in the order in which they came |
//! | `champion-0042.json`, `generation-0042.json` | a generation's champion, as `chromosome(weights=…)` reads it, and everybody's fitness |
//! | `metrics.jsonl` | best, mean and worst fitness, diversity: a line a generation |
//! | `champion.json`, `result.json`, `report.html`, `*.svg` | what came of it |
//!
//! Files are whole or not there. `population.json` is written last: whatever happens before it is done again, with the same results.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use tabia_core::{Stop, seed};
use tabia_eval::chromosome::{Phases, file};
use tabia_grid::{Grid, Verdict};
use tabia_run::{Manifest, RunDirectory, RunError, atomic_file};

use crate::breeding::{self, Genes, stream};
use crate::check::check;
use crate::chronicle::{Chronicle, Generation};
use crate::error::EvolveError;
use crate::files::{Hall, TASKS, champion_name, founder_of, open_journal, positions_of, read_journal, write};
use crate::positions::{self, Labelled};
use crate::settings::{Fitness, GameSettings, Settings};
use crate::task::{Done, GameTask, Rival, Task, Work};

/// What a run is called in its manifest.
pub const KIND: &str = "evolve";

const MANIFEST: &str = "manifest.toml";
const POPULATION: &str = "population.json";
const METRICS: &str = "metrics.jsonl";
const RESULT: &str = "result.json";
/// The champion of the last generation.
pub const CHAMPION: &str = "champion.json";

/// Where an evolution stands.
#[derive(Clone, Debug, Serialize, Deserialize)]
struct Population {
    generation: u32,
    individuals: Vec<Genes>,
}

/// Everybody's fitness in a generation.
#[derive(Serialize)]
struct Standing<'a> {
    format: &'static str,
    generation: u32,
    champion: usize,
    fitness: &'a [f64],
}

/// What came of an evolution.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// `finished`.
    pub ending: String,
    /// Generations.
    pub generations: u32,
    /// The champion's file.
    pub champion: String,
    /// Its fitness.
    pub best: f64,
    /// The mean fitness of its generation.
    pub mean: f64,
    /// The best and the mean fitness of the first generation.
    pub first: [f64; 2],
}

/// How far it has come, after each task.
#[derive(Copy, Clone, Debug)]
pub struct Progress<'a> {
    /// The generation that is being measured, from 0.
    pub generation: u32,
    /// Of how many.
    pub generations: u32,
    /// Tasks of it that are done.
    pub done: usize,
    /// Of how many.
    pub tasks: usize,
    /// How many of them were done now, and not before an interruption.
    pub fresh: usize,
    /// The last generation that was measured whole.
    pub last: Option<&'a Generation>,
}

/// An evolution, to be begun or gone on with.
#[derive(Debug)]
pub struct Evolution {
    path: PathBuf,
    settings: Settings,
    positions: Vec<Labelled>,
    population: Population,
    chronicle: Chronicle,
    journal: File,
    results: HashMap<String, Done>,
}

impl Evolution {
    /// Begins an evolution in a directory that has none.
    pub fn start(path: &Path, settings: Settings, version: &str) -> Result<Evolution, EvolveError> {
        settings.check()?;
        let positions = positions_of(&settings)?;
        let founder = founder_of(&settings)?;
        let manifest = Manifest::new(KIND, version, None, &settings)?;
        fs::create_dir_all(path).map_err(EvolveError::file("make", path))?;
        if path.join(MANIFEST).exists() {
            return Err(RunError::Occupied(path.to_owned()).into());
        }
        let journal = open_journal(path)?;
        let individuals = breeding::first_generation(&settings, founder.as_ref());
        let population = Population { generation: 0, individuals };
        write(path, POPULATION, &population_text(&population))?;
        write(path, MANIFEST, &manifest.write()?)?;
        let (chronicle, results) = (Chronicle::default(), HashMap::new());
        let path = path.to_owned();
        let evolution = Evolution { path, settings, positions, population, chronicle, journal, results };
        evolution.empty_journal()?;
        Ok(evolution)
    }

    /// The settings of the evolution in a directory.
    pub fn settings_of(path: &Path) -> Result<(Settings, Manifest), EvolveError> {
        let (_, manifest) = RunDirectory::open(path)?;
        if manifest.kind != KIND {
            return Err(EvolveError::broken(
                &path.join(MANIFEST),
                format!("this is a run of another kind: {}", manifest.kind),
            ));
        }
        Ok((manifest.settings(path)?, manifest))
    }

    /// Goes on with an evolution; `settings` must be those it was begun with.
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
            serde_json::from_str(&text).map_err(|error| EvolveError::broken(&file, error))?;
        let chronicle = Chronicle::read(&path.join(METRICS), population.generation)?;
        let results = read_journal(&mut journal, &path.join(TASKS), population.generation)?;
        let path = path.to_owned();
        Ok(Evolution { path, settings, positions, population, chronicle, journal, results })
    }

    /// What was asked.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// How it went so far.
    pub fn chronicle(&self) -> &Chronicle {
        &self.chronicle
    }

    /// Tasks of one generation.
    pub fn tasks_a_generation(&self) -> usize {
        self.settings.population * self.tasks_an_individual()
    }

    /// Results that were there when it was taken up again.
    pub fn done_before(&self) -> usize {
        self.results.len()
    }

    fn tasks_an_individual(&self) -> usize {
        match &self.settings.fitness {
            Fitness::Game(games) => (games.games + games.rivals + games.hall) as usize,
            Fitness::Positions(_) | Fitness::Mentor(_) => 1,
        }
    }

    /// Goes on to the last generation; what came of it, or none when it was stopped.
    pub fn run(
        &mut self,
        grid: &dyn Grid<Task>,
        stop: &Stop,
        tell: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<Option<Outcome>, EvolveError> {
        while self.population.generation < self.settings.generations {
            if !self.measure(grid, stop, tell)? {
                return Ok(None);
            }
            self.breed()?;
        }
        self.finish().map(Some)
    }

    /// Does what is left to do of a generation; whether all is done.
    fn measure(
        &mut self,
        grid: &dyn Grid<Task>,
        stop: &Stop,
        tell: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<bool, EvolveError> {
        let all = self.tasks()?;
        let missing: Vec<Task> =
            all.iter().filter(|task| !self.results.contains_key(&task.id)).cloned().collect();
        let before = self.results.len();
        let Evolution { journal, results, path, population, settings, chronicle, .. } = self;
        let file = path.join(TASKS);
        let mut trouble = None;
        grid.run(&missing, stop, &mut |place: usize, mut done: Done| {
            if let Err(why) = check(&missing[place], &done) {
                return Verdict::Rejected(why);
            }
            done.moves = None;
            let line = serde_json::to_string(&done).expect("texts and numbers can be written") + "\n";
            if let Err(error) = journal.write_all(line.as_bytes()) {
                trouble = Some(EvolveError::file("write", &file)(error));
                return Verdict::Enough;
            }
            results.insert(done.id.clone(), done);
            tell(&Progress {
                generation: population.generation,
                generations: settings.generations,
                done: results.len(),
                tasks: all.len(),
                fresh: results.len() - before,
                last: chronicle.generations.last(),
            });
            Verdict::Counted
        })?;
        trouble.map_or(Ok(results.len() == all.len()), Err)
    }

    /// All tasks of the generation, in the order of its individuals.
    fn tasks(&self) -> Result<Vec<Task>, EvolveError> {
        let generation = self.population.generation;
        let drawn = seed::derive(seed::derive(self.settings.seed, stream::SAMPLE), generation.into());
        let works: Vec<Work> = match &self.settings.fitness {
            Fitness::Game(_) => Vec::new(),
            Fitness::Positions(settings) => {
                vec![Work::Positions(positions::sample(&self.positions, settings.sample, drawn))]
            }
            Fitness::Mentor(settings) => {
                vec![Work::Mentor(positions::sample(&self.positions, settings.sample, drawn))]
            }
        };
        let mut hall = Hall { path: &self.path, known: HashMap::new() };
        let mut tasks = Vec::with_capacity(self.tasks_a_generation());
        for (individual, genes) in self.population.individuals.iter().enumerate() {
            let works = match &self.settings.fitness {
                Fitness::Game(games) => self.games(games, individual, &mut hall)?,
                _ => works.clone(),
            };
            for (number, work) in works.into_iter().enumerate() {
                let id = task_id(generation, individual, number);
                tasks.push(Task { id, genes: genes.clone(), search: self.settings.search, work });
            }
        }
        Ok(tasks)
    }

    /// The games of an individual: against the opponent, rivals, and champions of before. All of a generation begin with the same
    /// openings and the same colours, so that luck is shared.
    fn games(
        &self,
        games: &GameSettings,
        individual: usize,
        hall: &mut Hall<'_>,
    ) -> Result<Vec<Work>, EvolveError> {
        let generation = self.population.generation;
        let number_of = |what| seed::derive(seed::derive(self.settings.seed, what), generation.into());
        let (openings, pairing) = (number_of(stream::OPENINGS), number_of(stream::PAIRING));
        let others = self.settings.population - 1;
        let mut works = Vec::new();
        for number in 0..games.games + games.rivals + games.hall {
            let luck = seed::derive(pairing, number.into());
            let agent = || Rival::Agent { spec: games.opponent.clone(), depth: games.opponent_depth };
            let rival = if number < games.games || (number >= games.games + games.rivals && generation == 0) {
                agent()
            } else if number < games.games + games.rivals {
                // Everybody meets the one so many places on, and is met by one.
                let step = 1 + (luck % others as u64) as usize;
                let place = (individual + step) % self.settings.population;
                Rival::Chromosome(self.population.individuals[place].clone())
            } else {
                Rival::Chromosome(hall.champion((luck % u64::from(generation)) as u32)?)
            };
            works.push(Work::Game(GameTask {
                seed: seed::derive(openings, number.into()),
                opening: games.opening.clone(),
                white: (generation + number).is_multiple_of(2),
                rival,
                max_plies: games.max_plies,
            }));
        }
        Ok(works)
    }

    /// Writes down how the generation did, and makes the next one.
    fn breed(&mut self) -> Result<(), EvolveError> {
        let Population { generation, individuals } = &self.population;
        let generation = *generation;
        let each = self.tasks_an_individual();
        let mut results = Vec::with_capacity(self.results.len());
        let mut fitness = Vec::with_capacity(individuals.len());
        for individual in 0..individuals.len() {
            let mut sum = 0.0;
            for number in 0..each {
                let id = task_id(generation, individual, number);
                let done = self.results.get(&id).ok_or_else(|| {
                    EvolveError::broken(&self.path.join(TASKS), format!("there is no result of {id}"))
                })?;
                sum += done.fitness;
                results.push(done);
            }
            fitness.push(sum / each as f64);
        }
        let champion = breeding::ranked(&fitness)[0];
        let weights = phases_of(&individuals[champion], &self.path.join(POPULATION))?;
        write(&self.path, &champion_name(generation), &file::write(&weights))?;
        let standing = Standing { format: "tabia-generation/1", generation, champion, fitness: &fitness };
        let text = serde_json::to_string(&standing).expect("numbers can be written") + "\n";
        write(&self.path, &format!("generation-{generation:04}.json"), &text)?;
        let line = Generation::new(&self.settings, generation, individuals, &fitness, &results);
        self.chronicle.generations.push(line);
        write(&self.path, METRICS, &self.chronicle.write())?;
        let next = breeding::next_generation(&self.settings, generation, individuals, &fitness);
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

    /// Writes what came of it.
    fn finish(&self) -> Result<Outcome, EvolveError> {
        let generations = &self.chronicle.generations;
        let (Some(first), Some(last)) = (generations.first(), generations.last()) else {
            return Err(EvolveError::broken(&self.path.join(METRICS), "there is no generation in it"));
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

fn phases_of(genes: &[f64], path: &Path) -> Result<Phases, EvolveError> {
    Phases::from_flat(genes).map_err(|error| EvolveError::broken(path, error))
}

fn population_text(population: &Population) -> String {
    serde_json::to_string(population).expect("numbers can be written") + "\n"
}
