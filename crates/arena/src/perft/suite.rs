//! Files of positions with the counts they must give.
//!
//! Two forms are read. EPD, a position a line, with or without counters in its FEN:
//!
//! ```text
//! rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400
//! 8/5kpp/8/8/1p3P2/6PP/r3KP2/1R1q4 w - -  0 1; D4 23441
//! ```
//!
//! and python-chess's `.perft`, whose castling rights are those of Chess960:
//!
//! ```text
//! id gentest-1
//! epd r3k2r/8/8/8/8/8/8/1R2K2R b Kkq -
//! perft 1 25
//! ```

use std::path::{Path, PathBuf};
use std::{fs, io};

use shakmaty::{CastlingMode, Chess};
use tabia_core::FenError;

/// What is wrong with a suite.
#[derive(Debug, thiserror::Error)]
pub enum PerftError {
    /// A file or folder cannot be read.
    #[error("cannot read {path}: {error}")]
    Unreadable {
        /// Which.
        path: String,
        /// Why not.
        error: io::Error,
    },
    #[error("{0} has no .epd or .perft file")]
    NoSuite(String),
    #[error("{0} has no position")]
    NoPosition(String),
    /// A line that is no entry.
    #[error("{path}:{line}: {fault}")]
    Line {
        /// The file.
        path: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        fault: LineFault,
    },
    #[error("nothing was counted: no position has a count of at most {0} nodes")]
    NothingCounted(u64),
}

/// What is wrong with a line.
#[derive(Debug, thiserror::Error)]
pub enum LineFault {
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A line that is not even meant as an entry.
    #[error("{0}; expected a position and its counts, such as FEN ;D1 20 ;D2 400")]
    NoEntry(FenError),
    #[error("the position has no count, such as ;D4 197281")]
    NoCount,
    /// Not a count.
    #[error("\"{found}\" is no count; expected one like `{example}`")]
    Count {
        /// What is there.
        found: String,
        /// What could be there.
        example: &'static str,
    },
    #[error("a count before any position")]
    CountFirst,
    #[error("\"{0}\" is none of id, epd, perft")]
    Keyword(String),
}

/// A position and what it must give.
#[derive(Clone, Debug)]
pub struct Entry {
    /// The line of its file, from 1.
    pub line: usize,
    /// The position as written.
    pub fen: String,
    /// The position.
    pub position: Chess,
    /// Depths and their counts, shallow first.
    pub counts: Vec<(u32, u64)>,
}

impl Entry {
    /// The deepest count that is not larger than `nodes`.
    pub fn deepest_within(&self, nodes: u64) -> Option<(u32, u64)> {
        self.counts.iter().copied().rfind(|(_, expected)| *expected <= nodes)
    }
}

