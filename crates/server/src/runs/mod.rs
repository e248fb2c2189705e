//! Runs: matches, evolutions and trainings, each a directory under the data folder.
//!
//! A run may be started by this server or by a command on the same machine. Everything is read from the directory, so
//! both look the same: `manifest.toml` (settings), `metrics.jsonl` (one line per step; for a match `games.jsonl`, one
//! line per game), `result.json`, `live.json` (a match in progress with its current games), `grid.json` (workers, if
//! the run is distributed), and any other files.

pub mod document;
pub mod grid;
pub mod start;

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::UNIX_EPOCH;

use serde_json::Value;

use crate::timestamp::Timestamp;
use document::{Artefact, GridDocument, RunDocument, RunState};
use start::RunLauncher;

/// Settings.
pub const MANIFEST: &str = "manifest.toml";
/// Steps, or the games of a match.
const METRICS: [&str; 2] = ["metrics.jsonl", "games.jsonl"];
/// The result.
const RESULT: &str = "result.json";
/// A match in progress.
const LIVE: &str = "live.json";
/// Status of the workers.
const GRID: &str = "grid.json";
/// Standard error of a run started by the server, and the prefixes of the error in it.
pub const LOG: &str = "log.txt";
const COMPLAINT: &str = "tabia: error: ";
const CAUSE: &str = "  because: ";
/// The manifest kind of a match.
pub const MATCH: &str = "match";
/// Suffix of files that are still being written.
const UNFINISHED: &str = ".tmp";
/// The kind of a run that has no manifest yet.
const UNKNOWN: &str = "unknown";
/// The longest name of a run or file.
const LONGEST_NAME: usize = 100;
/// Larger manifests and results are not read.
const LARGEST_BYTES: u64 = 4 * 1024 * 1024;
/// Runs in a list.
const LISTED: usize = 200;
/// A run without a result that was written to this recently counts as running.
const FRESH_MS: u64 = 60_000;

/// The directory of all runs.
#[derive(Clone)]
pub struct Runs {
    folder: PathBuf,
    launcher: Arc<RunLauncher>,
}

/// Why a run could not be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// Not a valid name.
    #[error(
        "\"{0}\" is no name of a run or file: letters, digits, `_`, `-` and `.`, not beginning with a dot"
    )]
    Name(String),
    #[error("there is no {what} \"{name}\"")]
    Missing {
        /// `run` or `file`.
        what: &'static str,
        name: String,
    },
    /// A run with this name exists.
    #[error("there is a run \"{0}\" already")]
    Taken(String),
    /// The directory cannot be read.
    #[error("cannot read {}: {error}", .path.display())]
    Unreadable { path: PathBuf, error: io::Error },
}

/// Lines of metrics, and the offset of the next ones.
pub struct Metrics {
    /// Each with its number, from 1.
    pub lines: Vec<(u64, Value)>,
    /// Where to continue reading.
    pub place: MetricsOffset,
}

/// How far the metrics of a run have been read.
#[derive(Copy, Clone, Debug, Default)]
pub struct MetricsOffset {
    /// Lines read.
    pub line: u64,
    /// Bytes read.
    bytes: u64,
}

/// Checks a name, so that it cannot lead out of the directory.
fn checked(name: &str) -> Result<&str, RunError> {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-.".contains(c);
    let fine = !name.is_empty()
        && name.len() <= LONGEST_NAME
        && !name.starts_with('.')
        && name.chars().all(is_plain);
    if fine { Ok(name) } else { Err(RunError::Name(name.chars().take(LONGEST_NAME).collect())) }
}

impl Runs {
    /// The runs of a data folder; `launcher` has those started by this server.
    pub fn new(data: &Path, launcher: Arc<RunLauncher>) -> Runs {
        Runs { folder: data.join("runs"), launcher }
    }

    /// The directory of a run.
    pub fn directory(&self, id: &str) -> Result<PathBuf, RunError> {
        let path = self.folder.join(checked(id)?);
        // A symbolic link could lead out of the folder. A run that has just been started has no manifest yet.
        let is_run = fs::symlink_metadata(&path).is_ok_and(|data| data.is_dir())
            && (path.join(MANIFEST).is_file() || self.launcher.goes_on(id));
        if is_run { Ok(path) } else { Err(RunError::Missing { what: "run", name: id.to_owned() }) }
    }

