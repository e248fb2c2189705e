//! The evaluation graph of an analysed game.

use std::path::Path;

use anyhow::Context;
use shakmaty::{Color, Position};
use tabia_arena::analysis::{GameAnalysis, Mark};
use tabia_draw::graph::{Graph, Severity};
use tabia_games::GameRecord;
use tabia_run::atomic_file;

use super::report::player;
use crate::failure::Usage;

/// Pixels of a PNG for each unit of the picture.
const ZOOM: f32 = 2.0;

/// Refuses an unsupported file extension before the search starts.
pub fn check(path: &Path) -> Result<(), Usage> {
    match ending(path).as_str() {
        "svg" | "png" => Ok(()),
        _ => Err(Usage(format!("{} must end in .svg or .png", path.display()))),
    }
}

fn ending(path: &Path) -> String {
    path.extension().unwrap_or_default().to_string_lossy().to_lowercase()
}

/// Draws a game into a file.
pub fn write(path: &Path, record: &GameRecord, analysis: &GameAnalysis, agent: &str) -> anyhow::Result<()> {
    let writing = || format!("cannot write {}", path.display());
    let svg = draw(record, analysis, agent)?;
    let bytes = match ending(path).as_str() {
        "png" => tabia_draw::png::png(&svg, ZOOM).with_context(writing)?,
        _ => svg.into_bytes(),
    };
    atomic_file::write_bytes(path, &bytes).with_context(writing)
}

fn draw(record: &GameRecord, analysis: &GameAnalysis, agent: &str) -> anyhow::Result<String> {
    let result = record.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
    let [white, black] = [Color::White, Color::Black].map(|color| player(record, color));
    let accuracy = analysis.accuracy();
    let known = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1}%"));
    let opening = analysis.opening.map(|(_, opening)| format!("{} {} · ", opening.eco, opening.name));
    let dots: Vec<(usize, Severity)> = analysis
        .moves
        .iter()
        .enumerate()
        .filter_map(|(index, judged)| Some((index + 1, severity(judged.mark()?))))
        .collect();
    let start = record.opening_position()?;
    let graph = Graph {
        title: &format!("{white} – {black}  {result}"),
        note: &format!("accuracy {} – {}", known(accuracy.white), known(accuracy.black)),
        subtitle: &format!("{}analysed by {agent}", opening.unwrap_or_default()),
        chances: &analysis.white_chances(),
        dots: &dots,
        legend: &legend(analysis),
        first_move: (start.position().fullmoves().get(), start.side_to_move() == Color::Black),
        opening_plies: analysis.opening.map_or(0, |(ply, _)| ply),
    };
    Ok(graph.svg())
}

/// `inaccuracies 1 – 2` for each kind that occurs, White's first.
fn legend(analysis: &GameAnalysis) -> Vec<(Severity, String)> {
    let plural = |mark: Mark| match mark {
        Mark::Inaccuracy => "inaccuracies",
        Mark::Mistake => "mistakes",
        Mark::Blunder => "blunders",
    };
    Mark::ALL
        .into_iter()
        .map(|mark| (mark, [Color::White, Color::Black].map(|color| analysis.count(color, mark))))
        .filter(|(_, counts)| counts.iter().sum::<usize>() > 0)
        .map(|(mark, [white, black])| (severity(mark), format!("{} {white} – {black}", plural(mark))))
        .collect()
}

fn severity(mark: Mark) -> Severity {
    match mark {
        Mark::Inaccuracy => Severity::Inaccuracy,
        Mark::Mistake => Severity::Mistake,
        Mark::Blunder => Severity::Blunder,
    }
}
