//! Atomic files: written under a temporary name, synced, then renamed, and the directory synced.

use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Writes a file; an existing one stays until the new one is complete. On failure no temporary file is left behind.
pub fn write(path: &Path, fill: impl FnOnce(&mut BufWriter<File>) -> io::Result<()>) -> io::Result<()> {
    let mut temporary = path.as_os_str().to_owned();
    // The temporary name contains the process id: two processes may write the same file.
    temporary.push(format!(".{}.tmp", std::process::id()));
    let temporary = PathBuf::from(temporary);
    let result = File::create(&temporary).map(BufWriter::new).and_then(|mut file| {
        fill(&mut file)?;
        file.flush()?;
        file.get_ref().sync_all()?;
        fs::rename(&temporary, path)?;
        sync_parent(path)
    });
    result.inspect_err(|_| {
        // Best effort: the error of writing is the one to report.
        let _ = fs::remove_file(&temporary);
    })
}

/// Makes a new or renamed file's name survive a power cut: syncs its directory.
pub fn sync_parent(path: &Path) -> io::Result<()> {
    let parent = path.parent().filter(|parent| !parent.as_os_str().is_empty()).unwrap_or(Path::new("."));
    // Elsewhere a directory cannot be opened as a file, and names are kept with their files.
    if cfg!(unix) { File::open(parent)?.sync_all() } else { Ok(()) }
}

/// Makes a directory, with its parents where they are missing, and syncs every new name.
pub fn create_directory(path: &Path) -> io::Result<()> {
    if path.is_file() {
        return Err(io::Error::new(io::ErrorKind::NotADirectory, "it is a file, expected a directory"));
    }
    let missing: Vec<&Path> =
        path.ancestors().take_while(|path| !path.as_os_str().is_empty() && !path.exists()).collect();
    fs::create_dir_all(path)?;
    missing.iter().try_for_each(|path| sync_parent(path))
}

/// Writes bytes atomically.
pub fn write_bytes(path: &Path, bytes: &[u8]) -> io::Result<()> {
    write(path, |file| file.write_all(bytes))
}

/// Removes temporary files that a killed process left in a directory. The caller must hold the directory's lock.
pub fn clear(directory: &Path) -> io::Result<()> {
    for entry in fs::read_dir(directory)? {
        let path = entry?.path();
        let begun = path.extension().is_some_and(|end| end == "tmp")
            && path.file_stem().map(Path::new).and_then(Path::extension).is_some_and(is_number);
        if begun {
            fs::remove_file(path)?;
        }
    }
    Ok(())
}

fn is_number(text: &OsStr) -> bool {
    text.to_str().is_some_and(|text| text.bytes().all(|byte| byte.is_ascii_digit()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fails_leaves_what_was_there_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("tabia-atomic-file-{}", std::process::id()));
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

    #[test]
    fn a_directory_is_made_with_its_parents_and_may_be_there() {
        let folder = std::env::temp_dir().join(format!("tabia-create-directory-{}", std::process::id()));
        let inner = folder.join("a").join("b");
        create_directory(&inner).unwrap();
        create_directory(&inner).unwrap();
        assert!(inner.is_dir());
        fs::write(inner.join("file"), "x").unwrap();
        let error = create_directory(&inner.join("file")).unwrap_err();
        assert_eq!(error.to_string(), "it is a file, expected a directory");
        fs::remove_dir_all(&folder).unwrap();
    }

    #[test]
    fn what_a_killed_process_left_is_cleared_away_and_nothing_else() {
        let folder = std::env::temp_dir().join(format!("tabia-clear-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        for name in ["result.json.123.tmp", "result.json", "notes.tmp", "a.b.tmp"] {
            fs::write(folder.join(name), "x").unwrap();
        }
        clear(&folder).unwrap();
        let mut left: Vec<_> = fs::read_dir(&folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        left.sort();
        assert_eq!(left, ["a.b.tmp", "notes.tmp", "result.json"]);
    }
}
