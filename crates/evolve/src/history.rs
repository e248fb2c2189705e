//! `metrics.jsonl`: one line of metrics per generation.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::error::EvolveError;
use crate::operators::{self, Genes};
use crate::settings::Settings;
use crate::task::TaskResult;

/// Metrics of a generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 0.
    pub generation: u32,
    /// The fitness of its champion.
    pub best: f64,
    pub mean: f64,
    pub worst: f64,
    /// The mean standard deviation of genes, in pawns.
    pub diversity: f64,
    /// Mutation strength after it, in pawns.
    pub mutation: f64,
    /// Games its members won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wins: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub losses: Option<u32>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    pub generations: Vec<Generation>,
}

impl Generation {
    /// Metrics of a generation from its results.
    pub fn new(
        settings: &Settings,
        generation: u32,
        population: &[Genes],
        fitness: &[f64],
        results: &[&TaskResult],
    ) -> Generation {
        let best = fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = fitness.iter().copied().fold(f64::INFINITY, f64::min);
        let played = results.iter().any(|done| done.points.is_some());
        let count = |low: f64, high: f64| {
            let within =
                |done: &&&TaskResult| done.points.is_some_and(|points| points > low && points < high);
            played.then(|| results.iter().filter(within).count() as u32)
        };
        Generation {
            generation,
            best,
            mean: fitness.iter().sum::<f64>() / fitness.len() as f64,
            worst,
            diversity: operators::diversity(population),
            mutation: settings.mutation_after(generation),
            wins: count(0.75, 2.0),
            draws: count(0.25, 0.75),
            losses: count(-1.0, 0.25),
        }
    }
}

impl History {
    /// Reads the first `count` lines of a file.
    pub fn read(path: &Path, count: u32) -> Result<History, EvolveError> {
        if count == 0 {
            return Ok(History::default());
        }
        let text = fs::read_to_string(path).map_err(EvolveError::file("read", path))?;
        let mut generations = Vec::new();
        for (line, expected) in text.lines().zip(0..count) {
            let found: Generation =
                serde_json::from_str(line).map_err(|error| EvolveError::malformed(path, error))?;
            if found.generation != expected {
                let why = format!(
                    "line {} is generation {}, expected one after another from 0",
                    expected + 1,
                    found.generation
                );
                return Err(EvolveError::malformed(path, why));
            }
            generations.push(found);
        }
        if generations.len() < count as usize {
            return Err(EvolveError::malformed(
                path,
                format!("it has {} lines, expected {count}", generations.len()),
            ));
        }
        Ok(History { generations })
    }

    /// The contents of the file.
    pub fn write(&self) -> String {
        let line = |generation| serde_json::to_string(generation).expect("numbers can be written") + "\n";
        self.generations.iter().map(line).collect()
    }
}
