//! The report as Markdown.

use std::fmt::Write as _;

use super::document::{INTRODUCTION, LEGEND, Report};
use crate::figure::Figure;
use crate::step::{Record, Seed};

pub fn document(report: &Report) -> String {
    let mut text = format!("# Reproduction\n\n{INTRODUCTION}\n\n");
    for sentence in report.lead() {
        line(&mut text, format_args!("{sentence}"));
    }
    line(&mut text, format_args!("\n{LEGEND}"));
    for seed in Seed::ALL {
        let mut records = report.of(seed).peekable();
        if records.peek().is_none() {
            continue;
        }
        line(&mut text, format_args!("\n## {}", seed.title()));
        for record in records {
            step(&mut text, record);
        }
    }
    text
}

fn step(text: &mut String, record: &Record) {
    let Record { title, section, how, figures, notes, pictures, .. } = record;
    line(text, format_args!("\n### {title} ({section})\n\n{how}\n"));
    line(text, format_args!("| | the seed | ours | ratio | verdict |\n| --- | --- | --- | --- | --- |"));
    for figure in figures {
        let Figure { what, timed, verdict, .. } = figure;
        let mark = if *timed { " †" } else { "" };
        line(
            text,
            format_args!(
                "| {}{mark} | {} | {} | {} | {} |",
                cell(what),
                cell(&figure.seed_text()),
                cell(&figure.ours_text()),
                figure.ratio_text(),
                verdict.label()
            ),
        );
    }
    for note in notes {
        line(text, format_args!("\n{note}"));
    }
    for picture in pictures {
        line(text, format_args!("\n![{}]({}.svg)", picture.caption, picture.name));
    }
}

fn line(text: &mut String, args: std::fmt::Arguments<'_>) {
    writeln!(text, "{args}").expect("a String takes all text");
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}
