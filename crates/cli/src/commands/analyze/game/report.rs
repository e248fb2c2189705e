//! An analysed game as text.

use std::io::{self, Write};

use shakmaty::{Chess, Color, Position};
use tabia_arena::analysis::{GameAnalysis, Mark, MoveAnalysis};
use tabia_games::GameRecord;

use crate::terminal::Paint;
use crate::text;

/// Half-moves of a better line that are shown.
const LINE_SHOWN: usize = 6;

/// Writes the moves, what would have been better, and how both played.
pub fn write(
    out: &mut impl Write,
    paint: Paint,
    record: &GameRecord,
    analysis: &GameAnalysis,
) -> io::Result<()> {
    let name = |color| player(record, color);
    let result = record.outcome.map_or_else(|| "*".to_owned(), |outcome| outcome.to_string());
    writeln!(
        out,
        "{}",
        paint.bold(format_args!("{} – {}  {result}", name(Color::White), name(Color::Black)))
    )?;
    if let Some((_, opening)) = analysis.opening {
        writeln!(out, "{} {}", opening.eco, opening.name)?;
    }
    let head = format!("{:<16} {:>7} {:>7}  better", "move", "White", "lost");
    writeln!(out, "\n{}", paint.style("4", head))?;
    let Ok(start) = record.opening_position() else { return Ok(()) };
    let mut position = start.position().clone();
    for judged in &analysis.moves {
        write_move(out, paint, &position, judged)?;
        position.play_unchecked(judged.played);
    }
    write_players(out, paint, record, analysis)
}

fn write_move(out: &mut impl Write, paint: Paint, position: &Chess, judged: &MoveAnalysis) -> io::Result<()> {
    let mark = judged.mark();
    let played = format!(
        "{}{}",
        text::numbered(position, &[judged.played]),
        mark.map(Mark::symbol).unwrap_or_default()
    );
    let played = format!("{played:<16}");
    let lost = judged.cp_lost();
    let lost =
        if judged.is_best() || lost == 0 { String::new() } else { format!("{:.2}", f64::from(lost) / 100.0) };
    let shown = &judged.line[..judged.line.len().min(LINE_SHOWN)];
    let better = if mark.is_some() { text::numbered(position, shown) } else { String::new() };
    let played = if mark.is_some() { paint.bold(played) } else { played };
    let line = format!("{played} {:>7} {lost:>7}  {}", white_after(judged), paint.dim(better));
    writeln!(out, "{}", line.trim_end())
}

/// What the position after the move is worth to White.
pub fn white_after(judged: &MoveAnalysis) -> String {
    match judged.moves_to_mate() {
        Some(0) => "mate".to_owned(),
        Some(moves) => format!("#{moves}"),
        None => judged.white().to_string(),
    }
}

/// A player's name.
pub fn player(record: &GameRecord, color: Color) -> &str {
    let name = color.fold_wb(&record.white, &record.black);
    if name.is_empty() { text::side(color) } else { name }
}

fn write_players(
    out: &mut impl Write,
    paint: Paint,
    record: &GameRecord,
    analysis: &GameAnalysis,
) -> io::Result<()> {
    let (accuracy, loss) = (analysis.accuracy(), analysis.average_cp_loss());
    let widest = [Color::White, Color::Black].map(|color| player(record, color).chars().count());
    let widest = widest.into_iter().max().unwrap_or(0).max(6);
    let marks = Mark::ALL.map(Mark::symbol);
    let head = format!(
        "{:<widest$} {:>9} {:>13} {:>4} {:>4} {:>4}",
        "player", "accuracy", "average loss", marks[0], marks[1], marks[2]
    );
    writeln!(out, "\n{}", paint.style("4", head))?;
    for color in Color::ALL {
        let known = |value: Option<f64>, unit: &str| {
            value.map_or_else(|| "-".to_owned(), |value| format!("{value:.1} {unit}"))
        };
        let counts = Mark::ALL.map(|mark| analysis.count(color, mark));
        writeln!(
            out,
            "{:<widest$} {:>9} {:>13} {:>4} {:>4} {:>4}",
            player(record, color),
            known(accuracy[color], "%"),
            known(loss[color], "cp"),
            counts[0],
            counts[1],
            counts[2]
        )?;
    }
    writeln!(out)
}
