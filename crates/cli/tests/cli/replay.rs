//! `tabia replay`.

use std::path::PathBuf;

use super::{folder, tabia_in};

const GAME: &str = "[Event \"Café\"]\n[Date \"2024.01.15\"]\n[White \"anna\"]\n[Black \"boris\"]\n[WhiteElo \"1500\"]\n\n1. e4 { [%eval 0.2] } e5 2. Bc4 Nc6 3. Qh5 { Threatens mate. } Nf6?? { [%eval #1] } (3... g6 4. Qf3 Nf6) 4. Qxf7# 1-0\n";

fn files() -> PathBuf {
    let folder = folder("replay");
    std::fs::write(folder.join("game.pgn"), format!("{GAME}\n1. d4 d5 *\n")).unwrap();
    folder
}

#[test]
fn a_game_is_printed_position_by_position() {
    let run = tabia_in(&files(), &["replay", "game.pgn"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    for expected in [
        "anna – boris  1-0 (checkmate)",
        "Before the first move",
        "1. e4  +0.20 for White",
        "C23 Bishop's Opening",
        "Threatens mate.",
        "3... Nf6??  White mates in 1",
        "instead: (3... g6 4. Qf3 Nf6)",
        "4. Qxf7#",
        "[Q]",
    ] {
        assert!(run.stdout.contains(expected), "{expected}:\n{}", run.stdout);
    }
    assert_eq!(run.stdout.matches("a  b  c  d").count(), 8, "the start and seven positions");
    assert!(!run.stdout.contains('\x1b'), "no colour in a pipe");
}

#[test]
fn commands_step_through_the_game() {
    let run =
        tabia_in(&files(), &["replay", "game.pgn", "--step"], "n\np\np\nl\nn\n3\nt\n9\nhello\nf\nq\nn\n");
    assert_eq!(run.code, 0, "{}", run.stderr);
    let said: Vec<&str> = run
        .stdout
        .lines()
        .filter(|line| {
            line.starts_with(|c: char| c.is_ascii_digit() || "t\"".contains(c)) || line.starts_with("Before")
        })
        .collect();
    assert_eq!(
        said,
        [
            "Before the first move",
            "1. e4  +0.20 for White",
            "Before the first move",
            "this is the start",
            "4. Qxf7#",
            "this is the end",
            "3. Qh5",
            "3. Qh5",
            "there is no move 9",
            "\"hello\" is none of n, p, f, l, t, q and no number of a move",
            "Before the first move",
        ]
    );
    assert!(run.stdout.contains("h  g  f"), "the board was turned:\n{}", run.stdout);
}

#[test]
fn games_are_converted_and_come_back() {
    let folder = files();
    let json = tabia_in(&folder, &["replay", "game.pgn", "--to", "json", "-o", "game.json"], "");
    assert_eq!((json.code, json.stdout.as_str()), (0, ""), "{}", json.stderr);
    let document: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("game.json")).unwrap()).unwrap();
    assert_eq!(document["moves"][6], "h5f7");
    assert_eq!((&document["result"], &document["reason"]), (&"1-0".into(), &"checkmate".into()));
    assert_eq!((&document["event"], &document["variant"]), (&"Café".into(), &"chess".into()));
    assert_eq!(document["thoughts"][0]["score_cp"], 20);
    let back = tabia_in(&folder, &["replay", "game.json", "--to", "pgn"], "");
    assert_eq!(back.code, 0, "{}", back.stderr);
    let straight = tabia_in(&folder, &["replay", "game.pgn", "--to", "pgn", "--game", "1"], "");
    // A file of games is converted as it was written; a replay in JSON has the tags that every game has.
    let moves = |text: &str| text.split_once("\n\n1.").unwrap().1.replace("[%eval 0.2]", "[%eval 0.20]");
    assert_eq!(moves(&back.stdout), moves(&straight.stdout));
    let text = back.stdout.replace('\n', " ");
    assert!(text.contains("3... Nf6 $4 { [%eval #1] } (3... g6 4. Qf3 Nf6)"), "{text}");
    let all = tabia_in(&folder, &["replay", "game.pgn", "--to", "pgn"], "");
    assert_eq!(all.stdout.matches("\n\n1. ").count(), 2, "{}", all.stdout);
}

