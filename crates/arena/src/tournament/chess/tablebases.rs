//! Tablebases of a match that is played on several machines.
//!
//! Files of tablebases are too large to send, so each worker opens its own. Games must not depend on which worker plays
//! them: the coordinator sends the names of its tables, and a worker with other tables refuses the match.

use std::path::Path;

use tabia_book::Tables;
use tabia_grid::SharedFiles;

/// The prefix of the lists of tables among the files of a run.
const LIST: &str = "syzygy:";

/// Adds the names of the tables in these directories to the files of a run.
pub fn share_list(mut shared: SharedFiles, paths: &str) -> Result<SharedFiles, String> {
    let tables = Tables::open(paths).map_err(|error| error.to_string())?;
    shared.files.insert(format!("{LIST}{paths}"), tables.names().join("\n").into_bytes());
    Ok(shared)
}

/// Opens the tables that a run names as `paths`: the worker's own directories where it was given some, else the same paths
/// on this machine. Fails where they are not the tables of the coordinator.
pub fn open_shared(shared: &SharedFiles, own: Option<&str>, paths: &str) -> Result<Option<Tables>, String> {
    if paths.is_empty() {
        return Ok(None);
    }
    let hint =
        if own.is_none() { "; `tabia worker --syzygy DIR` says where this machine has them" } else { "" };
    let tables = Tables::open(own.unwrap_or(paths)).map_err(|error| format!("{error}{hint}"))?;
    let expected = shared.files.get(&format!("{LIST}{paths}")).map(|list| String::from_utf8_lossy(list));
    if let Some(expected) = expected {
        let names = tables.names().join("\n");
        if names != expected {
            return Err(difference(&expected, &names, own.unwrap_or(paths)));
        }
    }
    Ok(Some(tables))
}

fn difference(expected: &str, found: &str, paths: &str) -> String {
    let lacks = |list: &str, name: &&str| !list.lines().any(|other| other == *name);
    let missing: Vec<&str> = expected.lines().filter(|name| lacks(found, name)).collect();
    let extra: Vec<&str> = found.lines().filter(|name| lacks(expected, name)).collect();
    let first = missing.first().or(extra.first()).copied().unwrap_or_default();
    format!(
        "{} are not the tablebases of this match: {} are missing and {} too many, such as {first}",
        Path::new(paths).display(),
        missing.len(),
        extra.len()
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_named() {
        let text = difference("KPvK.rtbw\nKQvK.rtbw", "KQvK.rtbw\nKRvK.rtbw\nKRvK.rtbz", "tables");
        assert!(text.contains("1 are missing and 2 too many, such as KPvK.rtbw"), "{text}");
    }

    #[test]
    fn a_worker_without_the_tables_says_what_to_do() {
        let error = open_shared(&SharedFiles::default(), None, "/no/such/place").unwrap_err();
        assert!(error.contains("/no/such/place") && error.contains("tabia worker --syzygy"), "{error}");
        assert!(open_shared(&SharedFiles::default(), None, "").unwrap().is_none());
    }
}
