//! The binary as people and programs meet it: arguments and input in; output, files and exit status out.

mod agents;
mod analyze;
mod bench;
mod coach;
mod eval;
mod evolve;
mod field;
mod help;
mod learning;
mod matches;
mod messages;
mod perft;
mod play;
mod quantum;
mod replay;
mod reproduce;
mod suite;

use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};

/// What a finished run left.
struct Run {
    code: i32,
    stdout: String,
    stderr: String,
}

impl Run {
    /// The JSON document on standard output.
    fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error} in:\n{}", self.stdout))
    }

    /// The last line of standard output.
    fn last_line(&self) -> &str {
        self.stdout.lines().last().unwrap_or_default()
    }
}

/// Runs `tabia` with nothing to read.
fn tabia(arguments: &[&str]) -> Run {
    tabia_in(Path::new("."), arguments, "")
}

/// Runs `tabia` in a folder with something to read.
fn tabia_in(folder: &Path, arguments: &[&str], input: &str) -> Run {
    let mut child = start(folder, arguments);
    // A program that ends before it has read everything is no failure of the test.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    finish(child)
}

fn start(folder: &Path, arguments: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tabia"))
        .args(arguments)
        .current_dir(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn finish(child: Child) -> Run {
    let output = child.wait_with_output().unwrap();
    Run {
        code: output.status.code().expect("it ended by itself"),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

/// Waits until the child has printed `text`, then interrupts it as Ctrl-C does, and lets it end.
fn interrupt_after(mut child: Child, text: &str) -> Run {
    let mut stdout = BufReader::new(child.stdout.take().unwrap());
    let mut seen = Vec::new();
    while !String::from_utf8_lossy(&seen).contains(text) {
        let read = stdout.read_until(text.as_bytes()[text.len() - 1], &mut seen).unwrap();
        assert_ne!(read, 0, "it ended before {text:?}:\n{}", String::from_utf8_lossy(&seen));
    }
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    stdout.read_to_end(&mut seen).unwrap();
    let mut run = finish(child);
    run.stdout = String::from_utf8(seen).unwrap();
    run
}

/// An empty folder of one's own.
fn folder(name: &str) -> PathBuf {
    static NUMBER: AtomicUsize = AtomicUsize::new(0);
    let number = NUMBER.fetch_add(1, Ordering::Relaxed);
    let folder =
        Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}
