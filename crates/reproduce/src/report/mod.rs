//! A reproduction on paper: Markdown for the repository, a page for the browser, JSON for programs.
//!
//! Everything is made from one value, [`Report`], and the same report gives the same bytes.

mod html;
mod markdown;

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabia_run::atomic_file;

use crate::error::ReproduceError;
use crate::figure::Verdict;
use crate::run::{Origin, Settings};
use crate::step::{Record, Seed};

/// What was found, and how it came to be.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Report {
    /// Who measured, where and when.
    #[serde(flatten)]
    pub origin: Origin,
    /// What was asked for.
    pub settings: Settings,
    /// Steps there are.
    pub planned: usize,
    /// What those that are done found.
    pub records: Vec<Record>,
}

/// How often which verdict was given.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Summary {
    /// `finished`.
    pub ending: String,
    /// Steps.
    pub steps: usize,
    /// Figures.
    pub figures: usize,
    /// By verdict.
    pub verdicts: BTreeMap<Verdict, usize>,
}

/// The files that a report is.
const MARKDOWN: &str = "report.md";
const PAGE: &str = "report.html";
const JSON: &str = "report.json";

impl Report {
    /// How often which verdict was given.
    pub fn summary(&self) -> Summary {
        let figures = || self.records.iter().flat_map(|record| &record.figures);
        let mut verdicts = BTreeMap::new();
        for figure in figures() {
            *verdicts.entry(figure.verdict).or_insert(0) += 1;
        }
        let ending = if self.is_finished() { "finished" } else { "interrupted" };
        Summary { ending: ending.to_owned(), steps: self.records.len(), figures: figures().count(), verdicts }
    }

    /// Whether every step is done.
    pub fn is_finished(&self) -> bool {
        self.records.len() == self.planned
    }

    /// The Markdown document; its pictures are files beside it.
    pub fn markdown(&self) -> String {
        markdown::document(self)
    }

    /// The page, which needs no other file.
    pub fn html(&self) -> String {
        html::page(self)
    }

    /// For programs.
    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers can be written") + "\n"
    }

    /// Writes all of it into a directory.
    pub fn write(&self, path: &Path) -> Result<(), ReproduceError> {
        let pictures = self.records.iter().flat_map(|record| &record.pictures);
        let pictures = pictures.map(|picture| (format!("{}.svg", picture.name), picture.svg.clone()));
        let documents = [(MARKDOWN, self.markdown()), (PAGE, self.html()), (JSON, self.json())]
            .map(|(name, text)| (name.to_owned(), text));
        for (name, text) in pictures.chain(documents) {
            let file = path.join(name);
            atomic_file::write_bytes(&file, text.as_bytes()).map_err(ReproduceError::file("write", &file))?;
        }
        Ok(())
    }

    /// What is said first, in sentences.
    fn lead(&self) -> Vec<String> {
        let Origin { version, date, machine } = &self.origin;
        let date = date.as_ref().map(|date| format!(" on {date}")).unwrap_or_default();
        let machine = machine.as_ref().map(|machine| format!(", on {machine}")).unwrap_or_default();
        let mut lead = vec![
            format!("Measured by Tabia {version}{date}{machine}."),
            format!("Extent: {}.", self.settings.extent.words()),
        ];
        if !self.is_finished() {
            lead.push(format!("{} of {} steps are done.", self.records.len(), self.planned));
        }
        let summary = self.summary();
        let counts: Vec<String> = Verdict::ALL
            .into_iter()
            .filter_map(|verdict| Some(format!("{} {}", summary.verdicts.get(&verdict)?, verdict.words())))
            .collect();
        lead.push(format!("{} figures: {}.", summary.figures, counts.join(", ")));
        lead
    }

    /// What was found for a seed.
    fn of(&self, seed: Seed) -> impl Iterator<Item = &Record> {
        self.records.iter().filter(move |record| record.seed == seed)
    }
}

/// What tables mean, for every report.
const LEGEND: &str = "The ratio is ours over the seed's (over the nearer end, where it gives a range). \"As the seed says\" is within a tenth, or within our \
                      own 95% error. Figures marked † depend on the machine, or on an engine that is itself random; all others repeat exactly.";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::figure::Figure;
    use crate::step::Picture;
    use crate::work::{Extent, Inputs};

    fn report() -> Report {
        let record = Record {
            seed: Seed::Axon,
            step: "x".to_owned(),
            title: "A < B".to_owned(),
            section: "§1".to_owned(),
            how: "By | counting.".to_owned(),
            figures: vec![
                Figure::new("nodes | all", "").seed(100.0, "about 100").ours(50.0).less_is_better(),
                Figure::new("time", "s").seed(1.0, "1 s").ours(2.0).timed().less_is_better(),
            ],
            notes: vec!["A note & more.".to_owned()],
            pictures: vec![Picture::curves(
                "x-curve",
                "X",
                "depth",
                &[("ours", vec![(1.0, 2.0), (2.0, 3.0)])],
            )],
            seconds: 1.5,
        };
        Report {
            origin: Origin { version: "1.0".to_owned(), date: Some("2026-01-15".to_owned()), machine: None },
            settings: Settings { seeds: vec![Seed::Axon], extent: Extent::Quick, inputs: Inputs::default() },
            planned: 2,
            records: vec![record],
        }
    }

    #[test]
    fn markdown_has_every_figure_and_breaks_no_table() {
        let text = report().markdown();
        assert!(text.contains("| nodes \\| all | about 100 | 50 | 0.5 | better |"), "{text}");
        assert!(text.contains("| time † | 1 s | 2 s | 2 | worse |"), "{text}");
        assert!(text.contains("![X](x-curve.svg)"), "{text}");
        assert!(text.contains("1 of 2 steps are done."), "{text}");
    }

    #[test]
    fn the_page_stands_alone_and_is_escaped() {
        let page = report().html();
        assert!(page.contains("A &lt; B") && page.contains("A note &amp; more."), "{page}");
        assert!(page.contains("<svg") && !page.contains("<script") && !page.contains("src="), "{page}");
    }

    #[test]
    fn json_reads_back() {
        let report = report();
        assert_eq!(serde_json::from_str::<Report>(&report.json()).unwrap(), report);
        assert_eq!(report.summary().verdicts[&Verdict::Better], 1);
        assert_eq!(report.summary().ending, "interrupted");
    }
}
