//! Reports: Markdown, HTML and JSON.
//!
//! All formats are generated from one [`Report`]; equal reports give equal bytes.

mod document;
mod html;
mod markdown;

use std::path::Path;

use tabia_run::atomic_file;

use crate::error::ReproduceError;

pub use document::{Report, Summary};

const MARKDOWN: &str = "report.md";
const PAGE: &str = "report.html";
const JSON: &str = "report.json";

impl Report {
    /// The Markdown document; its plots are separate files.
    pub fn markdown(&self) -> String {
        markdown::document(self)
    }

    /// The self-contained HTML page.
    pub fn html(&self) -> String {
        html::page(self)
    }

    pub fn json(&self) -> String {
        serde_json::to_string_pretty(self).expect("texts and numbers can be written") + "\n"
    }

    /// Writes all formats and plots into a directory.
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
}

#[cfg(test)]
mod tests {
    use super::document::INTRODUCTION;
    use super::*;
    use crate::context::{Extent, Inputs};
    use crate::figure::{Figure, Verdict};
    use crate::settings::{Origin, Settings};
    use crate::step::{Plot, Record, Seed};

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
            pictures: vec![Plot::curves("x-curve", "X", "depth", &[("ours", vec![(1.0, 2.0), (2.0, 3.0)])])],
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
    fn both_documents_say_first_what_a_report_is() {
        assert!(report().markdown().starts_with(&format!("# Reproduction\n\n{INTRODUCTION}\n")));
        let page = report().html();
        assert!(page.contains(&format!("<h1>Reproduction</h1>\n<p>{INTRODUCTION}</p>")), "{page}");
        assert!(INTRODUCTION.contains("not measured") && !INTRODUCTION.contains("Every figure"));
    }

    #[test]
    fn json_reads_back() {
        let report = report();
        assert_eq!(serde_json::from_str::<Report>(&report.json()).unwrap(), report);
        assert_eq!(report.summary().verdicts[&Verdict::Better], 1);
        assert_eq!(report.summary().ending, "interrupted");
    }
}
