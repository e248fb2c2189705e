//! `tabia datagen`, `tabia samples` and `tabia tune`: what they leave on disk, also when they are killed.

use std::collections::HashSet;
use std::fs;
use std::path::Path;
use std::process::{Child, Command};
use std::thread;
use std::time::{Duration, Instant};

use super::{finish, folder, start, tabia_in};

/// Nothing takes so long unless it hangs.
const GUARD: Duration = Duration::from_mins(4);
/// How often to look whether something has happened.
const LOOK: Duration = Duration::from_millis(5);

const DATAGEN: &[&str] =
    &["datagen", "--run", "data", "--games", "192", "--nodes", "40", "--eval", "pst", "--threads", "1"];

/// Waits for something that a process does before it ends.
fn wait_until(child: &mut Child, what: &str, is_done: impl Fn() -> bool) {
    let begun = Instant::now();
    while !is_done() {
        let ended = child.try_wait().unwrap();
        if ended.is_some() || begun.elapsed() >= GUARD {
            // It may have ended by itself.
            let _ = child.kill();
            panic!("{what}: waited in vain; it ended with {ended:?}");
        }
        thread::sleep(LOOK);
    }
}

/// Kills a process for good as soon as a file is there.
fn kill_once_there(mut child: Child, file: &Path) {
    wait_until(&mut child, &file.display().to_string(), || file.exists());
    child.kill().unwrap();
    child.wait().unwrap();
}

/// All files of a folder that count, by name.
fn files(folder: &Path) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<(String, Vec<u8>)> = fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap())
        .map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap()))
        .filter(|(name, _)| !name.contains(".tmp"))
        .collect();
    files.sort();
    files
}