#[test]
fn a_game_that_was_played_is_shown_again() {
    let folder = folder("played");
    let played = tabia_in(
        &folder,
        &["play", "--white", "human", "--black", "human", "--replay", "kept.json"],
        "f3\ne5\ng4\nQh4\n",
    );
    assert_eq!(played.code, 0, "{}", played.stderr);
    let run = tabia_in(&folder, &["replay", "kept.json"], "");
    assert!(run.stdout.contains("human – human  0-1 (checkmate)"), "{}", run.stdout);
    assert!(run.stdout.contains("2... Qh4#"), "{}", run.stdout);
}

#[test]
fn a_game_of_quantum_chess_is_walked_through_and_converted() {
    let folder = folder("replay-quantum");
    let game = r#"{"variant":"quantum","rules":2,"seed":4,"white":"anna","black":"boris","moves":["b1~c3","d7d5","c3d5-","d8d6"],"result":"1-0","reason":"resignation"}"#;
    std::fs::write(folder.join("game.json"), game).unwrap();
    let wrong = game.replace("c3d5-", "c3d5");
    std::fs::write(folder.join("games.jsonl"), format!("{game}\n\n{wrong}\n{{}}\n{game}\n")).unwrap();
    let run = tabia_in(&folder, &["replay", "game.json"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    for expected in [
        "anna – boris  1-0 (resignation)",
        "1. b1~c3 (succeeds 50%)",
        " 3    .    .   N50   .    .    .    .    .",
        "2 branches",
        "50%  rnbqkbnr/pppppppp/8/8/8/2N5/PPPPPPPP/R1BQKBNR",
        "measured: c3d5 did not take the pawn: 50%",
        "2... d8d6",
    ] {
        assert!(run.stdout.contains(expected), "{expected}:\n{}", run.stdout);
    }
    let run = tabia_in(&folder, &["replay", "games.jsonl", "--game", "3", "--step"], "2\nl\nn\nq\n");
    assert!(
        run.stdout.contains("2. c3d5- (succeeds 50%)") && run.stdout.contains("this is the end"),
        "{}",
        run.stdout
    );
    assert!(run.stderr.contains("games.jsonl:4: the field \"moves\" is missing"), "{}", run.stderr);
    let run = tabia_in(&folder, &["replay", "games.jsonl", "--game", "2"], "");
    assert!(
        run.code == 1 && run.stderr.contains("ply 3: c3d5 measures whether it captures the pawn"),
        "{}",
        run.stderr
    );
    let json = tabia_in(&folder, &["replay", "games.jsonl", "--to", "json"], "").json();
    let before: serde_json::Value = serde_json::from_str(game).unwrap();
    for field in ["moves", "seed", "rules", "result", "reason", "variant"] {
        assert_eq!(json[field], before[field], "{field}");
    }
    let run = tabia_in(&folder, &["replay", "games.jsonl", "--game", "2", "--to", "json"], "");
    assert!(run.code == 1 && run.stderr.contains("ply 3"), "{}", run.stderr);
}

#[test]
fn what_cannot_be_shown_is_refused() {
    let folder = files();
    std::fs::write(folder.join("bad.json"), r#"{"moves":["e2e4"],"result":"2-0"}"#).unwrap();
    for (arguments, code, expected) in [
        (&["replay", "missing.pgn"][..], 1, "cannot read missing.pgn"),
        (&["replay", "game.txt"], 2, "must end in .pgn, .json or .jsonl"),
        (&["replay", "game.pgn", "--game", "3"], 2, "there is no game 3; the file has 2 games"),
        (&["replay", "bad.json"], 1, "the field \"result\" is \"2-0\""),
        (&["replay", "game.pgn", "-o", "x"], 2, "--to"),
    ] {
        let run = tabia_in(&folder, arguments, "");
        assert_eq!(run.code, code, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
}
