//! Run directories: `manifest.toml` records the settings, so that resuming with others is detected.

use std::fs::{self, File};
use std::path::Path;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use tabia_run::{Manifest, RunError, atomic_file, lock};

const MANIFEST: &str = "manifest.toml";

/// Whether a directory has a manifest.
pub fn exists(folder: &Path) -> bool {
    folder.join(MANIFEST).exists()
}

/// Creates or opens a run directory, whose manifest must match the settings. The directory is locked as long as the
/// returned file is open.
pub fn claim(folder: &Path, kind: &str, version: &str, settings: &impl Serialize) -> Result<File, RunError> {
    let now = Manifest::new(kind, version, None, settings)?;
    let path = folder.join(MANIFEST);
    let failed = |what, source| RunError::File { what, path: path.clone(), source };
    atomic_file::create_directory(folder).map_err(RunError::file("make", folder))?;
    let lock = lock::lock_directory(folder)?;
    if exists(folder) {
        let text = fs::read_to_string(&path).map_err(|source| failed("read", source))?;
        if let Some(differences) = Manifest::read(&text, &path)?.differences(&now) {
            return Err(RunError::Different { path: folder.to_owned(), differences });
        }
    } else {
        atomic_file::write_bytes(&path, now.write()?.as_bytes()).map_err(|source| failed("write", source))?;
    }
    atomic_file::clear(folder).map_err(|source| failed("clear", source))?;
    Ok(lock)
}

/// A seed as text: TOML integers are signed, and seeds need all 64 bits.
pub fn as_text<S: Serializer>(seed: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_str(seed)
}

/// Parses a seed.
pub fn from_text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<u64, D::Error> {
    String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_belongs_to_one_at_a_time() {
        let folder = std::env::temp_dir().join(format!("tabia-claim-{}", std::process::id()));
        let requested = std::collections::BTreeMap::from([("nodes", 5)]);
        let held = claim(&folder, "tune", "1.0", &requested).unwrap();
        let error = claim(&folder, "tune", "1.0", &requested).unwrap_err();
        assert!(matches!(error, RunError::InUse(_)), "{error}");
        drop(held);
        let other = std::collections::BTreeMap::from([("nodes", 6)]);
        assert!(matches!(claim(&folder, "tune", "1.0", &other), Err(RunError::Different { .. })));
        claim(&folder, "tune", "1.0", &requested).unwrap();
        fs::remove_dir_all(&folder).unwrap();
    }
}
