//! A reproduction as a directory: finished steps are stored and not repeated.
//!
//! | file | what |
//! | --- | --- |
//! | `manifest.toml` | settings and version |
//! | `step-axiomx-mates.json` | findings of a step |
//! | `metrics.jsonl` | one line per finished step |
//! | `evolution`, `evolution-2`, … | the runs that seed 003's steps measure |
//! | `report.md`, `report.html`, `report.json`, `*.svg` | the report so far |
//! | `result.json` | written at the end: counts of verdicts |

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::Instant;

use serde::Serialize;
use tabia_core::Stop;
use tabia_run::{Manifest, RunError, atomic_file, lock};

use crate::context::{Players, StepContext};
use crate::error::ReproduceError;
use crate::registry::steps;
use crate::report::Report;
use crate::settings::{Origin, Settings};
use crate::step::{Record, Step};

/// Kind of the run in its manifest.
pub const KIND: &str = "reproduce";

const MANIFEST: &str = "manifest.toml";
const METRICS: &str = "metrics.jsonl";

/// Progress of a run.
#[derive(Clone, Debug)]
pub struct Progress<'a> {
    pub step: &'a Step,
    /// Its number, from 1.
    pub number: usize,
    /// Of how many.
    pub steps: usize,
    /// Finished parts of it and their total; `None` before the first.
    pub parts: Option<(usize, usize)>,
    /// Share of all work that was finished before this run, and that is finished now.
    pub share: [f64; 2],
}

#[derive(Debug)]
pub struct Reproduction {
    path: PathBuf,
    settings: Settings,
    origin: Origin,
    steps: Vec<Step>,
    records: Vec<Option<Record>>,
    _lock: File,
}

