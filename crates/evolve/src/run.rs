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
use tabia_arena::contest::{ContestError, Manifest, RunDirectory};
use tabia_arena::whole;
use tabia_core::{Stop, seed};
use tabia_eval::chromosome::{Phases, file};
use tabia_grid::{Earlier, Grid, Ledger, Verdict};

use crate::breeding::{self, Genes, stream};
use crate::check::check;
use crate::chronicle::{Chronicle, Generation};
use crate::error::EvolveError;
use crate::files::{
    Hall, Retraction, TASKS, champion_name, founder_of, open_journal, positions_of, read_journal, write,
};
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

/// How the measuring of a generation ended.
enum Measured {
    Whole,
    Stopped,
    /// Results that an earlier generation was selected by were wrong: this one descends from them.
    Descended,
}

/// Writes down results of a generation as they come.
struct Collector<'a> {
    tasks: &'a [Task],
    all: usize,
    /// Results that were there before.
    before: usize,
    generation: u32,
    generations: u32,
    last: Option<&'a Generation>,
    results: &'a mut HashMap<String, Done>,
    journal: &'a mut File,
    file: PathBuf,
    tell: &'a mut dyn FnMut(&Progress<'_>),
    /// Whether results of before were taken back.
    retracted: bool,
    descended: bool,
    trouble: Option<EvolveError>,
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
    fn done(&mut self, place: usize, mut done: Done) -> Verdict {
        if let Err(why) = check(&self.tasks[place], &done) {
            return Verdict::Rejected(why);
        }
        done.moves = None;
        if let Err(error) = self.write(&done) {
            self.trouble = Some(error);
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

    fn retract_earlier(&mut self, results: &[Earlier]) -> Result<(), String> {
        for result in results {
            let generation = generation_of(&result.id)
                .ok_or_else(|| format!("\"{}\" is no task of an evolution", result.id))?;
            // Those of a later one are from before the evolution was started over.
            if generation < self.generation {
                self.descended = true;
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
            return Err(ContestError::Occupied(path.to_owned()).into());
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
            return Err(ContestError::Different { path: path.to_owned(), differences }.into());
        }
        settings.check()?;
        let positions = positions_of(&settings)?;
        let mut journal = open_journal(path)?;
        whole::clear(path).map_err(EvolveError::file("clear", path))?;
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
            match self.measure(grid, stop, tell)? {
                Measured::Whole => self.breed()?,
                Measured::Stopped => return Ok(None),
                Measured::Descended => self.start_over()?,
            }
        }
        self.finish().map(Some)
    }

    /// Does what is left to do of a generation.
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
                last: self.chronicle.generations.last(),
                results: &mut self.results,
                journal: &mut self.journal,
                file: self.path.join(TASKS),
                tell,
                retracted: false,
                descended: false,
                trouble: None,
            };
            let ending = grid.run(&missing, stop, &mut collector);
            let Collector { retracted, descended, trouble, .. } = collector;
            if descended {
                return Ok(Measured::Descended);
            }
            ending?;
            if let Some(trouble) = trouble {
                return Err(trouble);
            }
            if self.results.len() == all.len() {
                return Ok(Measured::Whole);
            }
            // Results of before were taken back: there is more to do.
            if !retracted || stop.is_stopped() {
                return Ok(Measured::Stopped);
            }
        }
    }

    /// Begins again with the first generation. The same seed gives the same individuals.
    fn start_over(&mut self) -> Result<(), EvolveError> {
        let founder = founder_of(&self.settings)?;
        let individuals = breeding::first_generation(&self.settings, founder.as_ref());
        self.population = Population { generation: 0, individuals };
        // Files of later generations are written over as these come again.
        write(&self.path, POPULATION, &population_text(&self.population))?;
        self.chronicle = Chronicle::default();
        self.results.clear();
        self.empty_journal()
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

/// The generation that a task is of, by its id.
fn generation_of(id: &str) -> Option<u32> {
    id.strip_prefix('g')?.split('-').next()?.parse().ok()
}

fn phases_of(genes: &[f64], path: &Path) -> Result<Phases, EvolveError> {
    Phases::from_flat(genes).map_err(|error| EvolveError::broken(path, error))
}

fn population_text(population: &Population) -> String {
    serde_json::to_string(population).expect("numbers can be written") + "\n"
}
