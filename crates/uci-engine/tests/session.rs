//! A session driven without a process: lines in, lines out.

use std::sync::{Arc, Mutex};

use tabia_core::{AgentSpec, Catalogue, ChessGame};
use tabia_search::agents::{self, AgentFiles};
use tabia_uci_engine::{Ended, Input, Output, Setup, UciEngineError, UciSession};

fn files() -> AgentFiles {
    AgentFiles::new(|_| Err(std::io::ErrorKind::NotFound.into()))
}

fn catalogue() -> Catalogue<ChessGame> {
    let mut catalogue = Catalogue::default();
    catalogue.add(agents::entries_with(files()));
    catalogue
}

fn session(spec: &str, output: Output) -> Result<UciSession, UciEngineError> {
    let (spec, catalogue, files): (AgentSpec, _, _) = (spec.parse().unwrap(), catalogue(), files());
    let setup = Setup {
        spec: &spec,
        catalogue: &catalogue,
        files: &files,
        tune: false,
        seed: || 1,
        available_memory: || u64::MAX,
    };
    UciSession::new(&setup, output)
}

/// Sends lines, then ends the input; what came back.
fn answers(spec: &str, lines: &[&str]) -> Vec<String> {
    run(spec, |input| {
        for line in lines {
            assert!(input.line(line));
        }
        input.end();
    })
}

fn run(spec: &str, send: impl FnOnce(&Input)) -> Vec<String> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let output = Output::new({
        let lines = lines.clone();
        move |line| lines.lock().unwrap().push(line.to_owned())
    });
    let session = session(spec, output).unwrap();
    send(&session.input());
    assert_eq!(session.run(), Ended::Quit);
    Arc::into_inner(lines).map_or_else(Vec::new, |lines| lines.into_inner().unwrap())
}

#[test]
fn it_introduces_itself_and_is_ready() {
    let lines = answers("engine", &["uci", "isready"]);
    assert!(lines[0].starts_with("id name Tabia "), "{lines:?}");
    assert!(lines.iter().any(|line| line.starts_with("option name Hash type spin default ")));
    assert_eq!(lines[lines.len() - 2..], ["uciok", "readyok"]);
}

#[test]
fn a_bounded_search_is_answered_after_the_end_of_input() {
    let lines = answers("engine", &["position startpos moves e2e4 e7e5", "go nodes 2000"]);
    let last = lines.last().unwrap();
    assert!(last.starts_with("bestmove "), "{last}");
    assert!(lines.iter().any(|line| line.starts_with("info depth 1 ")), "{lines:?}");
}

#[test]
fn an_endless_search_ends_with_stop_and_quit_is_obeyed_at_once() {
    let lines = answers("engine", &["go infinite", "stop"]);
    assert!(lines.last().unwrap().starts_with("bestmove "));
    run("engine", |input| {
        input.line("go infinite");
        input.line("quit");
    });
}

#[test]
fn what_is_wrong_is_said_and_changes_nothing() {
    let lines = answers("engine", &["setoption name Hsah value 1", "position fen nonsense", "go depth 1"]);
    assert!(lines[0].contains("Hash"), "{}", lines[0]);
    assert!(lines[1].contains("the position stays as it was"), "{}", lines[1]);
    assert!(lines.last().unwrap().starts_with("bestmove "));
}

#[test]
fn any_agent_can_play() {
    let lines = answers("random(seed=1)", &["setoption name Threads value 2", "go"]);
    assert!(lines[0].contains("Threads is for \"engine\""), "{}", lines[0]);
    assert!(lines.last().unwrap().starts_with("bestmove "));
}

#[test]
fn eval_explains_with_the_options_that_the_agent_plays_with() {
    let explained = |spec: &str| {
        let italian = "position startpos moves e2e4 e7e5 g1f3 b8c6 f1c4 f8c5";
        answers(spec, &[italian, "eval"]).join("\n")
    };
    let (plain, code) = (explained("axiomx"), explained("axiomx(kernels=code,depth=1)"));
    assert!(code.contains("Evaluation `axiomx(kernels=code)`"), "{code}");
    assert_ne!(plain.lines().last(), code.lines().last());
}

#[test]
fn a_spec_that_is_refused_is_an_error() {
    assert!(session("engine(hash=0)", Output::new(|_| {})).is_err());
}
