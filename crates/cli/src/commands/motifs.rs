//! `tabia motifs`: the motifs of puzzles beside their labels.

use std::collections::BTreeMap;
use std::io::{self, Write};
use std::num::NonZero;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, bail};
use serde::Serialize;
use tabia_coach::puzzle::{self, Puzzle};
use tabia_coach::tagging::{self, Agreement, Tagging};
use tabia_coach::{Theme, motif};
use tabia_core::printable;

use crate::failure::Usage;
use crate::terminal::Paint;
use crate::{output, text};

/// Arguments of `tabia motifs`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
The file has lichess's puzzle columns: FEN, Moves (the first is the opponent's) and Themes. Motifs are found on the board, \
without a search, by the definitions of lichess's tagger. Precision is the share of found motifs that are labelled, recall the share of labelled motifs that are found, F1 their \
harmonic mean; the target is shown beside it.

In JSON: {\"puzzles\",\"themes\":{\"fork\":{\"tagged\",\"found\",\"both\",\"precision\",\"recall\",\"f1\"},…}}.

Examples:
  tabia motifs puzzles.csv
  tabia motifs puzzles.csv --differ pin --first 5
  tabia motifs puzzles.csv --json")]
pub struct MotifsArgs {
    /// Puzzles in lichess's columns.
    #[arg(value_name = "FILE.csv")]
    file: PathBuf,
    /// List puzzles where we disagree with the label of this theme.
    #[arg(long, value_name = "THEME")]
    differ: Option<String>,
    /// List at most this many.
    #[arg(long, value_name = "N", default_value = "20")]
    first: NonZero<usize>,
    /// One JSON document instead of text.
    #[arg(long)]
    json: bool,
}

/// Compares motifs with labels.
pub fn run(args: &MotifsArgs) -> anyhow::Result<ExitCode> {
    let reading = || format!("cannot read {}", args.file.display());
    let differ = args.differ.as_deref().map(theme).transpose()?;
    let text = std::fs::read_to_string(&args.file).with_context(reading)?;
    let (puzzles, faults) = puzzle::read(&text).with_context(reading)?;
    for fault in &faults {
        eprintln!("tabia: left out: {}", printable(&fault.to_string()));
    }
    if puzzles.is_empty() {
        bail!("no puzzle of {} could be read", args.file.display());
    }
    let tagging = tagging::compare(&puzzles);
    if args.json {
        output::json(&Document::from(&tagging))?;
    } else if let Some(theme) = differ {
        list(&mut io::stdout().lock(), &puzzles, &tagging, theme, args.first.get())?;
    } else {
        table(&mut io::stdout().lock(), &tagging)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn theme(name: &str) -> Result<Theme, Usage> {
    Theme::named(name).ok_or_else(|| {
        let known: Vec<&str> = Theme::ALL.iter().map(|theme| theme.name()).collect();
        Usage(format!("there is no theme \"{name}\"; known are {}", known.join(", ")))
    })
}

fn table(out: &mut impl Write, tagging: &Tagging) -> io::Result<()> {
    let paint = Paint::for_stream(&io::stdout());
    let head = format!(
        "{:<18} {:>7} {:>7} {:>7} {:>9} {:>7} {:>6} {:>6}",
        "theme", "tagged", "found", "both", "precision", "recall", "F1", "goal"
    );
    writeln!(out, "{}", paint.style("4", head))?;
    let mut below = 0;
    for (theme, agreement) in &tagging.themes {
        let Agreement { tagged, found, both, precision, recall, f1 } = agreement;
        let goal = theme.goal_percent().map(|percent| f64::from(percent) / 100.0);
        let missed = *tagged > 0 && goal.is_some_and(|goal| *f1 < goal);
        below += usize::from(missed);
        let goal = goal.map_or_else(|| "-".to_owned(), |goal| format!("{goal:.2}"));
        let row = format!(
            "{:<18} {tagged:>7} {found:>7} {both:>7} {precision:>9.3} {recall:>7.3} {f1:>6.3} {goal:>6}",
            theme.name()
        );
        writeln!(out, "{}{}", row, if missed { " below" } else { "" })?;
    }
    let puzzles = text::counted(tagging.puzzles as u64, "puzzle");
    match below {
        0 => writeln!(out, "{puzzles}; every goal is reached."),
        _ => writeln!(out, "{puzzles}; {} below the goal.", text::counted(below as u64, "theme")),
    }
}

/// The puzzles that are labelled otherwise than we find.
fn list(
    out: &mut impl Write,
    puzzles: &[Puzzle],
    tagging: &Tagging,
    theme: Theme,
    max: usize,
) -> io::Result<()> {
    let differences = tagging.disagreements.iter().filter(|difference| difference.theme == theme);
    for difference in differences.take(max) {
        let puzzle = &puzzles[difference.puzzle];
        let side = if difference.missed { "labelled, not found" } else { "found, not labelled" };
        let Some(start) = puzzle.line.plies().first() else { continue };
        let moves: Vec<_> = puzzle.line.plies().iter().map(|ply| ply.played).collect();
        let found: Vec<&str> = motif::find(&puzzle.line).iter().map(|motif| motif.theme.name()).collect();
        writeln!(out, "{}  {side}", puzzle.id)?;
        writeln!(out, "  {}", tabia_core::chess::fen_of(&start.before))?;
        writeln!(out, "  {}", text::numbered(&start.before, &moves))?;
        writeln!(out, "  labels: {}", puzzle.themes.join(" "))?;
        writeln!(out, "  found:  {}", found.join(" "))?;
    }
    Ok(())
}

/// The JSON, which is a contract.
#[derive(Serialize)]
struct Document {
    puzzles: usize,
    themes: BTreeMap<&'static str, Agreement>,
}

impl From<&Tagging> for Document {
    fn from(tagging: &Tagging) -> Document {
        let round = |value: f64| (value * 1e4).round() / 1e4;
        let rounded = |agreement: &Agreement| Agreement {
            precision: round(agreement.precision),
            recall: round(agreement.recall),
            f1: round(agreement.f1),
            ..*agreement
        };
        Document {
            puzzles: tagging.puzzles,
            themes: tagging
                .themes
                .iter()
                .map(|(theme, agreement)| (theme.name(), rounded(agreement)))
                .collect(),
        }
    }
}
