//! Results for programs: JSON documents, and files that are whole or not there.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use serde::Serialize;

/// Prints one JSON document on standard output.
pub fn json(document: &impl Serialize) -> anyhow::Result<()> {
    // As text first: an error of the writer is then the writer's, and a closed pipe is known as one.
    let text = serde_json::to_string_pretty(document)?;
    writeln!(io::stdout(), "{text}")?;
    Ok(())
}

/// Writes a file that may exist; what was there stays until the new one is whole.
pub fn file(path: &Path, bytes: &[u8]) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(format!(".{}.tmp", std::process::id()));
    let write = || -> io::Result<()> {
        let mut file = fs::File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        // What was begun is of no use; that it cannot be removed is the lesser trouble.
        let _ = fs::remove_file(&temporary);
    })
}
