//! A run as a directory: what was asked, what was played, and what came of it.
//!
//! | file | what |
//! | --- | --- |
//! | `manifest.toml` | what was asked, seed and version |
//! | `games.jsonl` | every finished game, a line each, only ever added to |
//! | `games.pgn`, `result.json`, `report.html` | made from the journal, whole or not there |
//! | `live.json` | the match as it stands, with the games being played; for whoever watches |

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

use super::error::ContestError;
use super::journal::Journal;
use super::manifest::Manifest;

const MANIFEST: &str = "manifest.toml";
const JOURNAL: &str = "games.jsonl";

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
        Journal::open(&self.file(JOURNAL))
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
        write_whole(&path, |file| file.write_all(bytes)).map_err(|source| failed("write", &path, source))
    }
}

/// Writes a file under another name and gives it its own when it is whole.
pub fn write_whole(path: &Path, write: impl FnOnce(&mut File) -> io::Result<()>) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".tmp");
    let temporary = PathBuf::from(temporary);
    let result = File::create(&temporary)
        .and_then(|mut file| write(&mut file).and_then(|()| file.sync_all()))
        .and_then(|()| fs::rename(&temporary, path));
    result.inspect_err(|_| {
        // What was begun is of no use; that it cannot be removed is the lesser trouble.
        let _ = fs::remove_file(&temporary);
    })
}

fn failed(what: &'static str, path: &Path, source: io::Error) -> ContestError {
    ContestError::File { what, path: path.to_owned(), source }
}
