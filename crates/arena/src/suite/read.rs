//! Problems from files.

use std::path::Path;

use shakmaty::Move;

use super::points;
use super::problem::{Problem, Task};
use super::puzzle::{self, Columns};
use tabia_games::epd::{self, Epd};
use tabia_games::error::{FileError, LineError};

/// The problems of a file and what is wrong with its other lines; `strict` ends at the first of those. A file
/// whose name ends in `.csv` has puzzles, any other has EPD.
pub fn read(path: impl AsRef<Path>, strict: bool) -> Result<(Vec<Problem>, Vec<LineError>), FileError> {
    let path = path.as_ref();
    let file = path.display().to_string();
    let text = epd::read_file(path)?;
    let (mut problems, mut faults) = (Vec::new(), Vec::new());
    let is_csv = path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("csv"));
    let found = if is_csv { from_csv(&text, &file) } else { from_epd(&text, &file) };
    for problem in found {
        match problem {
            Ok(problem) => problems.push(problem),
            Err(fault) if strict => return Err(fault.into()),
            Err(fault) => faults.push(fault),
        }
    }
    if problems.is_empty() {
        return Err(FileError::Empty { file, what: "problems", first: faults.into_iter().next() });
    }
    Ok((problems, faults))
}

type Found = Vec<Result<Problem, LineError>>;

fn from_epd(text: &str, file: &str) -> Found {
    epd::lines(text, file)
        .map(|(line, epd)| {
            let fault = |why| LineError { file: file.to_owned(), line, why };
            epd.and_then(|epd| problem(&epd, line).map_err(fault))
        })
        .collect()
}

fn from_csv(text: &str, file: &str) -> Found {
    let mut columns = Columns::usual();
    let lines = text.trim_start_matches('\u{feff}').lines().enumerate();
    lines
        .filter(|(_, line)| !line.trim().is_empty())
        .filter_map(|(index, line)| {
            if index == 0
                && let Some(heading) = Columns::heading(line)
            {
                columns = heading;
                return None;
            }
            let fault = |why: String| {
                // It may have been meant as a heading.
                let hint = if index == 0 { puzzle::HEADING_HINT } else { "" };
                LineError { file: file.to_owned(), line: index + 1, why: format!("{why}{hint}") }
            };
            Some(puzzle::read(line.trim_end(), columns).map_err(fault))
        })
        .collect()
}

/// The problem of an EPD record; the error says why it has none.
pub fn of_epd(epd: &Epd) -> Result<Problem, String> {
    problem(epd, 1)
}

/// The problem of a line of EPD.
fn problem(epd: &Epd, line: usize) -> Result<Problem, String> {
    if let Some(outcome) = epd.game.outcome() {
        return Err(format!("the game is over here: {outcome}"));
    }
    let id = epd.text("id").unwrap_or_else(|| format!("line {line}"));
    let best = epd.operands("bm").unwrap_or_default();
    let task = if let Some(moves) = mate_distance(epd) {
        // Where the mate is known, a move that is no longer legal after years of copying does no harm.
        let best = best.iter().filter(|text| !text.starts_with('#'));
        Task::Mate { moves, best: best.filter_map(|text| epd.read_move(text).ok()).collect() }
    } else {
        let avoid = epd.operands("am").unwrap_or_default();
        let points = points::of(epd).unwrap_or_default();
        if best.is_empty() && avoid.is_empty() && points.is_empty() {
            return Err("there is nothing to solve: no bm, am, dm or points".to_owned());
        }
        Task::Moves { best: moves(epd, best)?, avoid: moves(epd, avoid)?, points }
    };
    Ok(Problem { id, game: epd.game.clone(), task })
}

fn moves(epd: &Epd, texts: &[String]) -> Result<Vec<Move>, String> {
    texts.iter().map(|text| epd.read_move(text).map_err(|error| error.to_string())).collect()
}

/// `bm #3`, `dm 3` or `ce +M3`.
fn mate_distance(epd: &Epd) -> Option<i32> {
    let first = |code: &str| epd.operands(code).and_then(|operands| operands.first());
    let best = first("bm").and_then(|text| text.strip_prefix('#'));
    let announced = first("ce").and_then(|text| text.trim_start_matches('+').strip_prefix('M'));
    let mated = first("ce").and_then(|text| text.strip_prefix("-M"));
    let distance = best.or(first("dm").map(String::as_str)).or(announced).and_then(|text| text.parse().ok());
    let distance = distance.or_else(|| mated.and_then(|text| text.parse().ok()).map(|moves: i32| -moves));
    distance.filter(|moves| *moves != 0)
}
