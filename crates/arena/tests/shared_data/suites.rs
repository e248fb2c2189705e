//! Suites and books as they are published.

use std::path::PathBuf;

use tabia_arena::suite::{self, Task};
use tabia_games::openings::{Openings, ReadOptions};

use super::data;

fn files(folder: &str, ending: &str) -> Vec<PathBuf> {
    let mut files: Vec<PathBuf> =
        std::fs::read_dir(data(folder)).unwrap().map(|entry| entry.unwrap().path()).collect();
    files.retain(|file| file.extension().is_some_and(|found| found == ending));
    files.sort();
    files
}

#[test]
#[ignore = "needs public data: make test-data"]
fn every_tactical_position_is_read() {
    let mut count = 0;
    for file in files("tactics", "epd") {
        let (problems, faults) = suite::read(&file, false).unwrap();
        assert!(faults.is_empty(), "{faults:?}");
        assert!(problems.iter().all(|problem| matches!(problem.task, Task::Moves { .. })));
        count += problems.len();
    }
    assert_eq!(count, 3256);
}

#[test]
#[ignore = "needs public data: make test-data"]
fn every_strategic_position_has_points() {
    for (file, positions, most) in [("STS1-STS15_LAN_v3.epd", 1500, 10), ("STS1-STS15_LAN_v6.epd", 1188, 100)]
    {
        let (problems, faults) = suite::read(data("sts").join(file), false).unwrap();
        assert_eq!((problems.len(), faults.len()), (positions, 0), "{file}");
        let full = problems.iter().filter(|problem| problem.max_score() == most).count();
        assert_eq!(full, positions, "{file}");
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn every_mate_is_read_with_its_distance() {
    for (file, expected) in [
        ("matetrack.epd", 6554),
        ("matetrackpv.epd", 6554),
        ("mate-in-2.epd", 6331),
        ("mates2000.epd", 2000),
        ("terje_mate_in_3.epd", 1277),
        ("terje_mate_in_8.epd", 531),
    ] {
        let (problems, faults) = suite::read(data("mates").join(file), false).unwrap();
        assert!(faults.is_empty(), "{file}: {}", faults[0]);
        let mates = problems.iter().filter(|problem| matches!(problem.task, Task::Mate { .. })).count();
        assert_eq!((problems.len(), mates), (expected, expected), "{file}");
    }
}

#[test]
#[ignore = "needs public data: make test-data"]
fn every_puzzle_is_read() {
    let (problems, faults) = suite::read(data("puzzles/lichess_dev.csv"), false).unwrap();
    assert!(faults.is_empty(), "{}", faults[0]);
    assert_eq!(problems.len(), 29_503);
    assert!(problems.iter().all(|problem| problem.rating().is_some()));
}

#[test]
#[ignore = "needs public data: make test-data"]
fn books_of_openings_are_read() {
    for file in files("books/ready", "epd") {
        let (openings, faults) = Openings::read(&file, &ReadOptions::default()).unwrap();
        assert!(faults.is_empty(), "{}", faults[0]);
        assert!(openings.len() == 5000 || openings.len() == 960, "{}: {}", file.display(), openings.len());
    }
    let (games, faults) = Openings::read(data("books/ready/8moves_v3.pgn"), &ReadOptions::default()).unwrap();
    assert_eq!((games.len(), faults.len()), (34_700, 0));
    assert!(games.iter().all(|opening| opening.moves.len() == 16));
    let reading = ReadOptions { walks: 300, ..ReadOptions::default() };
    let (walks, _) = Openings::read(data("books/polyglot/gnuchess-book.bin"), &reading).unwrap();
    assert_eq!(walks.len(), 300);
    assert!(walks.iter().filter(|opening| opening.moves.len() == ReadOptions::WALK_PLIES).count() > 250);
}
