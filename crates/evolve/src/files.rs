//! Files of a run: champions and the journal of results.

use std::collections::HashMap;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabia_eval::chromosome::{Phases, file};
use tabia_run::{Manifest, RunDirectory, RunError, atomic_file, lock};

use crate::error::EvolveError;
use crate::operators::Genes;
use crate::positions::{self, LabelledPosition};
use crate::settings::{Fitness, Settings};
use crate::task::TaskResult;

/// Kind of the run in its manifest.
pub(crate) const KIND: &str = "evolve";

pub(crate) const MANIFEST: &str = "manifest.toml";
/// The journal: results of the current generation's tasks.
pub(crate) const TASKS: &str = "tasks.jsonl";

/// A line of the journal that retracts a result, because the account that sent it cheated.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retraction {
    /// The id of its task.
    pub retracted: String,
}

/// Champions of earlier generations, cached.
pub(crate) struct HallOfFame<'a> {
    pub path: &'a Path,
    pub cache: HashMap<u32, Genes>,
}

impl HallOfFame<'_> {
    pub fn champion(&mut self, generation: u32) -> Result<Genes, EvolveError> {
        if let Some(genes) = self.cache.get(&generation) {
            return Ok(genes.clone());
        }
        let genes = read_weights(&self.path.join(champion_name(generation)))?.to_flat();
        self.cache.insert(generation, genes.clone());
        Ok(genes)
    }
}

/// The file of a generation's champion.
pub fn champion_name(generation: u32) -> String {
    format!("champion-{generation:04}.json")
}

/// Reads a file of weights.
pub fn read_weights(path: &Path) -> Result<Phases, EvolveError> {
    let text = fs::read_to_string(path).map_err(EvolveError::file("read", path))?;
    file::read(&text).map_err(|source| EvolveError::Weights { path: path.to_owned(), source })
}

/// Reads the settings of a run from its directory.
pub(crate) fn read_settings(path: &Path) -> Result<(Settings, Manifest), EvolveError> {
    let (_, manifest) = RunDirectory::open(path)?;
    if manifest.kind != KIND {
        return Err(EvolveError::malformed(
            &path.join(MANIFEST),
            format!("it is a run of another kind, \"{}\", expected \"{KIND}\"", manifest.kind),
        ));
    }
    Ok((manifest.settings(path)?, manifest))
}

/// SHA-256 of a file, in hexadecimal.
pub fn file_sha256(path: &Path) -> Result<String, EvolveError> {
    use sha2::{Digest, Sha256};
    let bytes = fs::read(path).map_err(EvolveError::file("read", path))?;
    Ok(format!("{:x}", Sha256::digest(bytes)))
}

/// The positions of a fitness by positions, verified against the manifest's hash.
pub(crate) fn positions_of(settings: &Settings) -> Result<Vec<LabelledPosition>, EvolveError> {
    let (Fitness::Positions(expected) | Fitness::Mentor(expected)) = &settings.fitness else {
        return Ok(Vec::new());
    };
    let list = positions::read(&expected.source, settings.seed)?;
    if list.len() != expected.count || positions::fingerprint(&list) != expected.sha256 {
        return Err(EvolveError::Settings(format!(
            "the positions of {} have changed since the run started",
            expected.source
        )));
    }
    Ok(list)
}

pub(crate) fn founder_of(settings: &Settings) -> Result<Option<Phases>, EvolveError> {
    let Some(founder) = &settings.founder else { return Ok(None) };
    let weights = read_weights(Path::new(&founder.path))?;
    if !settings.phases && weights.sets().len() > 1 {
        return Err(EvolveError::Settings(format!(
            "{} has weights for three phases, and so must its descendants (--phases)",
            founder.path
        )));
    }
    Ok(Some(weights))
}

pub(crate) fn write(path: &Path, name: &str, text: &str) -> Result<(), EvolveError> {
    let path = path.join(name);
    atomic_file::write_bytes(&path, text.as_bytes()).map_err(EvolveError::file("write", &path))
}

/// Opens and locks the journal.
pub(crate) fn open_journal(path: &Path) -> Result<File, EvolveError> {
    let name = path.join(TASKS);
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name)
        .map_err(EvolveError::file("open", &name))?;
    match lock::lock_file(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(RunError::InUse(path.to_owned()).into()),
        Err(TryLockError::Error(source)) => Err(EvolveError::file("lock", &name)(source)),
    }
}

/// Reads the results of a generation. An incomplete last line, from a killed process, is dropped, and so are results of the generation
/// before.
pub(crate) fn read_journal(
    journal: &mut File,
    path: &Path,
    generation: u32,
) -> Result<HashMap<String, TaskResult>, EvolveError> {
    let mut bytes = Vec::new();
    journal.read_to_end(&mut bytes).map_err(EvolveError::file("read", path))?;
    let complete = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut results = HashMap::new();
    let prefix = format!("g{generation}-");
    for line in bytes[..complete].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        if let Ok(Retraction { retracted }) = serde_json::from_slice(line) {
            results.remove(&retracted);
            continue;
        }
        let done: TaskResult =
            serde_json::from_slice(line).map_err(|error| EvolveError::malformed(path, error))?;
        if done.id.starts_with(&prefix) {
            results.insert(done.id.clone(), done);
        }
    }
    let keep = if results.is_empty() { 0 } else { complete };
    journal
        .set_len(keep as u64)
        .and_then(|()| journal.seek(SeekFrom::Start(keep as u64)))
        .map_err(EvolveError::file("shorten", path))?;
    Ok(results)
}
