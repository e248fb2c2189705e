//! `tabia analyze`.

use std::path::Path;

use super::{interrupt_after, start, tabia};

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

#[test]
fn a_game_file_is_refused_for_now() {
    let run = tabia(&["analyze", "Cargo.toml"]);
    assert_eq!(run.code, 2);
    assert!(run.stderr.contains("not there yet"), "{}", run.stderr);
}

#[test]
fn an_interrupt_keeps_the_best_so_far() {
    let child = start(Path::new("."), &["analyze", "startpos", "--time", "600000"]);
    let run = interrupt_after(child, "2/");
    assert_eq!(run.code, 0, "{}", run.stderr);
    assert!(run.stdout.contains("best move  "), "{}", run.stdout);
    assert!(run.stdout.contains("interrupted"), "{}", run.stdout);
}
