//! The journal: one line of JSON for every finished game, in the order in which games ended.
//!
//! All other files of a match can be rebuilt from it, so it is append-only. A line is written with one unbuffered call: a
//! process that is killed loses the games in progress and at most the line being written, which has no line end.
//!
//! Each line has a checksum (`checksum`), so that a damaged one is reported instead of changing a game. After a power cut the
//! last games may be missing, and are played again: see `SYNC_EVERY`.
//!
//! A game that is retracted, because the account that played it cheated, is not removed: a line `{"retracted":7}` says that it
//! does not count, and a later line may have the game again.
//!
//! A game is stored in columns (`moves`, `scores`, `depths`, …), so that each name appears once per game.

mod checksum;
pub(super) mod line;

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Cursor, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tabia_games::GameRecord;
use tabia_run::lock::lock_file;
use tabia_run::{Manifest, RunDirectory, RunError, atomic_file};

use super::error::TournamentError;
use line::{Line, Retraction};

/// The journal's name in the directory of a match.
const NAME: &str = "games.jsonl";

/// The journal is synced to disk with every game, but no more often than this: a sync takes milliseconds, and there are
/// matches of a thousand games a second. A game that ends sooner after another is synced with the next one, or by the system
/// within its usual half minute.
const SYNC_EVERY: Duration = Duration::from_millis(100);

/// The storage of a journal.
enum Store {
    File(File),
    Memory(Cursor<Vec<u8>>),
}

/// Finished games by number.
pub struct Journal {
    store: Store,
    path: PathBuf,
    /// Offset and length of each game's line.
    places: BTreeMap<usize, (u64, usize)>,
    end: u64,
    synced: Option<Instant>,
    /// Bytes of an unfinished line that were dropped when the journal was opened.
    dropped: usize,
}

impl Journal {
    /// Starts a match in a directory that has none.
    pub fn start(path: &Path, manifest: &Manifest) -> Result<(RunDirectory, Journal), TournamentError> {
        let directory = RunDirectory::create(path, manifest, &[NAME])?;
        let journal = Journal::open(&directory.file(NAME))?;
        Ok((directory, journal))
    }

    /// Opens the journal of a match that was started before.
    pub fn resume(directory: &RunDirectory) -> Result<Journal, TournamentError> {
        let journal = Journal::open(&directory.file(NAME))?;
        directory.clear_temporary_files()?;
        Ok(journal)
    }

    /// A journal in memory.
    pub fn in_memory() -> Journal {
        let store = Store::Memory(Cursor::new(Vec::new()));
        Journal {
            store,
            path: PathBuf::from("(memory)"),
            places: BTreeMap::new(),
            end: 0,
            synced: None,
            dropped: 0,
        }
    }

