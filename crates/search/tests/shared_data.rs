//! The search against public mate problems. They are not part of the repository: `TABIA_DATA` or
//! `../shared/data` beside it says where they are, and without them these tests fail, which is why they are
//! ignored unless asked for (`make test-data`).

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use tabia_core::{ChessGame, Limits, Stop};
use tabia_eval::pst::Pst;
use tabia_search::engine::{Engine, STACK_BYTES, Settings};

/// What the search may spend on one problem.
const NODES: u64 = 100_000;

fn data() -> PathBuf {
    std::env::var_os("TABIA_DATA")
        .map_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data"), PathBuf::from)
}

/// The positions of a file: the first four fields of each line that has them.
fn positions(file: &str) -> Vec<String> {
    let path = data().join("mates").join(file);
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    text.lines()
        .map(|line| line.split_whitespace().take(4).collect::<Vec<_>>())
        .filter(|fields| fields.len() == 4)
        .map(|fields| fields.join(" "))
        .collect()
}

/// Problems of a file that are not solved with the exact distance, on all processors.
fn unsolved(file: &str, moves: i32) -> Vec<String> {
    let positions = positions(file);
    assert!(!positions.is_empty(), "{file} is empty");
    let next = AtomicUsize::new(0);
    let work = || {
        let mut engine = Engine::new(Pst, Settings { hash_mb: 4, ..Settings::default() });
        let mut failed = Vec::new();
        while let Some(fen) = positions.get(next.fetch_add(1, Ordering::Relaxed)) {
            let game = ChessGame::from_fen(fen).unwrap();
            engine.clear();
            let found = engine.search(&game, &Limits::nodes(NODES), &Stop::new(), &mut |_| {}).unwrap();
            if found.score.moves_to_mate() != Some(moves) || found.nodes > NODES {
                failed.push(format!("{fen}: {} after {} nodes", found.score, found.nodes));
            }
        }
        failed
    };
    std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        let running: Vec<_> = (0..threads)
            .map(|_| std::thread::Builder::new().stack_size(STACK_BYTES).spawn_scoped(scope, work).unwrap())
            .collect();
        running.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    })
}

#[test]
#[ignore = "needs public data: make test-data"]
fn every_mate_in_two_is_found_within_a_hundred_thousand_nodes() {
    for file in ["terje_mate_in_2.epd", "sunfish_mate2.fen", "mate-in-2.epd"] {
        assert_eq!(unsolved(file, 2), Vec::<String>::new(), "{file}");
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn every_mate_in_three_is_found_within_a_hundred_thousand_nodes() {
    for file in ["terje_mate_in_3.epd", "sunfish_mate3.fen"] {
        assert_eq!(unsolved(file, 3), Vec::<String>::new(), "{file}");
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn mates_in_one_are_found_at_once() {
    for file in ["terje_mate_in_1.epd", "sunfish_mate1.fen"] {
        assert_eq!(unsolved(file, 1), Vec::<String>::new(), "{file}");
    }
}
