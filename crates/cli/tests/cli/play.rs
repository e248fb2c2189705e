//! `tabia play`.

use std::fs;
use std::io::Write;
use std::path::Path;

use serde_json::{Value, json};

use super::{folder, interrupt_after, start, tabia_in};

/// The one replay in a folder's `replays`.
fn replay(folder: &Path) -> Value {
    let files: Vec<_> =
        fs::read_dir(folder.join("replays")).unwrap().map(|file| file.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    assert_eq!(files[0].extension().unwrap(), "json");
    serde_json::from_str(&fs::read_to_string(&files[0]).unwrap()).unwrap()
}

const BOTH: [&str; 5] = ["play", "--white", "human", "--black", "human"];

#[test]
fn scholars_mate_is_played_and_kept() {
    let folder = folder("scholar");
    let run = tabia_in(&folder, &BOTH, "e4\ne7e5\nBc4\nnc6\nQh5\nNf6\nh5f7\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("1-0: White wins by checkmate."), "{}", run.stdout);
    assert!(run.stdout.contains("[Q]"), "the last move is marked:\n{}", run.stdout);
    let mut replay = replay(&folder);
    let timestamp = replay["timestamp"].take();
    let digits: String =
        timestamp.as_str().unwrap().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect();
    assert_eq!(digits, "0000-00-00T00:00:00");
    let expected = json!({
        "moves": ["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"],
        "result": "1-0", "reason": "checkmate", "white": "human", "black": "human",
        "event": "tabia play", "timestamp": null, "variant": "chess",
    });
    assert_eq!(replay, expected);
}

#[test]
fn a_bad_move_is_explained_and_the_game_goes_on() {
    let run = tabia_in(&folder("bad"), &BOTH, "e2e5\nNd4\nudno\nmoves\nfen\nhelp\nflip\nboard\nquit\n");
    assert_eq!(run.code, 0);
    for expected in [
        "the pawn on e2 cannot go to e5; it can play e3 e4",
        "no knight can go to d4; your knights can play Na3 Nc3 Nf3 Nh3",
        "did you mean \"undo\"?",
        "knight  Na3 Nc3 Nf3 Nh3",
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "resign   give the game up",
        " 1   R  N  B  K  Q  B  N  R",
        "Left after 0 half-moves.",
    ] {
        assert!(run.stdout.contains(expected), "{expected}:\n{}", run.stdout);
    }
    assert!(!run.stdout.contains('\x1b'), "no colour in a pipe");
}

#[test]
fn a_field_is_shown_in_numbers_where_there_is_no_colour() {
    let run =
        tabia_in(&folder("field"), &BOTH, "e4\nfield\nfield axon\nfield mobilty\nfield king-zones\nquit\n");
    for expected in [
        "axiomx: control  influence\n",
        "`field NAME` shows another of axiomx: white attack, black attack, ",
        "axon: mobility",
        "axon has no field \"mobilty\"",
        "did you mean \"mobility\"?",
        "axon: king zones",
    ] {
        assert!(run.stdout.contains(expected), "{expected}:\n{}", run.stdout);
    }
    // Rank 4 of the first, with the pawn that has just come there.
    let rank = run
        .stdout
        .split("axiomx: control")
        .nth(1)
        .unwrap()
        .lines()
        .find(|line| line.starts_with(" 4 "))
        .unwrap();
    assert_eq!((rank.matches('P').count(), rank.split_whitespace().count()), (1, 10), "{rank}");
    assert!(!run.stdout.contains('\x1b'));
}

#[test]
fn undo_resign_and_draw_do_what_they_say() {
    for (input, moves, result, reason) in [
        ("e4\nundo\nd4\nresign\n", json!(["d2d4"]), "1-0", "resignation"),
        ("e4\ndraw\nno\ndraw\nyes\n", json!(["e2e4"]), "1/2-1/2", "agreement"),
    ] {
        let folder = folder("words");
        assert_eq!(tabia_in(&folder, &BOTH, input).code, 0);
        let replay = replay(&folder);
        assert_eq!(replay["moves"], moves);
        assert_eq!((&replay["result"], &replay["reason"]), (&result.into(), &reason.into()));
    }
}

#[test]
fn an_agent_answers_a_draw_offer_by_its_score_and_resigning_is_final() {
    // Black is a queen down, a queen up, and a queen down in the opening.
    for (fen, input, result, reason) in [
        ("4k3/p7/8/8/8/8/P7/3QK3 w - - 0 30", "a3\ndraw\n", "1/2-1/2", "agreement"),
        ("3qk3/p7/8/8/8/8/P7/4K3 w - - 0 30", "a3\ndraw\nresign\n", "0-1", "resignation"),
        ("4k3/p7/8/8/8/8/P7/3QK3 w - - 0 3", "a3\ndraw\nresign\n", "0-1", "resignation"),
    ] {
        let folder = folder("draw");
        let run = tabia_in(&folder, &["play", "--black", "random(seed=5)", "--fen", fen], input);
        assert_eq!(run.code, 0, "{}", run.stderr);
        let replay = replay(&folder);
        assert_eq!((&replay["result"], &replay["reason"]), (&result.into(), &reason.into()), "{fen}");
        assert_eq!(run.stdout.contains("Black declines."), reason == "resignation", "{}", run.stdout);
    }
}

#[test]
fn undo_against_an_agent_takes_two_half_moves_back() {
    let folder = folder("undo");
    let run = tabia_in(&folder, &["play", "--black", "random(seed=5)"], "undo\ne4\nundo\nfen\nd4\nquit\n");
    assert!(run.stdout.contains("there is no move of yours to take back"), "{}", run.stdout);
    assert!(run.stdout.contains("RNBQKBNR w KQkq - 0 1"), "{}", run.stdout);
    let replay = replay(&folder);
    assert_eq!((&replay["moves"][0], &replay["result"]), (&"d2d4".into(), &"*".into()));
    assert_eq!(replay["moves"].as_array().unwrap().len(), 2);
}

#[test]
fn agents_play_by_themselves_and_the_same_seeds_the_same_game() {
    let play = |file: &str| {
        let folder = folder("random");
        let arguments = ["play", "--white", "random(seed=1)", "--black", "random(seed=2)", "--replay", file];
        let run = tabia_in(&folder, &arguments, "");
        assert_eq!(run.code, 0, "{}", run.stderr);
        assert!(!folder.join("replays").exists());
        let text = fs::read_to_string(folder.join(file)).unwrap();
        serde_json::from_str::<Value>(&text).unwrap()
    };
    let (first, second) = (play("game.json"), play("some/where/game.json"));
    assert!(first["moves"].as_array().unwrap().len() > 20);
    assert_eq!((&first["moves"], &first["result"]), (&second["moves"], &second["result"]));
    assert_eq!((&first["white"], &first["black"]), (&"random(seed=1)".into(), &"random(seed=2)".into()));
}

#[test]
fn an_agent_says_what_it_thinks() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let folder = folder("mate");
    let arguments = ["play", "--white", "alphabeta(depth=2)", "--black", "human", "--fen", fen];
    let run = tabia_in(&folder, &arguments, "");
    assert!(run.stdout.contains("1. Rd8#"), "{}", run.stdout);
    assert!(run.stdout.contains("White mates in 1, depth 2"), "{}", run.stdout);
    assert!(run.stdout.contains("1-0: White wins by checkmate."), "{}", run.stdout);
    assert_eq!(replay(&folder)["fen"], fen);
}

#[test]
fn chess960_castling_is_written_as_king_takes_rook() {
    let fen = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
    let folder = folder("chess960");
    let arguments = [&BOTH[..], &["--chess960", "--fen", fen]].concat();
    assert_eq!(tabia_in(&folder, &arguments, "O-O\nquit\n").code, 0);
    let replay = replay(&folder);
    assert_eq!((&replay["moves"], &replay["variant"]), (&json!(["e1h1"]), &"chess960".into()));
}

#[test]
fn the_end_of_input_keeps_the_game_unless_it_is_not_wanted() {
    let kept = folder("end");
    let run = tabia_in(&kept, &BOTH, "e4\ne5");
    assert!(run.stdout.contains("No more input after 2 half-moves."), "{}", run.stdout);
    assert_eq!((run.code, &replay(&kept)["moves"]), (0, &json!(["e2e4", "e7e5"])));
    let unwanted = folder("no-save");
    assert_eq!(tabia_in(&unwanted, &[&BOTH[..], &["--no-save"]].concat(), "e4\n").code, 0);
    assert!(!unwanted.join("replays").exists());
}

#[test]
fn an_interrupt_keeps_the_game() {
    let folder = folder("interrupt");
    let mut child = start(&folder, &BOTH);
    let mut input = child.stdin.take().unwrap();
    input.write_all(b"e4\n").unwrap();
    let run = interrupt_after(child, "Black> ");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("Interrupted after 1 half-move."), "{}", run.stdout);
    assert_eq!((&replay(&folder)["moves"], &replay(&folder)["result"]), (&json!(["e2e4"]), &"*".into()));
}

#[test]
fn a_thinking_agent_is_interrupted_too() {
    let folder = folder("thinking");
    let arguments = ["play", "--white", "random", "--black", "engine", "--movetime", "600000"];
    let run = interrupt_after(start(&folder, &arguments), "1. ");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert_eq!(replay(&folder)["moves"].as_array().unwrap().len(), 1);
}
