//! Public games, suites and broken files, where the laboratory's data is at hand.
//!
//! The folder is `$TABIA_DATA`, or `shared/data` beside the workspace. It is too large for the repository, so
//! these tests are ignored unless asked for (`make test-data`); then a missing file fails the test that needs it.

#[path = "shared_data/games.rs"]
mod games;
#[path = "shared_data/suites.rs"]
mod suites;
#[path = "shared_data/syzygy.rs"]
mod syzygy;

use std::path::PathBuf;

fn data(path: &str) -> PathBuf {
    let root = std::env::var_os("TABIA_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = root.join(path);
    assert!(path.exists(), "{} is missing; set TABIA_DATA to the folder that has it", path.display());
    path
}