#[test]
fn killed_datagen_and_tune_end_with_the_same_bytes() {
    let (whole, broken) = (folder("whole"), folder("broken"));
    let run = tabia_in(&whole, DATAGEN, "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    kill_once_there(start(&broken, DATAGEN), &broken.join("data/shard-000000.games"));
    assert_eq!(tabia_in(&broken, DATAGEN, "").code, 0);
    assert_eq!(files(&broken.join("data")), files(&whole.join("data")));

    let tune = |threads: &'static str| -> Vec<&'static str> {
        let mut args = vec!["tune", "data/positions.samples", "--eval", "axon", "--run", "learned"];
        args.extend(["--epochs", "60", "--batch", "64", "--patience", "60", "--threads", threads]);
        args
    };
    let run = tabia_in(&whole, &tune("1"), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    kill_once_there(start(&broken, &tune("2")), &broken.join("learned/state.json"));
    let run = tabia_in(&broken, &tune("1"), "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(files(&broken.join("learned")), files(&whole.join("learned")));

    // What was learned can be played, taken apart, and shown to be what it is.
    let spec = "engine(eval=axon,weights=learned/weights.json,depth=2)";
    let moved =
        tabia_in(&whole, &["analyze", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "--agent", spec, "--json"], "");
    assert_eq!(moved.code, 0, "{}", moved.stderr);
    let explain = |more: &[&str]| {
        let run = tabia_in(&whole, &[&["eval", "startpos", "--eval", "axon", "--json"], more].concat(), "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        run.json()["terms"].clone()
    };
    assert_ne!(explain(&["--weights", "learned/weights.json"]), explain(&[]), "by the weights of the file");
    for picture in ["before.svg", "after.svg", "loss.svg"] {
        assert!(
            fs::read_to_string(whole.join("learned").join(picture)).unwrap().starts_with("<svg"),
            "{picture}"
        );
    }
}

#[test]
fn a_folder_of_other_settings_is_refused_with_the_difference() {
    let here = folder("other");
    let datagen = |seed: &str| {
        let args = ["datagen", "--run", "data", "--games", "1", "--nodes", "20", "--eval", "material"];
        tabia_in(&here, &[&args[..], &["--threads", "1", "--seed", seed]].concat(), "")
    };
    assert_eq!(datagen("1").code, 0);
    let refused = datagen("2");
    assert_ne!(refused.code, 0);
    assert!(refused.stderr.contains("seed is \"1\" there and \"2\" here"), "{}", refused.stderr);

    let tune = |rate: &str| {
        let args =
            ["tune", "data/positions.samples", "--eval", "chromosome", "--run", "learned", "--epochs", "1"];
        tabia_in(&here, &[&args[..], &["--rate", rate]].concat(), "")
    };
    let run = tune("1");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let refused = tune("2");
    assert!(refused.stderr.contains("rate is 1.0 there and 2.0 here"), "{}", refused.stderr);
    let refused = tabia_in(&here, &["tune", "data/positions.samples", "-o", "x", "--result-share", "2"], "");
    assert_eq!(refused.code, 2);
    assert!(refused.stderr.contains("between 0 and 1"), "{}", refused.stderr);
}

#[test]
fn positions_go_through_epd_and_games_and_come_back() {
    let here = folder("samples");
    let args =
        ["datagen", "--run", "data", "--games", "8", "--nodes", "30", "--eval", "material", "--threads", "1"];
    assert_eq!(tabia_in(&here, &args, "").code, 0);
    let convert = |from: &str, to: &str| {
        let run = tabia_in(&here, &["samples", from, "-o", to], "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        fs::read(here.join(to)).unwrap()
    };
    convert("data/positions.samples", "a.epd");
    let original = fs::read(here.join("data/positions.samples")).unwrap();
    assert_eq!(convert("a.epd", "b.samples"), original);
    convert("b.samples", "c.pgn");
    assert_eq!(convert("c.pgn", "d.samples"), original);

    // Single positions as games, whole games as they are, and their positions.
    let single = convert("b.samples", "g.games");
    assert_eq!(convert("g.games", "h.samples"), original);
    let games = convert("data/shard-000000.games", "i.games");
    assert_eq!(games, fs::read(here.join("data/shard-000000.games")).unwrap());
    let from = ["a.epd", "data/shard-000000.games"];
    let run = tabia_in(&here, &["samples", from[0], from[1], "-o", "mixed.games"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let mixed = fs::read(here.join("mixed.games")).unwrap();
    assert_eq!(mixed, [&games[..], &single[16..]].concat(), "whole games, then single positions");
    let records = |bytes: &[u8]| -> HashSet<Vec<u8>> { bytes[32..].chunks(32).map(<[u8]>::to_vec).collect() };
    let all = records(&convert("i.games", "j.samples"));
    assert!(records(&original).is_subset(&all), "packed positions are those of the games");
    fs::write(here.join("cut.games"), &games[..games.len() - 1]).unwrap();
    let cut = tabia_in(&here, &["samples", "cut.games", "-o", "k.games"], "");
    assert!(
        cut.stderr.contains("cut.games: cut short") && cut.stderr.contains("no whole game"),
        "{}",
        cut.stderr
    );
    assert!(games.starts_with(&fs::read(here.join("k.games")).unwrap()));

    fs::write(here.join("cut.samples"), &original[..original.len() - 7]).unwrap();
    let cut = tabia_in(&here, &["samples", "cut.samples", "-o", "e.samples"], "");
    assert!(cut.stderr.contains("cut.samples: cut short, its last 25 bytes"), "{}", cut.stderr);
    assert_eq!(fs::read(here.join("e.samples")).unwrap(), original[..original.len() - 32]);
    fs::write(here.join("bad.epd"), "8/8/8/8/8/8/8/K1k5 w - - ce 3;\n").unwrap();
    let bad = tabia_in(&here, &["samples", "bad.epd", "-o", "f.samples"], "");
    assert!(bad.stderr.contains("bad.epd:1: "), "{}", bad.stderr);
    assert_eq!(tabia_in(&here, &["samples", "a.epd", "-o", "x.doc"], "").code, 2);
}

#[test]
fn samples_are_written_as_they_are_read_and_an_interrupt_leaves_none() {
    let here = folder("interrupted");
    let opening = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 8. c3 O-O";
    let game = |moves: &str| format!("[Event \"?\"]\n\n{opening} {moves} 1-0\n\n");
    let scored = game("9. h3 {[%eval 0.35]} Nb8 {[%eval 0.40]} 10. d4 {[%eval 0.31]}");
    // The scored games fill more than a buffer of the output. The search of the last game does not end by itself.
    fs::write(here.join("games.pgn"), scored.repeat(200) + &game("9. h3")).unwrap();
    fs::write(here.join("x.samples"), "older").unwrap();
    let args = ["samples", "games.pgn", "--nodes", "1000000000000000", "--eval", "pst", "-o", "x.samples"];
    let mut child = start(&here, &args);
    wait_until(&mut child, "a temporary file with positions", || {
        let entries = fs::read_dir(&here).unwrap().map(|entry| entry.unwrap());
        let mut begun = entries.filter(|entry| entry.path().extension().is_some_and(|end| end == "tmp"));
        begun.any(|entry| entry.metadata().is_ok_and(|file| file.len() > 0))
    });
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    let run = finish(child);
    assert_eq!(run.code, 1, "{}", run.stderr);
    assert!(
        run.stderr.contains("interrupted after ") && run.stderr.contains(": nothing was written"),
        "{}",
        run.stderr
    );
    assert!(!run.stderr.contains("after 0 games"), "{}", run.stderr);
    assert_eq!(fs::read(here.join("x.samples")).unwrap(), b"older");
    assert_eq!(fs::read_dir(&here).unwrap().count(), 2, "no temporary file is left");
}

#[test]
fn positions_that_a_search_visits_follow_the_seed() {
    let here = folder("visited");
    let args =
        ["datagen", "--run", "data", "--games", "2", "--nodes", "30", "--eval", "material", "--threads", "1"];
    assert_eq!(tabia_in(&here, &args, "").code, 0);
    let games = fs::read_dir(here.join("data")).unwrap().filter_map(Result::ok).map(|entry| entry.path());
    let games = games.filter(|path| path.extension().is_some_and(|end| end == "games")).collect::<Vec<_>>();
    let from = games[0].to_str().unwrap();
    let visited = |to: &str, seed: &str| {
        let args = ["samples", from, "--visited", "2", "--nodes", "40", "--seed", seed, "-o", to];
        let run = tabia_in(&here, &args, "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        fs::read(here.join(to)).unwrap()
    };
    let one = visited("a.samples", "1");
    assert_eq!(visited("b.samples", "1"), one);
    assert_ne!(visited("c.samples", "2"), one);
    fs::write(here.join("p.epd"), "4k3/8/8/8/8/8/4P3/4K3 w - - ce 80; c9 \"1-0\";\n").unwrap();
    fs::write(here.join("p.pgn"), "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\n1. e4 Kd7 1-0\n").unwrap();
    for (name, searched) in [("p.epd", 1), ("p.pgn", 3)] {
        let run = tabia_in(&here, &["samples", name, "--visited", "2", "-o", "p.samples"], "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert_eq!(fs::read(here.join("p.samples")).unwrap().len(), 32 * (1 + 2 * searched), "{name}");
    }

    let refused = |args: &[&str], why: &str| {
        let run = tabia_in(&here, args, "");
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(why), "{}", run.stderr);
    };
    refused(&["samples", from, "--visited", "2", "-o", "x.epd"], "writes .samples, not x.epd");
    refused(&["samples", from, "--visited", "0", "-o", "x.samples"], "--visited");
    refused(&["samples", from, "--seed", "3", "-o", "x.samples"], "--visited");
    let another = ["samples", from, "--visited", "2", "--eval", "axon", "-o", "x.samples"];
    refused(&another, "searches with --eval nnue");
}

#[test]
fn weights_that_are_not_an_evaluations_own_are_refused_by_name() {
    let here = folder("weights");
    fs::write(here.join("w.json"), "{\"format\": \"tabia-field/4\"}").unwrap();
    let error = |spec: &str| {
        let run = tabia_in(&here, &["analyze", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "--agent", spec], "");
        assert_ne!(run.code, 0);
        run.stderr
    };
    let told = error("engine(eval=axiomx,weights=w.json)");
    assert!(told.contains("weights of \"field\", not of \"axiomx\": write engine(eval=field,"), "{told}");
    let told = error("engine(eval=field,weights=w.json)");
    assert!(told.contains("there is no part \"middlegame\""), "{told}");
    let told = error("engine(eval=pst,weights=w.json)");
    assert!(told.contains("weights of \"field\", not of \"pst\""), "{told}");
    fs::write(here.join("other.json"), "{}").unwrap();
    let told = error("engine(eval=pst,weights=other.json)");
    assert!(told.contains("\"pst\" has no weights to set"), "{told}");
    let told = error("engine(eval=nnue,weights=w.json)");
    assert!(told.contains("weights of \"field\", not of \"nnue\": write engine(eval=field,"), "{told}");
    let run = tabia_in(&here, &["eval", "startpos", "--eval", "axon", "--weights", "w.json"], "");
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("w.json: the format is \"tabia-field/4\""), "{}", run.stderr);
}

#[test]
fn a_network_is_trained_in_a_folder_by_a_python_that_is_there() {
    let here = folder("network");
    let args = [
        "datagen",
        "--run",
        "data",
        "--games",
        "64",
        "--nodes",
        "20",
        "--eval",
        "material",
        "--threads",
        "1",
    ];
    assert_eq!(tabia_in(&here, &args, "").code, 0);
    let tune = |more: &[&str]| {
        tabia_in(&here, &[&["tune", "data/shard-000000.games", "--eval", "nnue"], more].concat(), "")
    };
    let run = tune(&["-o", "x.nnue"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--run"), "{}", run.stderr);
    let run = tune(&["--run", "network", "--device", "torch", "--python", "no-such-python"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("no-such-python: it cannot be started"), "{}", run.stderr);
    assert_eq!(tune(&["--run", "network", "--power", "9"]).code, 2);
    let run = tune(&["--run", "network", "--king-buckets", "3"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("3 king buckets cannot work; it has 1, 4 or 8"), "{}", run.stderr);
    let run = tune(&["--run", "shaped", "--king-buckets", "4", "--hidden", "384", "--epochs", "1"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let run = tabia_in(
        &here,
        &["eval", "startpos", "--eval", "nnue", "--weights", "shaped/weights.nnue", "--json"],
        "",
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("\"rook a1\""), "{}", run.stdout);
    let run = tune(&["--run", "other", "--from", "shaped/weights.nnue"]);
    assert_ne!(run.code, 0);
    assert!(run.stderr.contains("384 hidden units per side and 4 king buckets"), "{}", run.stderr);
    let run = tabia_in(&here, &["tune", "data/positions.samples", "-o", "x", "--device", "cuda"], "");
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("--eval nnue"), "{}", run.stderr);
}
