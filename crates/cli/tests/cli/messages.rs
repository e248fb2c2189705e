//! What is said about bad input: what is wrong, where, and what would be right; and what must not happen to files and
//! terminals.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::thread;
use std::time::{Duration, Instant};

use super::{Run, finish, folder, start, tabia, tabia_in};

/// Nothing here takes so long unless it hangs.
const GUARD: Duration = Duration::from_mins(1);
const LOOK: Duration = Duration::from_millis(20);
/// Clears the screen of a terminal that obeys it.
const CLEAR: &str = "\u{1b}[2J";

/// Runs `tabia`, and ends it where it would wait for ever.
fn tabia_or_hang(folder: &Path, arguments: &[&str]) -> Run {
    let mut child = start(folder, arguments);
    drop(child.stdin.take());
    let begun = Instant::now();
    while child.try_wait().unwrap().is_none() {
        if begun.elapsed() > GUARD {
            child.kill().unwrap();
            panic!("{arguments:?} waits for ever");
        }
        thread::sleep(LOOK);
    }
    finish(child)
}

fn assert_refused(run: &Run, code: i32, said: &str) {
    assert!(run.stderr.contains(said), "{said:?} in:\n{}", run.stderr);
    assert_eq!(run.code, code, "{}", run.stderr);
    assert!(!run.stderr.contains("os error"), "{}", run.stderr);
}

#[test]
fn faulty_lines_of_training_data_do_not_reach_the_terminal_as_they_are() {
    let here = folder("escapes");
    for name in ["x.epd", "x.txt", "x.plain"] {
        fs::write(here.join(name), format!("{CLEAR}8/8 w - - | {CLEAR} | 1.0\n")).unwrap();
        let run = tabia_in(&here, &["samples", name, "-o", "out.samples"], "");
        assert!(run.stderr.contains("[2J"), "the line is quoted: {}", run.stderr);
        assert!(!run.stderr.contains('\u{1b}'), "{name}: {:?}", run.stderr);
    }
}

