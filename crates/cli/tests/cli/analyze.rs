//! `tabia analyze`.

use std::path::Path;

use super::{folder, interrupt_after, start, tabia, tabia_in};

/// White mates with Qxf7.
const SCHOLAR: &str = "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4";
/// Black mates with Qh4.
const FOOL: &str = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";

#[test]
fn mate_in_one_is_found_whoever_gives_it() {
    for agent in ["engine", "alphabeta(depth=2)"] {
        for (fen, uci, san, mate) in [(SCHOLAR, "h5f7", "Qxf7#", 1), (FOOL, "d8h4", "Qh4#", -1)] {
            let run = tabia(&["analyze", fen, "--agent", agent, "--depth", "3", "--json"]);
            assert_eq!(run.code, 0, "{}", run.stderr);
            let document = run.json();
            assert_eq!(document["fen"], fen);
            assert_eq!(document["agent"], agent);
            assert_eq!((&document["best"]["uci"], &document["best"]["san"]), (&uci.into(), &san.into()));
            let line = &document["lines"][0];
            assert_eq!(
                (&line["rank"], &line["mate"], &line["bound"]),
                (&1.into(), &mate.into(), &"exact".into())
            );
            assert!(line["score_cp"].is_null());
            assert_eq!((&line["pv_uci"][0], &line["pv_san"][0]), (&uci.into(), &san.into()));
            assert!(line["nodes"].as_u64().unwrap() > 0 && line["time_ms"].is_u64() && line["nps"].is_u64());
        }
    }
}

#[test]
fn people_read_both_views_of_the_score() {
    let run = tabia(&["analyze", FOOL, "--depth", "3"]);
    assert_eq!(run.code, 0);
    assert!(run.stdout.contains("Black to move"), "{}", run.stdout);
    assert!(run.stdout.contains("#-1") && run.stdout.contains("#1"), "{}", run.stdout);
    assert!(run.stdout.contains("best move  Qh4#  (d8h4)"), "{}", run.stdout);
    assert!(run.stdout.contains("Black mates in 1"), "{}", run.stdout);
}

#[test]
fn several_lines_are_ranked() {
    let lines = &tabia(&["analyze", "startpos", "--depth", "4", "--multipv", "3", "--json"]).json()["lines"];
    let ranks: Vec<_> = lines.as_array().unwrap().iter().map(|line| line["rank"].as_u64().unwrap()).collect();
    assert_eq!(ranks, [1, 2, 3]);
    let scores: Vec<_> =
        lines.as_array().unwrap().iter().map(|line| line["score_cp"].as_i64().unwrap()).collect();
    assert!(scores.is_sorted_by(|a, b| a >= b), "{scores:?}");
}

#[test]
fn a_finished_game_has_no_best_move() {
    let fen = "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let run = tabia(&["analyze", fen]);
    assert_eq!((run.code, run.stdout.as_str()), (1, "The game is over: 1/2-1/2 (stalemate).\n"));
    let run = tabia(&["analyze", fen, "--json"]);
    assert_eq!(run.code, 1);
    assert!(run.json()["best"].is_null());
}

/// White blunders on the second move; the file has a game that cannot be played, too.
const GAMES: &str = "[White \"anna\"]\n[Black \"boris\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n1. e4 e5 2. Ke3 *\n\n1. e4 e5 2. Nf3 *\n";

#[test]
fn a_game_is_gone_over_move_by_move() {
    let folder = folder("game");
    std::fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let run = tabia_in(
        &folder,
        &[
            "analyze",
            "games.pgn",
            "--game",
            "1",
            "--depth",
            "5",
            "--annotate",
            "out.pgn",
            "--graph",
            "out.svg",
        ],
        "",
    );
    assert_eq!(run.code, 0, "{}", run.stderr);
    for expected in ["anna – boris  0-1 (checkmate)", "A00", "2. g4??", "2... Qh4#", "mate", "accuracy"] {
        assert!(run.stdout.contains(expected), "{expected}:\n{}", run.stdout);
    }
    let annotated = std::fs::read_to_string(folder.join("out.pgn")).unwrap();
    // Where lines break depends on the numbers in them.
    let annotated = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    for expected in [
        "2. g4 $4 { [%eval #-1] [%cal ",
        "2.g4?? allows mate in 1: 2...Qh4#.",
        "[Opening \"",
        "[Annotator \"tabia engine\"]",
        "(2. ",
    ] {
        assert!(annotated.contains(expected), "{expected}:\n{annotated}");
    }
    let svg = std::fs::read_to_string(folder.join("out.svg")).unwrap();
    assert!(svg.starts_with("<svg") && svg.contains("<circle"), "{svg}");
}

#[test]
fn all_games_of_a_file_are_one_document() {
    let folder = folder("games");
    std::fs::write(folder.join("games.pgn"), GAMES).unwrap();
    let run = tabia_in(&folder, &["analyze", "games.pgn", "--depth", "4", "--json"], "");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stderr.contains("games.pgn:6: \"Ke3\" is not legal"), "{}", run.stderr);
    let document = run.json();
    assert_eq!((&document["agent"], &document["interrupted"]), (&"engine".into(), &false.into()));
    let games = document["games"].as_array().unwrap();
    assert_eq!(games.len(), 2);
    let blunder = &games[0]["moves"][2];
    assert_eq!(
        (&blunder["san"], &blunder["mark"], &blunder["mate"]),
        (&"g4".into(), &"blunder".into(), &(-1).into())
    );
    assert_eq!(games[0]["marks"]["white"]["blunders"], 1);
    assert!(games[0]["accuracy"]["white"].as_f64() < games[0]["accuracy"]["black"].as_f64());
    assert_eq!(games[1]["opening"]["name"], "King's Knight Opening");
    assert!(games[1]["moves"][0]["score_cp"].is_i64() && games[1]["moves"][0]["best"]["uci"].is_string());
}

#[test]
fn what_cannot_be_gone_over_is_refused() {
    let folder = folder("refused");
    std::fs::write(folder.join("games.pgn"), GAMES).unwrap();
    std::fs::write(folder.join("broken.pgn"), "1. e4 e5 2. Ke3 *").unwrap();
    for (arguments, code, expected) in [
        (&["analyze", "games.pgn", "--graph", "x.svg"][..], 2, "choose one with --game"),
        (&["analyze", "games.pgn", "--game", "1", "--graph", "x.gif"], 2, "must end in .svg or .png"),
        (&["analyze", "games.pgn", "--game", "7"], 2, "there is no game 7; the file has 2 games"),
        (&["analyze", "games.pgn", "--multipv", "2"], 2, "are for positions"),
        (&["analyze", "startpos", "--annotate", "x.pgn"], 2, "--annotate needs a file of games"),
        (&["analyze", "broken.pgn"], 1, "has no game; the first fault"),
        (&["analyze", "missing.pgn"], 1, "cannot read missing.pgn"),
    ] {
        let run = tabia_in(&folder, arguments, "");
        assert_eq!(run.code, code, "{arguments:?}: {}", run.stderr);
        assert!(run.stderr.contains(expected), "{arguments:?}: {}", run.stderr);
    }
}

#[test]
fn an_interrupt_keeps_the_best_so_far() {
    let child = start(Path::new("."), &["analyze", "startpos", "--time", "600000"]);
    let run = interrupt_after(child, "2/");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("best move  "), "{}", run.stdout);
    assert!(run.stdout.contains("interrupted"), "{}", run.stdout);
}