impl Reproduction {
    /// Starts in a directory, or resumes the run in it if the settings are equal.
    pub fn open(path: &Path, settings: Settings, origin: Origin) -> Result<Reproduction, ReproduceError> {
        fs::create_dir_all(path).map_err(ReproduceError::file("make", path))?;
        let lock = lock::lock_directory(path)?;
        let now = Manifest::new(KIND, &origin.version, origin.date.clone(), &settings)?;
        let file = path.join(MANIFEST);
        if file.exists() {
            let text = fs::read_to_string(&file).map_err(ReproduceError::file("read", &file))?;
            if let Some(differences) = Manifest::read(&text, &file)?.differences(&now) {
                return Err(RunError::Different { path: path.to_owned(), differences }.into());
            }
            atomic_file::clear(path).map_err(ReproduceError::file("clear", path))?;
        } else {
            write(path, MANIFEST, &now.write()?)?;
        }
        let chosen: Vec<Step> =
            steps().into_iter().filter(|step| settings.seeds.contains(&step.seed)).collect();
        let records = chosen.iter().map(|step| read_record(path, step)).collect::<Result<_, _>>()?;
        Ok(Reproduction { path: path.to_owned(), settings, origin, steps: chosen, records, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Number of steps, and of those already finished.
    pub fn steps(&self) -> (usize, usize) {
        (self.steps.len(), self.records.iter().flatten().count())
    }

    /// Runs the remaining steps; returns whether all are finished. `tell` receives progress.
    pub fn run(
        &mut self,
        players: &Players,
        threads: usize,
        stop: &Stop,
        tell: &mut dyn FnMut(&Progress<'_>),
    ) -> Result<bool, ReproduceError> {
        let cost = |step: &Step| step.cost(self.settings.extent);
        let all: f64 = self.steps.iter().map(cost).sum();
        let is_done = |pair: &(&Step, &Option<Record>)| pair.1.is_some();
        let before: f64 =
            self.steps.iter().zip(&self.records).filter(is_done).map(|(step, _)| cost(step)).sum();
        let mut spent = before;
        for number in 0..self.steps.len() {
            let step = self.steps[number];
            if self.records[number].is_some() {
                continue;
            }
            let own = step.cost(self.settings.extent);
            let mut progress = Progress {
                step: &step,
                number: number + 1,
                steps: self.steps.len(),
                parts: None,
                share: [before / all, spent / all],
            };
            tell(&progress);
            let started = Instant::now();
            let found = (step.run)(&mut StepContext {
                players,
                extent: self.settings.extent,
                threads,
                stop,
                inputs: &self.settings.inputs,
                directory: &self.path,
                tell: &mut |done, of| {
                    progress.parts = Some((done, of));
                    progress.share[1] = (spent + own * done as f64 / of.max(1) as f64) / all;
                    tell(&progress);
                },
            })?;
            let Some(found) = found else { break };
            let record = Record::new(&step, found, started.elapsed().as_secs_f64());
            write(&self.path, &file_name(&step), &(json(&record) + "\n"))?;
            self.records[number] = Some(record);
            spent += own;
            self.report().write(&self.path)?;
            write(&self.path, METRICS, &self.metrics())?;
        }
        let finished = self.records.iter().all(Option::is_some);
        let report = self.report();
        report.write(&self.path)?;
        if finished {
            write(&self.path, "result.json", &(json(&report.summary()) + "\n"))?;
        }
        Ok(finished)
    }

    /// One line per finished step; it shows watchers that the report has grown.
    fn metrics(&self) -> String {
        let line = |(number, record): (usize, &Record)| {
            let figures = record.figures.len();
            format!("{{\"step\":{},\"figures\":{figures},\"seconds\":{:.3}}}\n", number + 1, record.seconds)
        };
        self.records.iter().flatten().enumerate().map(line).collect()
    }

    /// The report so far.
    pub fn report(&self) -> Report {
        Report {
            origin: self.origin.clone(),
            settings: self.settings.clone(),
            planned: self.steps.len(),
            records: self.records.iter().flatten().cloned().collect(),
        }
    }
}

fn file_name(step: &Step) -> String {
    format!("step-{}-{}.json", step.seed, step.name)
}

fn read_record(path: &Path, step: &Step) -> Result<Option<Record>, ReproduceError> {
    let file = path.join(file_name(step));
    if !file.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&file).map_err(ReproduceError::file("read", &file))?;
    serde_json::from_str(&text).map(Some).map_err(|error| ReproduceError::malformed(&file, error))
}

fn json(document: &impl Serialize) -> String {
    serde_json::to_string_pretty(document).expect("texts and numbers can be written")
}

fn write(path: &Path, name: &str, text: &str) -> Result<(), ReproduceError> {
    let path = path.join(name);
    atomic_file::write_bytes(&path, text.as_bytes()).map_err(ReproduceError::file("write", &path))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::context::{Extent, Inputs};
    use crate::step::Seed;
    use crate::testing::{self, Folder};

    fn settings(extent: Extent) -> Settings {
        Settings { seeds: vec![Seed::Quantum], extent, inputs: Inputs::default() }
    }

    fn origin() -> Origin {
        Origin { version: "1.0".to_owned(), date: None, machine: Some("a machine".to_owned()) }
    }

    #[test]
    fn what_is_there_is_not_done_again() {
        let folder = Folder::new();
        let players = testing::players();
        let open = || Reproduction::open(&folder.0, settings(Extent::Taste), origin()).unwrap();
        let stop = Stop::new();
        let mut begun = Vec::new();
        // Stopped in the second step: the first is kept.
        let finished = open()
            .run(&players, 2, &stop, &mut |progress| {
                begun.push(progress.step.name);
                if progress.number == 2 {
                    stop.stop();
                }
            })
            .unwrap();
        assert!(!finished || begun.len() < 2, "it was stopped");
        let first = fs::read(folder.0.join("step-quantum-parameters.json")).unwrap();
        let mut again = open();
        let (all, done) = again.steps();
        assert!(done >= 1 && done < all, "{done} of {all}");
        let mut steps = Vec::new();
        assert!(
            again.run(&players, 2, &Stop::new(), &mut |progress| steps.push(progress.step.name)).unwrap()
        );
        assert!(!steps.contains(&"parameters"), "{steps:?}");
        assert_eq!(fs::read(folder.0.join("step-quantum-parameters.json")).unwrap(), first);
        for name in ["report.md", "report.html", "report.json", "result.json", "manifest.toml"] {
            assert!(folder.0.join(name).is_file(), "{name}");
        }
    }

    #[test]
    fn something_else_is_refused_with_the_difference() {
        let folder = Folder::new();
        drop(Reproduction::open(&folder.0, settings(Extent::Taste), origin()).unwrap());
        let refused = Reproduction::open(&folder.0, settings(Extent::Quick), origin()).unwrap_err();
        assert!(refused.to_string().contains("extent is \"taste\" there and \"quick\" here"), "{refused}");
        let held = Reproduction::open(&folder.0, settings(Extent::Taste), origin()).unwrap();
        let second = Reproduction::open(&folder.0, settings(Extent::Taste), origin()).unwrap_err();
        assert!(second.to_string().contains("another process"), "{second}");
        drop(held);
    }
}
