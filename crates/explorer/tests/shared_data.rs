//! On the public collection of master games: `../shared/data` beside the checkout, or `TABIA_DATA`.

use std::path::PathBuf;

use tabia_core::{ChessGame, Stop};
use tabia_explorer::{Filter, Lookup, build};

#[test]
#[ignore = "needs public data: make test-data"]
fn every_game_of_the_collection_is_found() {
    let beside = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("TABIA_DATA").map_or(beside, PathBuf::from).join("games_gm");
    let files = ["twic_gm2550_dev.pgn", "twic_supergm2700_dev.pgn"].map(|name| data.join(name));
    let database = std::env::temp_dir().join(format!("tabia-explorer-gm-{}.sqlite3", std::process::id()));
    let done = build(&database, &files, &Stop::new(), &mut |_| {}).unwrap();
    let lookup = Lookup::open(&database).unwrap();
    let all = Filter::default();
    let start = lookup.position(ChessGame::default().position(), &all).unwrap();
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", database.display()));
    }
    assert_eq!((done.games, done.faults, start.results.games), (25_400, 0, 25_400));
    assert_eq!(start.moves[0].played.to_string(), "e2-e4");
}
