//! Checks of output files before the work that fills them, and what is said of damaged input.

use std::fs;
use std::io::{self, Write};
use std::path::Path;

use crate::failure::Usage;

/// Checks that a file can be created at this path: its directory exists, and it is not a directory itself.
pub fn refuse_nowhere(path: &Path) -> Result<(), Usage> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    match folder {
        _ if path.is_dir() => Err(Usage(format!("{} is a directory; name a file", path.display()))),
        Some(folder) if !folder.is_dir() => {
            Err(Usage(format!("cannot write {}: there is no directory {}", path.display(), folder.display())))
        }
        _ => Ok(()),
    }
}

/// Whether two paths name one existing file, also through links.
pub fn are_same(one: &Path, other: &Path) -> bool {
    match (fs::canonicalize(one), fs::canonicalize(other)) {
        (Ok(one), Ok(other)) => one == other,
        _ => false,
    }
}

/// Reports bytes at the end of a file that are no whole game or position.
pub fn say_if_cut_short(path: &Path, bytes: u64, what: &str) -> anyhow::Result<()> {
    if bytes > 0 {
        let path = path.display();
        writeln!(
            io::stderr(),
            "{path}: cut short, its last {bytes} bytes are no whole {what} and are left out"
        )?;
    }
    Ok(())
}
