//! A run as a directory: what was asked, what was played, and what came of it.
//!
//! | file | what |
//! | --- | --- |
//! | `manifest.toml` | what was asked, seed and version |
//! | `games.jsonl` | every finished game, a line each, only ever added to |
//! | `games.pgn`, `result.json`, `report.html` | made from the journal, whole or not there |
//! | `live.json` | the match as it stands, with the games being played; for whoever watches |

use std::fs::{self, File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use super::error::ContestError;
use super::journal::Journal;
use super::manifest::Manifest;
use crate::whole;

const MANIFEST: &str = "manifest.toml";
const JOURNAL: &str = "games.jsonl";

/// Held by whoever works in a directory.
const LOCK: &str = "lock";

/// Takes a directory for this process alone, as long as the file is open.
pub fn hold(path: &Path) -> Result<File, ContestError> {
    let name = path.join(LOCK);
    let file = OpenOptions::new().write(true).create(true).truncate(false).open(&name);
    let file = file.map_err(|source| failed("open", &name, source))?;
    match whole::hold(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ContestError::InUse(path.to_owned())),
        Err(TryLockError::Error(source)) => Err(failed("lock", &name, source)),
    }
}

/// The directory of a run.
#[derive(Clone, Debug)]
pub struct RunDirectory {
    path: PathBuf,
}

impl RunDirectory {
    /// Starts a new run in a directory that has none.
    pub fn create(path: &Path, manifest: &Manifest) -> Result<(RunDirectory, Journal), ContestError> {
        let directory = RunDirectory { path: path.to_owned() };
        fs::create_dir_all(path).map_err(|source| failed("make", path, source))?;
        if directory.file(MANIFEST).exists() || directory.file(JOURNAL).exists() {
            return Err(ContestError::Occupied(path.to_owned()));
        }
        directory.write(MANIFEST, manifest.write()?.as_bytes())?;
        let journal = Journal::open(&directory.file(JOURNAL))?;
        Ok((directory, journal))
    }

    /// Goes on with a run.
    pub fn open(path: &Path) -> Result<(RunDirectory, Manifest), ContestError> {
        let directory = RunDirectory { path: path.to_owned() };
        let file = directory.file(MANIFEST);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(ContestError::NoRun(path.to_owned()));
            }
            Err(source) => return Err(failed("read", &file, source)),
        };
        Ok((directory, Manifest::read(&text, &file)?))
    }

    /// The journal of the run, for this process alone.
    pub fn journal(&self) -> Result<Journal, ContestError> {
        let journal = Journal::open(&self.file(JOURNAL))?;
        whole::clear(&self.path).map_err(|source| failed("clear", &self.path, source))?;
        Ok(journal)
    }

    /// Where the run is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file of the run; what was there stays until the new one is whole.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), ContestError> {
        let path = self.file(name);
        whole::write_bytes(&path, bytes).map_err(|source| failed("write", &path, source))
    }
}

fn failed(what: &'static str, path: &Path, source: io::Error) -> ContestError {
    ContestError::File { what, path: path.to_owned(), source }
}