    /// The directory of a new run.
    pub fn new_directory(&self, id: &str) -> Result<PathBuf, RunError> {
        let path = self.folder.join(checked(id)?);
        if path.exists() { Err(RunError::Taken(id.to_owned())) } else { Ok(path) }
    }

    /// All runs, latest first.
    pub fn list(&self) -> Result<Vec<RunDocument>, RunError> {
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(RunError::Unreadable { path: self.folder.clone(), error }),
        };
        let names = entries.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
        let mut runs: Vec<RunDocument> = names.filter_map(|name| self.show(&name).ok()).collect();
        runs.sort_by(|a, b| b.updated_at.cmp(&a.updated_at).then_with(|| a.id.cmp(&b.id)));
        runs.truncate(LISTED);
        Ok(runs)
    }

    /// One run.
    pub fn show(&self, id: &str) -> Result<RunDocument, RunError> {
        let path = self.directory(id)?;
        let manifest: toml::Table = read_small(&path.join(MANIFEST))
            .ok()
            .and_then(|text| toml::from_str(&text).ok())
            .unwrap_or_default();
        let text = |key: &str| manifest.get(key).and_then(toml::Value::as_str).map(str::to_owned);
        let result = read_small(&path.join(RESULT)).ok().and_then(|text| serde_json::from_str(&text).ok());
        let artefacts = artefacts(&path)?;
        let updated_at =
            artefacts.iter().map(|file| file.updated_at).max().unwrap_or(Timestamp::from_milliseconds(0));
        let fresh = Timestamp::now().milliseconds().saturating_sub(updated_at.milliseconds()) < FRESH_MS;
        let broken_off = result.as_ref().is_some_and(|result: &Value| result["ending"] == "interrupted");
        let kind = text("kind").unwrap_or_else(|| UNKNOWN.to_owned());
        let here = self.launcher.goes_on(id);
        let state = match &result {
            _ if here || is_held(&path) => RunState::Running,
            // A running match holds the lock of its journal.
            None if fresh && kind != MATCH => RunState::Running,
            None => RunState::Stopped,
            Some(_) if broken_off => RunState::Stopped,
            Some(_) => RunState::Finished,
        };
        Ok(RunDocument {
            id: id.to_owned(),
            kind,
            version: text("version"),
            date: text("date"),
            settings: manifest.get("settings").and_then(|value| serde_json::to_value(value).ok()),
            state,
            here,
            problem: if state == RunState::Stopped { complaint(&path) } else { None },
            result,
            grid: grid_of(&path, state),
            artefacts,
            updated_at,
        })
    }

    /// Metrics after an offset, for lines after `since`. An incomplete last line is left for the next call.
    pub fn metrics(
        &self,
        id: &str,
        from: MetricsOffset,
        since: u64,
        max: usize,
    ) -> Result<Metrics, RunError> {
        let directory = self.directory(id)?;
        let path = METRICS.map(|name| directory.join(name)).into_iter().find(|path| path.is_file());
        let Some(path) = path else { return Ok(Metrics { lines: Vec::new(), place: from }) };
        let unreadable = |error| RunError::Unreadable { path: path.clone(), error };
        let mut place = from;
        let mut lines = Vec::new();
        let mut reader = BufReader::new(File::open(&path).map_err(unreadable)?);
        reader.seek(SeekFrom::Start(place.bytes)).map_err(unreadable)?;
        let mut text = String::new();
        while lines.len() < max {
            text.clear();
            let read = reader.read_line(&mut text).map_err(unreadable)?;
            if !text.ends_with('\n') {
                break;
            }
            place.bytes += read as u64;
            place.line += 1;
            if place.line > since
                && let Ok(value) = serde_json::from_str(&text)
            {
                lines.push((place.line, value));
            }
        }
        Ok(Metrics { lines, place })
    }

    /// A match in progress; `None` for other runs.
    pub fn live(&self, id: &str) -> Result<Option<Value>, RunError> {
        let text = read_small(&self.directory(id)?.join(LIVE)).ok();
        Ok(text.and_then(|text| serde_json::from_str(&text).ok()))
    }

    /// The path of a file of a run.
    pub fn artefact(&self, id: &str, name: &str) -> Result<PathBuf, RunError> {
        let path = self.directory(id)?.join(checked(name)?);
        let is_file = fs::symlink_metadata(&path).is_ok_and(|data| data.is_file());
        if is_file { Ok(path) } else { Err(RunError::Missing { what: "file", name: name.to_owned() }) }
    }
}

