//! Results of suites, as text and JSON.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use serde::Serialize;
use tabia_arena::suite::{self, Problem, Rating, Solution};
use tabia_core::AgentSpec;

use crate::terminal::Paint;
use crate::text;

/// The sums of several problems.
#[derive(Clone, Debug, Default, Serialize)]
struct Sums {
    positions: usize,
    solved: usize,
    score: u64,
    max_score: u64,
    ms: u64,
    nodes: u64,
}

impl Sums {
    fn add(&mut self, other: &Sums) {
        self.positions += other.positions;
        self.solved += other.solved;
        self.score += other.score;
        self.max_score += other.max_score;
        self.ms += other.ms;
        self.nodes += other.nodes;
    }
}

/// The result of one problem; moves in UCI notation.
#[derive(Clone, Debug, Serialize)]
struct Outcome {
    id: String,
    fen: String,
    /// The move, or the moves of a line.
    #[serde(rename = "move")]
    played: String,
    best: Vec<String>,
    solved: bool,
    score: u32,
    ms: u64,
    nodes: u64,
    /// Moves to mate that were announced, if any.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<u32>,
}

/// The results of one file.
pub struct FileReport {
    file: String,
    sums: Sums,
    outcomes: Vec<Outcome>,
}

impl FileReport {
    /// A file of which nothing is done yet.
    pub fn new(file: &Path) -> FileReport {
        FileReport { file: file.display().to_string(), sums: Sums::default(), outcomes: Vec::new() }
    }

    /// Adds the result of a problem.
    pub fn add(&mut self, problem: &Problem, solution: &Solution) {
        let game = &problem.game;
        let moves = |moves: &[shakmaty::Move]| moves.iter().map(|m| game.write_move(*m)).collect::<Vec<_>>();
        self.sums.add(&Sums {
            positions: 1,
            solved: usize::from(solution.solved),
            score: u64::from(solution.score),
            max_score: u64::from(problem.max_score()),
            ms: solution.ms,
            nodes: solution.nodes,
        });
        self.outcomes.push(Outcome {
            id: problem.id.clone(),
            fen: game.fen(),
            played: moves(&solution.played).join(" "),
            best: moves(&problem.best()),
            solved: solution.solved,
            score: solution.score,
            ms: solution.ms,
            nodes: solution.nodes,
            mate: solution.announced.and_then(tabia_core::Score::moves_to_mate),
            rating: problem.rating(),
        });
    }

    fn rating(&self) -> Option<Rating> {
        rating(&self.outcomes)
    }
}

fn rating<'a>(outcomes: impl IntoIterator<Item = &'a Outcome>) -> Option<Rating> {
    suite::rating(outcomes.into_iter().filter_map(|outcome| Some((outcome.rating?, outcome.solved))))
}

/// The results of all files.
pub struct Report {
    agent: String,
    files: Vec<FileReport>,
    /// Columns of the longest file name.
    widest: usize,
    /// How many positions there would have been.
    pub interrupted: Option<usize>,
}

