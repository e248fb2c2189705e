//! The steps: which there are, and what one of them finds.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};
use tabia_draw::{Curve, Curves};
use tabia_evolve::pictures;

use crate::figure::Figure;
use crate::work::{Done, Extent, Work};
use crate::{alphabeta, axiomx, axon, genetic, quantum};

/// One of the five documents that Tabia grew from.
#[derive(Copy, Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Seed {
    /// Seed 000: gradient fields.
    Axiomx,
    /// Seed 001: alpha-beta.
    Alphabeta,
    /// Seed 002: an evaluation of master strength.
    Axon,
    /// Seed 003: a genetic algorithm.
    Genetic,
    /// Seed 004: quantum chess.
    Quantum,
}

impl Seed {
    /// All of them.
    pub const ALL: [Seed; 5] = [Seed::Axiomx, Seed::Alphabeta, Seed::Axon, Seed::Genetic, Seed::Quantum];

    /// What it is called.
    pub const fn name(self) -> &'static str {
        match self {
            Seed::Axiomx => "axiomx",
            Seed::Alphabeta => "alphabeta",
            Seed::Axon => "axon",
            Seed::Genetic => "genetic",
            Seed::Quantum => "quantum",
        }
    }

    /// What it is.
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
            format!("\"{text}\" is none of the seeds: {names}")
        })
    }
}

/// One part of a reproduction.
#[derive(Copy, Clone)]
pub struct Step {
    /// Whose claims it takes up.
    pub seed: Seed,
    /// What it is called.
    pub name: &'static str,
    /// What it is about.
    pub title: &'static str,
    /// Where the seed says it.
    pub section: &'static str,
    /// About how many seconds of a core it takes, quick and full: for the time left.
    pub seconds: [f64; 2],
    /// Does it; none when it was stopped.
    pub run: fn(&mut Work<'_>) -> Done<Findings>,
}

impl Step {
    /// About how long it takes.
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

/// Every step, seed by seed.
pub fn steps() -> Vec<Step> {
    [axiomx::STEPS, alphabeta::STEPS, axon::STEPS, genetic::STEPS, quantum::STEPS].concat()
}

/// A picture that belongs to a step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Picture {
    /// The name of its file, without the ending.
    pub name: String,
    /// What it shows.
    pub caption: String,
    /// The picture.
    pub svg: String,
}

impl Picture {
    /// Curves over one another.
    pub fn curves(name: &str, caption: &str, across: &str, curves: &[(&str, Vec<(f64, f64)>)]) -> Picture {
        let points: Vec<Vec<(f64, f64, Option<f64>)>> =
            curves.iter().map(|(_, points)| points.iter().map(|(x, y)| (*x, *y, None)).collect()).collect();
        let drawn: Vec<Curve<'_>> =
            curves.iter().zip(&points).map(|((name, _), points)| Curve { name, points }).collect();
        let svg = Curves { title: caption, subtitle: "", across, curves: &drawn }.svg();
        Picture { name: name.to_owned(), caption: caption.to_owned(), svg }
    }
}

impl From<pictures::Picture> for Picture {
    fn from(picture: pictures::Picture) -> Picture {
        let name = picture.name.trim_end_matches(".svg").to_owned();
        Picture { name, caption: picture.caption, svg: picture.svg }
    }
}

/// What a step finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    /// How it was measured.
    pub how: String,
    /// The numbers.
    pub figures: Vec<Figure>,
    /// What has to be said of them.
    pub notes: Vec<String>,
    /// Pictures.
    pub pictures: Vec<Picture>,
}

/// What a step found, as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// Whose claims.
    pub seed: Seed,
    /// The step's name.
    pub step: String,
    /// What it is about.
    pub title: String,
    /// Where the seed says it.
    pub section: String,
    /// How it was measured.
    pub how: String,
    /// The numbers.
    pub figures: Vec<Figure>,
    /// What has to be said of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
    /// Pictures.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub pictures: Vec<Picture>,
    /// How long it took.
    pub seconds: f64,
}

impl Record {
    /// What was found, with whose and when.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing;
    use std::collections::BTreeSet;

    #[test]
    fn steps_have_names_of_their_own_and_every_seed_has_some() {
        let steps = steps();
        let ids: BTreeSet<String> = steps.iter().map(Step::id).collect();
        assert_eq!(ids.len(), steps.len());
        for seed in Seed::ALL {
            assert!(steps.iter().filter(|step| step.seed == seed).count() >= 3, "{seed}");
            assert_eq!(seed.name().parse(), Ok(seed));
        }
        assert!("axiom".parse::<Seed>().unwrap_err().contains("axiomx, alphabeta"));
    }

    /// Every step of a seed runs, finds numbers, and says how.
    fn taste(seed: Seed) {
        for step in steps().into_iter().filter(|step| step.seed == seed) {
            let findings = testing::work(Extent::Taste, |work| (step.run)(work)).unwrap().unwrap();
            assert!(!findings.figures.is_empty() && findings.how.len() > 20, "{}", step.id());
            for figure in &findings.figures {
                assert!(!figure.what.is_empty(), "{}", step.id());
            }
            let stopped = testing::work(Extent::Taste, |work| {
                work.stop.stop();
                (step.run)(work)
            });
            // What takes no time cannot be stopped.
            assert!(stopped.unwrap().is_none_or(|again| again.figures.len() == findings.figures.len()));
        }
    }

    #[test]
    fn axiomx_can_be_tasted() {
        taste(Seed::Axiomx);
    }

    #[test]
    fn alphabeta_can_be_tasted() {
        taste(Seed::Alphabeta);
    }

    #[test]
    fn axon_can_be_tasted() {
        taste(Seed::Axon);
    }

    #[test]
    fn genetic_can_be_tasted() {
        taste(Seed::Genetic);
    }

    #[test]
    fn quantum_can_be_tasted() {
        taste(Seed::Quantum);
    }
}
