//! Records which account gave which counted result, and which accounts are distrusted, next to the run's journal, so
//! that a restarted coordinator can still retract results.
//!
//! Append-only lines of JSON. A result's line is written before the result is counted, so that the account of every
//! counted result is known. The last line of a task is valid.

use std::collections::{BTreeMap, HashMap};
use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::error::GridError;
use crate::task::EarlierResult;

#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Line {
    /// A result is about to be counted.
    Result { task: String, files: String, account: Option<String> },
    /// An account gave a wrong result.
    Caught { account: String, why: String },
    /// All results of an account were retracted.
    Retracted { account: String },
}

#[derive(Debug, Default)]
pub(super) struct Records {
    file: Option<(File, PathBuf)>,
    /// File offset of the current list of tasks.
    list: u64,
    /// Excluded accounts, and why.
    distrusted: BTreeMap<String, String>,
}

impl Records {
    /// Opens the records of a run; without a file they are kept in memory.
    pub fn open(path: Option<PathBuf>) -> Result<Records, GridError> {
        let Some(path) = path else { return Ok(Records::default()) };
        let failed = |source| GridError::File { path: path.display().to_string(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(failed)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text).map_err(failed)?;
        // An incomplete last line was being written when the process was killed.
        let whole = text.iter().rposition(|byte| *byte == b'\n').map_or(0, |at| at + 1);
        file.set_len(whole as u64).and_then(|()| file.seek(SeekFrom::End(0))).map_err(failed)?;
        let mut records =
            Records { file: Some((file, path)), list: whole as u64, distrusted: BTreeMap::new() };
        for line in records.read(whole as u64)? {
            if let Line::Caught { account, why } = line {
                records.distrusted.insert(account, why);
            }
        }
        Ok(records)
    }

    /// Starts a new list of tasks.
    pub fn begin(&mut self) -> Result<(), GridError> {
        if let Some((file, path)) = &mut self.file {
            let failed = |source| GridError::File { path: path.display().to_string(), source };
            self.list = file.seek(SeekFrom::End(0)).map_err(failed)?;
        }
        Ok(())
    }

    /// Records that a result is about to be counted.
    pub fn count(&mut self, task: String, files: &str, account: Option<&str>) -> Result<(), GridError> {
        let account = account.map(str::to_owned);
        self.write(&Line::Result { task, files: files.to_owned(), account })
    }

    /// Records that an account is distrusted.
    pub fn distrust(&mut self, account: &str, why: &str) -> Result<(), GridError> {
        self.distrusted.insert(account.to_owned(), why.to_owned());
        self.write(&Line::Caught { account: account.to_owned(), why: why.to_owned() })
    }

    /// Records that all results of an account were retracted.
    pub fn retracted(&mut self, account: &str) -> Result<(), GridError> {
        self.write(&Line::Retracted { account: account.to_owned() })
    }

    pub fn distrusted(&self) -> &BTreeMap<String, String> {
        &self.distrusted
    }

    /// Results of an account from before the current list that are not retracted.
    pub fn earlier(&mut self, account: &str, files: &str) -> Result<Vec<EarlierResult>, GridError> {
        let mut last: HashMap<(String, String), bool> = HashMap::new();
        for line in self.read(self.list)? {
            match line {
                Line::Result { task, files, account: by } => {
                    last.insert((task, files), by.as_deref() == Some(account));
                }
                Line::Retracted { account: of } if of == account => last.clear(),
                _ => {}
            }
        }
        let mut found: Vec<EarlierResult> = last
            .into_iter()
            .filter(|(_, theirs)| *theirs)
            .map(|((id, of), _)| EarlierResult { id, same_files: of == files })
            .collect();
        found.sort_by(|one, other| one.id.cmp(&other.id));
        Ok(found)
    }

    fn read(&mut self, bytes: u64) -> Result<Vec<Line>, GridError> {
        let Some((file, path)) = &mut self.file else { return Ok(Vec::new()) };
        let failed = |source| GridError::File { path: path.display().to_string(), source };
        let mut text = String::new();
        file.seek(SeekFrom::Start(0)).map_err(failed)?;
        Read::by_ref(file).take(bytes).read_to_string(&mut text).map_err(failed)?;
        file.seek(SeekFrom::End(0)).map_err(failed)?;
        let read = |(number, line): (usize, &str)| {
            serde_json::from_str(line).map_err(|error| GridError::Unreadable {
                path: path.display().to_string(),
                why: format!("line {}: {error}", number + 1),
            })
        };
        text.lines().enumerate().map(read).collect()
    }

    fn write(&mut self, line: &Line) -> Result<(), GridError> {
        let Some((file, path)) = &mut self.file else { return Ok(()) };
        let text = serde_json::to_string(line).expect("texts can be written") + "\n";
        let failed = |source| GridError::File { path: path.display().to_string(), source };
        file.write_all(text.as_bytes()).map_err(failed)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    #[test]
    fn what_an_account_gave_is_known_to_the_next_process() {
        let path = std::env::temp_dir().join(format!("tabia-records-{}", std::process::id()));
        let _ = fs::remove_file(&path);
        let mut records = Records::open(Some(path.clone())).unwrap();
        records.begin().unwrap();
        for (task, account) in [("1", Some("a")), ("2", Some("b")), ("3", Some("a")), ("4", None)] {
            records.count(task.to_owned(), "f", account).unwrap();
        }
        // Results of the current list are not earlier.
        assert_eq!(records.earlier("a", "f").unwrap(), []);
        // It was computed again by another account.
        records.count("3".to_owned(), "f", Some("b")).unwrap();
        drop(records);
        let mut torn = fs::read(&path).unwrap();
        torn.extend_from_slice(b"{\"resu");
        fs::write(&path, torn).unwrap();
        let mut records = Records::open(Some(path.clone())).unwrap();
        records.begin().unwrap();
        let earlier = |id: &str, same_files| EarlierResult { id: id.to_owned(), same_files };
        assert_eq!(records.earlier("a", "f").unwrap(), [earlier("1", true)]);
        assert_eq!(records.earlier("b", "g").unwrap(), [earlier("2", false), earlier("3", false)]);
        records.distrust("b", "it lied").unwrap();
        drop(records);
        // Killed before its results were retracted.
        let mut records = Records::open(Some(path.clone())).unwrap();
        assert_eq!(records.distrusted()["b"], "it lied");
        assert_eq!(records.earlier("b", "f").unwrap().len(), 2);
        records.retracted("b").unwrap();
        records.begin().unwrap();
        assert_eq!(records.earlier("b", "f").unwrap(), []);
        assert_eq!(records.earlier("a", "f").unwrap().len(), 1);
        fs::write(&path, "nonsense\n").unwrap();
        assert!(Records::open(Some(path.clone())).unwrap_err().to_string().contains("line 1"));
        fs::remove_file(path).unwrap();
    }
}