impl Report {
    /// A report of nothing yet.
    pub fn new<'a>(agent: &AgentSpec, files: impl IntoIterator<Item = &'a PathBuf>) -> Report {
        let widest = files.into_iter().map(|file| file.display().to_string().chars().count()).max();
        Report {
            agent: agent.to_string(),
            files: Vec::new(),
            widest: widest.unwrap_or(0).max(4),
            interrupted: None,
        }
    }

    /// Takes a file in.
    pub fn add(&mut self, file: FileReport) {
        self.files.push(file);
    }

    fn sums(&self) -> Sums {
        self.files.iter().fold(Sums::default(), |mut sums, file| {
            sums.add(&file.sums);
            sums
        })
    }

    /// For people: the names of the columns.
    pub fn head(&self, out: &mut impl Write, paint: Paint) -> io::Result<()> {
        let widest = self.widest;
        let head = format!(
            "{:<widest$} {:>9} {:>7} {:>6} {:>13} {:>9} {:>8}",
            "file", "positions", "solved", "%", "points", "time", "nodes"
        );
        writeln!(out, "{}", paint.style("4", head))
    }

    /// For people: the file that was done last.
    pub fn last_row(&self, out: &mut impl Write) -> io::Result<()> {
        match self.files.last() {
            Some(file) => writeln!(out, "{}", row(&file.file, &file.sums, self.widest)),
            None => Ok(()),
        }
    }

    /// For people: what comes after the rows.
    pub fn foot(&self, out: &mut impl Write, paint: Paint, unsolved: bool) -> io::Result<()> {
        let sums = self.sums();
        if self.files.len() > 1 {
            writeln!(out, "{}", paint.bold(row("all", &sums, self.widest)))?;
        }
        for file in &self.files {
            if let Some(Rating { elo, error_95 }) = file.rating() {
                writeln!(out, "{}: solves like a player of {elo:.0} ± {error_95:.0}", file.file)?;
            }
            if unsolved {
                list_unsolved(out, file)?;
            }
        }
        if let Some(total) = self.interrupted {
            writeln!(out, "Interrupted: {} of {total} positions were tried.", sums.positions)?;
        }
        Ok(())
    }

    /// For programs.
    pub fn document(&self) -> Document<'_> {
        let Sums { positions, solved, score, max_score, ms, nodes } = self.sums();
        let results: Vec<&Outcome> = self.files.iter().flat_map(|file| &file.outcomes).collect();
        Document {
            positions,
            solved,
            score,
            max_score,
            ms,
            nodes,
            agent: &self.agent,
            rating: rating(results.iter().copied()).map(RatingDocument::from),
            interrupted: self.interrupted.is_some(),
            files: self.files.iter().map(FileDocument::from).collect(),
            results,
        }
    }
}

fn row(name: &str, sums: &Sums, widest: usize) -> String {
    let percent = 100.0 * sums.solved as f64 / (sums.positions.max(1)) as f64;
    format!(
        "{name:<widest$} {:>9} {:>7} {percent:>6.1} {:>13} {:>8.1}s {:>8}",
        sums.positions,
        sums.solved,
        format!("{}/{}", sums.score, sums.max_score),
        sums.ms as f64 / 1000.0,
        text::short_count(sums.nodes)
    )
}

fn list_unsolved(out: &mut impl Write, file: &FileReport) -> io::Result<()> {
    for outcome in file.outcomes.iter().filter(|outcome| !outcome.solved) {
        let best = if outcome.best.is_empty() {
            String::new()
        } else {
            format!(", best {}", outcome.best.join(" "))
        };
        writeln!(out, "  {}: played {}{best}  {}", outcome.id, outcome.played, outcome.fen)?;
    }
    Ok(())
}

/// The JSON of a suite; its first names are a contract.
#[derive(Serialize)]
pub struct Document<'a> {
    positions: usize,
    solved: usize,
    score: u64,
    max_score: u64,
    ms: u64,
    nodes: u64,
    agent: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<RatingDocument>,
    interrupted: bool,
    files: Vec<FileDocument<'a>>,
    results: Vec<&'a Outcome>,
}

#[derive(Serialize)]
struct FileDocument<'a> {
    file: &'a str,
    #[serde(flatten)]
    sums: &'a Sums,
    #[serde(skip_serializing_if = "Option::is_none")]
    rating: Option<RatingDocument>,
}

impl<'a> From<&'a FileReport> for FileDocument<'a> {
    fn from(report: &'a FileReport) -> FileDocument<'a> {
        FileDocument {
            file: &report.file,
            sums: &report.sums,
            rating: report.rating().map(RatingDocument::from),
        }
    }
}

#[derive(Serialize)]
struct RatingDocument {
    elo: f64,
    error_95: f64,
}

impl From<Rating> for RatingDocument {
    fn from(Rating { elo, error_95 }: Rating) -> RatingDocument {
        let tenth = |value: f64| (value * 10.0).round() / 10.0;
        RatingDocument { elo: tenth(elo), error_95: tenth(error_95) }
    }
}