/// Whether a process holds the lock on the journal of a match.
fn is_held(path: &Path) -> bool {
    File::open(path.join("games.jsonl"))
        .is_ok_and(|file| matches!(file.try_lock_shared(), Err(fs::TryLockError::WouldBlock)))
}

/// Status of the workers. The file of a killed run still says that it is active; that is corrected here.
fn grid_of(path: &Path, state: RunState) -> Option<GridDocument> {
    let text = read_small(&path.join(GRID)).ok()?;
    let mut grid: GridDocument = serde_json::from_str(&text).ok()?;
    if state != RunState::Running {
        grid.running = false;
        grid.workers.clear();
        grid.left_s = None;
    }
    Some(grid)
}

fn artefacts(path: &Path) -> Result<Vec<Artefact>, RunError> {
    let unreadable = |error| RunError::Unreadable { path: path.to_owned(), error };
    let mut files = Vec::new();
    for entry in fs::read_dir(path).map_err(unreadable)? {
        let entry = entry.map_err(unreadable)?;
        let (Ok(name), Ok(data)) = (entry.file_name().into_string(), entry.metadata()) else { continue };
        if !data.is_file() || checked(&name).is_err() || name.ends_with(UNFINISHED) {
            continue;
        }
        let since =
            data.modified().ok().and_then(|time| time.duration_since(UNIX_EPOCH).ok()).unwrap_or_default();
        let updated_at = Timestamp::from_milliseconds(since.as_millis() as u64);
        files.push(Artefact { name, bytes: data.len(), updated_at });
    }
    files.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(files)
}

/// Why a run failed, if that is the last message of its log.
pub fn complaint(path: &Path) -> Option<String> {
    let log = read_small(&path.join(LOG)).ok()?;
    let (_, last) = log.rsplit_once(COMPLAINT)?;
    let mut lines = last.lines();
    let mut message = lines.next()?.to_owned();
    for line in lines {
        message.push_str(": ");
        message.push_str(line.strip_prefix(CAUSE)?);
    }
    Some(message)
}

fn read_small(path: &Path) -> io::Result<String> {
    if fs::metadata(path)?.len() > LARGEST_BYTES {
        return Err(io::ErrorKind::FileTooLarge.into());
    }
    fs::read_to_string(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_is_the_last_word_of_a_log() {
        let folder = std::env::temp_dir().join(format!("tabia-complaint-{}", crate::id::Id::random()));
        fs::create_dir_all(&folder).unwrap();
        for (log, expected) in [
            ("a against b: 2 games\n", None),
            ("tabia: error: no engine\n", Some("no engine")),
            ("a against b\ntabia: error: no file\n  because: it is gone\n", Some("no file: it is gone")),
            ("tabia: error: no engine\na against b: 2 games\n", None),
        ] {
            fs::write(folder.join(LOG), log).unwrap();
            assert_eq!(complaint(&folder).as_deref(), expected, "{log}");
        }
        fs::remove_dir_all(folder).unwrap();
    }

    #[test]
    fn names_lead_nowhere_else() {
        for name in ["", ".", "..", ".hidden", "a/b", "a\\b", "a\0b", "ä", "../x", &"x".repeat(101)] {
            assert!(checked(name).is_err(), "{name:?}");
        }
        for name in ["match-1", "2026-01-15_a.b", "games.pgn"] {
            assert!(checked(name).is_ok(), "{name:?}");
        }
    }
}
