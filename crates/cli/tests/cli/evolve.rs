//! `tabia evolve`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use crate::{finish, folder, start, tabia, tabia_in};

/// A small evolution against a player that needs no time.
const SMALL: [&str; 17] = [
    "evolve",
    "--population",
    "4",
    "--generations",
    "3",
    "--opponent",
    "random",
    "--opening-plies",
    "6",
    "--opening-depth",
    "1",
    "--depth",
    "1",
    "--max-plies",
    "30",
    "--threads",
    "2",
];

fn files(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(path).unwrap().map(Result::unwrap);
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
}

#[test]
fn an_evolution_leaves_a_champion_that_can_be_played_with() {
    let folder = folder("evolve");
    let run = tabia_in(&folder, &[&SMALL[..], &["--run", "run", "--json"]].concat(), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.json()["ending"], "finished");
    let names: Vec<String> = files(&folder.join("run")).into_keys().collect();
    for name in [
        "manifest.toml",
        "metrics.jsonl",
        "champion-0002.json",
        "fitness.svg",
        "tables.svg",
        "weights.svg",
        "report.html",
    ] {
        assert!(names.iter().any(|known| known == name), "{name} is not among {names:?}");
    }
    let fen = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let agent = "chromosome(weights=run/champion.json,depth=1,quiescence=2)";
    let played = tabia_in(&folder, &["analyze", fen, "--agent", agent, "--depth", "1"], "");
    assert_eq!(played.code, 0, "{}", played.stderr);

    let rated = tabia_in(
        &folder,
        &[
            "evolve",
            "rate",
            "run",
            "--every",
            "2",
            "--games",
            "2",
            "--depth",
            "1",
            "--max-plies",
            "20",
            "--json",
        ],
        "",
    );
    assert_eq!(rated.code, 0, "{}", rated.stderr);
    assert_eq!(rated.json()["ratings"][1]["generation"], 2);
    let exam = tabia_in(
        &folder,
        &["evolve", "exam", "run", "--games", "2", "--depth", "1", "--max-plies", "20"],
        "",
    );
    assert_eq!(exam.code, 0, "{}", exam.stderr);
    for part in ["random", "2–98", "evolved, original tables", "65–35"] {
        assert!(exam.stdout.contains(part), "{}", exam.stdout);
    }
    let page = fs::read_to_string(folder.join("run/report.html")).unwrap();
    assert!(page.contains("65–35") && page.contains("Champions by generation"));
}

#[test]
fn a_run_that_was_killed_ends_as_if_it_had_not_been() {
    let folder = folder("evolve-killed");
    let whole = tabia_in(&folder, &[&SMALL[..], &["--run", "whole"]].concat(), "");
    assert_eq!(whole.code, 0, "{}", whole.stderr);
    let mut child = start(&folder, &[&SMALL[..], &["--run", "killed"]].concat());
    let metrics = folder.join("killed/metrics.jsonl");
    let begun = Instant::now();
    while !metrics.exists() && begun.elapsed() < Duration::from_secs(90) {
        std::thread::sleep(Duration::from_millis(1));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let resumed = tabia_in(&folder, &["evolve", "--resume", "killed", "--threads", "1"], "");
    assert_eq!(resumed.code, 0, "{}", resumed.stderr);
    assert!(files(&folder.join("killed")) == files(&folder.join("whole")), "the bytes differ");
}

#[test]
fn other_settings_and_impossible_ones_are_refused_with_the_reason() {
    let folder = folder("evolve-refused");
    let path = folder.join("run").display().to_string();
    let child = start(&folder, &[&SMALL[..], &["--run", &path]].concat());
    assert_eq!(finish(child).code, 0);
    for (arguments, reason) in [
        (vec!["evolve", "--resume", &path, "--population", "8"], "population is 4 there and 8 here"),
        (vec!["evolve", "--run", &path], "already holds a run"),
        (vec!["evolve", "--run", "x", "--population", "1"], "cannot breed"),
        (vec!["evolve", "--run", "x", "--games", "0"], "needs a game"),
        (
            vec!["evolve", "--run", "x", "--fitness", "positions", "--games", "2"],
            "--games can only be used with --fitness game",
        ),
        (vec!["evolve", "--run", "x", "--opponent", "stokfish"], "no agent is called \"stokfish\""),
    ] {
        let run = tabia(&arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(reason), "{arguments:?}: {}", run.stderr);
    }
    assert!(!Path::new("x").exists());
    let nowhere = tabia(&["evolve", "--resume", "nowhere"]);
    assert!(nowhere.code == 1 && nowhere.stderr.contains("no manifest.toml"), "{}", nowhere.stderr);
}
