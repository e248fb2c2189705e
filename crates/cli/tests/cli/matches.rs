//! `tabia match`, from arguments to files, and what becomes of it when it is killed.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use super::{folder, start, tabia, tabia_in};

/// Nothing takes so long unless it hangs.
const GUARD: Duration = Duration::from_mins(2);
/// How often to look whether something has happened.
const LOOK: Duration = Duration::from_millis(20);

/// An engine that moves its knight to and fro, with a fault of its own after some moves.
fn dancer(fault: &str, moves: u32, tag: &str) -> String {
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../arena/tests/tournaments/dancer.sh");
    format!("{fault}=uci(cmd=sh {script} {fault} {moves} {tag})")
}

/// How many processes carry a tag, zombies not counted.
fn alive(tag: &str) -> usize {
    let entries = fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    entries
        .filter(|entry| {
            let read = |file: &str| {
                String::from_utf8_lossy(&fs::read(entry.path().join(file)).unwrap_or_default()).into_owned()
            };
            let marked = read("cmdline").split('\0').any(|word| word == tag)
                || read("environ").split('\0').any(|word| word.strip_prefix("DANCER=") == Some(tag));
            marked && !read("stat").contains(") Z ")
        })
        .count()
}

fn wait_for(what: &str, mut condition: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !condition() {
        assert!(begun.elapsed() < GUARD, "it never came to pass: {what}");
        thread::sleep(LOOK);
    }
}

#[test]
fn a_match_says_what_the_interface_promises() {
    let here = folder("match");
    let arguments = [
        "match",
        "--agent",
        "random",
        "--agent",
        "strong=alphabeta(depth=1)",
        "--games",
        "6",
        "--json",
        "--pgn",
        "games.pgn",
        "--html",
        "report.html",
        "--run",
        "run",
    ];
    let run = tabia_in(&here, &arguments, "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    for key in [
        "agents",
        "games",
        "wins",
        "draws",
        "losses",
        "pentanomial",
        "elo",
        "elo_error_95",
        "los",
        "sprt",
        "illegal_moves",
        "time_losses",
        "crashes",
        "run",
    ] {
        assert!(json.get(key).is_some(), "{key} in {json}");
    }
    assert_eq!(json["agents"], serde_json::json!(["random", "strong"]));
    assert_eq!((json["games"].as_u64(), json["run"].as_str()), (Some(6), Some("run")));
    let pgn = fs::read_to_string(here.join("games.pgn")).unwrap();
    assert_eq!(pgn.matches("[White \"random\"]").count(), 3);
    assert_eq!(pgn, fs::read_to_string(here.join("run/games.pgn")).unwrap());
    assert!(fs::read_to_string(here.join("report.html")).unwrap().contains("<html"));
    for file in ["manifest.toml", "games.jsonl", "result.json", "report.html"] {
        assert!(here.join("run").join(file).exists(), "{file}");
    }
}

