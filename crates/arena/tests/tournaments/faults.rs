//! Engines that misbehave: each fault is seen, blamed on whoever committed it, and nothing is left of it.

use std::path::Path;
use std::thread;
use std::time::{Duration, Instant};

use tabia_core::{Outcome, Reason};
use tabia_games::openings::Openings;

use super::{CONCURRENCY, chess_match, play, settings};

/// The spec of an engine with a fault after some moves, tagged so that its processes can be found.
fn dancer(fault: &str, moves: u32, tag: &str) -> String {
    let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/tournaments/dancer.sh");
    format!("{fault}=uci(cmd=sh {} {fault} {moves} {tag})", script.display())
}

/// How many processes carry a tag, zombies not counted.
fn alive(tag: &str) -> usize {
    let entries = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    entries
        .filter(|entry| {
            let read = |file: &str| {
                String::from_utf8_lossy(&std::fs::read(entry.path().join(file)).unwrap_or_default())
                    .into_owned()
            };
            // An argument of the engine itself, in the environment of whatever it started or became.
            let marked = read("cmdline").split('\0').any(|word| word == tag)
                || read("environ").split('\0').any(|word| word.strip_prefix("DANCER=") == Some(tag));
            marked && !read("stat").contains(") Z ")
        })
        .count()
}

/// An engine with a fault, and how it is to lose.
struct Case {
    fault: &'static str,
    /// Good moves before the fault.
    moves: u32,
    time_control: &'static str,
    /// How long it may say nothing.
    stall_ms: u64,
    games: usize,
}

/// How long an engine may be silent where that is its fault. It has as long to introduce itself, which a busy machine
/// must not keep it from.
const SHORT_STALL_MS: u64 = 5_000;

impl Case {
    fn new(fault: &'static str, games: usize) -> Case {
        Case { fault, moves: 1, time_control: "nodes=10", stall_ms: 600_000, games }
    }

    /// An engine that falls silent.
    fn silent(fault: &'static str, games: usize) -> Case {
        Case { stall_ms: SHORT_STALL_MS, ..Case::new(fault, games) }
    }

    /// An engine with a clock. Its fault comes with the first move, so that a busy machine cannot make it lose on
    /// time before.
    fn timed(fault: &'static str, time_control: &'static str, games: usize) -> Case {
        Case { moves: 0, time_control, ..Case::new(fault, games) }
    }

    /// Plays the games against an agent of our own without a clock, which a busy machine cannot make lose: the
    /// faulty one has to lose all of them so.
    fn loses(&self, reason: Reason, detail: &str) {
        let Case { fault, moves, time_control, stall_ms, games } = *self;
        let tag = format!("tag-{}-{fault}-{time_control}", std::process::id());
        let openings = Openings::standard_start();
        let bad = dancer(fault, moves, &tag);
        let mut settings = settings(&[&bad, "good=random"], time_control, games, &openings);
        settings.agents[1].time_control = "own".parse().unwrap();
        settings.stall_ms = stall_ms;
        let (played, records) = play(chess_match(&settings, &openings, None).unwrap(), CONCURRENCY);
        assert_eq!(records.len(), games, "every game is accounted for");
        for record in &records {
            let loser = if record.white == fault { shakmaty::Color::White } else { shakmaty::Color::Black };
            assert_eq!(record.outcome, Some(Outcome::win(loser.other(), reason)), "{fault}: {record:?}");
            let told = record.detail.as_deref().unwrap_or_default();
            assert!(told.contains(detail), "{fault}: {told}");
        }
        assert_eq!(played.result.summary.losses, games as u64);
        let faults = played.result.illegal_moves + played.result.time_losses + played.result.crashes;
        assert_eq!(faults, games as u64);
        assert!(gone(&tag), "{fault} left a process behind");
    }
}

/// Whether no process carries a tag, now or within a moment: the kernel takes one to end what was killed.
fn gone(tag: &str) -> bool {
    let begun = Instant::now();
    while alive(tag) > 0 && begun.elapsed() < Duration::from_mins(2) {
        thread::sleep(Duration::from_millis(5));
    }
    alive(tag) == 0
}

#[test]
fn an_engine_that_hangs_loses() {
    Case::silent("hang", 4).loses(Reason::Fault, "said nothing for 5.0 s");
}

#[test]
fn an_engine_that_hangs_on_the_clock_loses() {
    Case { stall_ms: SHORT_STALL_MS, ..Case::timed("hang", "0.2+0.1", 2) }
        .loses(Reason::Fault, "after it was told to stop");
}

#[test]
fn an_engine_that_leaves_loses() {
    Case::new("exit", 6).loses(Reason::Fault, "exit status: 0");
}

#[test]
fn an_engine_that_crashes_loses_and_its_last_words_are_kept() {
    Case::new("crash", 6).loses(Reason::Fault, "it hurts");
}

