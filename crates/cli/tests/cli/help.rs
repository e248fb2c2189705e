//! Help, manual pages, completions, and what wrong usage gets.

use super::{folder, tabia};

const COMMANDS: [&str; 10] =
    ["play", "analyze", "eval", "field", "uci", "agents", "bench", "perft", "completions", "man"];

#[test]
fn every_command_has_help_with_an_example() {
    assert_eq!(tabia(&["--help"]).code, 0);
    for command in COMMANDS {
        let run = tabia(&[command, "--help"]);
        assert_eq!(run.code, 0, "{command}");
        assert!(run.stdout.contains("Example") && run.stderr.is_empty(), "{command}");
    }
}

#[test]
fn wrong_usage_ends_with_two_and_says_what_is_wrong() {
    for (arguments, expected) in [
        (&["ply"][..], "play"),
        (&["perft"], "<DEPTH>"),
        (&["perft", "many"], "many"),
        (&["perft", "-1"], "-1"),
        (&["bench", "--depth", "0"], "0"),
        (&["bench", "--eval", "materiel"], "material"),
        (&["bench", "--threads", "0"], "0"),
        (&["analyze"], "<FEN|FILE>"),
        (&["analyze", "startpos", "--agent", "engin"], "did you mean \"engine\"?"),
        (&["analyze", "startpos", "--agent", "alphabeta(dept=3)"], "did you mean \"depth\"?"),
        (
            &["analyze", "startpos", "--agent", "random", "--multipv", "2"],
            "\"random\" has no option \"lines\"",
        ),
        (&["play", "--white", "alphabeta(depth=99)"], "a whole number from 1 to 8"),
        (&["play", "--white", "alphabeta("], "unmatched"),
        (&["completions", "cmd"], "bash"),
    ] {
        let run = tabia(arguments);
        assert_eq!(run.code, 2, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.starts_with("tabia: error: "), "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
        assert!(run.stdout.is_empty(), "{arguments:?}: {}", run.stdout);
    }
}

#[test]
fn a_bad_position_is_named_with_its_fault() {
    for (arguments, expected) in [
        (
            &["perft", "1", "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"][..],
            "rank 7 has 9 squares, expected 8",
        ),
        (&["analyze", "8/8/8/8/8/8/8/K7", "w", "-", "-", "0", "1"], "Black has no king"),
        (&["play", "--fen", "hello/8"], "rank 8 has 'h'"),
    ] {
        let run = tabia(arguments);
        assert_eq!(run.code, 2, "{arguments:?}");
        assert!(run.stderr.starts_with("tabia: error: not a valid position: "), "{}", run.stderr);
        assert!(run.stderr.contains(expected), "{}", run.stderr);
    }
}

#[test]
fn every_shell_has_completions() {
    for shell in ["bash", "elvish", "fish", "powershell", "zsh"] {
        let run = tabia(&["completions", shell]);
        assert_eq!(run.code, 0);
        assert!(run.stdout.contains("analyze") && run.stdout.contains("multipv"), "{shell}");
    }
}

#[test]
fn every_command_has_a_manual_page() {
    let page = tabia(&["man"]);
    assert!(page.code == 0 && page.stdout.contains(".TH tabia 1"), "{}", page.stdout);
    let folder = folder("man");
    assert_eq!(tabia(&["man", "-o", folder.to_str().unwrap()]).code, 0);
    for command in COMMANDS {
        let page = std::fs::read_to_string(folder.join(format!("tabia-{command}.1"))).unwrap();
        assert!(page.contains("Example"), "{command}");
    }
}

#[test]
fn without_a_command_and_without_a_person_it_speaks_uci() {
    let run = super::tabia_in(&folder("uci"), &[], "uci\nquit\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("uciok"), "{}", run.stdout);
}

#[test]
fn a_cause_is_named_once_and_help_is_no_error() {
    let missing = tabia(&["suite", "none.epd"]);
    assert_eq!(missing.code, 1);
    assert_eq!(missing.stderr.matches("No such file").count(), 1, "{}", missing.stderr);
    let help = tabia(&["quantum"]);
    assert_eq!(help.code, 2);
    assert!(help.stderr.starts_with("Quantum chess"), "{}", help.stderr);
}