/// The files that a path names: itself, or the suites in a folder in the order of their names.
pub fn files(path: &Path) -> Result<Vec<PathBuf>, PerftError> {
    if !path.is_dir() {
        return Ok(vec![path.to_owned()]);
    }
    let unreadable = |error| PerftError::Unreadable { path: path.display().to_string(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let file = entry.map_err(unreadable)?.path();
        if file.extension().is_some_and(|extension| extension == "epd" || extension == "perft") {
            files.push(file);
        }
    }
    files.sort();
    if files.is_empty() {
        return Err(PerftError::NoSuite(path.display().to_string()));
    }
    Ok(files)
}

/// Reads a file of either form. Without a mode, that of `.perft` is Chess960, and that of EPD is recognised.
pub fn read(path: &Path, mode: Option<CastlingMode>) -> Result<Vec<Entry>, PerftError> {
    let name = path.display().to_string();
    let bytes = fs::read(path).map_err(|error| PerftError::Unreadable { path: name.clone(), error })?;
    let text = String::from_utf8_lossy(&bytes);
    let entries = if path.extension().is_some_and(|extension| extension == "perft") {
        read_perft(&text, mode.unwrap_or(CastlingMode::Chess960))
    } else {
        read_epd(&text, mode)
    };
    let entries = entries.map_err(|(line, fault)| PerftError::Line { path: name.clone(), line, fault })?;
    if entries.is_empty() {
        return Err(PerftError::NoPosition(name));
    }
    Ok(entries)
}

/// A fault and the line it is on.
type Fault = (usize, LineFault);

/// Lines that say something, with their numbers. Some suites end their lines with more than a newline.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines()
        .map(|line| line.trim_matches(|c: char| c.is_whitespace() || c.is_control()))
        .enumerate()
        .map(|(index, line)| (index + 1, line))
        .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

fn read_epd(text: &str, mode: Option<CastlingMode>) -> Result<Vec<Entry>, Fault> {
    lines(text).map(|(number, line)| epd_entry(number, line, mode).map_err(|fault| (number, fault))).collect()
}

fn epd_entry(line: usize, text: &str, mode: Option<CastlingMode>) -> Result<Entry, LineFault> {
    let mut parts = text.split(';').map(str::trim);
    let fen = parts.next().unwrap_or_default();
    let mut entry = start(line, fen, mode).map_err(|fault| match fault {
        LineFault::Fen(error) if !text.contains(';') => LineFault::NoEntry(error),
        fault => fault,
    })?;
    for part in parts.filter(|part| !part.is_empty()) {
        let count = part.strip_prefix('D').and_then(count).ok_or_else(|| expected("D4 197281", part))?;
        entry.counts.push(count);
    }
    finish(entry)
}

fn read_perft(text: &str, mode: CastlingMode) -> Result<Vec<Entry>, Fault> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut finished = Vec::new();
    for (number, line) in lines(text) {
        let here = |fault| (number, fault);
        let (word, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
        match word {
            "id" => {}
            "epd" => entries.push(start(number, rest, Some(mode)).map_err(here)?),
            "perft" => {
                let entry = entries.last_mut().ok_or_else(|| here(LineFault::CountFirst))?;
                entry.counts.push(count(rest).ok_or_else(|| here(expected("perft 4 197281", line)))?);
            }
            _ => return Err(here(LineFault::Keyword(word.to_owned()))),
        }
    }
    for entry in entries {
        let number = entry.line;
        finished.push(finish(entry).map_err(|fault| (number, fault))?);
    }
    Ok(finished)
}

fn start(line: usize, fen: &str, mode: Option<CastlingMode>) -> Result<Entry, LineFault> {
    let (position, _) = tabia_core::fen::read(fen, mode)?;
    Ok(Entry { line, fen: fen.trim().to_owned(), position, counts: Vec::new() })
}

fn finish(mut entry: Entry) -> Result<Entry, LineFault> {
    if entry.counts.is_empty() {
        return Err(LineFault::NoCount);
    }
    entry.counts.sort_unstable();
    Ok(entry)
}

/// `4 197281`.
fn count(text: &str) -> Option<(u32, u64)> {
    let (depth, nodes) = text.split_once(char::is_whitespace)?;
    Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
}

fn expected(example: &'static str, found: &str) -> LineFault {
    LineFault::Count { found: found.to_owned(), example }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn epd_is_read_in_all_its_spellings() {
        let text = "8/8/8/8/8/8/8/K1k5 w - - 0 1 ;D1 1 ;D2 2\r\n\
                    \n\
                    8/8/8/8/8/8/8/K1k5 w - -  0 1; D4 3\u{0}\n\
                    8/8/8/8/8/8/8/K1k5 w - -; D2 5; D1 4";
        let entries = read_epd(text, None).unwrap();
        let read: Vec<_> = entries.iter().map(|entry| (entry.line, entry.counts.clone())).collect();
        assert_eq!(read, [(1, vec![(1, 1), (2, 2)]), (3, vec![(4, 3)]), (4, vec![(1, 4), (2, 5)])]);
        assert_eq!(entries[0].deepest_within(1), Some((1, 1)));
        assert_eq!(entries[1].deepest_within(2), None);
    }

    #[test]
    fn faults_are_found_on_their_line() {
        let fault = |text: &str| read_epd(text, None).map_err(|(line, fault)| format!("{line}: {fault}"));
        assert!(fault("# nothing\nhello; D1 1").unwrap_err().starts_with("2: rank 8 has 'h'"));
        assert!(fault("8/8/8/8/8/8/8/K1k5 w - -").unwrap_err().contains("no count"));
        assert!(fault("8/8/8/8/8/8/8/K1k5 w - -; D1").unwrap_err().contains("\"D1\" is no count"));
        let fault = |text: &str| {
            read_perft(text, CastlingMode::Chess960).map_err(|(line, fault)| format!("{line}: {fault}"))
        };
        assert_eq!(fault("perft 1 2").unwrap_err(), "1: a count before any position");
        assert!(fault("id x\nfoo").unwrap_err().starts_with("2: \"foo\""));
    }
}
