//! Output files of a match besides its run: `--pgn` and `--html`. They are recorded with the run, so that `--resume`
//! writes them too.

use std::path::{Path, PathBuf};
use std::{fs, io};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use tabia_run::atomic_file;

/// File name of the record in the run directory.
const NAME: &str = "outputs.json";

/// Output files besides the run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Outputs {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pgn: Option<PathBuf>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub html: Option<PathBuf>,
}

impl Outputs {
    /// Merges these files with the recorded ones, and records the result.
    pub fn kept_in(self, run: &Path) -> anyhow::Result<Outputs> {
        let file = run.join(NAME);
        let before: Outputs = match fs::read_to_string(&file) {
            Ok(text) => {
                serde_json::from_str(&text).with_context(|| format!("cannot read {}", file.display()))?
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => Outputs::default(),
            Err(error) => return Err(error).with_context(|| format!("cannot read {}", file.display())),
        };
        // Absolute paths: a later `--resume` may run in another directory.
        let absolute = |path: Option<PathBuf>| path.map(std::path::absolute).transpose();
        let now = Outputs {
            pgn: absolute(self.pgn)?.or_else(|| before.pgn.clone()),
            html: absolute(self.html)?.or_else(|| before.html.clone()),
        };
        if now != before {
            atomic_file::write_bytes(&file, serde_json::to_string(&now)?.as_bytes())
                .with_context(|| format!("cannot write {}", file.display()))?;
        }
        Ok(now)
    }
}
