//! Files that are whole or not there: written under another name, and given their own when all is on disk.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file that may exist; what was there stays until the new one is whole. On failure nothing is left behind.
pub fn write(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    // Two processes that write the same file do not write into one another's.
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let result = File::create(&temporary).map(BufWriter::new).and_then(|mut file| {
        fill(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()?;
        fs::rename(&temporary, path)
    });
    result.inspect_err(|_| {
        // What was begun is of no use; that it cannot be removed is the lesser trouble.
        let _ = fs::remove_file(&temporary);
    })
}

/// The same with bytes that are there already.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, |file| file.write_all(bytes))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_leaves_what_was_there_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("tabia-whole-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let path = folder.join("file");
        write_bytes(&path, b"old").unwrap();
        let failed = write(&path, |file| {
            file.write_all(b"new")?;
            Err(io::Error::other("no"))
        });
        assert!(failed.is_err());
        assert_eq!(fs::read(&path).unwrap(), b"old");
        write_bytes(&path, b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(fs::read_dir(&folder).unwrap().count(), 1);
        fs::remove_dir_all(&folder).unwrap();
    }
}