#[test]
fn without_json_a_table_says_whose_view_it_is() {
    let run = tabia(&["match", "--agent", "random", "--agent", "alphabeta(depth=1)", "--games", "4"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("random against alphabeta(depth=1)"), "{}", run.stdout);
    assert!(run.stdout.contains("4 of 4 games, seen by random; complete"), "{}", run.stdout);
}

#[test]
fn a_sequential_test_ends_the_match() {
    let run = tabia(&[
        "match",
        "--agent",
        "alphabeta(depth=1)",
        "--agent",
        "random",
        "--sprt",
        "0,100",
        "--max-moves",
        "60",
        "--json",
        "--resign",
        "1,300",
        "--resign-one-sided",
    ]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    let json = run.json();
    assert_eq!(json["ending"], "decided");
    assert_eq!(json["sprt"]["verdict"], "H1");
    assert!(json["games"].as_u64().unwrap() < 1000);
}

#[test]
fn wrong_usage_is_named_and_ends_with_2() {
    for (arguments, said) in [
        (vec!["--agent", "random"], "two agents"),
        (vec!["--agent", "random", "--agent", "randum"], "did you mean \"random\"?"),
        (vec!["--agent", "random", "--agent", "b=random", "--tc", "fast"], "8+0.08"),
        (
            vec!["--agent", "random", "--agent", "b=random", "--nodes", "5", "--depth", "3"],
            "cannot be used with",
        ),
        (vec!["--agent", "random", "--agent", "b=random", "--odds", "c=nodes=5"], "no agent is called \"c\""),
        (vec!["--agent", "random", "--agent", "b=random", "--alpha", "0.1"], "--sprt"),
        (vec!["--agent", "random", "--agent", "b=random", "--sprt", "5,0"], "elo0"),
        (vec!["--agent", "random", "--agent", "b=random", "--sprt", "5"], "0,5"),
        (
            vec!["--agent", "random", "--agent", "b=random", "--run", "x", "--resume", "y"],
            "cannot be used with",
        ),
    ] {
        let arguments: Vec<&str> = ["match"].into_iter().chain(arguments).collect();
        let run = tabia(&arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(said), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn an_engine_that_cannot_start_says_its_command_and_its_last_words() {
    let bad = dancer("stillborn", 0, "x");
    let run = tabia(&["match", "--agent", &bad, "--agent", "random", "--nodes", "5"]);
    assert_eq!(run.code, 1);
    for part in ["stillborn", "dancer.sh", "no soul", "exit status: 3"] {
        assert!(run.stderr.contains(part), "{part} in {}", run.stderr);
    }
    let run = tabia(&["match", "--agent", "uci(cmd=/no/such/engine)", "--agent", "random", "--nodes", "5"]);
    assert!(run.code == 1 && run.stderr.contains("/no/such/engine"), "{}", run.stderr);
}

#[test]
fn a_killed_match_leaves_no_process_behind() {
    let tag = format!("kill-{}", std::process::id());
    let (one, other) = (dancer("hang", 1, &tag), dancer("none", 1, &tag));
    let arguments = [
        "match",
        "--agent",
        &one,
        "--agent",
        &other,
        "--nodes",
        "5",
        "--stall",
        "600",
        "--openings",
        "startpos",
    ];
    for signal in ["-KILL", "-INT", "-TERM"] {
        let mut child = start(Path::new("."), &arguments);
        wait_for("engines", || alive(&tag) >= 2);
        let killed = Command::new("kill").args([signal, &child.id().to_string()]).status().unwrap();
        assert!(killed.success());
        child.wait().unwrap();
        wait_for("the end of all engines", || alive(&tag) == 0);
    }
}

#[test]
fn a_match_killed_again_and_again_resumes_to_the_same_bytes() {
    let here = folder("killed");
    let child = dancer("none", 1, "resume");
    let agents = ["--agent", "engine(nodes=40,hash=1)", "--agent", &child, "--nodes", "40", "--games", "40"];
    let begin = |run: &'static str| ["match", "--run", run].into_iter().chain(agents).collect::<Vec<_>>();
    assert_eq!(tabia_in(&here, &begin("whole"), "").code, 0);
    let journal = here.join("run/games.jsonl");
    let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
    let mut arguments = begin("run");
    for kill in 1..=4 {
        let mut child = Command::new(env!("CARGO_BIN_EXE_tabia"))
            .args(&arguments)
            .current_dir(&here)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        wait_for("some games", || lines() >= 8 * kill);
        child.kill().unwrap();
        child.wait().unwrap();
        arguments = vec!["match", "--resume", "run"];
    }
    let run = tabia_in(&here, &["match", "--resume", "run", "--json"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.json()["games"].as_u64(), Some(40));
    for file in ["games.pgn", "result.json", "report.html"] {
        let [whole, resumed] = ["whole", "run"].map(|run| fs::read(here.join(run).join(file)).unwrap());
        assert!(whole == resumed, "{file} differs");
    }
    let other = tabia_in(&here, &["match", "--resume", "run", "--nodes", "50"], "");
    assert_eq!(other.code, 2);
    assert!(other.stderr.contains("pace is \"nodes=40\" there and \"nodes=50\" here"), "{}", other.stderr);
}

#[test]
fn an_engine_is_an_agent_everywhere() {
    let script = dancer("none", 1, "agent");
    let spec = script.strip_prefix("none=").unwrap();
    let run = tabia(&["analyze", "startpos", "--agent", spec, "--depth", "1", "--json"]);
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(run.json()["best"]["uci"], "g1f3");
}
