//! How an evolution went, generation by generation: `metrics.jsonl`, one line each, every value a number that can be drawn as a curve.

use std::fs;
use std::path::Path;

use serde::{Deserialize, Serialize};

use crate::breeding::{self, Genes};
use crate::error::EvolveError;
use crate::settings::Settings;
use crate::task::Done;

/// One generation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Generation {
    /// Its number, from 0.
    pub generation: u32,
    /// The fitness of its champion.
    pub best: f64,
    /// The mean fitness.
    pub mean: f64,
    /// The least fitness.
    pub worst: f64,
    /// The mean standard deviation of genes, in pawns.
    pub diversity: f64,
    /// How far genes moved after it, in pawns at most.
    pub mutation: f64,
    /// Games its members won.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wins: Option<u32>,
    /// Games they drew.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub draws: Option<u32>,
    /// Games they lost.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub losses: Option<u32>,
}

/// All generations so far.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Chronicle {
    /// In order, from the first.
    pub generations: Vec<Generation>,
}

impl Generation {
    /// What there is to say of a generation.
    pub fn new(
        settings: &Settings,
        generation: u32,
        population: &[Genes],
        fitness: &[f64],
        results: &[&Done],
    ) -> Generation {
        let best = fitness.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let worst = fitness.iter().copied().fold(f64::INFINITY, f64::min);
        let played = results.iter().any(|done| done.points.is_some());
        let count = |low: f64, high: f64| {
            let within = |done: &&&Done| done.points.is_some_and(|points| points > low && points < high);
            played.then(|| results.iter().filter(within).count() as u32)
        };
        Generation {
            generation,
            best,
            mean: fitness.iter().sum::<f64>() / fitness.len() as f64,
            worst,
            diversity: breeding::diversity(population),
            mutation: settings.mutation_after(generation),
            wins: count(0.75, 2.0),
            draws: count(0.25, 0.75),
            losses: count(-1.0, 0.25),
        }
    }
}

impl Chronicle {
    /// Reads the lines of a file, as many as are asked for; a file that is not there has none.
    pub fn read(path: &Path, count: u32) -> Result<Chronicle, EvolveError> {
        if count == 0 {
            return Ok(Chronicle::default());
        }
        let text = fs::read_to_string(path).map_err(EvolveError::file("read", path))?;
        let mut generations = Vec::new();
        for (line, expected) in text.lines().zip(0..count) {
            let found: Generation =
                serde_json::from_str(line).map_err(|error| EvolveError::broken(path, error))?;
            if found.generation != expected {
                let why = format!("line {} is of generation {}", expected + 1, found.generation);
                return Err(EvolveError::broken(path, why));
            }
            generations.push(found);
        }
        if generations.len() < count as usize {
            return Err(EvolveError::broken(
                path,
                format!("it has {} lines, not {count}", generations.len()),
            ));
        }
        Ok(Chronicle { generations })
    }

    /// The lines.
    pub fn write(&self) -> String {
        let line = |generation| serde_json::to_string(generation).expect("numbers can be written") + "\n";
        self.generations.iter().map(line).collect()
    }
}
