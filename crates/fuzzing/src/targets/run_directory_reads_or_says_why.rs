//! Any bytes as the manifest or the journal of a run are read or refused in words, and a journal that was read keeps what is
//! added to it. The first byte says which file.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU64, Ordering};

use tabia_arena::tournament::chess::Settings;
use tabia_arena::tournament::journal::Journal;
use tabia_core::{Outcome, Reason};
use tabia_games::{GameRecord, Ply};
use tabia_run::Manifest;

static COUNT: AtomicU64 = AtomicU64::new(0);
static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    // In memory where there is such a place: every input is a file.
    let base = if Path::new("/dev/shm").is_dir() { PathBuf::from("/dev/shm") } else { std::env::temp_dir() };
    let folder = base.join(format!("tabia-fuzz-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("there is a place for files");
    folder
});

/// Reads the input; panics where what must hold does not.
pub fn check(bytes: &[u8]) {
    let Some((which, bytes)) = bytes.split_first() else { return };
    if which % 2 == 0 {
        let Ok(text) = std::str::from_utf8(bytes) else { return };
        match Manifest::read(text, Path::new("manifest.toml")) {
            Ok(manifest) => {
                if let Err(error) = manifest.settings::<Settings>(Path::new("manifest.toml")) {
                    assert!(!error.to_string().is_empty());
                }
            }
            Err(error) => assert!(!error.to_string().is_empty()),
        }
        return;
    }
    let path = FOLDER.join(format!("{}.jsonl", COUNT.fetch_add(1, Ordering::Relaxed)));
    fs::write(&path, bytes).expect("a file can be written");
    journal(&path);
    let _ = fs::remove_file(&path);
}

fn journal(path: &Path) {
    let mut journal = match Journal::open(path) {
        Ok(journal) => journal,
        Err(error) => {
            assert!(!error.to_string().is_empty());
            return;
        }
    };
    let number = 1_000_000_007;
    if journal.has(number) {
        return;
    }
    let record = GameRecord {
        plies: vec![Ply::of("e2e4")],
        outcome: Some(Outcome::draw(Reason::Agreement)),
        ..GameRecord::default()
    };
    journal.add(number, &record).expect("a game can be added");
    let games = journal.len();
    drop(journal);
    let mut again = Journal::open(path).expect("what was read and added to is read again");
    assert_eq!(again.len(), games);
    assert_eq!(again.read(number).expect("it is there"), Some(record));
}