    /// Opens or creates the journal in a file, and locks it.
    pub fn open(path: &Path) -> Result<Journal, TournamentError> {
        let failed = |what| RunError::file(what, path);
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)
            .map_err(failed("open"))?;
        match lock_file(&file) {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(RunError::InUse(path.parent().unwrap_or(path).to_owned()).into());
            }
            Err(TryLockError::Error(source)) => return Err(failed("lock")(source).into()),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(failed("read"))?;
        let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        let places = places(&bytes[..whole], path)?;
        file.set_len(whole as u64).map_err(failed("shorten"))?;
        file.sync_all().map_err(failed("sync"))?;
        atomic_file::sync_parent(path).map_err(failed("sync the directory of"))?;
        let dropped = bytes.len() - whole;
        let (store, path) = (Store::File(file), path.to_owned());
        Ok(Journal { store, path, places, end: whole as u64, synced: None, dropped })
    }

    /// Bytes of an unfinished last line that were dropped when the journal was opened.
    pub fn dropped(&self) -> usize {
        self.dropped
    }

    /// Whether a game is in it.
    pub fn has(&self, game: usize) -> bool {
        self.places.contains_key(&game)
    }

    /// How many games are in it.
    pub fn len(&self) -> usize {
        self.places.len()
    }

    /// Whether no game is in it.
    pub fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    pub fn add(&mut self, game: usize, record: &GameRecord) -> Result<(), TournamentError> {
        let text = serde_json::to_string(&Line::new(game, record))
            .map_err(|error| TournamentError::Unwritable { game: game + 1, why: error.to_string() })?;
        let text = checksum::seal(&text);
        self.write(text.as_bytes()).map_err(|source| self.failed("write", source))?;
        self.places.insert(game, (self.end, text.len()));
        self.end += text.len() as u64;
        Ok(())
    }

    /// Retracts games; those that are not there are ignored.
    pub fn retract(&mut self, games: &[usize]) -> Result<(), TournamentError> {
        for game in games {
            if self.places.remove(game).is_none() {
                continue;
            }
            let text = serde_json::to_string(&Retraction { retracted: *game })
                .map_err(|error| TournamentError::Unwritable { game: game + 1, why: error.to_string() })?;
            let text = checksum::seal(&text);
            self.write(text.as_bytes()).map_err(|source| self.failed("write", source))?;
            self.end += text.len() as u64;
        }
        Ok(())
    }

    fn write(&mut self, bytes: &[u8]) -> io::Result<()> {
        let at = SeekFrom::Start(self.end);
        match &mut self.store {
            Store::File(file) => {
                file.seek(at)?;
                file.write_all(bytes)?;
                if self.synced.is_none_or(|synced| synced.elapsed() >= SYNC_EVERY) {
                    file.sync_data()?;
                    self.synced = Some(Instant::now());
                }
                Ok(())
            }
            Store::Memory(memory) => memory.seek(at).and_then(|_| memory.write_all(bytes)),
        }
    }

    /// Reads a game back.
    pub fn read(&mut self, game: usize) -> Result<Option<GameRecord>, TournamentError> {
        let Some((start, length)) = self.places.get(&game).copied() else { return Ok(None) };
        let mut bytes = vec![0; length];
        let at = SeekFrom::Start(start);
        let read = match &mut self.store {
            Store::File(file) => file.seek(at).and_then(|_| file.read_exact(&mut bytes)),
            Store::Memory(memory) => memory.seek(at).and_then(|_| memory.read_exact(&mut bytes)),
        };
        read.map_err(|source| self.failed("read", source))?;
        let broken = |why: String| TournamentError::Journal {
            path: self.path.display().to_string(),
            line: self.places.values().filter(|(place, _)| *place <= start).count(),
            why,
        };
        let object = checksum::open(&bytes).map_err(broken)?;
        let line: Line = serde_json::from_slice(&object).map_err(|error| broken(error.to_string()))?;
        line.record().map(Some).map_err(broken)
    }

    fn failed(&self, what: &'static str, source: io::Error) -> TournamentError {
        RunError::File { what, path: self.path.clone(), source }.into()
    }
}

/// Offsets and lengths of the lines, after parsing each.
fn places(bytes: &[u8], path: &Path) -> Result<BTreeMap<usize, (u64, usize)>, TournamentError> {
    let mut places = BTreeMap::new();
    let mut start = 0;
    for (index, text) in bytes.split_inclusive(|byte| *byte == b'\n').enumerate() {
        let broken =
            |why| TournamentError::Journal { path: path.display().to_string(), line: index + 1, why };
        let object = checksum::open(text).map_err(broken)?;
        if let Ok(Retraction { retracted }) = serde_json::from_slice(&object) {
            places.remove(&retracted);
            start += text.len() as u64;
            continue;
        }
        let line: Line = serde_json::from_slice(&object).map_err(|error| broken(error.to_string()))?;
        let game = line.game;
        line.record().map_err(broken)?;
        if places.insert(game, (start, text.len())).is_some() {
            return Err(broken(format!("game {game} is there twice")));
        }
        start += text.len() as u64;
    }
    Ok(places)
}

#[cfg(test)]
mod tests;
