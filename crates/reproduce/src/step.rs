//! The vocabulary of steps: seeds, steps, findings and records. The list of steps is in [`registry`](crate::registry).

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabia_draw::{LineChart, Series};
use tabia_evolve::plots;

use crate::context::{Extent, Interruptible, StepContext};
use crate::figure::Figure;

/// One of the five documents that Tabia grew from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seed {
    /// Seed 000: gradient fields.
    Axiomx,
    /// Seed 001: alpha-beta.
    Alphabeta,
    /// Seed 002: the evaluation function of Axon.
    Axon,
    /// Seed 003: a genetic algorithm.
    Genetic,
    /// Seed 004: quantum chess.
    Quantum,
}

impl Seed {
    pub const ALL: [Seed; 5] = [Seed::Axiomx, Seed::Alphabeta, Seed::Axon, Seed::Genetic, Seed::Quantum];

    pub const fn name(self) -> &'static str {
        match self {
            Seed::Axiomx => "axiomx",
            Seed::Alphabeta => "alphabeta",
            Seed::Axon => "axon",
            Seed::Genetic => "genetic",
            Seed::Quantum => "quantum",
        }
    }

    pub const fn title(self) -> &'static str {
        match self {
            Seed::Axiomx => "Seed 000: AxiomX, gradient fields of influence",
            Seed::Alphabeta => "Seed 001: Chess AlphaBeta Engine",
            Seed::Axon => "Seed 002: the evaluation function of Axon",
            Seed::Genetic => "Seed 003: a genetic algorithm for chess",
            Seed::Quantum => "Seed 004: Quantum Chess 2",
        }
    }
}

impl fmt::Display for Seed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for Seed {
    type Err = String;

    fn from_str(text: &str) -> Result<Seed, String> {
        Seed::ALL.into_iter().find(|seed| seed.name() == text).ok_or_else(|| {
            let names = Seed::ALL.map(Seed::name).join(", ");
            format!("\"{text}\" is not a seed; expected one of {names}")
        })
    }
}

/// A step: the measurement of some of a seed's claims.
#[derive(Copy, Clone)]
pub struct Step {
    pub seed: Seed,
    pub name: &'static str,
    pub title: &'static str,
    /// Section of the seed.
    pub section: &'static str,
    /// Estimated seconds on one core for the quick and the full extent, for the progress display.
    pub seconds: [f64; 2],
    /// Runs the step; `None` if stopped.
    pub run: fn(&mut StepContext<'_>) -> Interruptible<Findings>,
}

impl Step {
    /// Estimated seconds on one core.
    pub fn cost(&self, extent: Extent) -> f64 {
        let [quick, full] = self.seconds;
        extent.of(quick / 20.0, quick, full)
    }

    /// `axiomx/mates`.
    pub fn id(&self) -> String {
        format!("{}/{}", self.seed, self.name)
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.id())
    }
}

/// A plot of a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Plot {
    /// File name without extension.
    pub name: String,
    pub caption: String,
    pub svg: String,
}

impl Plot {
    /// A plot of several curves.
    pub fn curves(name: &str, caption: &str, across: &str, curves: &[(&str, Vec<(f64, f64)>)]) -> Plot {
        let points: Vec<Vec<(f64, f64, Option<f64>)>> =
            curves.iter().map(|(_, points)| points.iter().map(|(x, y)| (*x, *y, None)).collect()).collect();
        let drawn: Vec<Series<'_>> =
            curves.iter().zip(&points).map(|((name, _), points)| Series { name, points }).collect();
        let svg = LineChart { title: caption, subtitle: "", across, curves: &drawn }.svg();
        Plot { name: name.to_owned(), caption: caption.to_owned(), svg }
    }
}

impl From<plots::Plot> for Plot {
    fn from(picture: plots::Plot) -> Plot {
        let name = picture.name.trim_end_matches(".svg").to_owned();
        Plot { name, caption: picture.caption, svg: picture.svg }
    }
}

/// Findings of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// How it was measured.
    pub how: String,
    pub figures: Vec<Figure>,
    pub notes: Vec<String>,
    pub pictures: Vec<Plot>,
}

/// Findings of a step as stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    pub seed: Seed,
    pub step: String,
    pub title: String,
    /// Section of the seed.
    pub section: String,
    /// How it was measured.
    pub how: String,
    pub figures: Vec<Figure>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Plot>,
    /// Duration in seconds.
    pub seconds: f64,
}

impl Record {
    /// A record of findings.
    pub fn new(step: &Step, findings: Findings, seconds: f64) -> Record {
        let Findings { how, figures, notes, pictures } = findings;
        Record {
            seed: step.seed,
            step: step.name.to_owned(),
            title: step.title.to_owned(),
            section: step.section.to_owned(),
            how,
            figures,
            notes,
            pictures,
            seconds,
        }
    }
}
