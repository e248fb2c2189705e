//! Files of an evolution: champions, the journal of results, and whatever else is whole or not there.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::path::Path;

use serde::{Deserialize, Serialize};
use tabia_arena::contest::ContestError;
use tabia_arena::whole;
use tabia_eval::chromosome::{Phases, file};

use crate::breeding::Genes;
use crate::error::EvolveError;
use crate::positions::{self, Labelled};
use crate::settings::{Fitness, Settings};
use crate::task::Done;

/// Results of the tasks of a generation.
pub(crate) const TASKS: &str = "tasks.jsonl";

/// A line of the journal: a result that does not count any more, because whoever gave it cheated.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Retraction {
    /// The id of its task.
    pub retracted: String,
}

/// Champions of generations before, read once each.
pub(crate) struct Hall<'a> {
    pub path: &'a Path,
    pub known: HashMap<u32, Genes>,
}

impl Hall<'_> {
    pub fn champion(&mut self, generation: u32) -> Result<Genes, EvolveError> {
        if let Some(genes) = self.known.get(&generation) {
            return Ok(genes.clone());
        }
        let genes = read_weights(&self.path.join(champion_name(generation)))?.to_flat();
        self.known.insert(generation, genes.clone());
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

/// The hash of a file's bytes.
pub fn fingerprint_of(path: &Path) -> Result<String, EvolveError> {
    use sha2::{Digest, Sha256};
    let bytes = fs::read(path).map_err(EvolveError::file("read", path))?;
    Ok(hex(&Sha256::digest(bytes)))
}

pub(crate) fn hex(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        write!(text, "{byte:02x}").expect("a String takes all text");
        text
    })
}

/// The positions that fitness is measured by, checked to be those that were asked for.
pub(crate) fn positions_of(settings: &Settings) -> Result<Vec<Labelled>, EvolveError> {
    let (Fitness::Positions(asked) | Fitness::Mentor(asked)) = &settings.fitness else {
        return Ok(Vec::new());
    };
    let list = positions::read(&asked.source, settings.seed)?;
    if list.len() != asked.count || positions::fingerprint(&list) != asked.sha256 {
        return Err(EvolveError::Settings(format!("the positions of {} have changed since", asked.source)));
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
    whole::write_bytes(&path, text.as_bytes()).map_err(EvolveError::file("write", &path))
}

/// Opens the journal for this process alone.
pub(crate) fn open_journal(path: &Path) -> Result<File, EvolveError> {
    let name = path.join(TASKS);
    let file = OpenOptions::new()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(&name)
        .map_err(EvolveError::file("open", &name))?;
    match whole::hold(&file) {
        Ok(()) => Ok(file),
        Err(TryLockError::WouldBlock) => Err(ContestError::InUse(path.to_owned()).into()),
        Err(TryLockError::Error(source)) => Err(EvolveError::file("lock", &name)(source)),
    }
}

/// Results of a generation. A last line without an end was being written when the process was killed, and is dropped; results of the generation
/// before are no longer needed.
pub(crate) fn read_journal(
    journal: &mut File,
    path: &Path,
    generation: u32,
) -> Result<HashMap<String, Done>, EvolveError> {
    let mut bytes = Vec::new();
    journal.read_to_end(&mut bytes).map_err(EvolveError::file("read", path))?;
    let whole = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
    let mut results = HashMap::new();
    let mine = format!("g{generation}-");
    for line in bytes[..whole].split(|byte| *byte == b'\n').filter(|line| !line.is_empty()) {
        if let Ok(Retraction { retracted }) = serde_json::from_slice(line) {
            results.remove(&retracted);
            continue;
        }
        let done: Done = serde_json::from_slice(line).map_err(|error| EvolveError::broken(path, error))?;
        if done.id.starts_with(&mine) {
            results.insert(done.id.clone(), done);
        }
    }
    let keep = if results.is_empty() { 0 } else { whole };
    journal
        .set_len(keep as u64)
        .and_then(|()| journal.seek(SeekFrom::Start(keep as u64)))
        .map_err(EvolveError::file("shorten", path))?;
    Ok(results)
}
