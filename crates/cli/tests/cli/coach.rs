//! The coach's commands: `explain`, `motifs`, `exercises`, and reasons in `analyze`.

use std::fs;

use serde_json::{Value, json};

use crate::{folder, tabia, tabia_in};

const LEGAL: &str = "r2qkbnr/ppp2ppp/2np4/4N2b/2B1P3/2N4P/PPPP1PP1/R1BQK2R b KQkq - 0 6";

fn keys(value: &Value) -> Vec<&str> {
    value.as_object().unwrap().keys().map(String::as_str).collect()
}

#[test]
fn a_move_is_explained_in_one_document() {
    let arguments = ["explain", LEGAL, "Bxd1", "--nodes", "20000", "--json"];
    let run = tabia(&arguments);
    let document = run.json();
    for key in [
        "fen",
        "move",
        "verdict",
        "score",
        "best",
        "refutation",
        "reasons",
        "terms",
        "further_cp",
        "text",
        "arrows",
        "squares",
    ] {
        assert!(keys(&document).contains(&key), "{key}: {document}");
    }
    assert_eq!((&document["fen"], &document["move"]), (&json!(LEGAL), &json!("h5d1")));
    for key in ["move", "score", "line"] {
        assert!(keys(&document["best"]).contains(&key), "{key}: {document}");
    }
    assert!(document["refutation"]["line"].is_array());
    for reason in document["reasons"].as_array().unwrap() {
        for key in ["kind", "worth_cp", "pieces", "squares", "line", "evidence"] {
            assert!(keys(reason).contains(&key), "{key}: {reason}");
        }
        assert_eq!(keys(&reason["evidence"]), ["actual_cp", "check", "counterfactual_cp"]);
    }
    assert_eq!(run.stdout, tabia(&arguments).stdout, "the same input gives the same bytes");
}

#[test]
fn terms_and_further_calculation_are_what_the_scores_differ_by() {
    let fen = "r4rk1/ppp2ppp/2np4/8/8/1R3N2/P3BPPP/5RK1 b - - 0 16";
    let document = tabia(&["explain", fen, "a5", "--nodes", "20000", "--json"]).json();
    let sum: i64 =
        document["terms"].as_array().unwrap().iter().map(|term| term["cp"].as_i64().unwrap()).sum();
    let score = |value: &Value| value["score"].as_i64().unwrap();
    if let Some(further) = document["further_cp"].as_i64() {
        assert_eq!(sum + further, score(&document) - score(&document["best"]), "{document}");
    }
}

#[test]
fn mates_are_never_written_as_centipawns() {
    let run = tabia(&["explain", LEGAL, "Bxd1", "--nodes", "20000"]);
    assert!(run.stdout.starts_with("6...Bxd1?? allows mate in 2: 7.Bxf7+ Ke7 8.Nd5#."), "{}", run.stdout);
    assert!(run.stdout.contains("full-width mate search (mate in 2)"), "{}", run.stdout);
    let run = tabia(&["explain", "r4rk1/5Npp/8/8/2Q5/8/5PPP/6K1 w - - 0 1", "--nodes", "20000"]);
    for text in ["319.", "310.", "100.00"] {
        assert!(!run.stdout.contains(text), "{}", run.stdout);
    }
}

#[test]
fn what_cannot_be_explained_is_said() {
    for (words, why) in [
        (vec!["startpos", "Ke5"], "\"Ke5\" is not legal"),
        (vec!["startpos", "Zz9"], "Zz9"),
        (vec!["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1"], "the game is over"),
        (vec!["8/8/9/8/8/8/8/8 w - - 0 1"], "not a valid position"),
        (vec!["startpos", "e4", "--syzygy", "/nowhere"], "--syzygy"),
    ] {
        let run = tabia(&[&["explain"], words.as_slice()].concat());
        assert_eq!(run.code, 2, "{}", run.stderr);
        assert!(run.stderr.contains(why), "{why}: {}", run.stderr);
    }
}

#[test]
fn motifs_of_puzzles_are_one_document_and_broken_rows_are_named() {
    let folder = folder("coach_motifs");
    let rows = "PuzzleId,FEN,Moves,Themes\n\
        a,6k1/pp4pp/2p5/3r4/8/2P3B1/Pn1R1PPP/6K1 w - - 0 27,d2b2 d5d1,backRankMate mate mateIn1\n\
        b,6k1/pp4pp/2p5/3r4/8/2P3B1/Pn1R1PPP/6K1 w - - 0 27,d2b2 d5d1 a1a8,fork\n\
        c,nonsense,d2b2,fork\n";
    fs::write(folder.join("puzzles.csv"), rows).unwrap();
    let run = tabia_in(&folder, &["motifs", "puzzles.csv", "--json"], "");
    let document = run.json();
    assert_eq!(document["puzzles"], 1);
    let mate = &document["themes"]["backRankMate"];
    assert_eq!(
        mate,
        &json!({"tagged": 1, "found": 1, "both": 1, "precision": 1.0, "recall": 1.0, "f1": 1.0})
    );
    assert!(run.stderr.contains("line 3: half-move 3 of the line, a1a8, is not legal in"), "{}", run.stderr);
    assert!(run.stderr.contains("line 4: "), "{}", run.stderr);
    let table = tabia_in(&folder, &["motifs", "puzzles.csv"], "").stdout;
    assert!(table.contains("backRankMate") && table.contains("goal"), "{table}");
}

#[test]
fn annotated_games_carry_reasons_and_broken_variations_are_named() {
    let folder = folder("coach_annotate");
    let game = "[White \"anna\"]\n\n1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6\n(3... g6 4. Qf3 Ke4)\n4. Qxf7# 1-0\n";
    fs::write(folder.join("game.pgn"), game).unwrap();
    let arguments = ["analyze", "game.pgn", "--nodes", "3000", "--annotate", "out.pgn", "--json"];
    let run = tabia_in(&folder, &arguments, "");
    assert!(
        run.stderr.contains("kept as far as it goes: game.pgn:4: \"Ke4\" is not legal"),
        "{}",
        run.stderr
    );
    let document = run.json();
    let review = &document["games"][0]["moves"][5]["review"];
    assert!(review["text"].as_str().unwrap().starts_with("3...Nf6?? allows mate in 1: 4.Qxf7#."), "{review}");
    let written = fs::read_to_string(folder.join("out.pgn")).unwrap();
    let written = written.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(written.contains("3... Nf6 $4") && written.contains("(3... g6 4. Qf3)"), "{written}");
    assert!(written.contains("[%cal "), "{written}");
    let exercises = tabia_in(&folder, &["exercises", "game.pgn", "--nodes", "3000", "--json"], "").json();
    let first = &exercises["exercises"][0];
    assert!(first["accepted"].as_array().is_some_and(|accepted| !accepted.is_empty()), "{exercises}");
    assert!(first["hint"].is_string() && first["reason"].is_string(), "{exercises}");
}