#[test]
fn names_in_a_manifest_do_not_reach_the_terminal_as_they_are() {
    let here = folder("names");
    let chess = ["match", "--agent", "random", "--agent", "b=random", "--games", "2", "--max-moves", "5"];
    let quantum =
        ["quantum", "match", "--agent", "random", "--agent", "b=random", "--games", "2", "--nodes", "5"];
    for (kind, begin) in [(&["match"][..], &chess[..]), (&["quantum", "match"], &quantum)] {
        let directory = kind.join("-");
        let run = tabia_in(&here, &[begin, &["--run", &directory]].concat(), "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        let manifest = here.join(&directory).join("manifest.toml");
        let text = fs::read_to_string(&manifest).unwrap();
        let changed = text.replace("name = \"b\"", "name = \"b\\u001B[2J\"");
        assert_ne!(text, changed);
        fs::write(&manifest, changed).unwrap();
        let run = tabia_in(&here, &[kind, &["--resume", &directory]].concat(), "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        for text in [&run.stdout, &run.stderr] {
            assert!(text.contains("b\u{fffd}[2J") && !text.contains('\u{1b}'), "{text:?}");
        }
    }
}

#[test]
fn a_pipe_is_not_waited_for() {
    let here = folder("pipe");
    assert!(Command::new("mkfifo").arg(here.join("pipe")).status().unwrap().success());
    let network = "pipe is not a regular file, expected a network";
    for arguments in [
        &["quantum", "analyze", "--weights", "pipe"][..],
        &["quantum", "play", "--white", "net(weights=pipe)", "--black", "random"],
        &["quantum", "serve-grpc", "--weights", "pipe"],
    ] {
        let run = tabia_or_hang(&here, arguments);
        assert!(run.code != 0 && run.stderr.contains(network), "{arguments:?}: {}", run.stderr);
    }
    let run = tabia_or_hang(&here, &["tune", "pipe", "-o", "x.json"]);
    assert_refused(&run, 2, "pipe is not a regular file, expected training positions");
}

#[test]
fn a_file_that_is_read_is_not_overwritten() {
    let here = folder("overwritten");
    let game = "[Event \"x\"]\n\n1. e4 e5 *\n";
    fs::write(here.join("x.pgn"), game).unwrap();
    for output in ["x.pgn", "./x.pgn"] {
        let run = tabia_in(&here, &["samples", "x.pgn", "-o", output], "");
        assert_refused(&run, 2, "x.pgn is read and would be overwritten; name another file with -o");
    }
    assert_eq!(fs::read_to_string(here.join("x.pgn")).unwrap(), game);
}

#[test]
fn nothing_to_write_is_an_error_and_leaves_no_file() {
    let here = folder("nothing");
    fs::create_dir(here.join("data")).unwrap();
    fs::write(here.join("x.epd"), "nonsense\n").unwrap();
    fs::write(here.join("x.csv"), "PuzzleId,FEN,Moves,Themes\na,xxx,e2e4 e7e5,fork\n").unwrap();
    fs::write(here.join("x.bin"), "").unwrap();
    let refused = |arguments: &[&str], said: &str| {
        assert_refused(&tabia_in(&here, arguments, ""), 1, said);
        assert!(!here.join("out").exists() && !here.join("out.samples").exists(), "{arguments:?}");
    };
    refused(&["samples", "x.epd", "-o", "out.samples"], "no position could be read from x.epd (1 left out)");
    let pack = ["datagen", "--run", "data", "--pack-only", "--output", "out.samples"];
    refused(&pack, "data has no shards (.games) to pack");
    refused(&["quantum", "games", "x.bin", "-o", "out"], "x.bin has no finished game");
    refused(&["motifs", "x.csv"], "no puzzle of x.csv could be read");
}

#[test]
fn a_missing_output_folder_is_told_before_the_work() {
    let here = folder("nowhere");
    fs::write(here.join("x.pgn"), "[Event \"x\"]\n\n1. e4 e5 *\n").unwrap();
    fs::write(here.join("x.samples"), "").unwrap();
    let said = "there is no directory nodir";
    for arguments in [
        &["analyze", "x.pgn", "--annotate", "nodir/x"][..],
        &["analyze", "x.pgn", "--graph", "nodir/x.svg"],
        &["exercises", "x.pgn", "-o", "nodir/x"],
        &["tune", "x.samples", "-o", "nodir/x"],
        &["datagen", "--run", "data", "--output", "nodir/x.samples"],
        &["evolve", "label", "-o", "nodir/x"],
        &["samples", "x.pgn", "-o", "nodir/x.samples"],
    ] {
        assert_refused(&tabia_in(&here, arguments, ""), 2, said);
    }
    assert!(!here.join("data").exists());
}

#[test]
fn a_server_that_cannot_be_reached_leaves_no_run() {
    let here = folder("unreachable");
    let grid = ["--grid", "nats://127.0.0.1:1"];
    let chess = ["match", "--agent", "random", "--agent", "b=random", "--nodes", "5", "--run", "run"];
    let run = tabia_in(&here, &[&chess[..], &grid].concat(), "");
    assert_refused(&run, 1, "no NATS server answers at nats://127.0.0.1:1");
    assert!(!here.join("run").exists());
}

#[test]
fn a_server_is_not_started_with_what_is_missing() {
    let here = folder("serve");
    for (arguments, said) in [
        (&["--token", ""][..], "the token is empty"),
        (&["--token="], "the token is empty"),
        (&["--engine-read", "missing"], "--engine-read missing: there is no such file or folder"),
        (&["--addr", "8050"], "expected an address and a port, such as 127.0.0.1:8050 or [::1]:8050"),
    ] {
        // Where the fault is not seen, the folder ends it.
        let arguments = [&["serve", "--data", "/proc/none"], arguments].concat();
        assert_refused(&tabia_or_hang(&here, &arguments), 2, said);
    }
    let run = tabia_or_hang(&here, &["quantum", "serve-grpc", "--token", "", "--weights", "missing"]);
    assert_refused(&run, 2, "the token is empty");
    // `localhost` is an address: the fault is another one.
    let run = tabia_or_hang(&here, &["serve", "--addr", "localhost:0", "--data", "/proc/none"]);
    assert_refused(&run, 1, "/proc/none");
}

#[test]
fn numbers_that_cannot_be_used_are_told_what_can() {
    for (arguments, said) in [
        (&["analyze", "startpos", "--depth", "0"][..], "expected a whole number from 1 to 250"),
        (&["analyze", "startpos", "--depth", "x"], "expected a whole number from 1 to 250"),
        (&["analyze", "startpos", "--nodes", "0"], "expected a whole number from 1"),
        (&["analyze", "startpos", "--multipv", "0"], "expected a whole number from 1"),
        (&["analyze", "startpos", "--multipv", "two"], "expected a whole number"),
        (&["analyze", "startpos", "--nodes", "99999999999999999999"], "expected a smaller number"),
        (&["tune", "x", "-o", "y", "--epochs", "4294967296"], "expected a whole number from 0 to 4294967295"),
        (&["tune", "x", "-o", "y", "--rate", "fast"], "expected a number such as 0.05"),
    ] {
        assert_refused(&tabia(arguments), 2, said);
    }
}

#[test]
fn files_and_positions_are_not_taken_for_one_another() {
    let here = folder("taken");
    for (name, text) in [("empty.json", ""), ("cut.json", "{\n"), ("list.json", "[1]")] {
        fs::write(here.join(name), text).unwrap();
    }
    fs::write(here.join("noise.json"), [0xff, 0xfe]).unwrap();
    fs::write(here.join("axon.json"), r#"{"format": "tabia-axon/1"}"#).unwrap();
    fs::write(here.join("games.pgn"), "[Event \"?\"]\n\n1. e4 *\n").unwrap();
    fs::write(here.join("table.csv"), "a,b\n1,2\n").unwrap();
    let weights = |name: &str| format!("engine(eval=field,weights={name})");
    let [empty, cut, list, missing] = ["empty.json", "cut.json", "list.json", "missing.json"].map(weights);
    for (arguments, code, said) in [
        (&["analyze", "missing.txt"][..], 2, "\"missing.txt\" is neither a position"),
        (&["eval", "missing.pgn"], 2, "`tabia analyze missing.pgn` analyses games"),
        (&["analyze", "startpos", "--game", "1"], 2, "--game needs a file of games"),
        (&["analyze", "startpos", "--syzygy", "x"], 2, "use --agent 'engine(syzygy=DIR)'"),
        (&["analyze", "missing.pgn"], 1, "missing.pgn: No such file or directory\n"),
        (&["analyze", "empty.json"], 1, "it is empty"),
        (&["analyze", "cut.json"], 1, "it ends in the middle of an object (line 2)"),
        (&["analyze", "list.json"], 1, "the document is [1]; expected an object with \"moves\""),
        (&["analyze", "noise.json"], 1, "it is not text (UTF-8)"),
        (&["analyze", "startpos", "--agent", &empty], 2, "empty.json: not a weight file: it is empty\n"),
        (&["analyze", "startpos", "--agent", &cut], 2, "it ends in the middle of an object (line 2)\n"),
        (&["analyze", "startpos", "--agent", &list], 2, "it is a list; expected an object\n"),
        (&["analyze", "startpos", "--agent", &missing], 2, "missing.json: No such file or directory\n"),
        (
            &["analyze", "startpos", "--agent", "engine(weights=axon.json)"],
            2,
            "axon.json has weights of \"axon\", not of \"nnue\": write engine(eval=axon,weights=axon.json)\n",
        ),
        (&["perft", "--suite", "games.pgn"], 1, "expected a position and its counts, such as FEN ;D1 20"),
        (&["suite", "table.csv"], 1, "names the columns PuzzleId, FEN, Moves and Rating"),
        (
            &["samples", "missing.pgn", "-o", "x.samples"],
            1,
            "tabia: error: cannot read missing.pgn: No such file or directory\n",
        ),
        (
            &["tune", "missing.samples", "-o", "x.json"],
            1,
            "error: cannot read missing.samples\n  because: No such",
        ),
        (&["play", "--fen", ""], 2, "--fen is empty"),
        (
            &["match", "--agent", "=engine", "--agent", "random"],
            2,
            "name is empty in \"=engine\"; write NAME=SPEC",
        ),
        (
            &["match", "--agent", "engine", "--agent", "random", "--odds", "engine=foo=3"],
            2,
            "\"foo=3\" is no limit",
        ),
        (&["tune", "x.samples"], 2, "give -o FILE or --run DIR"),
        (&["datagen", "--run", "empty.json", "--games", "1"], 1, "cannot make empty.json: it is a file"),
    ] {
        assert_refused(&tabia_in(&here, arguments, ""), code, said);
    }
}

/// A port of this machine at which nobody listens.
fn closed_port() -> u16 {
    std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn a_grid_that_cannot_be_used_leaves_no_run_behind() {
    let here = folder("no-grid");
    let address = format!("nats://127.0.0.1:{}", closed_port());
    fs::write(here.join("games.pgn"), "1. e4 *\n").unwrap();
    for command in [
        &["match", "--agent", "random", "--agent", "random", "--run", "there"][..],
        &["evolve", "--run", "there"],
        &["datagen", "--run", "there"],
        &["quantum", "train", "--run", "there"],
        &["quantum", "selfplay", "--output", "there"],
    ] {
        let run = tabia_in(&here, &[command, &["--grid", &address]].concat(), "");
        assert_refused(&run, 1, "no NATS server answers");
        assert!(!here.join("there").exists(), "{command:?}");
    }
    let run = tabia_in(&here, &["worker", "--grid", &address, "--nats-ca", "games.pgn"], "");
    assert_refused(&run, 1, "cannot use games.pgn: it has no certificate, expected a PEM file");
}

#[test]
fn a_bucket_without_credentials_is_refused_before_the_training_starts() {
    let here = folder("no-credentials");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tabia"));
    command.args(["quantum", "train", "--run", "there", "--store", "s3://bucket/x"]).current_dir(&here);
    for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("AWS_")) {
        command.env_remove(name);
    }
    // Where a machine's role is asked for, nobody answers.
    command.env("AWS_METADATA_ENDPOINT", format!("http://127.0.0.1:{}", closed_port()));
    let output = command.output().unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(
        said.starts_with("tabia: error: s3://bucket/x needs credentials: set AWS_ACCESS_KEY_ID"),
        "{said}"
    );
    assert!(!here.join("there").exists());
}
