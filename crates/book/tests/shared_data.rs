//! Real books and tables, where the laboratory's data is at hand.
//!
//! The folder is `$TABIA_DATA`, or `shared/data` beside the workspace. It is too large for the repository, so
//! these tests are ignored unless asked for (`make test-data`); then a missing file fails the test that needs it.

#[path = "shared_data/books.rs"]
mod books;
#[path = "shared_data/probes.rs"]
mod probes;
#[path = "shared_data/root.rs"]
mod root;

use std::fs;
use std::path::{Path, PathBuf};

use tabia_book::Tables;
use tabia_core::ChessGame;

fn data(path: &str) -> PathBuf {
    let root = std::env::var_os("TABIA_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = root.join(path);
    assert!(path.exists(), "{} is missing; set TABIA_DATA to the folder that has it", path.display());
    path
}

fn text(path: &str) -> String {
    fs::read_to_string(data(path)).unwrap()
}

fn tables() -> Tables {
    Tables::open(data("syzygy/3-4").to_str().unwrap()).unwrap()
}

fn game(fen: &str) -> ChessGame {
    ChessGame::from_fen(fen).unwrap()
}

fn is_wdl(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "rtbw")
}

/// The table directory with only some of its files.
fn part_of_the_tables(name: &str, keep: impl Fn(&Path) -> bool) -> PathBuf {
    let part = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("tabia-book-shared").join(name);
    let _ = fs::remove_dir_all(&part);
    fs::create_dir_all(&part).unwrap();
    for entry in fs::read_dir(data("syzygy/3-4")).unwrap() {
        let entry = entry.unwrap();
        if keep(&entry.path()) {
            fs::write(part.join(entry.file_name()), fs::read(entry.path()).unwrap()).unwrap();
        }
    }
    part
}
