//! The same seed gives the same bytes, with any number of workers and after any interruption.

use std::fs;
use std::path::Path;

use tabia_arena::tournament::chess::{Concurrency, Settings, SprtSettings};
use tabia_core::Stop;
use tabia_games::openings::Openings;
use tabia_stats::EloModel;

use super::{chess_match, directory, play, resumed, settings};

const AGENTS: [&str; 2] = ["engine(nodes=60,hash=1)", "b=random(seed=3)"];

fn files(run: &Path) -> [Vec<u8>; 3] {
    ["games.pgn", "result.json", "report.html"].map(|name| fs::read(run.join(name)).unwrap())
}

#[test]
fn any_number_of_workers_gives_the_same_bytes() {
    let openings = Openings::built_in();
    let settings = settings(&AGENTS, "nodes=100", 14, &openings);
    let runs: Vec<_> = [1, 3]
        .into_iter()
        .map(|workers| {
            let run = directory("workers");
            play(
                chess_match(&settings, &openings, Some(&run)).unwrap(),
                Concurrency { workers, pinned: false },
            );
            files(&run)
        })
        .collect();
    assert!(runs[0] == runs[1]);
    assert!(!String::from_utf8_lossy(&runs[0][0]).contains("2024.01.15"), "no dates where no clock runs");
}

#[test]
fn a_match_stopped_anywhere_goes_on_to_the_same_bytes() {
    let openings = Openings::built_in();
    let settings = settings(&AGENTS, "nodes=100", 12, &openings);
    let whole = directory("whole");
    play(chess_match(&settings, &openings, Some(&whole)).unwrap(), Concurrency { workers: 1, pinned: false });

    let run = directory("stopped");
    let mut next = chess_match(&settings, &openings, Some(&run)).unwrap();
    let mut stops = 0;
    loop {
        let stop = Stop::new();
        let played = next
            .play(Concurrency { workers: 3, pinned: false }, None, &stop, &mut |progress| {
                if progress.ended.is_some() {
                    stop.stop();
                }
            })
            .unwrap();
        if played.result.ending == "complete" {
            break;
        }
        stops += 1;
        // As if the last line had been cut by a power failure.
        let journal = fs::read(run.join("games.jsonl")).unwrap();
        fs::write(run.join("games.jsonl"), &journal[..journal.len() - 5]).unwrap();
        next = resumed(&settings, &openings, &run, "test").unwrap();
        assert!(next.dropped_bytes() > 0);
        if stops > 6 {
            // Enough: from here on every game is kept.
            play(next, Concurrency { workers: 2, pinned: false });
            break;
        }
    }
    assert!(stops > 1);
    assert!(files(&whole) == files(&run));
}

#[test]
fn a_test_decides_at_the_same_game_with_any_number_of_workers() {
    let openings = Openings::built_in();
    let mut settings = settings(&AGENTS, "nodes=100", 400, &openings);
    settings.sprt =
        Some(SprtSettings { elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05, model: EloModel::Logistic });
    let runs: Vec<_> = [1, 4]
        .into_iter()
        .map(|workers| {
            let run = directory("test");
            let (played, _) = play(
                chess_match(&settings, &openings, Some(&run)).unwrap(),
                Concurrency { workers, pinned: false },
            );
            assert_eq!(played.result.ending, "decided");
            (played.result.games_played, files(&run))
        })
        .collect();
    assert!(runs[0].0 < 400);
    assert!(runs[0] == runs[1]);
}

#[test]
fn another_version_other_settings_and_other_openings_are_refused_by_name() {
    let openings = Openings::built_in();
    let good = settings(&AGENTS, "nodes=100", 2, &openings);
    let run = directory("refused");
    play(chess_match(&good, &openings, Some(&run)).unwrap(), super::CONCURRENCY);
    let refused = |settings: &Settings, openings: &Openings, version: &str| {
        resumed(settings, openings, &run, version).err().map(|error| error.to_string()).unwrap_or_default()
    };
    assert!(refused(&good, &openings, "2.0").contains("version is \"test\" there and \"2.0\" here"));
    assert!(
        refused(&Settings { seed: 8, ..good.clone() }, &openings, "test")
            .contains("seed is 7 there and 8 here")
    );
    assert!(refused(&good, &Openings::standard_start(), "test").contains("openings.sha256"));
    assert_eq!(refused(&good, &openings, "test"), "");
    let occupied = chess_match(&good, &openings, Some(&run)).err().unwrap().to_string();
    assert!(occupied.contains("already holds a run"), "{occupied}");
    let nothing = resumed(&good, &openings, Path::new("/no/such/run"), "test").err().unwrap().to_string();
    assert!(nothing.contains("holds no run"), "{nothing}");
}