#[test]
fn an_engine_that_floods_loses() {
    Case::new("flood", 2).loses(Reason::Fault, "without an answer");
}

#[test]
fn an_engine_that_writes_one_endless_line_loses() {
    Case::timed("noise", "0.3+0.1", 2).loses(Reason::Fault, "");
}

#[test]
fn an_illegal_move_loses() {
    Case::new("illegal", 6).loses(Reason::IllegalMove, "\"e1e5\" is not legal");
}

#[test]
fn a_move_that_is_none_loses() {
    Case::new("rubbish", 6).loses(Reason::IllegalMove, "xyzzy");
    Case::new("none-found", 2).loses(Reason::IllegalMove, "found no move");
}

#[test]
fn a_late_answer_loses_on_time() {
    Case::timed("late", "0.4+0", 2).loses(Reason::TimeForfeit, "over its time");
}

#[test]
fn a_second_answer_loses() {
    // Seen as such when it comes before the next question, else taken for a wrong answer to that.
    let openings = Openings::standard_start();
    let (bad, good) = (dancer("twice", 1, "twice"), dancer("none", 1, "twice"));
    let settings = settings(&[&bad, &good], "nodes=10", 6, &openings);
    let (played, _) = play(chess_match(&settings, &openings, None).unwrap(), CONCURRENCY);
    assert_eq!(played.result.summary.losses, 6);
    assert_eq!(played.result.crashes + played.result.illegal_moves, 6);
}

#[test]
fn closing_the_pipe_loses() {
    Case::new("closed", 2).loses(Reason::Fault, "closed its pipes");
}

#[test]
fn what_an_engine_starts_ends_with_it() {
    Case::silent("family", 2).loses(Reason::Fault, "said nothing");
}

#[test]
fn an_engine_that_never_introduces_itself_or_never_makes_ready_loses() {
    Case::silent("mute", 2).loses(Reason::Fault, "did not answer `uci`");
    // A busy machine may not let it answer even `uci` in that time.
    Case::silent("unready", 2).loses(Reason::Fault, "did not answer `");
    Case::new("stillborn", 4).loses(Reason::Fault, "no soul");
}

#[test]
fn an_engine_that_cannot_start_is_found_before_the_first_game() {
    let openings = Openings::standard_start();
    let bad = dancer("stillborn", 0, "early");
    let settings = settings(&[&bad, "random"], "nodes=10", 2, &openings);
    let error = chess_match(&settings, &openings, None).unwrap().try_players().unwrap_err().to_string();
    assert!(
        error.contains("stillborn") && error.contains("dancer.sh") && error.contains("no soul"),
        "{error}"
    );
}

#[test]
fn chatter_and_complaints_are_no_fault() {
    for fault in ["chatter", "complain", "none"] {
        let openings = Openings::standard_start();
        let (one, other) = (dancer(fault, 1, "talk"), dancer("none", 1, "talk"));
        let other = other.replacen("none=", "other=", 1);
        let settings = settings(&[&one, &other], "nodes=10", 4, &openings);
        let (played, records) = play(chess_match(&settings, &openings, None).unwrap(), CONCURRENCY);
        assert_eq!(played.result.summary.draws, 4, "{fault}: {records:?}");
    }
}

#[test]
fn hundreds_of_games_with_every_fault_are_all_accounted_for() {
    let tag = format!("tag-{}-many", std::process::id());
    let openings = Openings::standard_start();
    let agents: Vec<String> =
        ["crash", "exit", "illegal", "none", "twice"].iter().map(|fault| dancer(fault, 2, &tag)).collect();
    let agents: Vec<&str> = agents.iter().map(String::as_str).collect();
    let settings = settings(&agents, "depth=1", 30, &openings);
    let (played, records) = play(chess_match(&settings, &openings, None).unwrap(), CONCURRENCY);
    assert_eq!((records.len(), played.result.games_played), (300, 300));
    let counted = |of: fn(Reason) -> bool| {
        records.iter().filter(|record| record.outcome.is_some_and(|outcome| of(outcome.reason))).count()
            as u64
    };
    assert_eq!(played.result.crashes, counted(|reason| reason == Reason::Fault));
    assert_eq!(played.result.illegal_moves, counted(|reason| reason == Reason::IllegalMove));
    assert_eq!(played.result.crashes + played.result.illegal_moves, 300, "every pairing has a faulty side");
    assert!(gone(&tag));
}

#[test]
fn an_agent_that_panics_loses_and_the_match_goes_on() {
    let openings = Openings::standard_start();
    let settings = settings(&["broken", "random(seed=3)"], "nodes=10", 4, &openings);
    let (played, records) = play(chess_match(&settings, &openings, None).unwrap(), CONCURRENCY);
    assert_eq!((played.result.summary.losses, played.result.crashes), (4, 4));
    for record in &records {
        let told = record.detail.as_deref().unwrap_or_default();
        assert!(told.contains("a fault on purpose"), "{told}");
    }
}
