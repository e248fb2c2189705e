//! A run as a directory: its manifest, and files that are replaced atomically.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::atomic_file;
use crate::error::RunError;
use crate::manifest::Manifest;

const MANIFEST: &str = "manifest.toml";

#[derive(Clone, Debug)]
pub struct RunDirectory {
    path: PathBuf,
}

impl RunDirectory {
    /// Creates a run in a directory without one. The files `leftovers` also indicate an existing run.
    pub fn create(path: &Path, manifest: &Manifest, leftovers: &[&str]) -> Result<RunDirectory, RunError> {
        let directory = RunDirectory { path: path.to_owned() };
        atomic_file::create_directory(path).map_err(RunError::file("make", path))?;
        if [MANIFEST].iter().chain(leftovers).any(|name| directory.file(name).exists()) {
            return Err(RunError::Occupied(path.to_owned()));
        }
        directory.write(MANIFEST, manifest.write()?.as_bytes())?;
        Ok(directory)
    }

    /// Opens an existing run.
    pub fn open(path: &Path) -> Result<(RunDirectory, Manifest), RunError> {
        let directory = RunDirectory { path: path.to_owned() };
        let file = directory.file(MANIFEST);
        let text = match fs::read_to_string(&file) {
            Ok(text) => text,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                return Err(RunError::NoRun(path.to_owned()));
            }
            Err(source) => return Err(RunError::file("read", file)(source)),
        };
        Ok((directory, Manifest::read(&text, &file)?))
    }

    /// Removes temporary files of a killed process. The caller must hold the lock.
    pub fn clear_temporary_files(&self) -> Result<(), RunError> {
        atomic_file::clear(&self.path).map_err(RunError::file("clear", &self.path))
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The path of a file in it.
    pub fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Writes a file of the run atomically.
    pub fn write(&self, name: &str, bytes: &[u8]) -> Result<(), RunError> {
        let path = self.file(name);
        atomic_file::write_bytes(&path, bytes).map_err(RunError::file("write", path))
    }
}
