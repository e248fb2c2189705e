//! The contents of a report, independent of its format.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::figure::Verdict;
use crate::settings::{Origin, Settings};
use crate::step::{Record, Seed};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Version, date and machine.
    #[serde(flatten)]
    pub origin: Origin,
    pub settings: Settings,
    pub planned: usize,
    /// Records of the finished steps.
    pub records: Vec<Record>,
}

/// How often which verdict was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// `finished`.
    pub ending: String,
    pub steps: usize,
    pub figures: usize,
    pub verdicts: BTreeMap<Verdict, usize>,
}

impl Report {
    pub fn summary(&self) -> Summary {
        let figures = || self.records.iter().flat_map(|record| &record.figures);
        let mut verdicts = BTreeMap::new();
        for figure in figures() {
            *verdicts.entry(figure.verdict).or_insert(0) += 1;
        }
        let ending = if self.is_finished() { "finished" } else { "interrupted" };
        Summary { ending: ending.to_owned(), steps: self.records.len(), figures: figures().count(), verdicts }
    }

    /// Whether all steps are finished.
    pub fn is_finished(&self) -> bool {
        self.records.len() == self.planned
    }

    /// Introductory sentences.
    pub(super) fn lead(&self) -> Vec<String> {
        let Origin { version, date, machine } = &self.origin;
        let date = date.as_ref().map(|date| format!(" on {date}")).unwrap_or_default();
        let machine = machine.as_ref().map(|machine| format!(", on {machine}")).unwrap_or_default();
        let mut lead = vec![
            format!("Measured by Tabia {version}{date}{machine}."),
            format!("Extent: {}.", self.settings.extent.label()),
        ];
        if !self.is_finished() {
            lead.push(format!("{} of {} steps are done.", self.records.len(), self.planned));
        }
        let summary = self.summary();
        let counts: Vec<String> = Verdict::ALL
            .into_iter()
            .filter_map(|verdict| Some(format!("{} {}", summary.verdicts.get(&verdict)?, verdict.label())))
            .collect();
        lead.push(format!("{} figures: {}.", summary.figures, counts.join(", ")));
        lead
    }

    /// Records of a seed.
    pub(super) fn of(&self, seed: Seed) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(move |record| record.seed == seed)
    }
}

/// What a report is, in its first sentences.
pub(super) const INTRODUCTION: &str = "The figures that the seeds state, beside ours. Those that this program cannot measure are listed as not measured, with the reason.";

/// Legend of the tables.
pub(super) const LEGEND: &str = "The ratio is ours over the seed's (over the nearer end, where it gives a range). \"As the seed says\" is within a tenth, or within our \
                      own 95% error. \"Other settings\": measured, but not as the seed measured it, so there is no verdict. Figures marked † depend on the machine, or on an engine that is itself random; all others repeat exactly.";
