//! The report as one page that needs no other file: no script, nothing fetched.

use std::fmt::{Arguments, Write as _};

use tabia_draw::Escaped;

use super::document::{INTRODUCTION, LEGEND, Report};
use crate::figure::Verdict;
use crate::step::{Record, Seed};

const STYLE: &str = include_str!("page.css");

pub fn page(report: &Report) -> String {
    let mut page = Page::default();
    page.add(format_args!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>Reproduction</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<header>\n<h1>Reproduction</h1>\n\
         <p>{}</p>",
        Escaped(INTRODUCTION)
    ));
    for sentence in report.lead() {
        page.add(format_args!("<p>{}</p>", Escaped(&sentence)));
    }
    page.add(format_args!("<p class=\"note\">{}</p>\n</header>\n<main>", Escaped(LEGEND)));
    for seed in Seed::ALL {
        let mut records = report.of(seed).peekable();
        if records.peek().is_none() {
            continue;
        }
        page.add(format_args!("<h2>{}</h2>", Escaped(seed.title())));
        for record in records {
            page.step(record);
        }
    }
    page.add(format_args!("</main>\n</body>\n</html>"));
    page.text
}

#[derive(Default)]
struct Page {
    text: String,
}

impl Page {
    fn add(&mut self, args: Arguments<'_>) {
        writeln!(self.text, "{args}").expect("a String takes all text");
    }

    fn step(&mut self, record: &Record) {
        self.add(format_args!(
            "<section>\n<h3>{} <small>{}</small></h3>\n<p>{}</p>\n<div class=\"scroll\"><table>\n<thead><tr><th></th><th>the seed</th>\
             <th>ours</th><th>ratio</th><th>verdict</th></tr></thead>\n<tbody>",
            Escaped(&record.title),
            Escaped(&record.section),
            prose(&record.how)
        ));
        for figure in &record.figures {
            let mark = if figure.timed { " †" } else { "" };
            self.add(format_args!(
                "<tr><td>{}{mark}</td><td>{}</td><td>{}</td><td>{}</td><td class=\"{}\">{}</td></tr>",
                Escaped(&figure.what),
                Escaped(&figure.seed_text()),
                Escaped(&figure.ours_text()),
                Escaped(&figure.ratio_text()),
                class(figure.verdict),
                figure.verdict.label()
            ));
        }
        self.add(format_args!("</tbody></table></div>"));
        for note in &record.notes {
            self.add(format_args!("<p class=\"note\">{}</p>", prose(note)));
        }
        for picture in &record.pictures {
            self.add(format_args!(
                "<figure>\n{}\n<figcaption>{}</figcaption>\n</figure>",
                picture.svg,
                Escaped(&picture.caption)
            ));
        }
        self.add(format_args!("</section>"));
    }
}

fn class(verdict: Verdict) -> &'static str {
    match verdict {
        Verdict::AsTheSeedSays => "same",
        Verdict::Better => "better",
        Verdict::Worse => "worse",
        Verdict::Different => "different",
        Verdict::OtherSettings | Verdict::TheSeedGivesNone | Verdict::NotMeasured => "none",
    }
}

/// Text with code between backticks, as the steps write it for Markdown.
fn prose(text: &str) -> String {
    let parts = Escaped(text).to_string();
    let parts = parts.split('`').enumerate();
    parts
        .map(|(index, part)| if index % 2 == 1 { format!("<code>{part}</code>") } else { part.to_owned() })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn code_between_backticks_is_code_and_everything_is_escaped() {
        assert_eq!(prose("`a<b>` & more"), "<code>a&lt;b&gt;</code> &amp; more");
        assert_eq!(prose("nothing of the kind"), "nothing of the kind");
    }
}
